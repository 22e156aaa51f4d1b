import type { SignalStreamRecord, StreamStatus } from '@keywright/contract/records/signal-stream';
import { POLL_ROUTES } from '@keywright/contract/routes/signal-polling';
import { DELIVERY_METHODS, type Signal, SIGNAL_NAMES, SIGNALS } from '@keywright/contract/signals';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Method, VERIFICATION_INTERVAL_SECONDS } from './rules.ts';
import type { StreamRow } from './streams-store.ts';

const SUPPORTED: readonly string[] = SIGNAL_NAMES.map((name) => SIGNALS[name]);

/** Never with the header that is sent with pushes. */
export function presentStream(tenant: Tenant, baseUrl: string, row: StreamRow): SignalStreamRecord {
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

export function presentStatus(row: StreamRow): StreamStatus {
  return {
    stream_id: row.id,
    status: row.status as StreamStatus['status'],
    ...(row.status_reason !== null && { reason: row.status_reason }),
  };
}
