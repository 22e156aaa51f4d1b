export { deviceGrantsModule } from './module.ts';
export { readUserCode } from './user-codes.ts';
export type { DeviceGrants, PendingDevice } from './device-grants.ts';
