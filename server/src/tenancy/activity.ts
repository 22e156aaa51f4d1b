import { COUNTERS, type Counter } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import { impersonate, refresh } from '@keywright/contract/routes/auth';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { routeOf } from '../platform/telemetry/metrics.ts';

const SPAN_MS = 5 * 60 * 1000;
/** Maximum number of tenants with unwritten counts, in all spans together: about 250 bytes each. */
const MAX_WAITING = 20_000;

const INDEX = Object.fromEntries(COUNTERS.map((name, index) => [name, index])) as Readonly<
  Record<Counter, number>
>;

/** The events of one tenant within five minutes: a number for each of `COUNTERS`. */
export interface SpanCounts {
  readonly tenantId: TenantId;
  readonly beganAt: Date;
  readonly counts: readonly number[];
}

/** Counts events for GET /activity. Never blocks, never throws. */
export interface CountActivity {
  readonly count: (tenantId: TenantId, counter: Counter) => void;
}

/** The counts of this node that are not yet written (ADR 68). */
export class ActivityCounts implements CountActivity {
  readonly #clock: Clock;
  readonly #max: number;
  /** Spans by number, oldest first. */
  readonly #spans = new Map<number, Map<TenantId, number[]>>();
  #size = 0;
  #lost = 0;

  /** @param max tenants with unwritten counts; counts of further tenants are lost */
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

  /** Removes and returns the oldest counts, at most `max`. */
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

  /** Removes and returns the counts of one tenant. */
  takeOf(tenantId: TenantId): SpanCounts[] {
    return [...this.#spans.keys()].flatMap((span) => this.#remove(span, tenantId) ?? []);
  }

  /** Restores counts that could not be written. */
  giveBack(all: readonly SpanCounts[]): void {
    for (const { tenantId, beganAt, counts } of all) {
      const waiting = this.#of(beganAt.getTime() / SPAN_MS, tenantId);
      if (!waiting) continue;
      for (const [index, n] of counts.entries()) waiting[index] = (waiting[index] ?? 0) + n;
    }
  }

  /** Returns the number of events lost since the last call because too many tenants had unwritten counts. */
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

const REFUSED: Readonly<Record<number, Counter>> = {
  401: 'requests_refused.unauthenticated',
  403: 'requests_refused.forbidden',
  429: 'requests_refused.throttled',
};

/** Each success of these routes issues an access token. The tokens of logins are counted where the session starts. */
const ISSUING = new Set<string>([refresh.id, issueToken.id, issueTokenByIssuer.id, impersonate.id]);

/** Counts the requests of each tenant by response status. */
export function countRequests(server: FastifyInstance, { count }: CountActivity): void {
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const tenantId = request.facts.tenant as TenantId | undefined;
    if (tenantId !== undefined) {
      count(tenantId, 'requests');
      const refused = REFUSED[statusCode];
      if (refused) count(tenantId, refused);
      else if (statusCode === 200 && ISSUING.has(routeOf(request))) {
        count(tenantId, 'tokens_issued');
      }
    }
    done();
  });
}
