import { startLoad, type Load } from '../measure/load.ts';
import { median, quantile } from '../measure/statistics.ts';
import type { LoadResult } from '../measure/traffic.ts';
import { costSoFar, type Installation } from './installation.ts';
import { sendersOf, type Operation, type Reach } from './operations.ts';

const WARM_UP_SECONDS = 2;

export interface Figures {
  readonly operation: string;
  readonly reach: string;
  readonly tenants: number;
  readonly server_micros: number;
  readonly database_micros: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly per_second: number;
  /** Ratios to the first installation: medians of the ratios within each round. */
  readonly to_first: Readonly<Record<'cpu' | 'p50' | 'p99' | 'per_second', number>>;
}

interface Round {
  readonly server: number;
  readonly database: number;
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** Measures one operation on all installations, alternating, so that other work on the machine affects them equally. */
export async function measureOperation(
  installations: readonly Installation[],
  operation: Operation,
  reach: Reach,
): Promise<Figures[]> {
  const loads = await Promise.all(
    installations.map((installation) => prepare(installation, operation, reach)),
  );
  const rounds: Round[][] = installations.map(() => []);
  try {
    for (const load of loads) await load.run(WARM_UP_SECONDS);
    const { rounds: count } = (installations[0] as Installation).bench.options;
    for (let round = 0; round < count; round += 1) {
      for (let turn = 0; turn < loads.length; turn += 1) {
        // In a different order each time.
        const place = (round + turn) % loads.length;
        const found = await measureRound(
          installations[place] as Installation,
          loads[place] as Load,
        );
        rounds[place]?.push(found);
      }
    }
  } finally {
    for (const load of loads) load.close();
  }
  return installations.map((installation, place) => ({
    operation: operation.name,
    reach,
    tenants: installation.tenants,
    ...figures(rounds[place] ?? [], rounds[0] ?? []),
  }));
}

async function prepare(
  installation: Installation,
  operation: Operation,
  reach: Reach,
): Promise<Load> {
  const load = startLoad();
  const traffic = operation.traffic(sendersOf(installation, reach));
  await load.connect(installation.service.port, traffic);
  return load;
}

async function measureRound(installation: Installation, load: Load): Promise<Round> {
  const before = costSoFar(installation);
  const result = await load.run(installation.bench.options.seconds);
  const after = costSoFar(installation);
  return {
    server: (after.server - before.server) / result.requests,
    database: (after.database - before.database) / result.requests,
    p50: quantile(result.latenciesMs, 0.5),
    p99: quantile(result.latenciesMs, 0.99),
    perSecond: perSecond(result),
  };
}

function perSecond({ requests, elapsedMs }: LoadResult): number {
  return (requests / elapsedMs) * 1000;
}

function figures(rounds: readonly Round[], first: readonly Round[]) {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const toFirst = (figure: (round: Round) => number) =>
    median(rounds.map((round, index) => figure(round) / figure(first[index] as Round)));
  return {
    server_micros: of((round) => round.server),
    database_micros: of((round) => round.database),
    p50_ms: of((round) => round.p50),
    p99_ms: of((round) => round.p99),
    per_second: of((round) => round.perSecond),
    to_first: {
      cpu: toFirst((round) => round.server + round.database),
      p50: toFirst((round) => round.p50),
      p99: toFirst((round) => round.p99),
      per_second: toFirst((round) => round.perSecond),
    },
  };
}
