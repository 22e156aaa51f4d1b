import {
  DEFAULT_WORKSPACE,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

export async function countConsents(tx: TenantTx, userId: UserId): Promise<number> {
  const { n } = await tx.db
    .selectFrom('consents')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

interface Membership {
  readonly id: WorkspaceId;
  readonly tenant_id: TenantId;
  readonly name: string;
  readonly is_only_member: boolean;
}

/** The workspaces that a user is a member of, without the default one, which everybody is in. */
export async function findMemberships(
  tx: TenantTx,
  userId: UserId,
  most: number,
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    SELECT w.id, w.tenant_id, w.name,
           NOT EXISTS (
             SELECT FROM workspace_members o
              WHERE o.tenant_id = m.tenant_id AND o.workspace_id = m.workspace_id
                AND o.user_id <> m.user_id) AS is_only_member
      FROM workspace_members m
      JOIN workspaces w ON w.tenant_id = m.tenant_id AND w.id = m.workspace_id
     WHERE m.tenant_id = ${tx.tenantId} AND m.user_id = ${userId} AND w.id <> ${DEFAULT_WORKSPACE}
     ORDER BY m.position LIMIT ${most}`.execute(tx.db);
  return rows;
}
