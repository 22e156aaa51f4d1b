import type { SessionEndReason } from '@keywright/contract/records/session';
import type { TenantId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { asTenant, type SystemTx } from '../../../tenancy/system.ts';
import {
  type Actor,
  type EndedSession,
  record,
  sessionRevoked,
} from '../../events/journal/index.ts';
import { type EndedFamily, endNextSessions, runDeferredTriggers } from './end-store.ts';

/** Number of sessions that one statement ends. */
const BATCH = 1000;

/** Ends every living session of the tenant in batches, and records each batch. @returns their number */
export async function endAllSessions(
  tx: SystemTx,
  tenantId: TenantId,
  by: Actor,
  reason: SessionEndReason,
): Promise<number> {
  let total = 0;
  for (let last = ''; ;) {
    const ended = await asTenant(tx, tenantId, (own) => endBatch(own, by, reason, last));
    // Otherwise all triggers of all sessions would run within the commit.
    await runDeferredTriggers(tx);
    const id = ended.at(-1)?.id;
    if (id === undefined) return total;
    total += ended.length;
    last = id;
  }
}

async function endBatch(
  tx: TenantTx,
  by: Actor,
  reason: SessionEndReason,
  after: string,
): Promise<EndedSession[]> {
  const ended = await endNextSessions(tx, reason, after, BATCH);
  if (ended.length === 0) return ended;
  await record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { reason, sessions: ended.length },
    events: ended.map((one) => sessionRevoked(one, reason)),
  });
  return ended;
}

/** Records that a session was ended individually, and what ended with it. */
export function recordEnd(
  tx: TenantTx,
  by: Actor,
  { session, children }: EndedFamily,
  reason: SessionEndReason,
): Promise<void> {
  return record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'session', id: session.id },
    details: { reason, user_id: session.user_id },
    events: [session, ...children].map((ended) => sessionRevoked(ended, reason)),
  });
}
