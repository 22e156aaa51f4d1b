import { fineCpuMicros } from '../measure/cpu.ts';
import { type Load, startLoad } from '../measure/load.ts';
import { median, quantile } from '../measure/statistics.ts';
import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import { API, bearer, type Row } from '../rows/row.ts';
import type { Person } from '../target/seed.ts';
import { type BarePosts, startBarePosts } from './bare-post.ts';
import { ALLOWED, Admin, openScene, type Scene } from './scene.ts';
import { startReceiver } from './receiver.ts';
import type { Bench } from '../measure/bench.ts';

const PEOPLE = 500;
const WARM_UP_SECONDS = 2;
const KIND = 'user.updated';
/** Changes per second: a rate that the service and one endpoint keep up with. */
const PACED_PER_SECOND = 150;
/** Endpoints subscribed to the changes; a dead one never responds. */
const CONDITIONS = ['none', 'one', 'one and a dead one'] as const;
type Condition = (typeof CONDITIONS)[number];

/** At a fixed rate, or each change as soon as the last response arrives. */
export type Pace = 'paced' | 'full load';

/** CPU microseconds of one change, including its deliveries. */
interface Cost {
  readonly serverMicros: number;
  readonly databaseMicros: number;
  readonly perSecond: number;
  /** Latency of a change. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface CostFigures {
  readonly condition: Condition;
  readonly server_micros: number;
  readonly database_micros: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** The extra cost compared with no endpoints: the median of the differences within each round. */
  readonly server_micros_more: number;
  readonly database_micros_more: number;
}

/** Values of each round. */
interface Rounds {
  /** Microseconds of a delivery. */
  readonly server: number[];
  readonly database: number[];
  /** Microseconds of the same POST with plain undici; empty at full load. */
  readonly floor: number[];
  /** Server and database, relative to the floor. */
  readonly toFloor: number[];
  /** How many fewer deliveries the living endpoint gets in the same time, in percent. */
  readonly deadPercent: number[];
}

function roundsOf(found: readonly Record<Condition, Cost>[], floor: number[]): Rounds {
  const server = found.map(({ none, one }) => one.serverMicros - none.serverMicros);
  const database = found.map(({ none, one }) => one.databaseMicros - none.databaseMicros);
  return {
    server,
    database,
    floor,
    toFloor: floor.map((micros, round) => ((server[round] ?? 0) + (database[round] ?? 0)) / micros),
    deadPercent: found.map(
      (round) => (1 - round['one and a dead one'].perSecond / round.one.perSecond) * 100,
    ),
  };
}

/** People who change their profiles repeatedly: one event each time, since each value is new, also after another run. */
function changes(people: readonly Person[], connections: number, pace: Pace): Traffic {
  return {
    ...(pace === 'paced' ? { everyMs: (connections * 1000) / PACED_PER_SECOND } : {}),
    scripts: dealt(people.slice(0, PEOPLE), connections).map((mine) => ({
      kind: 'cycle',
      requests: [1, 2].flatMap((turn) =>
        mine.map((person) =>
          httpRequest('PATCH', `${API}/me`, bearer(person), {
            user_metadata: { turn: `${turn}, ${pace}` },
          }),
        ),
      ),
    })),
    expected: { status: 200, contains: '"identifiers"' },
  };
}

/** The same load, to be profiled. */
export async function profiledRow(bench: Bench): Promise<{ row: Row; close: () => void }> {
  const receiver = await startReceiver();
  const row: Row = {
    name: 'webhooks',
    floor: 'bare-http',
    env: ALLOWED,
    async traffic({ seed, url, connections }) {
      const admin = new Admin(bench, Number(new URL(url).port));
      await admin.register(receiver.url('/living'), [KIND]);
      admin.close();
      return changes(seed.people, connections, 'paced');
    },
  };
  return { row, close: () => receiver.close() };
}

/** The cost of a delivery: the same changes with and without endpoints, alternating. */
export async function measureCost(
  bench: Bench,
  pace: Pace,
): Promise<{ costs: CostFigures[]; rounds: Rounds }> {
  const scene = await openScene(bench);
  const load = startLoad();
  const posts = startBarePosts();
  try {
    const { seconds, rounds, connections } = bench.options;
    await load.connect(scene.service.port, changes(bench.seed.people, connections, pace));
    const ids = {
      living: await scene.admin.register(scene.receiver.url('/living'), [KIND]),
      dead: await scene.admin.register(scene.receiver.url('/dead', 1), [KIND]),
    };
    const found: Record<Condition, Cost>[] = [];
    const floor: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const costs: Partial<Record<Condition, Cost>> = {};
      for (const condition of round % 2 === 0 ? CONDITIONS : CONDITIONS.toReversed()) {
        await scene.admin.switch(ids.living, condition !== 'none');
        await scene.admin.switch(ids.dead, condition === 'one and a dead one');
        costs[condition] = await run(scene, load, round < 0 ? WARM_UP_SECONDS : seconds, condition);
      }
      if (round >= 0) found.push(costs as Record<Condition, Cost>);
      if (pace === 'full load') continue;
      const post = await barePost(scene, posts, round < 0 ? WARM_UP_SECONDS : seconds);
      if (round >= 0) floor.push(post);
    }
    const costs = CONDITIONS.map((condition) => figuresOf(condition, found));
    return { costs, rounds: roundsOf(found, floor) };
  } finally {
    load.close();
    posts.close();
    await scene.close();
  }
}

async function run(
  { bench, receiver, service }: Scene,
  load: Load,
  seconds: number,
  condition: Condition,
): Promise<Cost> {
  const { postmaster } = bench.database;
  const before = await receiver.count();
  const serverBefore = fineCpuMicros(service.pid);
  const databaseBefore = postmaster === undefined ? 0 : fineCpuMicros(postmaster);
  const startedAt = performance.now();
  const { requests, latenciesMs } = await load.run(seconds);
  // Includes the deliveries of the last changes.
  if (condition !== 'none') await receiver.waitFor(before + requests);
  const elapsedMs = performance.now() - startedAt;
  const database = postmaster === undefined ? 0 : fineCpuMicros(postmaster) - databaseBefore;
  return {
    serverMicros: (fineCpuMicros(service.pid) - serverBefore) / requests,
    databaseMicros: database / requests,
    perSecond: (requests / elapsedMs) * 1000,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

/** Posts the last delivery again, with plain undici, at the paced rate. @returns CPU microseconds of a POST */
async function barePost({ receiver }: Scene, posts: BarePosts, seconds: number): Promise<number> {
  const delivery = await receiver.last();
  if (!delivery) throw new Error('Nothing was delivered.');
  const pace = { everyMs: 1000 / PACED_PER_SECOND, milliseconds: seconds * 1000 };
  return posts.run({ url: receiver.url('/living'), delivery, ...pace });
}

function figuresOf(condition: Condition, rounds: readonly Record<Condition, Cost>[]): CostFigures {
  const of = (figure: (round: Record<Condition, Cost>) => number) =>
    Math.round(median(rounds.map(figure)) * 10) / 10;
  return {
    condition,
    server_micros: of((round) => round[condition].serverMicros),
    database_micros: of((round) => round[condition].databaseMicros),
    per_second: of((round) => round[condition].perSecond),
    p50_ms: of((round) => round[condition].p50Ms),
    p99_ms: of((round) => round[condition].p99Ms),
    server_micros_more: of((round) => round[condition].serverMicros - round.none.serverMicros),
    database_micros_more: of(
      (round) => round[condition].databaseMicros - round.none.databaseMicros,
    ),
  };
}
