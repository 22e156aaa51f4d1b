export type {
  AuthenticatedCaller,
  ClientAuthentication,
  Identify,
} from './client-authentication.ts';
export { type ClientRequest, readClient } from './client-request.ts';
export { addressesOf, type FindClientKey } from './client-verification.ts';
export { needsKey } from './grant-rules.ts';
