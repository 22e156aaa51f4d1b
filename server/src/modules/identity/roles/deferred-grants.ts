import type { AgentId, UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { ADMIN, type Holdings, lackedOf } from './role-rules.ts';
import {
  findAgentScopes,
  findDelegatedScopes,
  findUsableRolesOf,
  lockRoles,
  lockUser,
} from './role-store.ts';

/** Who granted something that is given later, when their credential may be gone. */
export type Grantor =
  | { readonly kind: 'user'; readonly subject: UserId }
  | { readonly kind: 'agent'; readonly subject: AgentId }
  | { readonly kind: 'delegate'; readonly subject: UserId; readonly agentId: AgentId }
  | {
      readonly kind: 'impersonator';
      readonly subject: UserId;
      /** Whether they are an active system administrator now. */
      readonly isSystemAdministrator: boolean;
    };

/** What is given, and to whom. */
export interface Grant {
  readonly roles: readonly string[];
  /** That the grantor needs. */
  readonly scopes: readonly string[];
  /** Undefined: a new user. */
  readonly to: UserId | undefined;
}

/**
 * Checks that the grantor may give this now: they are active, hold what they give, and no less than the user who gets
 * it. Until the commit the user is locked, and no role is deleted.
 * @returns what is wrong
 */
export async function refusalOfGrant(
  tx: TenantTx,
  by: Grantor,
  { roles: names, scopes, to }: Grant,
): Promise<'role_unknown' | 'grantor_not_entitled' | undefined> {
  // Before the roles, as in every change of a user.
  const receiver = to === undefined ? undefined : await lockUser(tx, to);
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) return 'role_unknown';
  const isSelf = by.kind === 'user' && by.subject === to;
  const outranked = receiver && !isSelf ? receiver.roles : [];
  // The permissions of a delegate are lent.
  const isLent = by.kind === 'delegate' && roles.some((role) => role.scopes.length > 0);
  const all = await findHoldingsOf(tx, by);
  const isEntitled = all.every(
    (held) =>
      missingScopes(held.scopes, scopes).length === 0 &&
      lackedOf(held, [...roles, ...outranked]).length === 0,
  );
  return isEntitled && !isLent ? undefined : 'grantor_not_entitled';
}

/** What the grantor holds now, of which each has to be enough. */
async function findHoldingsOf(tx: TenantTx, by: Grantor): Promise<readonly Holdings[]> {
  if (by.kind === 'impersonator') {
    return [by.isSystemAdministrator ? { roles: [ADMIN], scopes: ['*:*'] } : NOTHING];
  }
  if (by.kind === 'agent') return [scopesOnly(await findAgentScopes(tx, by.subject))];
  const held = await findUsableRolesOf(tx, by.subject);
  const own = {
    roles: held.map((role) => role.name),
    scopes: held.flatMap((role) => role.scopes),
  };
  if (by.kind === 'user') return [own];
  const lent = await findDelegatedScopes(tx, by.subject, by.agentId);
  return [own, scopesOnly(lent), scopesOnly(await findAgentScopes(tx, by.agentId))];
}

const NOTHING: Holdings = { roles: [], scopes: [] };

function scopesOnly(scopes: readonly string[]): Holdings {
  return { roles: [], scopes };
}
