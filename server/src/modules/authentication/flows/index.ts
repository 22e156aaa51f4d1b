export { deviceCookie, type DeviceTokens, isDeviceOf, type KnownDevice } from './device-tokens.ts';
export { createReadInvitation, type ReadInvitation } from './invited.ts';
export type { Step } from './step.ts';
export type { TellOfDevice } from './new-device.ts';
export { countFailure, forgetFailures } from './message-factors-store.ts';
export { deviceIn, inviteeOf, mayJoin } from './rules.ts';
export type { TakenPasskey } from './passkey-store.ts';
export type { Flows } from './service.ts';
export { beginLinking, type FlowUser, nameUser, type StoredFlow } from './store.ts';
