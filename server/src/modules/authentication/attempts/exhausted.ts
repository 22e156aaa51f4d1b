import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Subject } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type AttemptLimits, findAttempts } from './store.ts';

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
  const known = createCache<TenantId, { readonly answer: boolean; readonly untilMs: number }>(
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
