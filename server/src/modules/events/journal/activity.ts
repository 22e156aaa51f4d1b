import { type Counter, COUNTED, KEPT_SECONDS } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import type { ActivitySpan } from '@keywright/contract/records/activity';
import { isAbandoned, isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActivityCounts, SpanCounts } from '../../../tenancy/activity.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { addCounts, type StoredCounts } from './activity-store.ts';

const EVERY_MS = 5000;
/** Tenants whose counts one statement writes, which delays others on an embedded database. */
const WRITTEN_AT_ONCE = 100;
/** Statements each time. With more active tenants than these write, counts wait for longer. */
const STATEMENTS = 5;

/** Writes what this node has counted. */
export interface ActivityWriter {
  start(): void;
  /** What was counted in one tenant, so that an answer of this node includes it. */
  flush(tenantId: TenantId): Promise<void>;
  /** Writes everything. */
  stop(): Promise<void>;
}

export function createActivityWriter(
  gate: Gate,
  waiting: ActivityCounts,
  log: Log,
): ActivityWriter {
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function write(taken: readonly SpanCounts[]): Promise<void> {
    try {
      await addCounts(gate, taken);
    } catch (error) {
      log.warn({ err: error, tenants: taken.length }, 'activity could not be written');
      if (isUnavailable(error) || isAbandoned(error)) waiting.giveBack(taken);
    }
  }

  /** Sequentially: one connection of the pool is enough for this. */
  function inTurn(take: () => readonly SpanCounts[]): Promise<void> {
    inFlight = inFlight.then(() => write(take()));
    return inFlight;
  }

  async function writeSome(statements: number): Promise<void> {
    for (let n = 0; n < statements && waiting.size > 0; n += 1) {
      await inTurn(() => waiting.take(WRITTEN_AT_ONCE));
    }
  }

  function tick(): void {
    const lost = waiting.takeLost();
    if (lost > 0) log.warn({ lost }, 'activity was not counted: too many tenants at once');
    void writeSome(STATEMENTS);
  }

  return {
    start() {
      timer = setInterval(tick, EVERY_MS).unref();
    },
    flush: (tenantId) => inTurn(() => waiting.takeOf(tenantId)),
    async stop() {
      clearInterval(timer);
      // What comes back, because the database is gone, does not keep the node.
      await writeSome(Math.ceil(waiting.size / WRITTEN_AT_ONCE));
      await inFlight;
    },
  };
}

export type Interval = '5m' | 'hour' | 'day';

const SECONDS: Readonly<Record<Interval, number>> = { '5m': 300, hour: 3600, day: 86_400 };

/** Which rows an interval is read from. */
export function storedAs(interval: Interval): keyof typeof KEPT_SECONDS {
  return interval === 'day' ? 'day' : '5m';
}

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Whole spans, of those that are kept. */
export function coveredBy(interval: Interval, asked: Partial<Period>, now: Date): Period {
  const length = SECONDS[interval] * 1000;
  const begin = (time: number) => Math.floor(time / length) * length;
  const end = begin(now.getTime()) + length;
  // One that has begun before the oldest kept row would be too small.
  const oldest = begin(now.getTime() - KEPT_SECONDS[storedAs(interval)] * 1000) + length;
  const from = Math.max(begin(asked.from?.getTime() ?? oldest), oldest);
  const to = Math.min(begin((asked.to?.getTime() ?? end) - 1) + length, end);
  return { from: new Date(from), to: new Date(Math.max(from, to)) };
}

/** Rows as spans of an interval, each with the sum of its rows. */
export function spansOf(interval: Interval, rows: readonly StoredCounts[]): ActivitySpan[] {
  const length = SECONDS[interval] * 1000;
  const beginOf = ({ began_at: at }: StoredCounts) => Math.floor(at.getTime() / length) * length;
  return [...Map.groupBy(rows, beginOf)].map(([at, some]) => presentSpan(new Date(at), some));
}

function presentSpan(beganAt: Date, rows: readonly StoredCounts[]): ActivitySpan {
  const sum = (counter: string) =>
    rows.reduce((total, { counts }) => total + (counts[counter as Counter] ?? 0), 0);
  const fields = Object.entries(COUNTED).map(([field, parts]) => [
    field,
    parts ? Object.fromEntries(parts.map((part) => [part, sum(`${field}.${part}`)])) : sum(field),
  ]);
  return { began_at: beganAt.toISOString(), ...Object.fromEntries(fields) } as ActivitySpan;
}
