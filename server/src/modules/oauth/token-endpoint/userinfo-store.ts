import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { userinfo } from '../../../../sql/tokens/kw_userinfo.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { ClaimedUser } from '../id-tokens/index.ts';

/** The claims about the session in a client's access token. */
export interface SessionClaims {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly version: number;
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
}

/** The user of a session, with the settings of its client. */
export interface SessionUser extends ClaimedUser {
  /** Claims that the client requested by name. */
  readonly requested_claims: readonly string[];
  readonly redirect_uris: OAuthClientRecord['redirect_uris'];
  readonly sector_identifier_uri: OAuthClientRecord['sector_identifier_uri'];
  readonly subject_type: OAuthClientRecord['subject_type'];
  readonly algorithm: OAuthClientRecord['userinfo_signed_response_alg'];
}

/** Returns the users of sessions, in the order of the claims; undefined for a token that is no longer valid. */
export async function findSessionUsers(
  gate: Gate,
  claims: readonly SessionClaims[],
): Promise<(SessionUser | undefined)[]> {
  const [row] = await gate.callMany(userinfo, {
    tenants: claims.map(({ tenantId }) => tenantId),
    sessions: claims.map(({ sessionId }) => sessionId),
    versions: claims.map(({ version }) => version),
    users: claims.map(({ userId }) => userId),
    clients: claims.map(({ clientId }) => clientId),
  });
  return claims.map((_, index) => row?.answer[index] ?? undefined);
}
