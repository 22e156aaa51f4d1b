import { type AccessTokenClaims, DIRECT_CLIENT } from '@keywright/contract/claims';
import {
  DEFAULT_TENANT,
  DEFAULT_WORKSPACE,
  type SessionId,
  type UserId,
} from '@keywright/contract/ids';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Caller, Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { ADMIN } from '../../identity/roles/index.ts';
import { grantsOf, type IsAlive } from '../../tokens/grants/index.ts';
import { findKept, type KeptRow } from './impersonation-store.ts';

/** A session of a system administrator, in their own tenant. */
interface Administrator {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly authentication: Pick<AccessTokenClaims, 'auth_time' | 'acr' | 'amr'>;
}

/**
 * The caller that the console of a session is in a tenant: the one that a token of POST /auth/impersonate makes, with all
 * that such a token depends on. Undefined where nothing was begun, or where it ended.
 */
export type FindImpersonator = (
  tenant: Tenant,
  administrator: Administrator,
  from: Origin,
) => Promise<Caller | undefined>;

export function createFindImpersonator(gate: Gate, isAlive: IsAlive): FindImpersonator {
  return async (tenant, administrator, from) => {
    const { sessionId, userId } = administrator;
    const kept = await gate
      .into(DEFAULT_TENANT)
      .transaction((tx) => findKept(tx, sessionId, tenant.id));
    if (!kept) return undefined;
    const claims = claimsOf(tenant, administrator, kept);
    const alive = await Promise.all(grantsOf(claims).map(isAlive));
    if (!alive.every(Boolean)) return undefined;
    const { scopes, roles } = claims;
    const credential = { scopes, roles, from, claims, isSystemAdministrator: false };
    return { ...credential, kind: 'impersonator', subject: userId, sessionId };
  };
}

function claimsOf(
  tenant: Tenant,
  { userId, sessionId, authentication }: Administrator,
  kept: KeptRow,
): Omit<AccessTokenClaims, 'jti'> {
  return {
    token_type: 'access',
    iss: tenant.issuer,
    sub: userId,
    aud: tenant.audience,
    iat: epochSeconds(kept.started_at),
    exp: epochSeconds(kept.expires_at),
    tenant_id: tenant.id,
    workspace_id: DEFAULT_WORKSPACE,
    roles: [ADMIN],
    scopes: ['*:*'],
    scope: '*:*',
    sid: sessionId,
    client_id: DIRECT_CLIENT,
    ver: kept.session_version,
    act: { sub: userId, tenant_id: DEFAULT_TENANT, ver: kept.tenant_version },
    ...authentication,
  };
}
