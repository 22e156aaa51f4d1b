export type { AccessTokens } from './access-tokens.ts';
export {
  type TokenSubject,
  type TokenTarget,
  draftAccessToken,
  mintAccessToken,
  mintResourceToken,
  tokenTypeOf,
} from './minted-tokens.ts';
export {
  type GrantedClient,
  type PresentedRefreshToken,
  type RefreshTokenFields,
  mintOpaqueToken,
  mintSignedToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
} from './refresh-tokens.ts';
export type { Dpop, ProvenKey } from './dpop.ts';
