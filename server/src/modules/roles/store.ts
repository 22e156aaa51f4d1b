import { type AgentId, DEFAULT_TENANT, type TenantId, type UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../tenancy/gate.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import { BUILTIN_ROLES, SYSTEM_ADMIN_ROLE } from './builtin.ts';
import type { Role } from './rules.ts';

export async function insertBuiltinRoles(
  tx: SystemTx,
  tenantId: TenantId,
  now: Date,
): Promise<void> {
  const roles = tenantId === DEFAULT_TENANT ? [...BUILTIN_ROLES, SYSTEM_ADMIN_ROLE] : BUILTIN_ROLES;
  await tx.db
    .insertInto('roles')
    .values(
      roles.map((role) => ({
        tenant_id: tenantId,
        name: role.name,
        description: role.description,
        scopes: [...role.scopes],
        is_builtin: true,
        created_at: now,
      })),
    )
    .execute();
}

/** The roles of these names that exist, none of which is deleted before the commit. */
export function lockRoles(tx: TenantTx, names: readonly string[]): Promise<Role[]> {
  return tx.db
    .selectFrom('roles')
    .select(['name', 'scopes'])
    .where('tenant_id', '=', tx.tenantId)
    .where('name', 'in', names.length > 0 ? names : [''])
    .forKeyShare()
    .execute();
}

/** The roles of a user. The user is locked, so that what is decided by them still holds at the commit. */
export async function lockUserRoles(tx: TenantTx, userId: UserId): Promise<Role[] | undefined> {
  const user = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return user && findRolesOf(tx, userId);
}

/** The roles that a user has now. */
export function findRolesOf(tx: TenantTx, userId: UserId): Promise<Role[]> {
  return tx.db
    .selectFrom('user_roles as held')
    .innerJoin('roles', (join) =>
      join.onRef('roles.tenant_id', '=', 'held.tenant_id').onRef('roles.name', '=', 'held.role'),
    )
    .select(['roles.name', 'roles.scopes'])
    .where('held.tenant_id', '=', tx.tenantId)
    .where('held.user_id', '=', userId)
    .execute();
}

/** The scopes that an agent has now. */
export async function findAgentScopes(tx: TenantTx, agentId: AgentId): Promise<string[]> {
  const agent = await tx.db
    .selectFrom('agents')
    .select('scopes')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', agentId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return agent?.scopes ?? [];
}
