import type { Fail } from '@keywright/contract/errors';
import { isRoleName, type RoleRecord } from '@keywright/contract/records/role';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { outdateAccessOfHolders } from '../../tokens/grants/index.ts';
import { type Change, record, recordAll } from '../../events/journal/index.ts';
import {
  deleteRoleRow,
  findRole,
  type Holder,
  holdersOf,
  isDemandedRole,
  insertRole,
  lockRole,
  type RoleRow,
  takeRoleAway,
  updateRoleRow,
} from './role-store.ts';
import {
  EVERYTHING,
  isBuiltinName,
  makeAdministrator,
  type Role,
  scopeChange,
} from './role-rules.ts';
import { requireAdministratorLeft, requireHeld, requireOwn } from './permission-checks.ts';

/** Number of users recorded in one statement when a role is deleted. */
const RECORDED_AT_ONCE = 500;

/** A role that the caller may change: not built in, and without scopes that they lack. */
async function requireOwnRole(
  tx: TenantTx,
  caller: Caller,
  name: string,
  fail: Fail<'NOT_FOUND' | 'BUILTIN_ROLE_PROTECTED' | 'SCOPE_NOT_HELD'>,
): Promise<RoleRow> {
  const role = (isRoleName(name) ? await lockRole(tx, name) : undefined) ?? fail('NOT_FOUND');
  if (role.is_builtin) {
    const detail = `${name} is a built-in role, which cannot be changed or deleted. Create a role of your own instead.`;
    fail('BUILTIN_ROLE_PROTECTED', { detail });
  }
  await requireHeld(tx, caller, role.scopes, fail);
  return role;
}

export async function getRoleNamed(
  tenant: TenantData,
  name: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<RoleRecord> {
  if (!isRoleName(name)) fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findRole(tx, name));
  return row ? presentRole(row) : fail('NOT_FOUND');
}

export async function writeRole(
  tx: TenantTx,
  caller: Caller,
  role: {
    readonly name: string;
    readonly description?: string;
    readonly scopes: readonly string[];
  },
  now: Date,
  fail: Fail<'ROLE_TAKEN' | 'SCOPE_NOT_HELD'>,
): Promise<RoleRecord> {
  const { name, description = '', scopes } = role;
  if (isBuiltinName(name)) {
    fail('ROLE_TAKEN', { detail: `${name} is the name of a built-in role. Choose another name.` });
  }
  await requireHeld(tx, caller, scopes, fail);
  const row = await insertRole(tx, { name, description, scopes }, now);
  if (!row) {
    const detail = `A role named ${name} already exists. Choose another name, or change that role.`;
    return fail('ROLE_TAKEN', { detail });
  }
  await record(tx, caller, {
    action: 'role.created',
    target: { kind: 'role', id: name },
    details: { scopes: [...scopes] },
    events: [{ type: 'role.created', data: { role: name, scopes: [...scopes] } }],
  });
  return presentRole(row);
}

/** Changes a role. Previously issued access tokens of its users are rejected; refreshing returns new ones. */
export function changeRole(
  tenant: TenantData,
  caller: Caller,
  name: string,
  patch: { readonly description?: string; readonly scopes?: readonly string[] },
  fail: Fail<'NOT_FOUND' | 'BUILTIN_ROLE_PROTECTED' | 'SCOPE_NOT_HELD' | 'LAST_ADMINISTRATOR'>,
): Promise<RoleRecord> {
  return tenant.transaction(async (tx) => {
    const before = await requireOwnRole(tx, caller, name, fail);
    const change = changedFields(patch, before, ['scopes']);
    if (isEmpty(change)) return presentRole(before);
    await requireHeld(tx, caller, change.scopes ?? [], fail);
    const { scopes_added: scopes } = scopeChange(before.scopes, change.scopes ?? []);
    // A new role is not assigned yet; this one may be.
    requireOwn(caller, [{ scopes }], fail);
    const row = (await updateRoleRow(tx, name, change)) ?? fail('NOT_FOUND');
    if (change.scopes) await outdateAccessOfHolders(tx, name);
    if (endsAdministration(tx, before, row) && (await holdersOf(tx, name)).count > 0) {
      await requireAdministratorLeft(tx, caller, `the scope ${EVERYTHING} of ${name}`, fail);
    }
    const fields = Object.keys(change);
    await record(tx, caller, {
      action: 'role.updated',
      target: { kind: 'role', id: name },
      details: { fields, ...scopeChange(before.scopes, row.scopes) },
      events: [{ type: 'role.updated', data: { role: name, fields } }],
    });
    return presentRole(row);
  });
}

/** Whether a change of a role, or its deletion, ends what makes its holders administrators. */
function endsAdministration({ tenantId }: TenantTx, before: Role, after?: Role): boolean {
  return makeAdministrator(tenantId, [before]) && !(after && makeAdministrator(tenantId, [after]));
}

/** Deletes a role that nobody has, or any role if forced. */
export function removeRole(
  tenant: TenantData,
  caller: Caller,
  name: string,
  isForced: boolean,
  fail: Fail<
    'NOT_FOUND' | 'BUILTIN_ROLE_PROTECTED' | 'SCOPE_NOT_HELD' | 'IN_USE' | 'LAST_ADMINISTRATOR'
  >,
): Promise<void> {
  return tenant.transaction(async (tx) => {
    const role = await requireOwnRole(tx, caller, name, fail);
    if (await isDemandedRole(tx, name)) {
      const detail =
        'The setting require_mfa_role has this role. Set it to another one, or to null, first.';
      fail('IN_USE', { detail });
    }
    const { count, some } = await holdersOf(tx, name);
    if (count > 0 && !isForced) {
      const named = `${some.join(', ')}${count > some.length ? ', …' : ''}`;
      const detail = `${count} users have this role (${named}). Send force=true to take it from them and delete it.`;
      fail('IN_USE', { detail });
    }
    await outdateAccessOfHolders(tx, name);
    const holders = await takeRoleAway(tx, name);
    await deleteRoleRow(tx, name);
    if (count > 0 && endsAdministration(tx, role)) {
      await requireAdministratorLeft(tx, caller, `the role ${name}`, fail);
    }
    await recordDeletion(tx, caller, name, role.scopes, holders);
  });
}

/** Also in the log of each of its users, where a loss of permissions is looked up. */
async function recordDeletion(
  tx: TenantTx,
  caller: Caller,
  role: string,
  scopes: readonly string[],
  holders: readonly Holder[],
): Promise<void> {
  await record(tx, caller, {
    action: 'role.deleted',
    target: { kind: 'role', id: role },
    details: { scopes_removed: [...scopes], users: holders.length },
    events: [{ type: 'role.deleted', data: { role } }],
  });
  const changes = holders.map(({ user_id: userId, scopes: kept }): Change => {
    const { scopes_removed } = scopeChange([...scopes, ...kept], kept);
    return {
      action: 'user.updated',
      target: { kind: 'user', id: userId },
      details: { fields: ['roles'], roles_removed: [role], scopes_removed },
      events: [{ type: 'role.unassigned', data: { user_id: userId, role } }],
    };
  });
  for (let first = 0; first < changes.length; first += RECORDED_AT_ONCE) {
    await recordAll(tx, caller, changes.slice(first, first + RECORDED_AT_ONCE));
  }
}

export function presentRole(row: RoleRow): RoleRecord {
  return {
    name: row.name,
    tenant_id: row.tenant_id,
    description: row.description,
    scopes: row.scopes,
    is_builtin: row.is_builtin,
    created_at: row.created_at.toISOString(),
  };
}
