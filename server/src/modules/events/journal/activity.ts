import { type Counter, COUNTED, RETENTION_SECONDS } from '@keywright/contract/activity';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { ActivitySpan } from '@keywright/contract/records/activity';
import type { OkOf, QueryOf } from '@keywright/contract/route';
import type { listActivity } from '@keywright/contract/routes/activity';
import type { Clock } from '../../../platform/clock.ts';
import { isAbandoned, isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import { readMoment } from '../../../platform/moment.ts';
import type { ActivityCounts, SpanCounts } from '../../../tenancy/activity.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import { addCounts, findCounts, type StoredCounts } from './activity-store.ts';

const EVERY_MS = 5000;
/** The number of tenants per statement, which delays others on an embedded database. */
const TENANTS_PER_STATEMENT = 100;
/** The number of statements per interval. With more active tenants than these can write, counts wait longer. */
const STATEMENTS = 5;

/** Writes this node's counts, and reads the counts of all nodes. */
export class ActivityService {
  readonly #gate: Gate;
  readonly #counts: ActivityCounts;
  readonly #clock: Clock;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> = Promise.resolve();

  constructor({ gate, activity, clock, log }: Pick<Core, 'gate' | 'activity' | 'clock' | 'log'>) {
    this.#gate = gate;
    this.#counts = activity;
    this.#clock = clock;
    this.#log = log;
  }

  /** GET /activity, including the counts of this node so far. */
  async list(
    tenantId: TenantId,
    { interval = 'hour', from, to }: QueryOf<typeof listActivity>,
    fail: Fail<'VALIDATION_FAILED'>,
  ): Promise<OkOf<typeof listActivity>> {
    const bounds = {
      ...(from === undefined ? {} : { from: readMoment(from, '/from', fail) }),
      ...(to === undefined ? {} : { to: readMoment(to, '/to', fail) }),
    };
    const period = coveredBy(interval, bounds, this.#clock.now());
    await this.#writeNext(() => this.#counts.takeOf(tenantId));
    const rows = await this.#gate
      .into(tenantId)
      .transaction((tx) => findCounts(tx, storedAs(interval), period.from, period.to));
    return {
      interval,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      spans: spansOf(interval, rows),
    };
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), EVERY_MS).unref();
  }

  /** Writes all counts, except those that fail because the database is unavailable. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writeStatements(Math.ceil(this.#counts.size / TENANTS_PER_STATEMENT));
    await this.#inFlight;
  }

  #tick(): void {
    const lost = this.#counts.takeLost();
    if (lost > 0)
      this.#log.warn({ lost }, 'activity was not counted: too many tenants in one interval');
    void this.#writeStatements(STATEMENTS);
  }

  async #writeStatements(statements: number): Promise<void> {
    for (let n = 0; n < statements && this.#counts.size > 0; n += 1) {
      await this.#writeNext(() => this.#counts.take(TENANTS_PER_STATEMENT));
    }
  }

  /** Writes sequentially: one connection of the pool is enough. */
  #writeNext(take: () => readonly SpanCounts[]): Promise<void> {
    this.#inFlight = this.#inFlight.then(() => this.#write(take()));
    return this.#inFlight;
  }

  async #write(counts: readonly SpanCounts[]): Promise<void> {
    try {
      await addCounts(this.#gate, counts);
    } catch (error) {
      this.#log.warn({ err: error, tenants: counts.length }, 'activity could not be written');
      if (isUnavailable(error) || isAbandoned(error)) this.#counts.giveBack(counts);
    }
  }
}

export type Interval = '5m' | 'hour' | 'day';

const SECONDS: Readonly<Record<Interval, number>> = { '5m': 300, hour: 3600, day: 86_400 };

/** The kind of rows that an interval is read from. */
function storedAs(interval: Interval): keyof typeof RETENTION_SECONDS {
  return interval === 'day' ? 'day' : '5m';
}

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The whole spans of a period, as far as their rows still exist. */
export function coveredBy(interval: Interval, bounds: Partial<Period>, now: Date): Period {
  const length = SECONDS[interval] * 1000;
  const startOf = (time: number) => Math.floor(time / length) * length;
  const end = startOf(now.getTime()) + length;
  // A span that started before the oldest stored row would be incomplete.
  const oldest = startOf(now.getTime() - RETENTION_SECONDS[storedAs(interval)] * 1000) + length;
  const from = Math.max(startOf(bounds.from?.getTime() ?? oldest), oldest);
  const to = Math.min(startOf((bounds.to?.getTime() ?? end) - 1) + length, end);
  return { from: new Date(from), to: new Date(Math.max(from, to)) };
}

/** Rows as spans of an interval, each with the sum of its rows. */
export function spansOf(interval: Interval, rows: readonly StoredCounts[]): ActivitySpan[] {
  const length = SECONDS[interval] * 1000;
  const startOfSpan = ({ began_at: at }: StoredCounts) =>
    Math.floor(at.getTime() / length) * length;
  return [...Map.groupBy(rows, startOfSpan)].map(([at, ofSpan]) =>
    presentSpan(new Date(at), ofSpan),
  );
}

function presentSpan(startedAt: Date, rows: readonly StoredCounts[]): ActivitySpan {
  const sum = (counter: string) =>
    rows.reduce((total, { counts }) => total + (counts[counter as Counter] ?? 0), 0);
  const fields = Object.entries(COUNTED).map(([field, parts]) => [
    field,
    parts ? Object.fromEntries(parts.map((part) => [part, sum(`${field}.${part}`)])) : sum(field),
  ]);
  return { began_at: startedAt.toISOString(), ...Object.fromEntries(fields) } as ActivitySpan;
}
