import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { SessionId, UserId } from '@keywright/contract/ids';

/** Who makes a request, as their verified token tells. */
export interface Caller {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** Holds `system_admin`, in the tenant where that role is. */
  readonly isSystemAdministrator: boolean;
  /** A system administrator who works inside a tenant of others: no user of it. */
  readonly isVisiting: boolean;
  readonly claims: AccessTokenClaims;
}
