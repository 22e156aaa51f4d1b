export { deviceGrantsModule } from './module.ts';
export type { DeviceGrants, PendingDevice } from './device-grants.ts';
