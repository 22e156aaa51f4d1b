import type { TenantId } from '@keywright/contract/ids';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Subject } from '../../../tenancy/counters.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type NamedLimit, countAll, type Refuse } from './attempts-store.ts';

const FRESH_MS = 10_000;

const MAX_TENANTS = 10_000;

const MAX_BLOCKED = 10_000;

/** Caches a condition of each tenant, so that a node looks it up at most every ten seconds. */
export class CachedCondition {
  readonly #clock: Clock;
  readonly #lookUp: (tenantId: TenantId, now: Date) => Promise<boolean>;
  readonly #cache = new Cache<TenantId, { readonly isMet: boolean; readonly untilMs: number }>(
    MAX_TENANTS,
  );

  constructor(clock: Clock, lookUp: (tenantId: TenantId, now: Date) => Promise<boolean>) {
    this.#clock = clock;
    this.#lookUp = lookUp;
  }

  async isMet(tenantId: TenantId): Promise<boolean> {
    const now = this.#clock.now();
    const cached = this.#cache.get(tenantId);
    if (cached && cached.untilMs > now.getTime()) return cached.isMet;
    const isMet = await this.#lookUp(tenantId, now);
    this.#cache.set(tenantId, { isMet, untilMs: now.getTime() + FRESH_MS });
    return isMet;
  }
}

/**
 * Throttles subjects that fail too often. Counts only failures, in the database, so that successes cost nothing.
 * Caches subjects over the limit on this node; another node caches them after one more failure there.
 */
export class FailureThrottle {
  readonly #gate: Gate;
  readonly #clock: Clock;
  /** When each blocked subject is admitted again. */
  readonly #blocked = new Cache<string, Date>(MAX_BLOCKED);

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  /** Whether no subject is over its limit on this node: lookups can then be skipped. */
  get isQuiet(): boolean {
    return this.#blocked.size === 0;
  }

  /**
   * Must be called before a credential is checked. Skips the limits of wider networks, so that failures of neighbors
   * cannot block a valid credential: `count` refuses further failures.
   * @throws AppError TOO_MANY_ATTEMPTS
   */
  admit(tenant: Tenant, limits: readonly NamedLimit[], fail: Refuse): void {
    for (const limit of limits.filter(({ isWide }) => !isWide)) {
      const until = this.#blocked.get(keyOf(tenant, limit.subject));
      const waitMs = until ? until.getTime() - this.#clock.now().getTime() : 0;
      if (waitMs > 0) refuse(fail, Math.ceil(waitMs / 1000), limit);
    }
  }

  /**
   * Counts a failure against the limits in order, in one statement, up to the one that refuses it.
   * @throws AppError TOO_MANY_ATTEMPTS when it exceeds a limit
   */
  async count(tenant: Tenant, limits: readonly NamedLimit[], fail: Refuse): Promise<void> {
    const now = this.#clock.now();
    const refused = await countAll(this.#gate.into(tenant.id), limits, now);
    if (!refused) return;
    const { limit, retryAfterSeconds } = refused;
    const until = new Date(now.getTime() + retryAfterSeconds * 1000);
    this.#blocked.set(keyOf(tenant, limit.subject), until);
    refuse(fail, retryAfterSeconds, limit);
  }
}

function keyOf({ id }: Tenant, subject: Subject): string {
  return `${id} ${subject.toString('latin1')}`;
}

function refuse(
  fail: Refuse,
  retryAfterSeconds: number,
  { name, limit: quota, windowSeconds }: NamedLimit,
): never {
  return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds, limits: [{ name, quota, windowSeconds }] });
}
