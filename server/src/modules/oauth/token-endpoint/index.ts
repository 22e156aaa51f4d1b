export type { ClientAuthentication } from './client-authentication.ts';
export { type ClientRequest, readClient } from './token-request.ts';
export { type ClientSigningKeys, addressesOf } from './agent-verification.ts';
