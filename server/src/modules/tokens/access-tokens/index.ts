export type { AccessTokens } from './access-tokens.ts';
export {
  type GrantedClient,
  type PresentedRefreshToken,
  type TokenSubject,
  type TokenTarget,
  draftAccessToken,
  mintAccessToken,
  mintRefreshToken,
  mintResourceToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
  tokenTypeOf,
} from './minted-tokens.ts';
export type { Dpop, ProvenKey } from './dpop.ts';
