import { DIRECT_CLIENT } from '@keywright/contract/claims';
import { intersectScopes } from '@keywright/contract/scopes';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type GrantedClient, mintAccessToken } from '../access-tokens/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import type { AuthenticationRow, SubjectRow } from './store.ts';

interface SessionSubject {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly endsAt: Date;
  readonly accessVersion: number;
  readonly bit: number;
  readonly customClaims: Record<string, unknown>;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  readonly authentication: AuthenticationRow;
  /** The same tokens can be minted again. */
  readonly isRepeatable?: boolean;
  readonly row: SubjectRow;
}

/** The answer to a login and a refresh: a new access token with the given refresh token. */
export function tokenAnswer(
  key: SigningKey,
  tenant: Tenant,
  {
    userId,
    sessionId,
    endsAt,
    accessVersion,
    bit,
    customClaims,
    client,
    authentication,
    isRepeatable = false,
    row,
  }: SessionSubject,
  refreshToken: string,
  now: Date,
): TokenAnswer {
  const access = mintAccessToken(
    key,
    tenant,
    {
      sub: userId,
      workspaceId: row.workspace_id,
      ...permissionsOf(client, row),
      grant: { sid: sessionId, client_id: client?.id ?? DIRECT_CLIENT, ver: accessVersion },
      authentication: {
        auth_time: epochSeconds(authentication.auth_time),
        acr: authentication.acr,
        amr: [...authentication.amr],
      },
      grantEndsAt: endsAt,
      bit,
      customClaims,
      ...(isRepeatable && { seed: refreshToken }),
    },
    now,
  );
  return {
    access_token: access.token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    user: { id: userId, tenant_id: tenant.id, identifiers: row.identifiers },
  };
}

/** An application has of the permissions of its user what was granted to it, and no roles. */
function permissionsOf(client: GrantedClient | null, { roles, scopes }: SubjectRow) {
  if (!client) return { roles, scopes };
  const isPermission = (scope: string) => scope.includes(':');
  return {
    roles: [],
    scopes: intersectScopes(client.scopes.filter(isPermission), scopes),
    openIdScopes: client.scopes.filter((scope) => !isPermission(scope)),
  };
}

/** The bit of a session; a new one when its user's permissions have changed. */
export async function bitOf(
  bits: TokenBits,
  { id: tenantId }: Tenant,
  { id, endsAt }: { readonly id: SessionId; readonly endsAt: Date },
  row: { readonly status_idx: string | null; readonly access_version: number },
): Promise<number> {
  const { status_idx: bit, access_version: version } = row;
  return bit === null ? bits.of(tenantId, [{ tenantId, id, version }], endsAt) : Number(bit);
}
