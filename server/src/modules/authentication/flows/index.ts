export { createDeviceTokens, type DeviceTokens, type KnownDevice } from './device-tokens.ts';
export { flowsModule } from './module.ts';
export type { Step } from './step.ts';
export type { TellOfDevice } from './new-device.ts';
export { countFailure, forgetFailures } from './message-factors-store.ts';
export { inviteeOf, mayJoin } from './rules.ts';
export type { TakenPasskey } from './passkey-store.ts';
export type { Flows } from './service.ts';
export { beginLinking, type FlowUser, nameUser, type StoredFlow } from './store.ts';
