export type { AuthenticatedCaller, ClientAuthentication } from './client-authentication.ts';
export { type ClientRequest, readClient } from './client-request.ts';
export { addressesOf, type ClientSigningKeys } from './client-verification.ts';
export { needsKey } from './grant-rules.ts';
