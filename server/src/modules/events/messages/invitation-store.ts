import type { InvitationId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import type { MessageRow } from './message.ts';

/** Whether the invitation that a message is about can still be accepted. */
export async function isPending(
  gate: Gate,
  { tenant_id: tenantId, challenge_id: id }: Pick<MessageRow, 'tenant_id' | 'challenge_id'>,
  now: Date,
): Promise<boolean> {
  const row = await gate.into(tenantId).transaction((tx) =>
    tx.db
      .selectFrom('invitations')
      .select('id')
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', id as InvitationId)
      .where('accepted_at', 'is', null)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst(),
  );
  return row !== undefined;
}
