import assert from 'node:assert/strict';
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
/** Beyond what the hashes that run and wait need: 19 MiB each, for as many as there are cores. */
const GROWTH_MIB = 64;

/** Ten times as many logins as there can be, while others refresh. */
export const flood: Scenario = {
  name: 'flood',
  about: 'logins at ten times the capacity, beside refreshes; a round is a second',
  rounds: 30,
  async run(run) {
    const { figures, refreshP99Ms } = await endureFlood(run);
    assert.ok(refreshP99Ms < REFRESH_P99_MS, `p99 of refreshes: ${Math.round(refreshP99Ms)} ms`);
    return figures;
  },
};

export async function endureFlood({ rounds, say }: Run): Promise<{
  readonly figures: Figures;
  readonly refreshP99Ms: number;
}> {
  const fleet = await Fleet.start({ nodes: 1 });
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
    const began = performance.now();
    const isOver = () => performance.now() - began > rounds * 1000;
    let peak = before;
    const watching = until(
      'the flood is over',
      () => {
        peak = Math.max(peak, residentMib(pid));
        return isOver();
      },
      rounds * 1000 + 10_000,
    );
    await Promise.all([
      paced(TIMES * perSecond, isOver, () => people.logIn()),
      paced(REFRESHES_PER_SECOND, isOver, () => people.refresh()),
      watching,
    ]);
    return judge(people, { perSecond, before, peak });
  } finally {
    await fleet.close();
  }
}

function judge(
  people: Flood,
  { perSecond, before, peak }: { perSecond: number; before: number; peak: number },
) {
  const statuses = new Set(people.statuses.keys());
  assert.deepEqual(statuses, new Set([200, 429]), 'each is let in or asked to come again');
  assert.deepEqual(people.failures, [], 'no refresh fails');
  assert.ok(peak - before < GROWTH_MIB, `memory grew by ${Math.round(peak - before)} MiB`);
  const refreshP99Ms = percentile(people.refreshMs, 0.99);
  const figures: Figures = {
    'capacity, logins per s': Math.round(perSecond),
    'let in': people.statuses.get(200) ?? 0,
    'asked to come again (429)': people.statuses.get(429) ?? 0,
    refreshes: people.refreshMs.length,
    'refresh p50 ms': Math.round(percentile(people.refreshMs, 0.5)),
    'refresh p99 ms': Math.round(refreshP99Ms),
    'MiB before': Math.round(before),
    'MiB at most': Math.round(peak),
  };
  return { figures, refreshP99Ms };
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

  /** Somebody's login, from an address that nobody else has. */
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

  /** A session that is not being refreshed goes on to its next token. */
  async refresh(): Promise<void> {
    const { http } = await this.#fleet.node(0);
    const token = this.idle.shift();
    // Every session waits for an answer: whoever came now would wait too, nobody knows how long.
    if (token === undefined) return void this.refreshMs.push(Number.POSITIVE_INFINITY);
    const began = performance.now();
    const body = { refresh_token: token };
    const answer = await http.request<TokenAnswer>('POST', '/auth/refresh', { body });
    this.refreshMs.push(performance.now() - began);
    if (answer.status !== 200) this.failures.push(answer.text);
    else this.idle.push(answer.body.refresh_token);
  }
}
