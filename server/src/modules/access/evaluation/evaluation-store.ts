import {
  type TenantId,
  type WorkspaceId,
  type AgentId,
  type ApiKeyId,
  DEFAULT_WORKSPACE,
  type DelegationId,
  type SessionId,
  type UserId,
} from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  effectivePermissions,
  type EffectivePermissionsRow,
} from '../../../../sql/access/kw_effective_permissions.ts';
import { from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';

/** A subject, and optionally a workspace. */
export interface PermissionQuery {
  readonly tenantId: TenantId;
  /** A user or an agent; an unknown one holds nothing. */
  readonly subject: string;
  readonly workspaceId: WorkspaceId | undefined;
  /** Whether to read the scopes of users. */
  readonly holdings: boolean;
}

/** The scopes of a subject, whether or not it is active, and its membership in the workspace. */
export type EffectivePermissions = EffectivePermissionsRow;

/** The permissions of subjects of any tenants, in the order of the queries. */
export function findAllEffectivePermissions(
  gate: Gate,
  queries: readonly PermissionQuery[],
): Promise<EffectivePermissions[]> {
  return gate.callMany(effectivePermissions, {
    tenants: queries.map((query) => query.tenantId),
    subjects: queries.map((query) => query.subject),
    holdings: queries.map((query) => query.holdings),
    workspaces: queries.map((query) => query.workspaceId ?? null),
  });
}

// Explanations use the current state of each record, whether or not it has ended.

export interface AssignedRole {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly is_builtin: boolean;
}

interface UserRow {
  readonly is_active: boolean;
  readonly roles: readonly AssignedRole[];
}

export async function findUser(tx: TenantTx, id: UserId): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    SELECT u.is_active, (
             SELECT coalesce(jsonb_agg(jsonb_build_object(
                      'name', r.name, 'scopes', to_jsonb(r.scopes), 'is_builtin', r.is_builtin) ORDER BY r.name), '[]')
               FROM user_roles assigned
               JOIN roles r ON r.tenant_id = assigned.tenant_id AND r.name = assigned.role
              WHERE assigned.tenant_id = u.tenant_id AND assigned.user_id = u.id) AS roles
      FROM users u WHERE u.tenant_id = ${tx.tenantId} AND u.id = ${id}`.execute(tx.db);
  return rows[0];
}

/** Returns the workspaces that a user was added to; all users are in the default workspace. */
export async function findWorkspacesOf(tx: TenantTx, id: UserId): Promise<WorkspaceId[]> {
  const rows = await from(tx, 'workspace_members')
    .select('workspace_id')
    .where('user_id', '=', id)
    .orderBy('position')
    .execute();
  return [DEFAULT_WORKSPACE, ...rows.map((row) => row.workspace_id)];
}

export function findAgent(tx: TenantTx, id: AgentId) {
  return from(tx, 'agents')
    .select(['is_active', 'scopes', 'owner_id', 'access_version'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findSession(tx: TenantTx, id: SessionId) {
  return from(tx, 'sessions')
    .select(['user_id', 'is_active', 'end_reason', 'created_at', 'access_version'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Finds an API key by its ID, or by the hash of the key. */
export function findApiKey(
  tx: TenantTx,
  by: { readonly id: ApiKeyId } | { readonly hash: Buffer },
) {
  const query = from(tx, 'api_keys').select([
    'id',
    'agent_id',
    'scopes',
    'expires_at',
    'revoked_at',
    'revoke_reason',
  ]);
  const filtered =
    'id' in by ? query.where('id', '=', by.id) : query.where('secret_hash', '=', by.hash);
  return filtered.executeTakeFirst();
}

export type ApiKeyRow = NonNullable<Awaited<ReturnType<typeof findApiKey>>>;

export function findDelegation(tx: TenantTx, id: DelegationId) {
  return from(tx, 'delegations')
    .select([
      'user_id',
      'agent_id',
      'scopes',
      'expires_at',
      'revoked_at',
      'revoke_reason',
      'access_version',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}
