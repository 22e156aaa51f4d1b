import type { Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countInNetworks, type NetworkLimit, rateLimitOf } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
}

/** Counts a request by its address and the networks around it. */
export async function requireRoomOfAddress(
  { gate, clock }: Dependencies,
  { id }: Tenant,
  from: Origin,
  limit: NetworkLimit,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const data = gate.into(id);
  const retryAfterSeconds = await countInNetworks(data, from.address, limit, clock.now());
  if (retryAfterSeconds === undefined) return;
  fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [rateLimitOf('address', limit.limits)] });
}
