import { isDeepStrictEqual } from 'node:util';
import type { Fail, FieldError } from '@keywright/contract/errors';
import { type SignalStreamId, type TenantId, parseSignalStreamId } from '@keywright/contract/ids';
import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import type { BodyOf } from '@keywright/contract/route';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type {
  CREATE_STREAM_ROUTES,
  UPDATE_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import { DELIVERY_METHODS, SIGNALS, SIGNAL_NAMES, type Signal } from '@keywright/contract/signals';
import { newSignalStreamId, randomId } from '../../../platform/crypto/ids.ts';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { ApplicationKeys } from '../../tokens/signing-keys/index.ts';
import { serializeClientChanges } from '../clients/index.ts';
import { SET_ALGORITHM } from './security-event.ts';
import {
  MOST_STREAMS,
  VERIFICATION_INTERVAL_SECONDS,
  deliveredOf,
  headerPlace,
  methodOf,
  streamDue,
} from './signal-queue.ts';
import type { Receiver } from './signal-receivers.ts';
import {
  type StreamFields,
  type StreamRow,
  startVerification,
  deleteStreamRow,
  dropSignals,
  findStreamsOf,
  insertStream,
  insertStreamEvent,
  lockStream,
  settleSignals,
  updateStream,
} from './signal-store.ts';

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
        await serializeClientChanges(tx, client.id);
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
      if (!(await startVerification(tx, row.id, notSince))) {
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

export type StreamRequest = BodyOf<(typeof CREATE_STREAM_ROUTES)[0]>;
export type StreamChange = BodyOf<(typeof UPDATE_STREAM_ROUTES)[0]>;

type SealHeader = (header: string) => Buffer;

function sealerOf(key: Buffer, tenantId: TenantId, id: SignalStreamId): SealHeader {
  return (header) => seal(key, Buffer.from(header), headerPlace(tenantId, id));
}

/** Returns the request that would create the stream in its current state. */
function requestFor(row: StreamRow): StreamRequest {
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

/** Reads the fields of a stream from a request. */
function fieldsOf(
  { delivery, events_requested: requested, description }: StreamRequest,
  before: StreamRow | undefined,
  sealHeader: SealHeader,
): StreamFields {
  const method = methodOf(delivery?.method ?? DELIVERY_METHODS.poll);
  const url = method === 'push' ? (delivery?.endpoint_url ?? null) : null;
  const header = delivery?.authorization_header;
  // A receiver cannot read the stored header, so a request without a header keeps the stored one.
  const stored = before?.authorization_header ?? null;
  const sealed = header === undefined ? stored : header === '' ? null : sealHeader(header);
  return {
    method,
    endpoint_url: url,
    authorization_header: url === null ? null : sealed,
    events_requested: requested === undefined ? null : [...requested],
    events_delivered: deliveredOf(requested),
    description: description ?? null,
  };
}

/** Ensures that a stored header is never sent to another address. */
function requireHeaderAgain(
  before: StreamRow,
  delivery: StreamRequest['delivery'],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const { endpoint_url: url, authorization_header: header } = delivery ?? {};
  if (before.authorization_header === null || url === undefined) return;
  if (header !== undefined || url === before.endpoint_url) return;
  if (delivery && methodOf(delivery.method) === 'poll') return;
  const message = 'is required to change endpoint_url; send an empty value for none';
  fail('VALIDATION_FAILED', { errors: [{ path: '/delivery/authorization_header', message }] });
}

/** Rejects addresses that can never be called. Host names are resolved at each push. */
function requireDeliverable(
  egress: Egress,
  delivery: StreamRequest['delivery'],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (delivery === undefined || methodOf(delivery.method) === 'poll') return;
  const { endpoint_url: url } = delivery;
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/delivery/endpoint_url', message }] });
  if (url === undefined) return refuse('is required for push');
  if (url.includes('#')) return refuse('must not have a fragment');
  const objection = egress.findObjection(url);
  if (objection) refuse(`cannot be called. ${objection.detail}`);
}

const FIELDS_OF_TRANSMITTER = [
  'iss',
  'aud',
  'events_supported',
  'events_delivered',
  'min_verification_interval',
] as const;

/**
 * Shared Signals Framework §8.1.1.3: a receiver can send the fields that the transmitter supplies, but not change
 * them.
 */
function requireSame(
  stream: SignalStreamRecord,
  change: StreamChange,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = FIELDS_OF_TRANSMITTER.flatMap((name): FieldError[] => {
    const value = change[name];
    const isSame = value === undefined || JSON.stringify(value) === JSON.stringify(stream[name]);
    return isSame ? [] : [{ path: `/${name}`, message: 'cannot be changed' }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

const SUPPORTED: readonly string[] = SIGNAL_NAMES.map((name) => SIGNALS[name]);

/** Omits the header of pushes. */
function presentStream(tenant: Tenant, baseUrl: string, row: StreamRow): SignalStreamRecord {
  const method = row.method;
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

/** Uses the tenant's standard issuer, because its custom issuer can point elsewhere. */
function pollAddress({ id }: Tenant, baseUrl: string, streamId: string): string {
  return `${issuerOf(id, baseUrl)}${POLL_ROUTES[0].path.replace(':stream_id', streamId)}`;
}

function presentStatus(row: StreamRow): StreamStatus {
  return {
    stream_id: row.id,
    status: row.status,
    ...(row.status_reason !== null && { reason: row.status_reason }),
  };
}

/** Whether a change equals the stream. A push header is never shown, so it always counts as a change. */
function changesNothing(shown: SignalStreamRecord, change: StreamChange): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...shown };
  return Object.entries(change).every(([name, value]) => isDeepStrictEqual(value, fields[name]));
}
