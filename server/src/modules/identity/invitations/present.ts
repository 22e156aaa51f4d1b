import type { AgentId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { InvitationRecord, InvitationState } from '@keywright/contract/records/invitation';
import type { InvitationRow } from './store.ts';

export function presentInvitation(row: InvitationRow, now: Date): InvitationRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    identifier: row.identifier,
    roles: row.roles,
    workspaces: row.workspaces as WorkspaceId[],
    status: stateOf(row, now),
    invited_by: row.invited_by as UserId | AgentId,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    sent_at: row.sent_at.toISOString(),
    accepted_at: row.accepted_at?.toISOString() ?? null,
    accepted_by: row.accepted_by as UserId | null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}

export function stateOf(row: InvitationRow, now: Date): InvitationState {
  if (row.accepted_at) return 'accepted';
  if (row.revoked_at) return 'revoked';
  return row.expires_at > now ? 'pending' : 'expired';
}
