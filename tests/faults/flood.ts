import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { until } from '../harness/until.ts';
import { Fleet, newAddress } from './fleet.ts';
import { residentMib } from './memory.ts';
import { capacity, paced, percentile } from './pace.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const TIMES = 10;
const REFRESHES_PER_SECOND = 20;
const SESSIONS = 60;
const CAPACITY_SECONDS = 3;
const REFRESH_P99_MS = 200;
/** The maximum duration of another tenant's login during the flood, in units of one hash. */
const NEIGHBOR_HASHES = 3;
/** Small enough that garbage is collected soon, and not mistaken for a leak. */
const HEAP_MIB = 64;
/** The maximum memory of a flood: running hashes (19 MiB each), connections, and uncollected garbage. */
const MOST_MIB = 96;
/** The maximum growth of its second half over its first. */
const GROWTH_MIB = 12;
/** Initial concurrent logins: several times the queue limit, on any machine. */
const FIRST_WAVE = 128 * availableParallelism();
/** The minimum duration at which the halves of a flood are comparable. */
const TELLING_SECONDS = 10;

/** Ten times as many logins as can be hashed, while others refresh and log in to another tenant. */
export const flood: Scenario = {
  name: 'flood',
  about: 'logins at ten times the capacity, with refreshes; a round is a second',
  rounds: 30,
  async run(run) {
    const { figures, refreshP99Ms, neighborHashes } = await endureFlood(run);
    assert.ok(refreshP99Ms < REFRESH_P99_MS, JSON.stringify(figures));
    assert.ok(neighborHashes <= NEIGHBOR_HASHES, JSON.stringify(figures));
    return figures;
  },
};

export async function endureFlood({ rounds, say }: Run): Promise<{
  readonly figures: Figures;
  readonly refreshP99Ms: number;
  readonly neighborHashes: number;
}> {
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
  const fleet = await Fleet.start({ nodes: 1, env });
  try {
    const { pid } = await fleet.node(0);
    const people = new Flood(fleet);
    const perSecond = await capacity(8, CAPACITY_SECONDS, () => people.logIn());
    people.statuses.clear();
    const before = residentMib(pid);
    say(
      `${Math.round(perSecond)} logins a second, ${Math.round(before)} MiB; now ten times as many`,
    );
    for (let session = 0; session < SESSIONS; session += 1) {
      people.idle.push((await fleet.register(0)).refresh_token);
    }
    const neighbor = await Neighbor.moveIn(fleet);
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt > rounds * 1000;
    const peaks = { firstHalf: before, secondHalf: before };
    const watching = until(
      'the flood is over',
      () => {
        const half = performance.now() - startedAt < rounds * 500 ? 'firstHalf' : 'secondHalf';
        peaks[half] = Math.max(peaks[half], residentMib(pid));
        return isOver();
      },
      rounds * 1000 + 10_000,
    );
    await Promise.all([
      ...Array.from({ length: FIRST_WAVE }, () => people.logIn()),
      paced(TIMES * perSecond, isOver, () => people.logIn()),
      paced(REFRESHES_PER_SECOND, isOver, () => people.refresh()),
      neighbor.logInUntil(isOver),
      watching,
    ]);
    const elapsedMs = performance.now() - startedAt;
    const isTelling = rounds >= TELLING_SECONDS;
    return judge(people, neighbor, { perSecond, before, ...peaks, isTelling, elapsedMs });
  } finally {
    await fleet.close();
  }
}

interface Levels {
  readonly perSecond: number;
  /** Memory in MiB: before the flood, and at most in each half of it. */
  readonly before: number;
  readonly firstHalf: number;
  readonly secondHalf: number;
  /** Whether the flood is long enough for its halves to be compared. */
  readonly isTelling: boolean;
  readonly elapsedMs: number;
}

function judge(people: Flood, neighbor: Neighbor, levels: Levels) {
  const { perSecond, before, firstHalf, secondHalf, isTelling, elapsedMs } = levels;
  const statuses = new Set(people.statuses.keys());
  assert.deepEqual(statuses, new Set([200, 429]), 'each is let in or asked to come again');
  assert.deepEqual(people.failures, [], 'no refresh fails');
  const most = Math.max(firstHalf, secondHalf) - before;
  assert.ok(most < MOST_MIB, `${Math.round(most)} MiB more`);
  const growth = secondHalf - firstHalf;
  assert.ok(!isTelling || growth < GROWTH_MIB, `memory grows: ${Math.round(growth)} MiB`);
  assert.deepEqual(neighbor.refusals, [], 'no user of another tenant is refused');
  const refreshP99Ms = percentile(people.refreshMs, 0.99);
  const hashes = (people.statuses.get(200) ?? 0) + neighbor.loginMs.length;
  const hashMs = (elapsedMs * availableParallelism()) / hashes;
  const neighborHashes = percentile(neighbor.loginMs, 0.5) / hashMs;
  const figures: Figures = {
    'capacity, logins per s': Math.round(perSecond),
    'let in': people.statuses.get(200) ?? 0,
    'asked to come again (429)': people.statuses.get(429) ?? 0,
    refreshes: people.refreshMs.length,
    'refresh p50 ms': Math.round(percentile(people.refreshMs, 0.5)),
    'refresh p99 ms': Math.round(refreshP99Ms),
    'hash ms': Math.round(hashMs),
    "another tenant's logins": neighbor.loginMs.length,
    'their p50 in hashes': Number(neighborHashes.toFixed(1)),
    'MiB before': Math.round(before),
    'MiB at most, first half': Math.round(firstHalf),
    'MiB at most, second half': Math.round(secondHalf),
  };
  return { figures, refreshP99Ms, neighborHashes };
}

class Flood {
  readonly #fleet: Fleet;
  readonly #person = { identifier: newIdentifier(), secret: newPassword() };
  #registered: Promise<unknown> | undefined;
  readonly statuses = new Map<number, number>();
  readonly refreshMs: number[] = [];
  readonly failures: string[] = [];
  /** Refresh tokens of sessions that can be refreshed. */
  readonly idle: string[] = [];

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** A login from a unique address. */
  async logIn(): Promise<void> {
    this.#registered ??= this.#send({ ...this.#person, register: true });
    await this.#registered;
    const { status } = await this.#send(this.#person);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  async #send(body: object) {
    const { http } = await this.#fleet.node(0);
    const headers = { 'x-forwarded-for': newAddress() };
    return http.request<TokenAnswer>('POST', '/auth/login', { body, headers });
  }

  /** Refreshes a session without a refresh in progress. */
  async refresh(): Promise<void> {
    const { http } = await this.#fleet.node(0);
    const token = this.idle.shift();
    // No session is idle: a request would wait for an unknown time, so its duration counts as infinite.
    if (token === undefined) return void this.refreshMs.push(Number.POSITIVE_INFINITY);
    const startedAt = performance.now();
    const body = { refresh_token: token };
    const answer = await http.request<TokenAnswer>('POST', '/auth/refresh', { body });
    this.refreshMs.push(performance.now() - startedAt);
    if (answer.status !== 200) this.failures.push(answer.text);
    else this.idle.push(answer.body.refresh_token);
  }
}

/** A user of another tenant. */
class Neighbor {
  readonly #fleet: Fleet;
  readonly #tenant: string;
  readonly #person = { identifier: newIdentifier(), secret: newPassword() };
  readonly loginMs: number[] = [];
  readonly refusals: string[] = [];

  private constructor(fleet: Fleet, tenant: string) {
    this.#fleet = fleet;
    this.#tenant = tenant;
  }

  static async moveIn(fleet: Fleet): Promise<Neighbor> {
    const config = { login_attempts_limit: 10_000 };
    const tenant = { slug: 'neighbor', name: 'Neighbor', domains: ['neighbor.test'], config };
    const { id } = await fleet.asAdmin<{ id: string }>('POST', '/tenants', tenant);
    const neighbor = new Neighbor(fleet, id);
    await neighbor.#logIn({ register: true });
    return neighbor;
  }

  /** One login after the other. */
  async logInUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const startedAt = performance.now();
      await this.#logIn();
      this.loginMs.push(performance.now() - startedAt);
    }
  }

  async #logIn(fields: object = {}): Promise<void> {
    const { http } = await this.#fleet.node(0);
    const options = { tenant: this.#tenant, body: { ...this.#person, ...fields } };
    const answer = await http.request('POST', '/auth/login', options);
    if (answer.status !== 200) this.refusals.push(answer.text);
  }
}
