export {
  type AccessTokens,
  createAccessTokens,
  createInspectToken,
  draftAccessToken,
  type InspectToken,
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
