import { type Counter, COUNTED, KEPT_SECONDS } from '@keywright/contract/activity';
import type { ActivitySpan } from '@keywright/contract/records/activity';
import type { StoredCounts } from './store.ts';

export type Interval = '5m' | 'hour' | 'day';

const SECONDS: Readonly<Record<Interval, number>> = { '5m': 300, hour: 3600, day: 86_400 };

/** Which rows an interval is read from. */
export function storedAs(interval: Interval): keyof typeof KEPT_SECONDS {
  return interval === 'day' ? 'day' : '5m';
}

export interface Period {
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
