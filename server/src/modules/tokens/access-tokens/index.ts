export {
  type AccessTokens,
  createAccessTokens,
  draftAccessToken,
  mintAccessToken,
  mintResourceToken,
  type TokenSubject,
  type TokenTarget,
  tokenTypeOf,
} from './access-token.ts';
export { createInspectToken, type InspectToken } from './inspect.ts';
export {
  type GrantedClient,
  mintRefreshToken,
  type PresentedRefreshToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
} from './refresh-token.ts';
