import { type Counter, COUNTERS, RETENTION_SECONDS } from '@keywright/contract/activity';
import { countActivity } from '../../../../sql/events/kw_count_activity.ts';
import type { SpanCounts } from '../../../tenancy/activity.ts';
import { from, type Gate, type TenantTx } from '../../../tenancy/gate.ts';

const DAY_MS = 86_400_000;

type StoredSpan = keyof typeof RETENTION_SECONDS;

interface Row extends SpanCounts {
  readonly span: StoredSpan;
}

/** Adds the counts of each five-minute span to its row and to the row of its day, in one statement. */
export async function addCounts(gate: Gate, all: readonly SpanCounts[]): Promise<void> {
  if (all.length === 0) return;
  const rows = all
    .flatMap((counts): Row[] => [
      { ...counts, span: '5m' },
      { ...counts, span: 'day', startedAt: dayOf(counts.startedAt) },
    ])
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await gate.callMany(countActivity, {
    tenants: rows.map((row) => row.tenantId),
    spans: rows.map((row) => row.span),
    began: rows.map((row) => row.startedAt),
    expiries: rows.map(expiryOf),
    counts: rows.map(({ counts }) => JSON.stringify(namedCounts(counts))),
  });
}

export interface StoredCounts {
  readonly began_at: Date;
  readonly counts: Readonly<Partial<Record<Counter, number>>>;
}

/** The rows of one kind of span that start in a period, the oldest first. */
export async function findCounts(
  tx: TenantTx,
  span: StoredSpan,
  since: Date,
  until: Date,
): Promise<StoredCounts[]> {
  const rows = await from(tx, 'activity')
    .select(['began_at', 'counts'])
    .where('span', '=', span)
    .where('began_at', '>=', since)
    .where('began_at', '<', until)
    .orderBy('began_at')
    .execute();
  return rows;
}

function namedCounts(counts: readonly number[]): Partial<Record<Counter, number>> {
  const named = COUNTERS.map((name, index) => [name, counts[index] ?? 0] as const);
  return Object.fromEntries(named.filter(([, n]) => n > 0));
}

function expiryOf({ span, startedAt }: Row): Date {
  return new Date(startedAt.getTime() + RETENTION_SECONDS[span] * 1000);
}

function dayOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
}

function keyOf({ tenantId, span, startedAt }: Row): string {
  return `${tenantId} ${span} ${startedAt.toISOString()}`;
}
