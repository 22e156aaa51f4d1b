export type { ClientAuthentication } from './client-authentication.ts';
export { type ClientRequest, readClient } from './token-request.ts';
export { type ClientSigningKeys, addressesOf } from './agent-verification.ts';
export { GrantRedemption } from './token-response.ts';
export { UserinfoService } from './userinfo-service.ts';
