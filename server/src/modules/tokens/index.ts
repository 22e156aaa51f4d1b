export {
  type AccessTokens,
  createAccessTokens,
  mintAccessToken,
  type TokenSubject,
} from './access-token.ts';
export {
  mintRefreshToken,
  type PresentedRefreshToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
} from './refresh-token.ts';
