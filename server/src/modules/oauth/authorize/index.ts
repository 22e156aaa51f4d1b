export { addressOf, isVettedClient } from './authorization-response.ts';
export { RESPONSE_MODES, weakestOf } from './request-parameters.ts';
export type { InAppRequests } from './in-app-requests.ts';
export type { BeginOwnLogin } from './page-logins.ts';
export { refuse } from './request-reader.ts';
export { type AuthorizationRequest, PROMPTS } from './authorization-request.ts';
export { waysOf } from './interaction-pages.ts';
