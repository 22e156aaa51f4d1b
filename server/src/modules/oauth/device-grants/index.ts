export type { DeviceGrants, PendingDevice } from './device-grant-service.ts';
export { parseUserCode, type UserCodeGuesses } from './user-codes.ts';
