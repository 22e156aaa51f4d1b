export { type AuthorizationContexts, type Interactions, continuePath } from './interaction.ts';
export {
  type AuthorizationGrants,
  type AuthorizationResponse,
  isVettedClient,
  redirectUrl,
} from './authorization-response.ts';
export {
  type AuthorizationRequest,
  PROMPTS,
  type Verdict,
  invalidRequest,
} from './authorization-request.ts';
export { loginMethodsOf } from './interaction-pages.ts';
export type { PageLogins } from './page-logins.ts';
export { RESPONSE_MODES } from './request-parameters.ts';
export { weakestOf } from './authorization-decision.ts';
export {
  type DirectFail,
  type RequestReader,
  UNREGISTERED_REDIRECT_URI,
  failDirectly,
} from './request-reader.ts';
