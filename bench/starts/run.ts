import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from '@keywright/tests/harness/database';
import type { Bench } from '../measure/bench.ts';
import { residentKib } from '../measure/cpu.ts';
import type { Party, PeerName } from '../measure/party.ts';
import { type FigureRecord, figureOf } from '../report/figure.ts';
import { conditionsOf } from '../report/record.ts';
import { openBenchDatabase } from '../target/database.ts';
import { installPeers, startEmpty } from '../target/peers.ts';
import { startOnce } from '../tenants/start.ts';

/** As `--row` names them. */
export const START_ROWS = ['cold-start', 'cold-start-embedded', 'idle-memory'] as const;

const FEWEST_STARTS = 7;
const IDLE_MS = 2000;
const BAR = { coldMs: 300, firstEmbeddedMs: 6000, idleMb: 90 };

type Started = Awaited<ReturnType<typeof startOnce>>;

/** A service that is started repeatedly. */
interface Starter {
  readonly party: Party;
  readonly row: (typeof START_ROWS)[number];
  /** Absent: no bar. */
  readonly mostMs?: number;
  readonly mostMb?: number;
  start(): Promise<Started>;
  close(): Promise<void>;
}

/** Alternates starts on a migrated PostgreSQL and first starts in an empty folder, with the idle memory of each. */
export async function measureStartRows(
  bench: Bench,
  wanted: readonly string[],
  say: (what: string) => void,
): Promise<FigureRecord[]> {
  const starters = await openStarters(bench, wanted, say);
  const found: Started[][] = starters.map(() => []);
  try {
    const starts = Math.max(FEWEST_STARTS, bench.options.rounds);
    for (let start = 0; start < starts; start += 1) {
      for (const [place, starter] of starters.entries()) found[place]?.push(await starter.start());
    }
  } finally {
    for (const starter of starters) await starter.close();
  }
  const conditions = conditionsOf(bench);
  const records = starters.flatMap(({ party, row, mostMs, mostMb }, place) => {
    const started = found[place] ?? [];
    const times = started.map((one) => one.milliseconds);
    const memory = started.map((one) => one.megabytes);
    return [
      figureOf(conditions, { row, party, unit: 'ms', values: times, ...atMost(mostMs) }),
      figureOf(conditions, {
        row: 'idle-memory',
        party,
        unit: 'MB',
        values: memory,
        ...atMost(mostMb),
      }),
    ];
  });
  return records.filter((record) => wanted.includes(record.row));
}

function atMost(most: number | undefined): { readonly atMost?: number } {
  return most === undefined ? {} : { atMost: most };
}

async function openStarters(
  bench: Bench,
  wanted: readonly string[],
  say: (what: string) => void,
): Promise<Starter[]> {
  const starters: Starter[] = [];
  if (bench.database.engine === 'postgres') {
    starters.push({
      party: 'keywright',
      row: 'cold-start',
      mostMs: BAR.coldMs,
      mostMb: BAR.idleMb,
      start: () => startOnce(bench.env),
      close: async () => {},
    });
    if (bench.options.peers.length > 0) await installPeers(say);
    for (const name of bench.options.peers) {
      const database = await bench.database.createBeside();
      if (database) starters.push(await openPeer(name, database));
    }
  }
  if (wanted.includes('cold-start-embedded')) {
    starters.push({
      party: 'keywright-embedded',
      row: 'cold-start-embedded',
      mostMs: BAR.firstEmbeddedMs,
      start: () => startFirst(bench),
      close: async () => {},
    });
  }
  return starters;
}

async function openPeer(party: PeerName, database: TestDatabase): Promise<Starter> {
  // Creates its tables.
  await (await startEmpty(party, database)).stop();
  return {
    party,
    row: 'cold-start',
    async start() {
      const { pid, milliseconds, stop } = await startEmpty(party, database);
      await pause(IDLE_MS);
      const megabytes = residentKib(pid) / 1024;
      await stop();
      return { milliseconds, megabytes };
    },
    close: () => database.drop(),
  };
}

/** In an empty folder, as after a fresh clone. */
async function startFirst({ env }: Bench): Promise<Started> {
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
