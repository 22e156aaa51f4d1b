import type { AgentId, DelegationId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** A live delegation, and the current permissions of its agent and user. */
export interface Acting {
  readonly id: DelegationId;
  readonly user_id: UserId;
  readonly expires_at: Date;
  readonly access_version: number;
  readonly scopes: readonly string[];
  readonly user_scopes: readonly string[];
  readonly agent_scopes: readonly string[];
  /** The workspace of a login of the user. */
  readonly workspace_id: WorkspaceId;
}

/** Selects a delegation by its user or by its id. */
export type Given = { readonly by: UserId } | { readonly id: DelegationId };

/**
 * The delegation by which an agent acts. One statement, so one moment: what anybody may do is never wider than the
 * version says, and a later version outdates the token. The use is noted for the user, at most once a minute.
 */
export async function findActing(
  tx: TenantTx,
  agentId: AgentId,
  given: Given,
): Promise<Acting | undefined> {
  const which = 'by' in given ? sql`d.user_id = ${given.by}` : sql`d.id = ${given.id}`;
  const { rows } = await sql<Acting>`
    WITH acting AS (
      SELECT d.id, d.user_id, d.expires_at, d.access_version, d.scopes,
             may.scopes AS user_scopes, a.scopes AS agent_scopes,
             kw_login_workspace(d.tenant_id, d.user_id, NULL) AS workspace_id
        FROM delegations d
       -- Each by its whole key: joined as such, all delegations of the tenant may be what is read first.
       CROSS JOIN LATERAL (
         SELECT agents.scopes FROM agents
          WHERE agents.tenant_id = ${tx.tenantId} AND agents.id = d.agent_id AND is_active LIMIT 1) AS a
       CROSS JOIN LATERAL (
         SELECT FROM users
          WHERE users.tenant_id = ${tx.tenantId} AND users.id = d.user_id AND is_active LIMIT 1) AS u
       CROSS JOIN LATERAL kw_permissions_of(${tx.tenantId}, d.user_id) AS may
       WHERE d.tenant_id = ${tx.tenantId} AND d.agent_id = ${agentId} AND ${which}
         AND kw_is_usable(d.revoked_at, d.expires_at, ${tx.now})
    ), used AS (
      UPDATE delegations SET last_used_at = ${tx.now} FROM acting
       WHERE delegations.tenant_id = ${tx.tenantId} AND delegations.id = acting.id
         AND (last_used_at IS NULL OR last_used_at < ${tx.now}::timestamptz - interval '1 minute')
    )
    SELECT * FROM acting`.execute(tx.db);
  return rows[0];
}
