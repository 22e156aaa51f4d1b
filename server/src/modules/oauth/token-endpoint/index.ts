export type { AuthenticatedCaller, ClientAuthentication } from './client-authentication.ts';
export { type ClientRequest, needsKey, readClient } from './token-request.ts';
export { addressesOf, type ClientSigningKeys } from './client-verification.ts';
