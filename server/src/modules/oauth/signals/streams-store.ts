import type { OAuthClientId, SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { StreamState } from '@keywright/contract/records/signal-stream';
import type { Signal } from '@keywright/contract/signals';
import { sql } from 'kysely';
import { findSignalStreams } from '../../../../sql/oauth/kw_find_signal_streams.ts';
import { batched } from '../../../platform/db/batch.ts';
import { countSome, type Page, pageOf } from '../../../platform/db/page.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Method } from './rules.ts';

/** A stream, as what sends its events needs it. */
export interface KnownStream {
  readonly id: SignalStreamId;
  readonly client_id: OAuthClientId;
  readonly method: Method;
  readonly endpoint_url: string | null;
  /** Encrypted, in base64. */
  readonly authorization_header: string | null;
  readonly status: StreamState;
  readonly failing_since: string | null;
}

type Named = readonly [TenantId, SignalStreamId];

/** Queried each time, concurrent requests together. */
export function createFindStreams(gate: Gate): (one: Named) => Promise<KnownStream | undefined> {
  const find = async (asked: readonly Named[]) => {
    const [row] = await gate.callMany(findSignalStreams, {
      tenants: asked.map(([tenantId]) => tenantId),
      streams: asked.map(([, id]) => id),
    });
    const found = row?.answer as (KnownStream | null)[] | undefined;
    return asked.map((_, index) => found?.[index] ?? undefined);
  };
  return batched(find, { size: 64, flights: 1 });
}

function streams(tx: TenantTx) {
  return tx.db.selectFrom('signal_streams').where('tenant_id', '=', tx.tenantId);
}

function streamOf(tx: TenantTx, clientId: OAuthClientId, id: SignalStreamId) {
  return streams(tx).selectAll().where('id', '=', id).where('client_id', '=', clientId);
}

/** One of this client. */
export function findStream(tx: TenantTx, clientId: OAuthClientId, id: SignalStreamId) {
  return streamOf(tx, clientId, id).executeTakeFirst();
}

/** The same, locked until the commit. */
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

/** A page, plus one row if there are more. */
export function findStreamPage(tx: TenantTx, clientId: OAuthClientId, page: Page) {
  return pageOf(streams(tx).where('client_id', '=', clientId).selectAll(), page).execute();
}

export function countStreamsOf(tx: TenantTx, clientId: OAuthClientId): Promise<number> {
  return countSome(tx, streams(tx).where('client_id', '=', clientId).select('id'));
}

/** Two at once must not both be the last one that there is room for. */
export async function lockClientOf(tx: TenantTx, clientId: OAuthClientId): Promise<void> {
  await tx.db
    .selectFrom('oauth_clients')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', clientId)
    .forNoKeyUpdate()
    .execute();
}

/** What a receiver says of a stream. */
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
    tx.db
      .updateTable('signal_streams')
      // Whatever was wrong may be mended.
      .set({ ...change, failing_since: null })
      .where('tenant_id', '=', tx.tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  );
}

export async function deleteStreamRow(tx: TenantTx, id: SignalStreamId): Promise<void> {
  await tx.db
    .deleteFrom('signal_streams')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Whether a verification may be sent now, which it may once in a while. */
export async function beginVerification(
  tx: TenantTx,
  id: SignalStreamId,
  notSince: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('signal_streams')
    .set({ verified_at: tx.now })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('verified_at', 'is', null), eb('verified_at', '<=', notSince)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes how a push ended, which most do as the one before. @returns whether it is another end */
export async function noteEnd(tx: TenantTx, id: SignalStreamId, failed: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('signal_streams')
    .set({ failing_since: failed ? tx.now : null })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('failing_since', failed ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Pauses a stream that has only failed since then; once. */
export function pauseHopeless(
  tx: TenantTx,
  id: SignalStreamId,
  since: Date,
  reason: string,
): Promise<StreamRow | undefined> {
  return tx.db
    .updateTable('signal_streams')
    .set({ status: 'paused', status_reason: reason })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('status', '=', 'enabled')
    .where('failing_since', '<=', since)
    .returningAll()
    .executeTakeFirst();
}

/** Whether the stream pushes, which it does until the commit. */
export async function holdsPushing(tx: TenantTx, id: SignalStreamId): Promise<boolean> {
  const row = await streams(tx)
    .select(sql<boolean>`method = 'push' AND status = 'enabled'`.as('pushes'))
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row?.pushes ?? false;
}
