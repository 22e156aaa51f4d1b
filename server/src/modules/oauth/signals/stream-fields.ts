import type { Fail, FieldError } from '@keywright/contract/errors';
import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { SignalStreamRecord } from '@keywright/contract/records/signal-stream';
import type { BodyOf } from '@keywright/contract/route';
import type {
  CREATE_STREAM_ROUTES,
  UPDATE_STREAM_ROUTES,
} from '@keywright/contract/routes/signals';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { seal } from '../../../platform/crypto/sealed.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { deliveredOf, headerPlace, methodOf } from './rules.ts';
import type { StreamFields, StreamRow } from './streams-store.ts';

export type Asked = BodyOf<(typeof CREATE_STREAM_ROUTES)[0]>;
export type Change = BodyOf<(typeof UPDATE_STREAM_ROUTES)[0]>;

type Seal = (header: string) => Buffer;

export function sealerOf(key: Buffer, tenantId: TenantId, id: SignalStreamId): Seal {
  return (header) => seal(key, Buffer.from(header), headerPlace(tenantId, id));
}

/** A stream as a receiver would ask for it. */
export function askedOf(row: StreamRow): Asked {
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

export function fieldsOf(
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
export function requireHeaderAgain(
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
export function requireDeliverable(
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
export function requireSame(
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
