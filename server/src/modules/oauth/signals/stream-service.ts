import type { Fail } from '@keywright/contract/errors';
import { parseSignalStreamId } from '@keywright/contract/ids';
import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import { newSignalStreamId, randomId } from '../../../platform/crypto/ids.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { record } from '../../events/journal/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import { SET_ALGORITHM } from './security-event.ts';
import { MOST_STREAMS, streamDue, VERIFICATION_INTERVAL_SECONDS } from './signal-queue.ts';
import type { Receiver } from './signal-receivers.ts';
import {
  beginVerification,
  deleteStreamRow,
  dropSignals,
  findStreamsOf,
  insertStream,
  insertStreamEvent,
  lockClientOf,
  lockStream,
  settleSignals,
  type StreamRow,
  updateStream,
} from './signal-store.ts';
import {
  changesNothing,
  fieldsOf,
  presentStatus,
  presentStream,
  requestFor,
  requireDeliverable,
  requireHeaderAgain,
  requireSame,
  sealerOf,
  type StreamChange,
  type StreamRequest,
} from './stream-rules.ts';

/** Lets receivers manage their streams (Shared Signals Framework 1.0 §8.1). */
export class StreamService {
  readonly #core: Core;
  readonly #applicationKeys: ApplicationKeys;

  constructor(core: Core, applicationKeys: ApplicationKeys) {
    this.#core = core;
    this.#applicationKeys = applicationKeys;
  }

  async create(
    { tenant, client, from }: Receiver,
    request: StreamRequest,
    fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_STREAMS'>,
  ): Promise<SignalStreamRecord> {
    const { gate, clock, dataKeys, egress, baseUrl } = this.#core;
    requireDeliverable(egress, request.delivery, fail);
    await this.#applicationKeys.publish(tenant.id, [SET_ALGORITHM]);
    const id = newSignalStreamId(clock.now());
    return dataKeys.use(tenant.id, (key) =>
      gate.into(tenant.id).transaction(async (tx) => {
        await lockClientOf(tx, client.id);
        const others = await findStreamsOf(tx, client.id);
        if (others.length >= MOST_STREAMS) fail('TOO_MANY_STREAMS');
        const fields = fieldsOf(request, undefined, sealerOf(key, tx.tenantId, id));
        const row = await insertStream(tx, client.id, id, fields);
        await recordStream(tx, { client, from }, 'signals.stream_created', row);
        return presentStream(tenant, baseUrl(), row);
      }),
    );
  }

  async read(
    { tenant, client }: Receiver,
    named: string | undefined,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<SignalStreamRecord | SignalStreamRecord[]> {
    const { gate, baseUrl } = this.#core;
    const rows = await gate.into(tenant.id).transaction((tx) => findStreamsOf(tx, client.id));
    if (named === undefined) return rows.map((row) => presentStream(tenant, baseUrl(), row));
    const row = rows.find(({ id }) => id === named) ?? fail('NOT_FOUND');
    return presentStream(tenant, baseUrl(), row);
  }

  /** Changes the fields in the request. */
  update(
    receiver: Receiver,
    change: StreamChange,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<SignalStreamRecord> {
    return this.#change(receiver, change, false, fail);
  }

  /** Replaces all fields: a field that the request omits is reset to its default. */
  replace(
    receiver: Receiver,
    change: StreamChange,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<SignalStreamRecord> {
    return this.#change(receiver, change, true, fail);
  }

  async #change(
    receiver: Receiver,
    change: StreamChange,
    isWhole: boolean,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ): Promise<SignalStreamRecord> {
    const { tenant } = receiver;
    const { gate, dataKeys, egress, baseUrl } = this.#core;
    requireDeliverable(egress, change.delivery, fail);
    return dataKeys.use(tenant.id, (key) =>
      gate.into(tenant.id).transaction(async (tx) => {
        const before = await requireStream(tx, receiver, change.stream_id, fail);
        const shown = presentStream(tenant, baseUrl(), before);
        requireSame(shown, change, fail);
        if (!isWhole && changesNothing(shown, change)) return shown;
        requireHeaderAgain(before, change.delivery, fail);
        const request = isWhole ? change : { ...requestFor(before), ...change };
        const fields = fieldsOf(request, before, sealerOf(key, tx.tenantId, before.id));
        const row = await updateStream(tx, before.id, fields);
        await settle(tx, row);
        await recordStream(tx, receiver, 'signals.stream_updated', row);
        return presentStream(tenant, baseUrl(), row);
      }),
    );
  }

  async remove(receiver: Receiver, named: string, fail: Fail<'NOT_FOUND'>): Promise<undefined> {
    await this.#core.gate.into(receiver.tenant.id).transaction(async (tx) => {
      const row = await requireStream(tx, receiver, named, fail);
      await dropSignals(tx, row.id);
      await deleteStreamRow(tx, row.id);
      await recordStream(tx, receiver, 'signals.stream_deleted', row);
    });
  }

  async readStatus(
    { tenant, client }: Receiver,
    named: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<StreamStatus> {
    const data = this.#core.gate.into(tenant.id);
    const rows = await data.transaction((tx) => findStreamsOf(tx, client.id));
    return presentStatus(rows.find(({ id }) => id === named) ?? fail('NOT_FOUND'));
  }

  changeStatus(
    receiver: Receiver,
    { stream_id: named, status, reason }: StreamStatus,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<StreamStatus> {
    return this.#core.gate.into(receiver.tenant.id).transaction(async (tx) => {
      const before = await requireStream(tx, receiver, named, fail);
      const isSame = before.status === status && before.status_reason === (reason ?? null);
      if (isSame) return presentStatus(before);
      const change = { status, status_reason: reason ?? null };
      const row = await updateStream(tx, before.id, change);
      await settle(tx, row);
      await recordStream(tx, receiver, 'signals.stream_updated', row);
      return presentStatus(row);
    });
  }

  /** Shared Signals Framework §8.1.4.2. A disabled stream does not store events, including this one. */
  async verify(
    receiver: Receiver,
    { stream_id: named, state }: { readonly stream_id: string; readonly state?: string },
    fail: Fail<'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>,
  ): Promise<undefined> {
    const { gate, clock } = this.#core;
    const seconds = VERIFICATION_INTERVAL_SECONDS;
    const notSince = new Date(clock.now().getTime() - seconds * 1000);
    await gate.into(receiver.tenant.id).transaction(async (tx) => {
      const row = await requireStream(tx, receiver, named, fail);
      if (!(await beginVerification(tx, row.id, notSince))) {
        fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: seconds });
      }
      if (row.status === 'disabled') return;
      await insertStreamEvent(tx, {
        id: `set_${randomId()}`,
        streamId: row.id,
        type: 'verification',
        data: state === undefined ? {} : { state },
        isPushed: isPushing(row),
      });
      tx.publish(streamDue, { tenantId: tx.tenantId, key: row.id });
    });
  }
}

/** Returns the stream of this receiver, locked until the commit. */
async function requireStream(
  tx: TenantTx,
  { client }: Receiver,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<StreamRow> {
  const id = parseSignalStreamId(named) ?? fail('NOT_FOUND');
  return (await lockStream(tx, client.id, id)) ?? fail('NOT_FOUND');
}

function isPushing({ method, status }: Pick<StreamRow, 'method' | 'status'>): boolean {
  return method === 'push' && status === 'enabled';
}

/** Pushes, retains or drops the waiting events according to the stream's current state. */
async function settle(tx: TenantTx, row: StreamRow): Promise<void> {
  if (row.status === 'disabled') return dropSignals(tx, row.id);
  await settleSignals(tx, row.id, isPushing(row));
  tx.publish(streamDue, { tenantId: tx.tenantId, key: row.id });
}

function recordStream(
  tx: TenantTx,
  { client, from }: Pick<Receiver, 'client' | 'from'>,
  action: 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_deleted',
  { id, method, endpoint_url: url, status }: StreamRow,
): Promise<void> {
  return record(
    tx,
    { kind: 'client', clientId: client.id, from },
    {
      action,
      target: { kind: 'client', id: client.id },
      // Omits the query, which can contain a secret.
      details: {
        stream_id: id,
        method,
        status,
        ...(url !== null && { url: url.split('?', 1)[0] ?? '' }),
      },
      events: [],
    },
  );
}
