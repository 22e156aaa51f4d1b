import type { Fail } from '@keywright/contract/errors';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { countAttempt } from './store.ts';

const MAX_BLOCKED = 10_000;

/** Whose failures are counted, and how many they have within a window. */
export interface FailureLimit {
  readonly subject: Buffer;
  readonly limit: number;
}

/**
 * Slows down who fails too often. Only failures are counted, in the database, so that whoever is right costs nothing
 * more; who is over a limit is remembered here, and on every other node after one more failure.
 */
export interface FailureThrottle {
  /** Whether somebody is over a limit at this moment, on this node: while nobody is, nothing has to be looked for. */
  readonly isQuiet: boolean;
  /** @throws AppError TOO_MANY_ATTEMPTS */
  admit(tenant: Tenant, limits: readonly FailureLimit[], fail: Refuse): void;
  /**
   * Counts a failure, and for the second limit only what the first one lets through.
   * @throws AppError TOO_MANY_ATTEMPTS when it is one too many
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
  const blocked = new LRUCache<string, Date>({ max: MAX_BLOCKED });
  const place = ({ id }: Tenant, subject: Buffer) => `${id} ${subject.toString('latin1')}`;

  return {
    get isQuiet() {
      return blocked.size === 0;
    },
    admit(tenant, limits, fail) {
      for (const { subject } of limits) {
        const until = blocked.get(place(tenant, subject));
        const waitMs = until ? until.getTime() - clock.now().getTime() : 0;
        if (waitMs > 0) fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
      }
    },
    async count(tenant, limits, fail) {
      for (const { subject, limit } of limits) {
        const now = clock.now();
        const most = { login_attempts_limit: limit, login_attempts_window: windowSeconds };
        const wait = await countAttempt(gate.into(tenant.id), most, subject, now);
        if (wait === undefined) continue;
        blocked.set(place(tenant, subject), new Date(now.getTime() + wait * 1000));
        fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: wait });
      }
    },
  };
}
