export { createDeviceTokens, type DeviceTokens, type KnownDevice } from './device-tokens.ts';
export { flowsModule } from './module.ts';
export type { Device, Step } from './completion.ts';
export type { TellOfDevice } from './new-device.ts';
export { inviteeOf, mayJoin } from './rules.ts';
export type { Flows } from './service.ts';
export type { FlowUser, StoredFlow } from './store.ts';
