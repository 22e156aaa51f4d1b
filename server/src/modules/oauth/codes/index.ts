export type { AuthorizationCode, AuthorizationCodes, Seals } from './authorization-codes.ts';
export {
  isPushedRequestUri,
  type PushedRequests,
  type PushedRequestUse,
} from './pushed-requests.ts';
