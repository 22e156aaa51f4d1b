import type { InvitationId, UserId, WorkspaceId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { InvitationRow } from '../invitations/index.ts';

/** An invitation to a user, with what its workspaces are called. */
export interface OwnInvitation extends InvitationRow {
  readonly workspace_names: readonly { readonly id: WorkspaceId; readonly name: string }[];
}

const MOST = 100;

/** Pending, and to an address that the user has verified. */
function pendingTo(tx: TenantTx, userId: UserId): RawBuilder<OwnInvitation> {
  return sql<OwnInvitation>`
    SELECT v.*, coalesce((
             SELECT json_agg(json_build_object('id', w.id, 'name', w.name) ORDER BY w.id)
               FROM workspaces w WHERE w.tenant_id = v.tenant_id AND w.id = ANY (v.workspaces)
           ), '[]') AS workspace_names
      FROM invitations v
      JOIN user_identifiers i ON i.tenant_id = v.tenant_id AND i.identifier = v.identifier
     WHERE v.tenant_id = ${tx.tenantId} AND i.user_id = ${userId} AND i.verified
       AND v.accepted_at IS NULL AND v.revoked_at IS NULL AND v.expires_at > ${tx.now}`;
}

export async function findPendingTo(tx: TenantTx, userId: UserId): Promise<OwnInvitation[]> {
  const { rows } = await sql<OwnInvitation>`
    ${pendingTo(tx, userId)} ORDER BY v.created_at DESC, v.id DESC LIMIT ${MOST}`.execute(tx.db);
  return rows;
}

export async function findOnePendingTo(
  tx: TenantTx,
  userId: UserId,
  id: InvitationId,
): Promise<OwnInvitation | undefined> {
  const { rows } = await sql<OwnInvitation>`
    ${pendingTo(tx, userId)} AND v.id = ${id}`.execute(tx.db);
  return rows[0];
}
