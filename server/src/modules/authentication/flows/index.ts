export { createDeviceTokens, type DeviceTokens, type KnownDevice } from './device-tokens.ts';
export { flowsModule } from './module.ts';
export type { Device, Flows } from './service.ts';
export type { StoredFlow } from './store.ts';
