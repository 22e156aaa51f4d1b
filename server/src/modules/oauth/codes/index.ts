export type { AuthorizationCode, AuthorizationCodes } from './authorization-codes.ts';
export {
  isPushedRequestUri,
  type PushedRequests,
  type PushedRequestUse,
} from './pushed-requests.ts';
export type { Seals } from './seals.ts';
