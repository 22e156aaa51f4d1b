import { type AgentId, DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type TenantTx, from } from '../../../tenancy/gate.ts';
import type { Role } from '../users/index.ts';
import { EVERYTHING, SYSTEM_ADMIN } from './role-rules.ts';

/** Whether the setting `require_mfa_role` names this role. */
export async function requiresFactorFor(tx: TenantTx, name: string): Promise<boolean> {
  const row = await from(tx, 'tenants')
    .select(sql<string | null>`config ->> 'require_mfa_role'`.as('role'))
    .executeTakeFirst();
  return row?.role === name;
}

/** The roles that a user has, or would receive by an open invitation. */
export async function findGrantableRoles({ db, tenantId, now }: TenantTx): Promise<Role[]> {
  const { rows } = await sql<Role>`
    SELECT r.name, r.scopes
      FROM roles r
     WHERE r.tenant_id = ${tenantId}
       AND (EXISTS (SELECT FROM user_roles u WHERE u.tenant_id = ${tenantId} AND u.role = r.name)
            OR EXISTS (SELECT FROM invitations i
                        WHERE i.tenant_id = ${tenantId} AND r.name = ANY (i.roles) AND i.expires_at > ${now}
                          AND i.accepted_at IS NULL AND i.revoked_at IS NULL))`.execute(db);
  return rows;
}

/** Whether an active user other than `except` is an administrator (see `makeAdministrator`). */
export async function hasAdministrator(tx: TenantTx, except: UserId | undefined): Promise<boolean> {
  const administrates =
    tx.tenantId === DEFAULT_TENANT
      ? sql<boolean>`roles.name = ${SYSTEM_ADMIN}`
      : sql<boolean>`roles.scopes @> ARRAY[${EVERYTHING}]::text[]`;
  const found = await from(tx, 'roles')
    .innerJoin('user_roles as assigned', (join) =>
      join
        .onRef('assigned.tenant_id', '=', 'roles.tenant_id')
        .onRef('assigned.role', '=', 'roles.name'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.tenant_id', '=', 'assigned.tenant_id')
        .onRef('users.id', '=', 'assigned.user_id'),
    )
    .select('users.id')
    .where(administrates)
    .where('users.is_active', '=', true)
    .$if(except !== undefined, (query) => query.where('users.id', '!=', except ?? null))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The scopes that an agent has now. */
export async function findAgentScopes(tx: TenantTx, agentId: AgentId): Promise<string[]> {
  const agent = await from(tx, 'agents')
    .select('scopes')
    .where('id', '=', agentId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return agent?.scopes ?? [];
}

/** The scopes that a user currently delegates to an agent. */
export async function findDelegatedScopes(
  tx: TenantTx,
  userId: UserId,
  agentId: AgentId,
): Promise<string[]> {
  const delegation = await from(tx, 'delegations')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return delegation?.scopes ?? [];
}
