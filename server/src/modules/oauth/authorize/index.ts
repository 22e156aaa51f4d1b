export { isVettedClient } from './leave.ts';
export { addressOf } from './reply.ts';
export { weakestOf } from './demands.ts';
export type { InAppRequests } from './in-app.ts';
export type { BeginOwnLogin } from './own-login.ts';
export { refuse } from './sent.ts';
export { type AuthorizationRequest, PROMPTS } from './request.ts';
export { waysOf } from './ways.ts';
export { RESPONSE_MODES } from './response-modes.ts';
