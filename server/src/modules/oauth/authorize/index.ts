export type { AuthorizationContexts } from './authorization-context.ts';
export type { AuthorizationGrants } from './authorization-grants.ts';
export {
  type AuthorizationRequest,
  invalidRequest,
  PROMPTS,
  type Verdict,
} from './authorization-request.ts';
export {
  type AuthorizationResponse,
  isVettedClient,
  redirectUrl,
} from './authorization-response.ts';
export { loginMethodsOf } from './interaction-pages.ts';
export type { PageLogins } from './interaction.ts';
export { RESPONSE_MODES, weakestOf } from './request-parameters.ts';
export {
  type DirectFail,
  failDirectly,
  type RequestReader,
  UNREGISTERED_REDIRECT_URI,
} from './request-reader.ts';
