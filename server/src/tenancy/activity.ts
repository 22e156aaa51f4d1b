import { type Counter, COUNTERS } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../platform/clock.ts';

const SPAN_MS = 5 * 60 * 1000;
/** Tenants whose counts wait, in all spans together: some 250 bytes each. */
const MAX_WAITING = 20_000;

const INDEX = Object.fromEntries(COUNTERS.map((name, index) => [name, index])) as Readonly<
  Record<Counter, number>
>;

/** What happened in one tenant within five minutes: a number for each of `COUNTERS`. */
export interface SpanCounts {
  readonly tenantId: TenantId;
  readonly beganAt: Date;
  readonly counts: readonly number[];
}

/** Counts what happens, for the answers to GET /activity. Never blocks, never throws. */
export interface CountActivity {
  readonly count: (tenantId: TenantId, counter: Counter) => void;
}

/** What this node has counted and not yet written (ADR 68). */
export class ActivityCounts implements CountActivity {
  readonly #clock: Clock;
  readonly #max: number;
  /** By the number of the span, the oldest first. */
  readonly #spans = new Map<number, Map<TenantId, number[]>>();
  #size = 0;
  #lost = 0;

  /** @param max tenants whose counts wait; those of others are lost */
  constructor(clock: Clock, max = MAX_WAITING) {
    this.#clock = clock;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  readonly count = (tenantId: TenantId, counter: Counter): void => {
    const counts = this.#of(Math.floor(this.#clock.now().getTime() / SPAN_MS), tenantId);
    if (counts) counts[INDEX[counter]] = (counts[INDEX[counter]] ?? 0) + 1;
  };

  /** Takes out the oldest, at most so many. */
  take(max: number): SpanCounts[] {
    const taken: SpanCounts[] = [];
    for (const [span, tenants] of this.#spans) {
      for (const tenantId of tenants.keys()) {
        if (taken.length >= max) return taken;
        const one = this.#remove(span, tenantId);
        if (one) taken.push(one);
      }
    }
    return taken;
  }

  /** Takes out those of one tenant. */
  takeOf(tenantId: TenantId): SpanCounts[] {
    return [...this.#spans.keys()].flatMap((span) => this.#remove(span, tenantId) ?? []);
  }

  /** What could not be written waits again. */
  giveBack(all: readonly SpanCounts[]): void {
    for (const { tenantId, beganAt, counts } of all) {
      const waiting = this.#of(beganAt.getTime() / SPAN_MS, tenantId);
      if (!waiting) continue;
      for (const [index, n] of counts.entries()) waiting[index] = (waiting[index] ?? 0) + n;
    }
  }

  /** How many were not counted since the last call, because too many tenants waited. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  #of(span: number, tenantId: TenantId): number[] | undefined {
    const known = this.#spans.get(span)?.get(tenantId);
    if (known) return known;
    if (this.#size >= this.#max) {
      this.#lost += 1;
      return undefined;
    }
    const counts: number[] = COUNTERS.map(() => 0);
    const tenants = this.#spans.get(span) ?? new Map<TenantId, number[]>();
    this.#spans.set(span, tenants.set(tenantId, counts));
    this.#size += 1;
    return counts;
  }

  #remove(span: number, tenantId: TenantId): SpanCounts | undefined {
    const tenants = this.#spans.get(span);
    const counts = tenants?.get(tenantId);
    if (!tenants || !counts) return undefined;
    tenants.delete(tenantId);
    if (tenants.size === 0) this.#spans.delete(span);
    this.#size -= 1;
    return { tenantId, beganAt: new Date(span * SPAN_MS), counts };
  }
}
