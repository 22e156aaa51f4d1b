export {
  type AccessTokens,
  draftAccessToken,
  mintAccessToken,
  mintResourceToken,
  type TokenSubject,
  type TokenTarget,
  tokenTypeOf,
} from './access-tokens.ts';
export {
  type GrantedClient,
  mintRefreshToken,
  type PresentedRefreshToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
} from './refresh-tokens.ts';
export type { Dpop, ProvenKey } from './dpop.ts';
