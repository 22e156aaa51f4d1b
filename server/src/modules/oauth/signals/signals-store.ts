import type { SignalStreamId } from '@keywright/contract/ids';
import type { StreamSignal } from '@keywright/contract/signals';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { SWEEP_BATCH, type Sweep } from '../../../tenancy/sweep-store.ts';
import type { StoredSignal } from './set.ts';

const LIVING = ['pending', 'waiting'];
const KEPT_SECONDS = 7 * 86_400;

/** An event about the stream itself. */
export interface StreamEvent {
  readonly id: string;
  readonly streamId: SignalStreamId;
  readonly type: StreamSignal;
  readonly data: object;
  /** Whether it is pushed; otherwise it waits. */
  readonly isPushed: boolean;
}

export async function insertStreamEvent(tx: TenantTx, event: StreamEvent): Promise<void> {
  await tx.db
    .insertInto('signal_deliveries')
    .values({
      tenant_id: tx.tenantId,
      id: event.id,
      queue_key: event.streamId,
      type: event.type,
      data: JSON.stringify(event.data),
      txn: event.id,
      status: event.isPushed ? 'pending' : 'waiting',
      due_at: tx.now,
      expires_at: new Date(tx.now.getTime() + KEPT_SECONDS * 1000),
      created_at: tx.now,
    })
    .execute();
}

/** When an event was due first, as kw_signal says: the oldest is sent first. */
function inOrder(tx: TenantTx) {
  return sql<Date>`LEAST(created_at - interval '5 minutes', ${tx.now})`;
}

/**
 * Lets what is left of a stream be pushed, or wait, as its state is now; in its order. A push in progress may be made again.
 */
export async function settleSignals(
  tx: TenantTx,
  streamId: SignalStreamId,
  isPushed: boolean,
): Promise<void> {
  await tx.db
    .updateTable('signal_deliveries')
    .set({
      status: isPushed ? 'pending' : 'waiting',
      due_at: inOrder(tx),
      attempts: 0,
      held_until: null,
    })
    .where('tenant_id', '=', tx.tenantId)
    .where('queue_key', '=', streamId)
    .where('status', '=', isPushed ? 'waiting' : 'pending')
    .where('type', '<>', 'stream-updated')
    .execute();
}

/** Lets one wait whose stream does not push any more. */
export async function parkSignal(tx: TenantTx, id: string): Promise<void> {
  await tx.db
    .updateTable('signal_deliveries')
    .set({ status: 'waiting', held_until: null })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** What failed is due at once, in its order: the receiver answers again. */
export async function hastenSignals(tx: TenantTx, streamId: SignalStreamId): Promise<void> {
  await tx.db
    .updateTable('signal_deliveries')
    .set({ due_at: inOrder(tx) })
    .where('tenant_id', '=', tx.tenantId)
    .where('queue_key', '=', streamId)
    .where('status', '=', 'pending')
    .where('due_at', '>', tx.now)
    .execute();
}

/** What was not delivered. The rest is deleted when it is old. */
export async function dropSignals(tx: TenantTx, streamId: SignalStreamId): Promise<void> {
  await tx.db
    .deleteFrom('signal_deliveries')
    .where('tenant_id', '=', tx.tenantId)
    .where('queue_key', '=', streamId)
    .where('status', 'in', LIVING)
    .execute();
}

/** Ends polled events for good: each once, by whichever request is first. */
export async function acknowledge(
  tx: TenantTx,
  streamId: SignalStreamId,
  ids: readonly string[],
  flaws: readonly { readonly id: string; readonly reason: string }[],
): Promise<void> {
  const ended = [
    ...ids.map((id) => ({ id, status: 'done', reason: null })),
    ...flaws.map((flaw) => ({ ...flaw, status: 'failed' })),
  ];
  if (ended.length === 0) return;
  await sql`
    UPDATE signal_deliveries AS d SET status = e.status, reason = e.reason, due_at = ${tx.now}
      FROM jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) AS e (id text, status text, reason text)
     WHERE d.tenant_id = ${tx.tenantId} AND d.id = e.id AND d.queue_key = ${streamId}
       AND d.status = 'waiting'`.execute(tx.db);
}

/** The oldest ones that wait. */
export async function findWaiting(
  tx: TenantTx,
  streamId: SignalStreamId,
  limit: number,
): Promise<StoredSignal[]> {
  const rows = await tx.db
    .selectFrom('signal_deliveries')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('queue_key', '=', streamId)
    .where('status', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as unknown as StoredSignal[];
}

/** Deletes the oldest events of streams in which more than so many wait. */
export function overflowing(most: number): Sweep {
  return {
    table: 'signal_deliveries',
    async deleteSome(tx) {
      const { numAffectedRows } = await sql`
        DELETE FROM signal_deliveries WHERE ctid = ANY (ARRAY(
          SELECT old.ctid FROM signal_streams s,
            LATERAL (SELECT d.created_at, d.id FROM signal_deliveries d
                      WHERE d.tenant_id = s.tenant_id AND d.queue_key = s.id AND d.status = 'waiting'
                      ORDER BY d.created_at DESC, d.id DESC OFFSET ${most} LIMIT 1) AS edge,
            LATERAL (SELECT d.ctid FROM signal_deliveries d
                      WHERE d.tenant_id = s.tenant_id AND d.queue_key = s.id AND d.status = 'waiting'
                        AND (d.created_at, d.id) <= (edge.created_at, edge.id)
                      LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED) AS old
           LIMIT ${SWEEP_BATCH}))`.execute(tx.db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
