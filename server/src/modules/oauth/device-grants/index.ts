export { readUserCode, WRONG_CODES } from './user-codes.ts';
export type { DeviceGrants, PendingDevice } from './device-grants.ts';
