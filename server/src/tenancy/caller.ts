import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { SessionId, UserId } from '@keywright/contract/ids';

/** Who makes a request, as their verified token tells. */
export interface Caller {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  readonly claims: AccessTokenClaims;
}
