import type { Fail } from '@keywright/contract/errors';
import { parseSignalStreamId, type SignalStreamId } from '@keywright/contract/ids';
import type { ClientStreamRecord } from '@keywright/contract/records/client-stream';
import type { StreamState } from '@keywright/contract/records/signal-stream';
import type { QueryOf } from '@keywright/contract/route';
import type { listClientStreams } from '@keywright/contract/routes/client-streams';
import type { Signal } from '@keywright/contract/signals';
import { randomId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { findClientIn, requireClient } from '../clients/index.ts';
import { streamDue } from './signal-queue.ts';
import {
  countStreamsOf,
  deleteStreamRow,
  dropSignals,
  findStream,
  findStreamPage,
  insertStreamEvent,
  lockStream,
  settleSignals,
  type StreamRow,
  updateStream,
} from './signal-store.ts';

/** The path parameters of a client's stream. */
interface StreamPath {
  readonly client_id: string;
  readonly stream_id: string;
}

/** Lets administrators view, pause and delete the streams of clients. */
export class StreamAdministration {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async list(
    tenant: Tenant,
    id: string,
    query: QueryOf<typeof listClientStreams>,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ) {
    const sort = query.sort ?? '-created_at';
    const page = readPage([tenant.id, 'signal streams', id], query, sort, fail);
    const [rows, total] = await this.#gate.into(tenant.id).transaction(async (tx) => {
      const client = (await findClientIn(tx, id)) ?? fail('NOT_FOUND');
      const count = await countStreamsOf(tx, client.id);
      return [await findStreamPage(tx, client.id, page), count] as const;
    });
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentClientStream);
  }

  get(
    tenant: Tenant,
    { client_id: clientId, stream_id: streamId }: StreamPath,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<ClientStreamRecord> {
    const id = parseSignalStreamId(streamId) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const client = (await findClientIn(tx, clientId)) ?? fail('NOT_FOUND');
      return presentClientStream((await findStream(tx, client.id, id)) ?? fail('NOT_FOUND'));
    });
  }

  setStatus(
    tenant: Tenant,
    caller: Caller,
    path: StreamPath,
    { status, reason }: { readonly status: StreamState; readonly reason?: string },
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<ClientStreamRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const before = await requireStreamOf(tx, caller, path, fail);
      const isSameReason = reason === undefined || reason === before.status_reason;
      if (status === before.status && isSameReason) return presentClientStream(before);
      const { id } = before;
      const row = await updateStream(tx, id, { status, status_reason: reason ?? null });
      if (status === 'disabled') await dropSignals(tx, id);
      else await settleSignals(tx, id, row.method === 'push' && status === 'enabled');
      // Shared Signals Framework §8.1.5. A polling receiver reads the status itself.
      if (row.method === 'push' && before.status !== status) {
        const data = { status, ...(reason !== undefined && { reason }) };
        const event = { id: `set_${randomId()}`, streamId: id, data, isPushed: true };
        await insertStreamEvent(tx, { ...event, type: 'stream-updated' });
      }
      tx.publish(streamDue, { tenantId: tx.tenantId, key: id });
      await recordStream(tx, caller, 'signals.stream_updated', row);
      return presentClientStream(row);
    });
  }

  remove(
    tenant: Tenant,
    caller: Caller,
    path: StreamPath,
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<SignalStreamId> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const row = await requireStreamOf(tx, caller, path, fail);
      await dropSignals(tx, row.id);
      await deleteStreamRow(tx, row.id);
      await recordStream(tx, caller, 'signals.stream_deleted', row);
      return row.id;
    });
  }
}

/** Returns the stream of a client, locked until the commit. */
async function requireStreamOf(
  tx: TenantTx,
  caller: Caller,
  { client_id: clientId, stream_id: streamId }: StreamPath,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<StreamRow> {
  const client = await requireClient(tx, caller, clientId, fail);
  const id = parseSignalStreamId(streamId) ?? fail('NOT_FOUND');
  return (await lockStream(tx, client.id, id)) ?? fail('NOT_FOUND');
}

function recordStream(
  tx: TenantTx,
  caller: Caller,
  action: 'signals.stream_updated' | 'signals.stream_deleted',
  { id, client_id: client, status }: StreamRow,
): Promise<void> {
  const target = { kind: 'client', id: client } as const;
  return record(tx, caller, { action, target, details: { stream_id: id, status }, events: [] });
}

function presentClientStream(row: StreamRow): ClientStreamRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    client_id: row.client_id,
    method: row.method,
    endpoint_url: row.endpoint_url,
    events: row.events_delivered as Signal[],
    description: row.description,
    status: row.status,
    status_reason: row.status_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
