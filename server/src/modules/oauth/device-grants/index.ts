export { createGuesses, type Guesses, readUserCode } from './user-codes.ts';
export type { DeviceGrants, PendingDevice } from './device-grant-service.ts';
