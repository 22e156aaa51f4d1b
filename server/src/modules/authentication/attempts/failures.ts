import type { Fail } from '@keywright/contract/errors';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { countAttempt } from './store.ts';

const MAX_BLOCKED = 10_000;

/** Whose failures are counted, and how many they have within a window. */
export interface FailureLimit {
  /** What it is called in the answer. */
  readonly name: string;
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
