import type { Fail } from '@keywright/contract/errors';
import { isRoleName, type RoleRecord } from '@keywright/contract/records/role';
import type { BodyOf } from '@keywright/contract/route';
import type { createRole, updateRole } from '@keywright/contract/routes/roles';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Change, record, recordAll } from '../../events/journal/index.ts';
import { outdateAccessOfHolders } from '../../tokens/grants/index.ts';
import {
  type FormerHolder,
  type Role,
  type RoleRow,
  countHolders,
  deleteRoleRow,
  findAllRoles,
  findRole,
  insertRole,
  lockRole,
  scopeChange,
  unassignRole,
  updateRoleRow,
} from '../users/index.ts';
import {
  requireAdministratorLeft,
  requireHoldings,
  refuseLentScopes,
} from './permission-checks.ts';
import { EVERYTHING, isBuiltinName, makeAdministrator } from './role-rules.ts';
import { requiresFactorFor } from './role-grant-store.ts';

/** The number of users per statement when the deletion of their role is recorded. */
const RECORDED_AT_ONCE = 500;

type ChangeError = 'NOT_FOUND' | 'BUILTIN_ROLE_PROTECTED' | 'SCOPE_NOT_HELD' | 'LAST_ADMINISTRATOR';

/** Administration of the roles of a tenant. */
export class RoleService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** @param search a part of the name or the description */
  async list(tenant: Tenant, search = ''): Promise<RoleRecord[]> {
    const rows = await this.#gate.into(tenant.id).transaction(findAllRoles);
    const part = search.toLowerCase();
    return rows
      .filter(({ name, description }) =>
        [name, description].some((text) => text.toLowerCase().includes(part)),
      )
      .map(presentRole);
  }

  async get(tenant: Tenant, name: string, fail: Fail<'NOT_FOUND'>): Promise<RoleRecord> {
    if (!isRoleName(name)) fail('NOT_FOUND');
    const row = await this.#gate.into(tenant.id).transaction((tx) => findRole(tx, name));
    return row ? presentRole(row) : fail('NOT_FOUND');
  }

  create(
    tenant: Tenant,
    caller: Caller,
    { name, description = '', scopes }: BodyOf<typeof createRole>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'ROLE_TAKEN' | 'SCOPE_NOT_HELD'>,
  ): Promise<RoleRecord> {
    return once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      if (isBuiltinName(name)) {
        const detail = `${name} is the name of a built-in role. Choose another name.`;
        fail('ROLE_TAKEN', { detail });
      }
      await requireHoldings(tx, caller, scopes, fail);
      const row = await insertRole(tx, { name, description, scopes }, tx.now);
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
    });
  }

  /** Changes a role. Earlier access tokens of its users are rejected; refreshing them returns new ones. */
  update(
    tenant: Tenant,
    caller: Caller,
    name: string,
    patch: BodyOf<typeof updateRole>,
    fail: Fail<ChangeError>,
  ): Promise<RoleRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const before = await lockChangeableRole(tx, caller, name, fail);
      const change = changedFields(patch, before, ['scopes']);
      if (isEmpty(change)) return presentRole(before);
      await requireHoldings(tx, caller, change.scopes ?? [], fail);
      const { scopes_added: scopes } = scopeChange(before.scopes, change.scopes ?? []);
      // Unlike a new role, this one might already be assigned.
      refuseLentScopes(caller, [{ scopes }], fail);
      const row = (await updateRoleRow(tx, name, change)) ?? fail('NOT_FOUND');
      if (change.scopes) await outdateAccessOfHolders(tx, name);
      if (endsAdministration(tx, before, row) && (await countHolders(tx, name)).count > 0) {
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

  /** Deletes a role that has no users, or any role if forced. */
  delete(
    tenant: Tenant,
    caller: Caller,
    name: string,
    isForced: boolean,
    fail: Fail<ChangeError | 'IN_USE'>,
  ): Promise<void> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const role = await lockChangeableRole(tx, caller, name, fail);
      if (await requiresFactorFor(tx, name)) {
        const detail =
          'The setting require_mfa_role has this role. Set it to another one, or to null, first.';
        fail('IN_USE', { detail });
      }
      const { count, some } = await countHolders(tx, name);
      if (count > 0 && !isForced) {
        const named = `${some.join(', ')}${count > some.length ? ', …' : ''}`;
        const who = count === 1 ? '1 user has' : `${count} users have`;
        const detail = `${who} this role (${named}). Send force=true to remove it from them and delete it.`;
        fail('IN_USE', { detail });
      }
      await outdateAccessOfHolders(tx, name);
      const holders = await unassignRole(tx, name);
      await deleteRoleRow(tx, name);
      if (count > 0 && endsAdministration(tx, role)) {
        await requireAdministratorLeft(tx, caller, `the role ${name}`, fail);
      }
      await recordRoleDeletion(tx, caller, name, role.scopes, holders);
    });
  }
}

/** Locks a role that the caller can change: a custom role without scopes that the caller lacks. */
async function lockChangeableRole(
  tx: TenantTx,
  caller: Caller,
  name: string,
  fail: Fail<'NOT_FOUND' | 'BUILTIN_ROLE_PROTECTED' | 'SCOPE_NOT_HELD'>,
): Promise<RoleRow> {
  const role = (isRoleName(name) ? await lockRole(tx, name) : undefined) ?? fail('NOT_FOUND');
  if (role.is_builtin) {
    const detail = `${name} is a built-in role, which cannot be changed or deleted. Create a custom role instead.`;
    fail('BUILTIN_ROLE_PROTECTED', { detail });
  }
  await requireHoldings(tx, caller, role.scopes, fail);
  return role;
}

/** Whether changing or deleting a role ends its holders' administration of the tenant. */
function endsAdministration({ tenantId }: TenantTx, before: Role, after?: Role): boolean {
  return makeAdministrator(tenantId, [before]) && !(after && makeAdministrator(tenantId, [after]));
}

/** Also records the loss in the log of each holder, where an administrator would look for it. */
async function recordRoleDeletion(
  tx: TenantTx,
  caller: Caller,
  role: string,
  scopes: readonly string[],
  holders: readonly FormerHolder[],
): Promise<void> {
  await record(tx, caller, {
    action: 'role.deleted',
    target: { kind: 'role', id: role },
    details: { scopes_removed: [...scopes], users: holders.length },
    events: [{ type: 'role.deleted', data: { role } }],
  });
  const changes = holders.map(({ user_id: userId, scopes: remaining }): Change => {
    const { scopes_removed } = scopeChange([...scopes, ...remaining], remaining);
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

function presentRole(row: RoleRow): RoleRecord {
  return {
    name: row.name,
    tenant_id: row.tenant_id,
    description: row.description,
    scopes: row.scopes,
    is_builtin: row.is_builtin,
    created_at: row.created_at.toISOString(),
  };
}
