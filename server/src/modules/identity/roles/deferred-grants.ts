import type { AgentId, UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { findRolesOf, findUsableRolesOf, lockRoles, lockUser } from '../users/index.ts';
import { ADMIN, type Holdings, holdingsOf, lackedOf } from './role-rules.ts';
import { findAgentScopes, findDelegatedScopes } from './role-store.ts';

/** The subject of a grant that takes effect later, when the credential of the request might have ended. */
export type Grantor =
  | { readonly kind: 'user'; readonly subject: UserId }
  | { readonly kind: 'agent'; readonly subject: AgentId }
  | { readonly kind: 'delegate'; readonly subject: UserId; readonly agentId: AgentId }
  | {
      readonly kind: 'impersonator';
      readonly subject: UserId;
      /** Whether the impersonator is an active system administrator now. */
      readonly isSystemAdministrator: boolean;
    };

interface Grant {
  readonly roles: readonly string[];
  /** The scopes that the grantor needs. */
  readonly scopes: readonly string[];
  /** Undefined: a new user. */
  readonly to: UserId | undefined;
}

/**
 * Checks that the grantor can make this grant now: they are active, hold what they grant, and hold no less than the
 * user who receives it. Locks the user and the roles until the commit.
 * @returns the reason to refuse it
 */
export async function refusalOfGrant(
  tx: TenantTx,
  by: Grantor,
  { roles: names, scopes, to }: Grant,
): Promise<'role_unknown' | 'grantor_not_entitled' | undefined> {
  // Users are locked before roles, as in every change to a user.
  const isKnown = to !== undefined && (await lockUser(tx, to)) !== undefined;
  const rolesOfReceiver = isKnown ? await findRolesOf(tx, to) : [];
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) return 'role_unknown';
  const isSelf = by.kind === 'user' && by.subject === to;
  const outranked = isSelf ? [] : rolesOfReceiver;
  // A delegate cannot pass on permissions, because they are only lent.
  const isLent = by.kind === 'delegate' && roles.some((role) => role.scopes.length > 0);
  const all = await findHoldingsOf(tx, by);
  const isEntitled = all.every(
    (holdings) =>
      missingScopes(holdings.scopes, scopes).length === 0 &&
      lackedOf(holdings, [...roles, ...outranked]).length === 0,
  );
  return isEntitled && !isLent ? undefined : 'grantor_not_entitled';
}

/** The current permissions of the grantor, as a list. Each entry must suffice. */
async function findHoldingsOf(tx: TenantTx, by: Grantor): Promise<readonly Holdings[]> {
  if (by.kind === 'impersonator') {
    return [by.isSystemAdministrator ? { roles: [ADMIN], scopes: ['*:*'] } : NOTHING];
  }
  if (by.kind === 'agent') return [scopesOnly(await findAgentScopes(tx, by.subject))];
  const ofUser = holdingsOf(await findUsableRolesOf(tx, by.subject));
  if (by.kind === 'user') return [ofUser];
  const lent = await findDelegatedScopes(tx, by.subject, by.agentId);
  return [ofUser, scopesOnly(lent), scopesOnly(await findAgentScopes(tx, by.agentId))];
}

const NOTHING: Holdings = { roles: [], scopes: [] };

function scopesOnly(scopes: readonly string[]): Holdings {
  return { roles: [], scopes };
}
