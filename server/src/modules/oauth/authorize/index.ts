export { pathAtIssuer, requireIssuer } from './addresses.ts';
export { authorizeModule } from './module.ts';
export { addressOf } from './reply.ts';
export { weakestOf } from './demands.ts';
export type { InAppRequests } from './in-app.ts';
export type { BeginOwnLogin } from './own-login.ts';
export { refuse as refuseRequest } from './sent.ts';
export { type AuthorizationRequest, PROMPTS } from './request.ts';
export { RESPONSE_MODES } from './response-modes.ts';
