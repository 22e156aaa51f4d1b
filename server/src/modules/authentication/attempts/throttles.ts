import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Subject } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  countInNetworks,
  type NetworkLimit,
  rateLimitOf,
  type AttemptLimits,
  findAttempts,
  countAll,
  type NamedLimit,
} from './attempts-store.ts';

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

const FRESH_MS = 10_000;
const MAX_TENANTS = 10_000;

/** Whether a counter of a tenant is at its limit. Each node looks it up every ten seconds at most. */
export type IsExhausted = (tenantId: TenantId) => Promise<boolean>;

export function createIsExhausted(
  gate: Gate,
  clock: Clock,
  subject: Subject,
  limits: AttemptLimits,
): IsExhausted {
  const known = new Cache<TenantId, { readonly answer: boolean; readonly untilMs: number }>(
    MAX_TENANTS,
  );
  return async (tenantId) => {
    const now = clock.now();
    const last = known.get(tenantId);
    if (last && last.untilMs > now.getTime()) return last.answer;
    const attempts = await findAttempts(gate.into(tenantId), subject, now);
    const answer = attempts >= limits.login_attempts_limit;
    known.set(tenantId, { answer, untilMs: now.getTime() + FRESH_MS });
    return answer;
  };
}

const MAX_BLOCKED = 10_000;

/**
 * Throttles subjects that fail too often. Only failures are counted, in the database, so that successes cost nothing.
 * Subjects over the limit are cached on this node, and on every other node after one more failure.
 */
interface FailureThrottle {
  /** Whether no subject is over its limit on this node, so that lookups can be skipped. */
  readonly isQuiet: boolean;
  /**
   * Called before a credential is checked. Limits of wider networks do not apply here, so that failures of neighbors refuse
   * no valid credential: `count` refuses further failures.
   * @throws AppError TOO_MANY_ATTEMPTS
   */
  admit(tenant: Tenant, limits: readonly NamedLimit[], fail: Refuse): void;
  /**
   * Counts a failure against the limits in order, in one statement, up to the one that refuses it.
   * @throws AppError TOO_MANY_ATTEMPTS when it exceeds a limit
   */
  count(tenant: Tenant, limits: readonly NamedLimit[], fail: Refuse): Promise<void>;
}

type Refuse = Fail<'TOO_MANY_ATTEMPTS'>;

export function createFailureThrottle(gate: Gate, clock: Clock): FailureThrottle {
  /** Until when. */
  const blocked = new Cache<string, Date>(MAX_BLOCKED);
  const place = ({ id }: Tenant, subject: Subject) => `${id} ${subject.toString('latin1')}`;
  const refuse = (
    fail: Refuse,
    retryAfterSeconds: number,
    { name, limit: quota, windowSeconds }: NamedLimit,
  ) => fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [{ name, quota, windowSeconds }] });

  return {
    get isQuiet() {
      return blocked.size === 0;
    },
    admit(tenant, limits, fail) {
      for (const limit of limits.filter(({ isWide }) => !isWide)) {
        const until = blocked.get(place(tenant, limit.subject));
        const waitMs = until ? until.getTime() - clock.now().getTime() : 0;
        if (waitMs > 0) refuse(fail, Math.ceil(waitMs / 1000), limit);
      }
    },
    async count(tenant, limits, fail) {
      const now = clock.now();
      const refused = await countAll(gate.into(tenant.id), limits, now);
      if (!refused) return;
      const { limit, retryAfterSeconds } = refused;
      blocked.set(place(tenant, limit.subject), new Date(now.getTime() + retryAfterSeconds * 1000));
      refuse(fail, retryAfterSeconds, limit);
    },
  };
}
