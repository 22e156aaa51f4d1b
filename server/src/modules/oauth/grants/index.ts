export type { AuthorizationCode, AuthorizationCodes, Seals } from './authorization-codes.ts';
export {
  type PushedRequestUse,
  type PushedRequests,
  isPushedRequestUri,
} from './pushed-requests.ts';
export { grantAndLockConsent, grantConsent } from './consent-service.ts';
export { type ConsentedResource, findConsentedResources } from './consent-store.ts';
export {
  type DeviceGrants,
  type PendingDevice,
  type UserCodeGuesses,
  parseUserCode,
} from './device-grant-service.ts';
