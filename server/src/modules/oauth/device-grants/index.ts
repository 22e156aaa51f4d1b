export {
  type DeviceGrants,
  type PendingDevice,
  type UserCodeGuesses,
  parseUserCode,
} from './device-grant-service.ts';
