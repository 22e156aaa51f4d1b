export type { ClientAuthentication } from './client-authentication.ts';
export { type ClientRequest, readClient } from './token-request.ts';
export { addressesOf, type ClientSigningKeys } from './client-verification.ts';
