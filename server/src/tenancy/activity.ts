import { COUNTERS, type Counter } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import { impersonate, refresh } from '@keywright/contract/routes/auth';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

const SPAN_MS = 5 * 60 * 1000;
/** Maximum number of tenants with unwritten counts, in all spans together: about 250 bytes each. */
const MAX_WAITING = 20_000;

const INDEX = Object.fromEntries(COUNTERS.map((name, index) => [name, index])) as Readonly<
  Record<Counter, number>
>;

/** The events of one tenant within five minutes: a number for each of `COUNTERS`. */
export interface SpanCounts {
  readonly tenantId: TenantId;
  readonly startedAt: Date;
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
        const counts = this.#remove(span, tenantId);
        if (counts) taken.push(counts);
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
    for (const { tenantId, startedAt, counts } of all) {
      const waiting = this.#of(startedAt.getTime() / SPAN_MS, tenantId);
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
    const counted = this.#spans.get(span)?.get(tenantId);
    if (counted) return counted;
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
    return { tenantId, startedAt: new Date(span * SPAN_MS), counts };
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
  server.onFinished(({ facts, routeId, status }) => {
    const tenantId = facts.tenant as TenantId | undefined;
    if (tenantId === undefined) return;
    count(tenantId, 'requests');
    const refused = REFUSED[status];
    if (refused) count(tenantId, refused);
    else if (status === 200 && ISSUING.has(routeId)) count(tenantId, 'tokens_issued');
  });
}

const WRITTEN_AFTER_MS = 250;
const BATCH = 1000;

/** A use of a record in the period that starts at `at`. */
export interface Use<Id extends string, Details = void> {
  readonly tenantId: TenantId;
  readonly id: Id;
  readonly at: Date;
  readonly details: Details;
}

/** Notes that a record of a tenant was used. Never blocks, never throws. */
export type NoteUse<Id extends string, Details = void> = (
  tenantId: TenantId,
  id: Id,
  details: Details,
) => void;

interface Recorded<Id extends string, Details> {
  /** Name of the records in the log. */
  readonly what: string;
  readonly periodMs: number;
  readonly write: (uses: readonly Use<Id, Details>[]) => Promise<void>;
}

/**
 * Writes in the background when records were last used, each at most once per period. After a failure, the next
 * period tries again.
 */
export class Uses<Id extends string, Details = void> {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records: Recorded<Id, Details>;
  #period = 0;
  /** Used in this period. */
  readonly #seen = new Set<Id>();
  /** Used in this period, but not written yet. */
  #waiting: Use<Id, Details>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> = Promise.resolve();

  constructor(
    { clock, log }: { readonly clock: Clock; readonly log: Log },
    records: Recorded<Id, Details>,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#records = records;
  }

  readonly note: NoteUse<Id, Details> = (tenantId, id, details) => {
    const { periodMs } = this.#records;
    const present = Math.floor(this.#clock.now().getTime() / periodMs);
    if (present !== this.#period) {
      this.#period = present;
      this.#seen.clear();
    }
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#waiting.push({ tenantId, id, at: new Date(present * periodMs), details });
    this.#writeSoon();
  };

  /** Writes the recorded uses, and waits for writes in progress. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#inFlight = this.#inFlight.then(() => this.#writeAll());
    await this.#inFlight;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#inFlight = this.#inFlight.then(() => this.#writeAll());
    }, WRITTEN_AFTER_MS).unref();
  }

  async #writeAll(): Promise<void> {
    // Uses noted from now on have their own timer, so that a trace contains only the writes of its request.
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += BATCH) {
      const batch = waiting.slice(at, at + BATCH);
      try {
        await this.#records.write(batch);
      } catch (error) {
        const { what } = this.#records;
        this.#log.warn({ err: error }, `the last use of some ${what} could not be written`);
      }
    }
  }
}
