import { namesAddress } from '@keywright/contract/addresses';
import type { Fail } from '@keywright/contract/errors';
import { type AgentId, DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import {
  LOGINS,
  isCommonPermission,
  isPermission,
  missingScopes,
} from '@keywright/contract/scopes';
import {
  requireAdministrator,
  requireFresh,
  requireScopes,
} from '../../../tenancy/authorization.ts';
import {
  type Caller,
  hasLentPermissions,
  isInTheNameOf,
  isOneself,
} from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findRequiredFor } from '../../oauth/resources/index.ts';
import {
  type Role,
  findRolesOf,
  findUsableRolesOf,
  lockRoles,
  lockUser,
  serializeRemovals,
} from '../users/index.ts';
import {
  ADMIN,
  type Holdings,
  administratorRole,
  holdingsOf,
  lackedOf,
  makeAdministrator,
} from './role-rules.ts';
import {
  findAgentScopes,
  findDelegatedScopes,
  findGrantableRoles,
  hasAdministrator,
} from './role-grant-store.ts';

const DEACTIVATED = 'Your user is no longer active, so you hold no scopes.';

/**
 * Checks that the caller can change, end or delete what belongs to a user, and locks the user until the commit. All
 * rules about changing oneself rest on this check: no other caller can do on behalf of a user what the user cannot do
 * to themselves.
 * @param isCredential whether the caller will be able to log in as this user
 * @throws AppError NOT_FOUND, PRINCIPAL_PROTECTED, SCOPE_NOT_HELD
 */
export async function requireMayActOnUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  fail: Fail<'NOT_FOUND' | 'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>,
  isCredential = false,
): Promise<void> {
  if (isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
  const { is_active: isActive } = (await lockUser(tx, userId)) ?? fail('NOT_FOUND');
  const roles = await findRolesOf(tx, userId);
  if (isOneself(caller, userId)) {
    // Callers who were disabled in the meantime cannot reactivate themselves.
    return isActive ? undefined : fail('SCOPE_NOT_HELD', { detail: DEACTIVATED });
  }
  await requireAsMuch(tx, caller, roles, 'This user holds', fail);
  // A caller who can log in as a user would keep that user's permissions after the delegation ends.
  if (isCredential) refuseLentScopes(caller, roles, fail);
}

/**
 * Checks that the caller can act on holders of these roles.
 * @param whose the start of the message
 * @throws AppError SCOPE_NOT_HELD
 */
export async function requireAsMuch(
  tx: TenantTx,
  caller: Caller,
  roles: readonly Role[],
  whose: string,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const lacked = await findLacked(tx, caller, roles);
  if (lacked.length === 0) return;
  fail('SCOPE_NOT_HELD', { detail: `${whose} scopes that you do not hold: ${lacked.join(', ')}.` });
}

/**
 * Checks that the caller holds at least the permissions of every user of the tenant, active or not, and of every
 * invitee: a caller who decides how users log in could become any of them.
 * @throws AppError SCOPE_NOT_HELD
 */
export async function requireAsMuchAsAnyone(
  tx: TenantTx,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const whose = 'This affects the logins of all users, and some of them hold';
  await requireAsMuch(tx, caller, await findGrantableRoles(tx), whose, fail);
}

/**
 * Checks all conditions of `write:logins`, for a request that needs it because of its content or subject.
 * @throws AppError ADMINISTRATOR_REQUIRED, SCOPE_REQUIRED, STEP_UP_REQUIRED, SCOPE_NOT_HELD
 */
export async function requireMayChangeLogins(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  requireAdministrator(caller);
  requireScopes(caller, [LOGINS]);
  requireFresh(tenant, caller, tx.now);
  await requireAsMuchAsAnyone(tx, caller, fail);
}

/** Checks that the caller can show a text to users. A text with an address in it sends users to that address. */
export async function requireForText(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  text: string,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (namesAddress(text)) await requireMayChangeLogins(tx, tenant, caller, fail);
  else requireScopes(caller, ['write:tenant']);
}

/** Whether this user is an active administrator of the tenant. */
export async function isAdministrator(tx: TenantTx, userId: UserId): Promise<boolean> {
  return makeAdministrator(tx.tenantId, await findUsableRolesOf(tx, userId));
}

/**
 * Checks that the tenant still has an active administrator after the change in this transaction. Call it last: its lock
 * serializes such changes, so that two administrators cannot remove each other, and a lock that every transaction takes
 * last cannot deadlock. System administrators acting inside a tenant can appoint another one there.
 * @param removed the start of the message, such as `role:owner`
 * @param except a user who is about to be removed
 * @throws AppError LAST_ADMINISTRATOR
 */
export async function requireAdministratorLeft(
  tx: TenantTx,
  caller: Caller,
  removed: string,
  fail: Fail<'LAST_ADMINISTRATOR'>,
  except?: UserId,
): Promise<void> {
  if (caller.kind === 'impersonator' && tx.tenantId !== DEFAULT_TENANT) return;
  const role = administratorRole(tx.tenantId);
  await serializeRemovals(tx, role);
  if (await hasAdministrator(tx, except)) return;
  const detail = `Without ${removed}, this tenant has no active administrator. Give another active user the role ${role} first.`;
  fail('LAST_ADMINISTRATOR', { detail });
}

/**
 * Checks that these roles exist, and prevents their deletion until the commit.
 * @throws AppError ROLE_UNKNOWN with the names of the unknown roles
 */
export async function requireRoles(
  tx: TenantTx,
  names: readonly string[],
  fail: Fail<'ROLE_UNKNOWN'>,
): Promise<Role[]> {
  const roles = await lockRoles(tx, names);
  if (roles.length === new Set(names).size) return roles;
  const existing = roles.map((role) => role.name);
  const unknown = [...new Set(names)].filter((name) => !existing.includes(name));
  return fail('ROLE_UNKNOWN', {
    detail: `This tenant has no role named ${unknown.join(', ')}. GET /roles lists its roles.`,
  });
}

/**
 * Checks that the caller can assign these roles, and prevents their deletion until the commit.
 * @throws AppError ROLE_UNKNOWN, SCOPE_NOT_HELD
 */
export async function requireMayGrant(
  tx: TenantTx,
  caller: Caller,
  names: readonly string[],
  fail: Fail<'ROLE_UNKNOWN' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  const roles = await requireRoles(tx, names, fail);
  refuseLentScopes(caller, roles, fail);
  const lacked = await findLacked(tx, caller, roles);
  if (lacked.length === 0) return;
  const subject = names.length === 1 ? 'This role gives' : 'These roles give';
  const detail = `${subject} scopes that you do not hold (${names.join(', ')}): ${lacked.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** Rejects lent permissions, because they cannot be passed on. */
export function refuseLentScopes(
  caller: Caller,
  roles: readonly Pick<Role, 'scopes'>[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): void {
  const lent = new Set(roles.flatMap((role) => role.scopes));
  if (!hasLentPermissions(caller) || lent.size === 0) return;
  const detail = `You cannot pass on scopes that you hold on behalf of a user: ${[...lent].join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** Checks the credential and the subject's current permissions: a caller cannot reassign a role that they lost. */
async function findLacked(tx: TenantTx, caller: Caller, roles: readonly Role[]): Promise<string[]> {
  const lacked = lackedOf(caller, roles);
  return lacked.length > 0 ? lacked : lackedOf(await findHoldings(tx, caller), roles);
}

/**
 * The permissions that the caller lacks to grant these scopes, by the credential or by the current permissions of its
 * subject. Users do not hold scopes of resources; to grant one to an agent, a user needs the permissions that every
 * resource requires for it.
 */
export async function findMissingScopes(
  tx: TenantTx,
  caller: Caller,
  scopes: readonly string[],
): Promise<string[]> {
  const names = scopes.filter((scope) => !isCommonPermission(scope));
  const needed = [...scopes.filter(isPermission), ...(await findRequiredFor(tx, names))];
  const missing = [
    ...missingScopes(caller.scopes, needed),
    ...missingScopes((await findHoldings(tx, caller)).scopes, needed),
  ];
  return [...new Set(missing)];
}

/**
 * Rejects scopes that the caller lacks, by the credential or by the current permissions of its subject: a role, agent
 * or client must not keep a scope that the caller has lost.
 */
export async function requireHoldings(
  tx: TenantTx,
  caller: Caller,
  scopes: readonly string[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const missing = await findMissingScopes(tx, caller, scopes);
  if (missing.length > 0)
    fail('SCOPE_NOT_HELD', { detail: `You do not hold: ${missing.join(', ')}.` });
}

/** The current permissions of the caller's subject. */
export async function findHoldings(tx: TenantTx, caller: Caller): Promise<Holdings> {
  // An impersonator is not a user of the tenant; their permissions depend on their session.
  if (caller.kind === 'impersonator') return caller;
  if (caller.kind === 'agent') {
    return { roles: [], scopes: await findAgentScopes(tx, caller.subject) };
  }
  return holdingsOf(await findUsableRolesOf(tx, caller.subject));
}

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
  const isExistingUser = to !== undefined && (await lockUser(tx, to)) !== undefined;
  const rolesOfReceiver = isExistingUser ? await findRolesOf(tx, to) : [];
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
