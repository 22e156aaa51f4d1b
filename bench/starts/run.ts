import type { Bench } from '../measure/bench.ts';
import { type FigureRecord, figureOf } from '../report/figure.ts';
import { circumstances } from '../report/record.ts';
import { openBenchDatabase } from '../target/database.ts';
import { startOnce } from '../tenants/start.ts';

/** As `--row` names them. */
export const START_ROWS = ['cold-start', 'cold-start-embedded', 'idle-memory'] as const;

const FEWEST_STARTS = 7;
const BAR = { coldMs: 300, firstEmbeddedMs: 6000, idleMb: 90 };

/** Starts on a migrated PostgreSQL, first starts on an empty folder, in turn; and what a process needs that does nothing. */
export async function measureStartRows(
  bench: Bench,
  wanted: readonly string[],
): Promise<FigureRecord[]> {
  const starts = Math.max(FEWEST_STARTS, bench.options.rounds);
  const cold: Awaited<ReturnType<typeof startOnce>>[] = [];
  const first: typeof cold = [];
  const isOnServer = bench.database.engine === 'postgres';
  for (let start = 0; start < starts; start += 1) {
    if (isOnServer) cold.push(await startOnce(bench.env));
    if (wanted.includes('cold-start-embedded')) first.push(await startFirst(bench));
  }
  const around = circumstances(bench);
  const milliseconds = (found: typeof cold) => found.map((one) => one.milliseconds);
  const records: FigureRecord[] = [];
  if (cold.length > 0) {
    const values = milliseconds(cold);
    const atMost = BAR.coldMs;
    records.push(
      figureOf(around, { row: 'cold-start', party: 'keywright', unit: 'ms', values, atMost }),
    );
    const megabytes = cold.map((one) => one.megabytes);
    const memory = { unit: 'MB', values: megabytes, atMost: BAR.idleMb } as const;
    records.push(figureOf(around, { row: 'idle-memory', party: 'keywright', ...memory }));
  }
  if (first.length > 0) {
    const row = 'cold-start-embedded';
    const values = milliseconds(first);
    const atMost = BAR.firstEmbeddedMs;
    records.push(
      figureOf(around, { row, party: 'keywright-embedded', unit: 'ms', values, atMost }),
    );
    const memory = { unit: 'MB', values: first.map((one) => one.megabytes) } as const;
    records.push(figureOf(around, { row: 'idle-memory', party: 'keywright-embedded', ...memory }));
  }
  return records.filter((record) => wanted.includes(record.row));
}

/** In an empty folder, as after a fresh clone. */
async function startFirst({ env }: Bench) {
  const database = await openBenchDatabase('embedded');
  const { KEYWRIGHT_BASE_URL, KEYWRIGHT_LOG_LEVEL } = env;
  return startOnce({
    ...database.env,
    KEYWRIGHT_BASE_URL: KEYWRIGHT_BASE_URL ?? '',
    KEYWRIGHT_LOG_LEVEL: KEYWRIGHT_LOG_LEVEL ?? '',
  });
}

export function describeFigures(records: readonly FigureRecord[]): string {
  return records
    .map(({ row, party, value, unit, bar, verdict, values }) => {
      const met = verdict ? `, bar ${bar}: ${verdict.isMet ? 'met' : 'NOT met'}` : '';
      return `${row}, ${party}: ${value} ${unit} (${values.join(' ')})${met}`;
    })
    .join('\n');
}
