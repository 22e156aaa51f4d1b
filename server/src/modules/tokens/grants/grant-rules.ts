import type { AccessTokenClaims, ActorClaim } from '@keywright/contract/claims';
import {
  type AgentId,
  type ApiKeyId,
  type DelegationId,
  type SessionId,
  type TenantId,
  parseOAuthClientId,
} from '@keywright/contract/ids';

/** A grant that an access token depends on: if the grant ends or its permissions change, the token is rejected. */
export interface Grant {
  readonly tenantId: TenantId;
  readonly id: SessionId | ApiKeyId | DelegationId | AgentId | TenantId;
  /** The version of the grant when the token was issued: `ver`. */
  readonly version: number;
}

/** The version for a grant that must be alive in any version. */
const ANY_VERSION = -1;

type GrantClaims = Pick<AccessTokenClaims, 'sub' | 'tenant_id' | 'act' | 'sid' | 'key_id' | 'ver'>;

/** Every grant that a token depends on. A token without a grant is invalid. */
export function grantsOf(claims: GrantClaims): Grant[] {
  const { tenant_id: tenantId, act, sid, key_id: keyId, ver: version } = claims;
  if (act?.delegation_id !== undefined) return grantsOfActors(tenantId, act);
  if (sid !== undefined)
    return act && !isApplication(act)
      ? grantsOfImpersonation(claims, act, sid)
      : [{ tenantId, id: sid, version }];
  if (keyId !== undefined) return [{ tenantId, id: keyId, version }];
  if (claims.sub.startsWith('service:')) return [{ tenantId, id: claims.sub as AgentId, version }];
  return [];
}

/** Returns the session of an impersonating administrator, in their own tenant, and the tenant they impersonate in. */
function grantsOfImpersonation(
  { tenant_id: tenantId, ver: version }: GrantClaims,
  act: ActorClaim,
  sid: SessionId,
): Grant[] {
  return [
    { tenantId: act.tenant_id ?? tenantId, id: sid, version },
    { tenantId, id: tenantId, version: act.ver ?? 0 },
  ];
}

/** The delegation of each actor in the chain, and the key that each authenticated with. */
function grantsOfActors(tenantId: TenantId, outermost: ActorClaim): Grant[] {
  const grants: Grant[] = [];
  for (let act: ActorClaim | undefined = outermost; act !== undefined; act = act.act) {
    const { delegation_id: id, key_id: keyId, ver = 0 } = act;
    if (id === undefined) return [];
    grants.push({ tenantId, id, version: ver });
    if (keyId !== undefined) grants.push({ tenantId, id: keyId, version: ANY_VERSION });
  }
  return grants;
}

/** Whether the actor is an application that exchanged another's token, which then depends on that token's session. */
export function isApplication({ sub }: ActorClaim): boolean {
  return parseOAuthClientId(sub) !== undefined;
}

/** Returns the length of the actor chain. */
export function countActors(act: ActorClaim | undefined): number {
  let count = 0;
  for (let actor = act; actor !== undefined; actor = actor.act) count += 1;
  return count;
}

/** The innermost actor, who acted before all others. */
export function firstActor(act: ActorClaim): ActorClaim {
  let actor = act;
  while (actor.act !== undefined) actor = actor.act;
  return actor;
}
