import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from '@keywright/tests/harness/database';
import type { Bench } from '../measure/bench.ts';
import { residentKib } from '../measure/cpu.ts';
import type { Party, PeerName } from '../measure/party.ts';
import { median } from '../measure/statistics.ts';
import { type FigureRecord, figureOf } from '../report/figure.ts';
import { conditionsOf } from '../report/record.ts';
import { openBenchDatabase } from '../target/database.ts';
import { installPeers, startEmpty } from '../target/peers.ts';
import { startOnce } from '../tenants/start.ts';

/** As `--row` names them. */
export const START_ROWS = ['cold-start', 'cold-start-embedded', 'idle-memory'] as const;

const FEWEST_STARTS = 7;
const IDLE_MS = 2000;
/** The most that a start and the idle memory may be, relative to those of this peer in the same run. */
const BAR = { peer: 'oidc-provider', start: 1.2, memory: 1 } as const;
const FIRST_EMBEDDED_MS = 6000;

type Started = Awaited<ReturnType<typeof startOnce>>;

/** A service that is started repeatedly. */
interface Starter {
  readonly party: Party;
  readonly row: (typeof START_ROWS)[number];
  start(): Promise<Started>;
  close(): Promise<void>;
}

/** Alternates starts on a migrated PostgreSQL and first starts in an empty folder, with the idle memory of each. */
export async function measureStartRows(
  bench: Bench,
  rows: readonly string[],
  say: (what: string) => void,
): Promise<FigureRecord[]> {
  const starters = await openStarters(bench, rows, say);
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
  const place = starters.findIndex(({ party }) => party === BAR.peer);
  const peer = medians(found[place] ?? []);
  const records = starters.flatMap(({ party, row }, index) => {
    const started = found[index] ?? [];
    const times = started.map((start) => start.milliseconds);
    const memory = started.map((start) => start.megabytes);
    const isOurs = party === 'keywright';
    const ofStart = isOurs ? timesPeer(BAR.start, peer?.milliseconds) : firstStartBar(row);
    const ofMemory = isOurs ? timesPeer(BAR.memory, peer?.megabytes) : {};
    return [
      figureOf(conditions, { row, party, unit: 'ms', values: times, ...ofStart }),
      figureOf(conditions, { row: 'idle-memory', party, unit: 'MB', values: memory, ...ofMemory }),
    ];
  });
  return records.filter((record) => rows.includes(record.row));
}

function medians(started: readonly Started[]): Started | undefined {
  if (started.length === 0) return undefined;
  return {
    milliseconds: median(started.map((start) => start.milliseconds)),
    megabytes: median(started.map((start) => start.megabytes)),
  };
}

function timesPeer(times: number, value: number | undefined) {
  if (value === undefined) return {};
  return { atMost: times * value, bar: `${times}× ${BAR.peer}` };
}

function firstStartBar(row: Starter['row']) {
  return row === 'cold-start-embedded' ? { atMost: FIRST_EMBEDDED_MS } : {};
}

async function openStarters(
  bench: Bench,
  rows: readonly string[],
  say: (what: string) => void,
): Promise<Starter[]> {
  const starters: Starter[] = [];
  if (bench.database.engine === 'postgres') {
    starters.push({
      party: 'keywright',
      row: 'cold-start',
      start: () => startOnce(bench.env),
      close: async () => {},
    });
    if (bench.options.peers.length > 0) await installPeers(say);
    for (const name of bench.options.peers) {
      const database = await bench.database.createBeside();
      if (database) starters.push(await openPeer(name, database));
    }
  }
  if (rows.includes('cold-start-embedded')) {
    starters.push({
      party: 'keywright-embedded',
      row: 'cold-start-embedded',
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
