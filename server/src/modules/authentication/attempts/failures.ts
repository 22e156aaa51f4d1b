import type { Fail } from '@keywright/contract/errors';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt } from './store.ts';

const MAX_BLOCKED = 10_000;

/** The subject whose failures are counted, and the limit within a window. */
export interface FailureLimit {
  /** Its name in the answer. */
  readonly name: string;
  readonly subject: Buffer;
  readonly limit: number;
}

/**
 * Throttles subjects that fail too often. Only failures are counted, in the database, so that successes cost nothing;
 * subjects over the limit are cached here, and on every other node after one more failure.
 */
export interface FailureThrottle {
  /** Whether no subject is over its limit on this node at the moment, so that lookups can be skipped. */
  readonly isQuiet: boolean;
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(tenant: Tenant, limits: readonly FailureLimit[], fail: Refuse): void;
  /**
   * Counts a failure, for the second limit only if it is within the first.
   * @throws AppError TOO_MANY_ATTEMPTS when it exceeds a limit
   */
  count(tenant: Tenant, limits: readonly FailureLimit[], fail: Refuse): Promise<void>;
}

type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

export function createFailureThrottle(
  gate: Gate,
  clock: Clock,
  windowSeconds: number,
): FailureThrottle {
  /** Until when. */
  const blocked = createCache<string, Date>(MAX_BLOCKED);
  const place = ({ id }: Tenant, subject: Buffer) => `${id} ${subject.toString('latin1')}`;
  const refuse = (fail: Refuse, retryAfterSeconds: number, name: string, quota: number) =>
    fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [{ name, quota, windowSeconds }] });

  return {
    get isQuiet() {
      return blocked.size === 0;
    },
    admit(tenant, limits, fail) {
      for (const { name, subject, limit } of limits) {
        const until = blocked.get(place(tenant, subject));
        const waitMs = until ? until.getTime() - clock.now().getTime() : 0;
        if (waitMs > 0) refuse(fail, Math.ceil(waitMs / 1000), name, limit);
      }
    },
    async count(tenant, limits, fail) {
      for (const { name, subject, limit } of limits) {
        const now = clock.now();
        const most = { login_attempts_limit: limit, login_attempts_window: windowSeconds };
        const wait = await countAttempt(gate.into(tenant.id), most, subject, now);
        if (wait === undefined) continue;
        blocked.set(place(tenant, subject), new Date(now.getTime() + wait * 1000));
        refuse(fail, wait, name, limit);
      }
    },
  };
}
