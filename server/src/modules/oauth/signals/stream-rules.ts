import { isDeepStrictEqual } from 'node:util';
import type { Fail, FieldError } from '@keywright/contract/errors';
import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import type { BodyOf } from '@keywright/contract/route';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import type {
  CREATE_STREAM_ROUTES,
  UPDATE_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  deliveredOf,
  headerPlace,
  methodOf,
  VERIFICATION_INTERVAL_SECONDS,
} from './signal-queue.ts';
import type { StreamFields, StreamRow } from './signal-store.ts';

export type StreamRequest = BodyOf<(typeof CREATE_STREAM_ROUTES)[0]>;
export type StreamChange = BodyOf<(typeof UPDATE_STREAM_ROUTES)[0]>;

type SealHeader = (header: string) => Buffer;

export function sealerOf(key: Buffer, tenantId: TenantId, id: SignalStreamId): SealHeader {
  return (header) => seal(key, Buffer.from(header), headerPlace(tenantId, id));
}

/** Returns the request that would create the stream in its current state. */
export function requestFor(row: StreamRow): StreamRequest {
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
export function fieldsOf(
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
export function requireHeaderAgain(
  before: StreamRow,
  delivery: StreamRequest['delivery'],
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const { endpoint_url: url, authorization_header: header } = delivery ?? {};
  if (before.authorization_header === null || url === undefined) return;
  if (header !== undefined || url === before.endpoint_url) return;
  if (delivery && methodOf(delivery.method) === 'poll') return;
  const message = 'is required with another endpoint_url; empty: none';
  fail('VALIDATION_FAILED', { errors: [{ path: '/delivery/authorization_header', message }] });
}

/** Rejects addresses that can never be called. Host names are resolved at each push. */
export function requireDeliverable(
  egress: Egress,
  delivery: StreamRequest['delivery'],
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
export function requireSame(
  stream: SignalStreamRecord,
  change: StreamChange,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = FIELDS_OF_TRANSMITTER.flatMap((name): FieldError[] => {
    const value = change[name];
    const isSame = value === undefined || JSON.stringify(value) === JSON.stringify(stream[name]);
    return isSame ? [] : [{ path: `/${name}`, message: 'must be as it is' }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

const SUPPORTED: readonly string[] = SIGNAL_NAMES.map((name) => SIGNALS[name]);

/** Omits the header of pushes. */
export function presentStream(tenant: Tenant, baseUrl: string, row: StreamRow): SignalStreamRecord {
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

export function presentStatus(row: StreamRow): StreamStatus {
  return {
    stream_id: row.id,
    status: row.status,
    ...(row.status_reason !== null && { reason: row.status_reason }),
  };
}

/** Whether a change equals the stream. A push header is never shown, so it always counts as a change. */
export function changesNothing(shown: SignalStreamRecord, change: StreamChange): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...shown };
  return Object.entries(change).every(([name, value]) => isDeepStrictEqual(value, fields[name]));
}
