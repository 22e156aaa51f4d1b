import { isDeepStrictEqual } from 'node:util';
import * as store from './signal-store.ts';
import type { Fail, FieldError } from '@keywright/contract/errors';
import { type SignalStreamId, type TenantId, parseSignalStreamId } from '@keywright/contract/ids';
import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import type { BodyOf } from '@keywright/contract/route';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type {
  CREATE_STREAM_ROUTES,
  UPDATE_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import type { Clock } from '../../../platform/clock.ts';
import { newSignalStreamId, randomId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import { SET_ALGORITHM } from './security-event.ts';
import {
  deliveredOf,
  headerPlace,
  methodOf,
  type Method,
  VERIFICATION_INTERVAL_SECONDS,
  streamDue,
  MOST_STREAMS,
} from './signal-queue.ts';
import type { Receiver } from './signal-receivers.ts';
import {
  type StreamFields,
  type StreamRow,
  dropSignals,
  insertStreamEvent,
  settleSignals,
} from './signal-store.ts';

type Asked = BodyOf<(typeof CREATE_STREAM_ROUTES)[0]>;
type Change = BodyOf<(typeof UPDATE_STREAM_ROUTES)[0]>;

type Seal = (header: string) => Buffer;

function sealerOf(key: Buffer, tenantId: TenantId, id: SignalStreamId): Seal {
  return (header) => seal(key, Buffer.from(header), headerPlace(tenantId, id));
}

/** A stream as a receiver would ask for it. */
function askedOf(row: StreamRow): Asked {
  const { method, endpoint_url: url, events_requested: requested, description } = row;
  const delivery =
    url === null
      ? { method: DELIVERY_METHODS.poll }
      : { method: DELIVERY_METHODS[method as 'push'], endpoint_url: url };
  return {
    delivery,
    ...(requested !== null && { events_requested: requested }),
    ...(description !== null && { description }),
  };
}

function fieldsOf(
  { delivery, events_requested: requested, description }: Asked,
  before: StreamRow | undefined,
  sealed: Seal,
): StreamFields {
  const method = methodOf(delivery?.method ?? DELIVERY_METHODS.poll);
  const url = method === 'push' ? (delivery?.endpoint_url ?? null) : null;
  const header = delivery?.authorization_header;
  // A receiver cannot read the header, to send it back.
  const kept = before?.authorization_header ?? null;
  const own = header === undefined ? kept : header === '' ? null : sealed(header);
  return {
    method,
    endpoint_url: url,
    authorization_header: url === null ? null : own,
    events_requested: requested === undefined ? null : [...requested],
    events_delivered: deliveredOf(requested),
    description: description ?? null,
  };
}

/** A stored header is never sent to another address. */
function requireHeaderAgain(
  before: StreamRow,
  delivery: Asked['delivery'],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const { endpoint_url: url, authorization_header: header } = delivery ?? {};
  if (before.authorization_header === null || url === undefined) return;
  if (header !== undefined || url === before.endpoint_url) return;
  if (delivery && methodOf(delivery.method) === 'poll') return;
  const message = 'is required with another endpoint_url; empty: none';
  fail('VALIDATION_FAILED', { errors: [{ path: '/delivery/authorization_header', message }] });
}

/** As far as can be told without DNS: host names are resolved at each push. */
function requireDeliverable(
  { egress }: { readonly egress: Pick<Egress, 'findObjection'> },
  delivery: Asked['delivery'],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (delivery === undefined || methodOf(delivery.method) === 'poll') return;
  const { endpoint_url: url } = delivery;
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/delivery/endpoint_url', message }] });
  if (url === undefined) return refuse('is required for push');
  if (url.includes('#')) return refuse('must have no fragment');
  const objection = egress.findObjection(url);
  if (objection) refuse(`cannot be called. ${objection.detail}`);
}

const OURS = [
  'iss',
  'aud',
  'events_supported',
  'events_delivered',
  'min_verification_interval',
] as const;

/** Shared Signals Framework §8.1.1.3: what the transmitter supplies may be sent, and has to be as it is. */
function requireSame(
  stream: SignalStreamRecord,
  change: Change,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = OURS.flatMap((name): FieldError[] => {
    const given = change[name];
    const isSame = given === undefined || JSON.stringify(given) === JSON.stringify(stream[name]);
    return isSame ? [] : [{ path: `/${name}`, message: 'must be as it is' }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

const SUPPORTED: readonly string[] = SIGNAL_NAMES.map((name) => SIGNALS[name]);

/** Never with the header that is sent with pushes. */
function presentStream(tenant: Tenant, baseUrl: string, row: StreamRow): SignalStreamRecord {
  const method = row.method as Method;
  return {
    stream_id: row.id,
    iss: tenant.issuer,
    aud: row.client_id,
    delivery: {
      method: DELIVERY_METHODS[method],
      endpoint_url: row.endpoint_url ?? pollAddress(tenant, baseUrl, row.id),
    },
    events_supported: [...SUPPORTED],
    events_requested: row.events_requested ?? [...SUPPORTED],
    events_delivered: row.events_delivered.map((name) => SIGNALS[name as Signal]),
    ...(row.description !== null && { description: row.description }),
    min_verification_interval: VERIFICATION_INTERVAL_SECONDS,
  };
}

/** An issuer that a tenant brought with it need not lead here. */
function pollAddress({ id }: Tenant, baseUrl: string, streamId: string): string {
  return `${issuerOf(id, baseUrl)}${POLL_ROUTES[0].path.replace(':stream_id', streamId)}`;
}

function presentStatus(row: StreamRow): StreamStatus {
  return {
    stream_id: row.id,
    status: row.status as StreamStatus['status'],
    ...(row.status_reason !== null && { reason: row.status_reason }),
  };
}

export interface StreamMeans {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  readonly egress: Pick<Egress, 'findObjection'>;
  readonly applicationKeys: ApplicationKeys;
  readonly baseUrl: () => string;
}

export async function createStream(
  means: StreamMeans,
  { tenant, client, from }: Receiver,
  asked: Asked,
  fail: Fail<'VALIDATION_FAILED' | 'TOO_MANY_STREAMS'>,
): Promise<SignalStreamRecord> {
  const { gate, clock, dataKeys, applicationKeys, baseUrl } = means;
  requireDeliverable(means, asked.delivery, fail);
  await applicationKeys.publish(tenant.id, [SET_ALGORITHM]);
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
