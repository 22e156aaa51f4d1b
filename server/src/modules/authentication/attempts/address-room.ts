import type { Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt, rateLimitOf } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
}

interface AddressLimit {
  readonly subjectOf: (address: string) => Buffer;
  readonly limits: Parameters<typeof rateLimitOf>[1];
}

/** Counts a request of an address. */
export async function requireRoomOfAddress(
  { gate, clock }: Dependencies,
  { id }: Tenant,
  from: Origin,
  { subjectOf, limits }: AddressLimit,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
): Promise<void> {
  const subject = subjectOf(from.address);
  const retryAfterSeconds = await countAttempt(gate.into(id), limits, subject, clock.now());
  if (retryAfterSeconds === undefined) return;
  fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [rateLimitOf('address', limits)] });
}
