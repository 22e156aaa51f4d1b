export { pathAtIssuer, requireIssuer } from './addresses.ts';
export { authorizeModule } from './module.ts';
export { addressOf } from './reply.ts';
export type { BeginOwnLogin } from './own-login.ts';
export { PROMPTS } from './request.ts';
export { RESPONSE_MODES } from './response-modes.ts';
