import type { OAuthClientId, SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { StreamState } from '@keywright/contract/records/signal-stream';
import type { Signal, StreamSignal } from '@keywright/contract/signals';
import { sql } from 'kysely';
import {
  findSignalStream,
  type FindSignalStreamRow,
} from '../../../../sql/oauth/kw_find_signal_stream.ts';
import { countUpToLimit, type Page, pageOf } from '../../../platform/db/page.ts';
import { type Reason, reasonText } from '../../../platform/coded-reason.ts';
import {
  deleteFrom,
  from,
  type Gate,
  type SystemTx,
  type TenantTx,
  update,
} from '../../../tenancy/gate.ts';
import { SWEEP_BATCH, type Sweep } from '../../../tenancy/sweep-store.ts';
import type { StoredSignal } from './security-event.ts';
import type { Method } from './signal-queue.ts';

/** What sending an event to a stream requires. */
export type LoadedStream = FindSignalStreamRow;

/** The tenant and the id of a stream. */
export type StreamName = readonly [TenantId, SignalStreamId];

/** Returns the streams with these names, in the same order. */
export async function loadStreams(
  gate: Gate,
  names: readonly StreamName[],
): Promise<(LoadedStream | undefined)[]> {
  const items = names.map(([tenant, stream]) => ({ tenant, stream }));
  const found = await gate.callEach(findSignalStream, items);
  return found.map(([row]) => row);
}

function streams(tx: TenantTx) {
  return from(tx, 'signal_streams');
}

function streamOf(tx: TenantTx, clientId: OAuthClientId, id: SignalStreamId) {
  return streams(tx).selectAll().where('id', '=', id).where('client_id', '=', clientId);
}

/** Returns a stream of this client. */
export function findStream(tx: TenantTx, clientId: OAuthClientId, id: SignalStreamId) {
  return streamOf(tx, clientId, id).executeTakeFirst();
}

/** Returns a stream of this client, locked until the commit. */
export function lockStream(tx: TenantTx, clientId: OAuthClientId, id: SignalStreamId) {
  return streamOf(tx, clientId, id).forUpdate().executeTakeFirst();
}

export type StreamRow = NonNullable<Awaited<ReturnType<typeof lockStream>>>;

export function findStreamsOf(tx: TenantTx, clientId: OAuthClientId): Promise<StreamRow[]> {
  return streams(tx)
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns a page, plus one row if there are more. */
export function findStreamPage(tx: TenantTx, clientId: OAuthClientId, page: Page) {
  return pageOf(streams(tx).where('client_id', '=', clientId).selectAll(), page).execute();
}

export function countStreamsOf(tx: TenantTx, clientId: OAuthClientId): Promise<number> {
  return countUpToLimit(tx, streams(tx).where('client_id', '=', clientId).select('id'));
}

/** The fields of a stream that its receiver sets. */
export interface StreamFields {
  readonly method: Method;
  readonly endpoint_url: string | null;
  readonly authorization_header: Buffer | null;
  readonly events_requested: string[] | null;
  readonly events_delivered: Signal[];
  readonly description: string | null;
}

export function insertStream(
  tx: TenantTx,
  clientId: OAuthClientId,
  id: SignalStreamId,
  fields: StreamFields,
): Promise<StreamRow> {
  return tx.db
    .insertInto('signal_streams')
    .values({ tenant_id: tx.tenantId, id, client_id: clientId, ...fields, created_at: tx.now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateStream(
  tx: TenantTx,
  id: SignalStreamId,
  change: Partial<StreamFields> & {
    readonly status?: StreamState;
    readonly status_reason?: string | null;
  },
): Promise<StreamRow> {
  return (
    update(tx, 'signal_streams')
      // The change can fix the cause of the failures.
      .set({ ...change, failing_since: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

export async function deleteStreamRow(tx: TenantTx, id: SignalStreamId): Promise<void> {
  await deleteFrom(tx, 'signal_streams').where('id', '=', id).execute();
}

/** Records a verification unless one has been recorded since. @returns whether it was recorded */
export async function startVerification(
  tx: TenantTx,
  id: SignalStreamId,
  notSince: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'signal_streams')
    .set({ verified_at: tx.now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('verified_at', 'is', null), eb('verified_at', '<=', notSince)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records whether pushes fail. @returns whether this has changed */
export async function recordFailing(
  tx: TenantTx,
  id: SignalStreamId,
  failed: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'signal_streams')
    .set({ failing_since: failed ? tx.now : null })
    .where('id', '=', id)
    .where('failing_since', failed ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Pauses a stream whose pushes have all failed since that time. @returns undefined if it is already paused */
export function pauseHopeless(
  tx: TenantTx,
  id: SignalStreamId,
  since: Date,
  reason: string,
): Promise<StreamRow | undefined> {
  return update(tx, 'signal_streams')
    .set({ status: 'paused', status_reason: reason })
    .where('id', '=', id)
    .where('status', '=', 'enabled')
    .where('failing_since', '<=', since)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the stream pushes. Locks this state until the commit. */
export async function lockIfPushing(tx: TenantTx, id: SignalStreamId): Promise<boolean> {
  const row = await streams(tx)
    .select(sql<boolean>`method = 'push' AND status = 'enabled'`.as('pushes'))
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row?.pushes ?? false;
}

const UNDELIVERED = ['pending', 'waiting'] as const;
const RETENTION_SECONDS = 7 * 86_400;

/** An event about the stream itself. */
export interface StreamEvent {
  readonly id: string;
  readonly streamId: SignalStreamId;
  readonly type: StreamSignal;
  readonly data: object;
  /** Whether the event is pushed; otherwise it waits for a poll. */
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
      expires_at: new Date(tx.now.getTime() + RETENTION_SECONDS * 1000),
      created_at: tx.now,
    })
    .execute();
}

/** Returns the original due time of an event, as in kw_signal, so that the oldest event is sent first. */
function originalDueTime(tx: TenantTx) {
  return sql<Date>`LEAST(created_at - interval '5 minutes', ${tx.now})`;
}

/** Sets the remaining events of a stream to be pushed or polled, in order. A push in progress can be repeated. */
export async function settleSignals(
  tx: TenantTx,
  streamId: SignalStreamId,
  isPushed: boolean,
): Promise<void> {
  await update(tx, 'signal_deliveries')
    .set({
      status: isPushed ? 'pending' : 'waiting',
      due_at: originalDueTime(tx),
      attempts: 0,
      held_until: null,
    })
    .where('queue_key', '=', streamId)
    .where('status', '=', isPushed ? 'waiting' : 'pending')
    .where('type', '<>', 'stream-updated')
    .execute();
}

/** Sets an event to wait, because its stream no longer pushes. */
export async function parkSignal(tx: TenantTx, id: string): Promise<void> {
  await update(tx, 'signal_deliveries')
    .set({ status: 'waiting', held_until: null })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute();
}

/** Makes failed events due immediately, in order, because the receiver responds again. */
export async function expediteSignals(tx: TenantTx, streamId: SignalStreamId): Promise<void> {
  await update(tx, 'signal_deliveries')
    .set({ due_at: originalDueTime(tx) })
    .where('queue_key', '=', streamId)
    .where('status', '=', 'pending')
    .where('due_at', '>', tx.now)
    .execute();
}

/** Deletes the undelivered events. The others are deleted when they are old. */
export async function dropSignals(tx: TenantTx, streamId: SignalStreamId): Promise<void> {
  await deleteFrom(tx, 'signal_deliveries')
    .where('queue_key', '=', streamId)
    .where('status', 'in', UNDELIVERED)
    .execute();
}

/** Completes polled events. The first request to acknowledge an event decides its outcome. */
export async function acknowledge(
  tx: TenantTx,
  streamId: SignalStreamId,
  ids: readonly string[],
  flaws: readonly { readonly id: string; readonly reason: Reason }[],
): Promise<void> {
  const ended = [
    ...ids.map((id) => ({ id, status: 'done', reason: null })),
    ...flaws.map(({ id, reason }) => ({ id, status: 'failed', reason: reasonText(reason) })),
  ];
  if (ended.length === 0) return;
  await sql`
    UPDATE signal_deliveries AS d SET status = e.status, reason = e.reason, due_at = ${tx.now}
      FROM jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) AS e (id text, status text, reason text)
     WHERE d.tenant_id = ${tx.tenantId} AND d.id = e.id AND d.queue_key = ${streamId}
       AND d.status = 'waiting'`.execute(tx.db);
}

/** Returns the oldest events that wait for a poll. */
export async function findWaiting(
  tx: TenantTx,
  streamId: SignalStreamId,
  limit: number,
): Promise<StoredSignal[]> {
  const rows = await from(tx, 'signal_deliveries')
    .selectAll()
    .where('queue_key', '=', streamId)
    .where('status', '=', 'waiting')
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows;
}

/** Deletes the oldest events of streams with more than this many waiting events. */
export function overflowing(most: number): Sweep {
  return {
    table: 'signal_deliveries',
    async deleteBatch(tx) {
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

interface WaitingStream {
  readonly tenantId: TenantId;
  readonly streamId: SignalStreamId;
}

/** Returns those of the streams that have an event to poll. */
export async function findFilled(
  { db }: SystemTx,
  waiting: readonly WaitingStream[],
): Promise<SignalStreamId[]> {
  const { rows } = await sql<{ id: SignalStreamId }>`
    SELECT s.id
      FROM unnest(${waiting.map((stream) => stream.tenantId)}::text[], ${waiting.map((stream) => stream.streamId)}::text[])
             AS input (tenant_id, id)
      JOIN signal_streams s ON s.tenant_id = input.tenant_id AND s.id = input.id AND s.status = 'enabled'
     WHERE EXISTS (SELECT FROM signal_deliveries d
                    WHERE d.tenant_id = s.tenant_id AND d.queue_key = s.id AND d.status = 'waiting')`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
