import type { OAuthClientId, SessionId, TenantId, UserId } from '@keywright/contract/ids';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import { userinfo } from '../../../../sql/tokens/kw_userinfo.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { ClaimedUser } from '../id-tokens/index.ts';

/** What an access token of a client says of its session. */
interface SessionClaims {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly version: number;
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
}

/** The user of the session, and how its client is told. */
interface Told extends ClaimedUser {
  /** Claims that the client asked for by name. */
  readonly asked: readonly string[];
  readonly redirect_uris: OAuthClientRecord['redirect_uris'];
  readonly sector_identifier_uri: OAuthClientRecord['sector_identifier_uri'];
  readonly subject_type: OAuthClientRecord['subject_type'];
  readonly algorithm: OAuthClientRecord['userinfo_signed_response_alg'];
}

/** Undefined if a token with these claims is not valid any more. Queried each time, concurrent requests together. */
export type FindTold = (claims: SessionClaims) => Promise<Told | undefined>;

export function createFindTold(gate: Gate): FindTold {
  const find = async (asked: readonly SessionClaims[]) => {
    const [row] = await gate.callMany(userinfo, {
      tenants: asked.map(({ tenantId }) => tenantId),
      sessions: asked.map(({ sessionId }) => sessionId),
      versions: asked.map(({ version }) => version),
      users: asked.map(({ userId }) => userId),
      clients: asked.map(({ clientId }) => clientId),
    });
    const found = row?.answer as (Told | null)[] | undefined;
    return asked.map((_, index) => found?.[index] ?? undefined);
  };
  return batched(find, { size: 64, flights: 1 });
}
