import { DEFAULT_WORKSPACE, type UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { WorkspaceRow } from './store.ts';

/** The default workspace, and those that the user was added to, in this order. */
export async function findWorkspacesOf(tx: TenantTx, userId: UserId): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    SELECT w.* FROM workspaces w
      LEFT JOIN workspace_members m
        ON m.tenant_id = w.tenant_id AND m.workspace_id = w.id AND m.user_id = ${userId}
     WHERE w.tenant_id = ${tx.tenantId} AND (m.user_id IS NOT NULL OR w.id = ${DEFAULT_WORKSPACE})
     ORDER BY w.id <> ${DEFAULT_WORKSPACE}, m.position`.execute(tx.db);
  return rows;
}
