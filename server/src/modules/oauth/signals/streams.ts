import { isDeepStrictEqual } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import { parseSignalStreamId } from '@keywright/contract/ids';
import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import { newSignalStreamId, randomId } from '../../../platform/crypto/ids.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../../events/journal/index.ts';
import type { PublishKeys } from '../../tokens/signing-keys/index.ts';
import { presentStatus, presentStream } from './present.ts';
import { streamDue } from './due.ts';
import type { Receiver } from './receiver.ts';
import { MOST_STREAMS, VERIFICATION_INTERVAL_SECONDS } from './rules.ts';
import { SET_ALGORITHM } from './set.ts';
import { dropSignals, insertStreamEvent, settleSignals } from './signals-store.ts';
import {
  type Asked,
  askedOf,
  type Change,
  fieldsOf,
  requireDeliverable,
  requireHeaderAgain,
  requireSame,
  sealerOf,
} from './stream-fields.ts';
import * as store from './streams-store.ts';

export interface StreamMeans {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly egress: Pick<Egress, 'findObjection'>;
  readonly publishKeys: PublishKeys;
  readonly baseUrl: () => string;
}

export async function createStream(
  means: StreamMeans,
  { tenant, client, from }: Receiver,
  asked: Asked,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_STREAMS'>,
): Promise<SignalStreamRecord> {
  const { gate, clock, dataKeys, publishKeys, baseUrl } = means;
  requireDeliverable(means, asked.delivery, fail);
  await publishKeys(tenant.id, [SET_ALGORITHM]);
  const id = newSignalStreamId(clock.now());
  return dataKeys.use(tenant.id, (key) =>
    gate.into(tenant.id).transaction(async (tx) => {
      await store.lockClientOf(tx, client.id);
      const others = await store.findStreamsOf(tx, client.id);
      if (others.length >= MOST_STREAMS) fail('TOO_MANY_STREAMS');
      const fields = fieldsOf(asked, undefined, sealerOf(key, tx.tenantId, id));
      const row = await store.insertStream(tx, client.id, id, fields);
      await recordStream(tx, { client, from }, 'signals.stream_created', row);
      return presentStream(tenant, baseUrl(), row);
    }),
  );
}

export async function readStreams(
  { gate, baseUrl }: StreamMeans,
  { tenant, client }: Receiver,
  named: string | undefined,
  fail: Fail<'NOT_FOUND'>,
): Promise<SignalStreamRecord | SignalStreamRecord[]> {
  const rows = await gate.into(tenant.id).transaction((tx) => store.findStreamsOf(tx, client.id));
  if (named === undefined) return rows.map((row) => presentStream(tenant, baseUrl(), row));
  const row = rows.find(({ id }) => id === named) ?? fail('NOT_FOUND');
  return presentStream(tenant, baseUrl(), row);
}

/** What is sent as it is shown. A header for pushes never is: it always counts as a change. */
function changesNothing(shown: SignalStreamRecord, change: Change): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...shown };
  return Object.entries(change).every(([name, value]) => isDeepStrictEqual(value, fields[name]));
}

/** @param isWhole whether what is not named has its default; otherwise it stays */
export async function changeStream(
  means: StreamMeans,
  receiver: Receiver,
  change: Change,
  isWhole: boolean,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
): Promise<SignalStreamRecord> {
  const { tenant } = receiver;
  const { gate, dataKeys, baseUrl } = means;
  requireDeliverable(means, change.delivery, fail);
  return dataKeys.use(tenant.id, (key) =>
    gate.into(tenant.id).transaction(async (tx) => {
      const before = await requireStream(tx, receiver, change.stream_id, fail);
      const shown = presentStream(tenant, baseUrl(), before);
      requireSame(shown, change, fail);
      if (!isWhole && changesNothing(shown, change)) return shown;
      requireHeaderAgain(before, change.delivery, fail);
      const asked = isWhole ? change : { ...askedOf(before), ...change };
      const fields = fieldsOf(asked, before, sealerOf(key, tx.tenantId, before.id));
      const row = await store.updateStream(tx, before.id, fields);
      await settle(tx, row);
      await recordStream(tx, receiver, 'signals.stream_updated', row);
      return presentStream(tenant, baseUrl(), row);
    }),
  );
}

export async function deleteStream(
  { gate }: StreamMeans,
  receiver: Receiver,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<undefined> {
  await gate.into(receiver.tenant.id).transaction(async (tx) => {
    const row = await requireStream(tx, receiver, named, fail);
    await dropSignals(tx, row.id);
    await store.deleteStreamRow(tx, row.id);
    await recordStream(tx, receiver, 'signals.stream_deleted', row);
  });
}

export async function readStatus(
  { gate }: StreamMeans,
  { tenant, client }: Receiver,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<StreamStatus> {
  const rows = await gate.into(tenant.id).transaction((tx) => store.findStreamsOf(tx, client.id));
  return presentStatus(rows.find(({ id }) => id === named) ?? fail('NOT_FOUND'));
}

export function changeStatus(
  { gate }: StreamMeans,
  receiver: Receiver,
  { stream_id: named, status, reason }: StreamStatus,
  fail: Fail<'NOT_FOUND'>,
): Promise<StreamStatus> {
  return gate.into(receiver.tenant.id).transaction(async (tx) => {
    const before = await requireStream(tx, receiver, named, fail);
    const isSame = before.status === status && before.status_reason === (reason ?? null);
    if (isSame) return presentStatus(before);
    const change = { status, status_reason: reason ?? null };
    const row = await store.updateStream(tx, before.id, change);
    await settle(tx, row);
    await recordStream(tx, receiver, 'signals.stream_updated', row);
    return presentStatus(row);
  });
}

/** Shared Signals Framework §8.1.4.2. A disabled stream keeps nothing, and so not this. */
export async function verifyStream(
  { gate, clock }: StreamMeans,
  receiver: Receiver,
  { stream_id: named, state }: { readonly stream_id: string; readonly state?: string },
  fail: Fail<'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>,
): Promise<undefined> {
  const seconds = VERIFICATION_INTERVAL_SECONDS;
  const notSince = new Date(clock.now().getTime() - seconds * 1000);
  await gate.into(receiver.tenant.id).transaction(async (tx) => {
    const row = await requireStream(tx, receiver, named, fail);
    if (!(await store.beginVerification(tx, row.id, notSince))) {
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: seconds });
    }
    if (row.status === 'disabled') return;
    await insertStreamEvent(tx, {
      id: `set_${randomId()}`,
      streamId: row.id,
      type: 'verification',
      data: state === undefined ? {} : { state },
      isPushed: pushes(row),
    });
    tx.publish(streamDue, { tenantId: tx.tenantId, key: row.id });
  });
}

async function requireStream(
  tx: TenantTx,
  { client }: Receiver,
  named: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<store.StreamRow> {
  const id = parseSignalStreamId(named) ?? fail('NOT_FOUND');
  return (await store.lockStream(tx, client.id, id)) ?? fail('NOT_FOUND');
}

function pushes({ method, status }: Pick<store.StreamRow, 'method' | 'status'>): boolean {
  return method === 'push' && status === 'enabled';
}

/** What waits is pushed, polled or dropped, as the stream is now. */
async function settle(tx: TenantTx, row: store.StreamRow): Promise<void> {
  if (row.status === 'disabled') return dropSignals(tx, row.id);
  await settleSignals(tx, row.id, pushes(row));
  tx.publish(streamDue, { tenantId: tx.tenantId, key: row.id });
}

function recordStream(
  tx: TenantTx,
  { client, from }: Pick<Receiver, 'client' | 'from'>,
  action: 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_deleted',
  { id, method, endpoint_url: url, status }: store.StreamRow,
): Promise<void> {
  return record(
    tx,
    { kind: 'client', clientId: client.id, from },
    {
      action,
      target: { kind: 'client', id: client.id },
      // Without its query, which may contain a secret.
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
