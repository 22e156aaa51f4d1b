import type { Fail } from '@keywright/contract/errors';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { clientSubject, countAttempt } from '../attempts/index.ts';

/** Failures that one address may have in a tenant: attempts, and the seconds that they are counted in. */
const LIMITS = { login_attempts_limit: 60, login_attempts_window: 60 };
const MAX_BLOCKED = 10_000;

/**
 * Keeps an address that fails too often from having signatures checked. Only failures are counted, in the database, so
 * that a client that is right costs nothing more; who is over the limit is remembered here, and is refused on every
 * node with the first failure that it has there.
 */
export interface Throttle {
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(tenant: Tenant, address: string, fail: Refuse): void;
  /** Counts a failure. @throws AppError TOO_MANY_ATTEMPTS when it is one too many */
  count(tenant: Tenant, address: string, fail: Refuse): Promise<void>;
}

type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

export function createThrottle(gate: Gate, clock: Clock): Throttle {
  /** Until when. */
  const blocked = new LRUCache<string, Date>({ max: MAX_BLOCKED });
  const place = (tenant: Tenant, subject: Buffer) => `${tenant.id} ${subject.toString('latin1')}`;
  return {
    admit(tenant, address, fail) {
      if (blocked.size === 0) return;
      const until = blocked.get(place(tenant, clientSubject(address)));
      const waitMs = until ? until.getTime() - clock.now().getTime() : 0;
      if (waitMs > 0) fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
    },
    async count(tenant, address, fail) {
      const subject = clientSubject(address);
      const now = clock.now();
      const wait = await countAttempt(gate.into(tenant.id), LIMITS, subject, now);
      if (wait === undefined) return;
      blocked.set(place(tenant, subject), new Date(now.getTime() + wait * 1000));
      fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait });
    },
  };
}
