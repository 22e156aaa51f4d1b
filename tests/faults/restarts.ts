import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { HttpClient } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 2;
const CLIENTS = 8;
/** Maximum number of responses between two restarts. */
const CALM = 400;
const EXIT_WITHIN_MS = 15_000;
const LONGEST_MS = 3_600_000;

/** Nodes are stopped with SIGTERM, one after the other, under load that a balancer sends to ready ones. */
export const restarts: Scenario = {
  name: 'restarts',
  about: 'nodes ended by SIGTERM and started again under load; a round is a restart',
  rounds: 20,
  run: restartUnderLoad,
};

export async function restartUnderLoad({ random, rounds, say }: Run): Promise<Figures> {
  const fleet = await Fleet.start({ nodes: NODES });
  const balancer = new Balancer(fleet);
  let isOver = false;
  try {
    await balancer.look();
    const looking = balancer.follow(() => isOver);
    const clients = parallel(CLIENTS, () => use(fleet, balancer, () => isOver));
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const target = balancer.answered + random.between(1, CALM);
      await until('requests are answered', () => balancer.answered >= target, 30_000);
      const { exit, exitMs } = await fleet.restart(random.between(0, NODES));
      assert.deepEqual(exit, { code: 0, signal: null });
      longestMs = Math.max(longestMs, exitMs);
      await until('the balancer leads to all nodes again', () => balancer.ready.length === NODES);
      say(`${round + 1} of ${rounds}: ${balancer.answered} requests answered`);
    }
    isOver = true;
    await Promise.all([clients, looking]);
    assert.deepEqual(balancer.failures.slice(0, 5), [], `${balancer.failures.length} failures`);
    assert.ok(longestMs < EXIT_WITHIN_MS, `${Math.round(longestMs)} ms until it ended`);
    return {
      restarts: rounds,
      requests: balancer.answered,
      failures: balancer.failures.length,
      'ended within ms': Math.round(longestMs),
    };
  } finally {
    isOver = true;
    await fleet.close();
  }
}

/** Refreshes, reads, and refreshes again, on the nodes chosen by the balancer. */
async function use(fleet: Fleet, balancer: Balancer, isOver: () => boolean): Promise<void> {
  let tokens = await fleet.register(0);
  while (!isOver()) {
    const body = { refresh_token: tokens.refresh_token };
    tokens = (await balancer.send<TokenAnswer>('POST', '/auth/refresh', { body })) ?? tokens;
    await balancer.send('GET', '/me', { token: tokens.access_token });
  }
}

/** Polls the readiness of each node, and distributes requests among the ready ones. */
class Balancer {
  ready: readonly HttpClient[] = [];
  answered = 0;
  readonly failures: string[] = [];
  readonly #fleet: Fleet;
  #next = 0;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  async look(): Promise<void> {
    const nodes = await parallel(NODES, async (index) => {
      const { http } = await this.#fleet.node(index);
      const answer = await http.request('GET', '/health').catch(() => undefined);
      return answer?.status === 200 ? http : undefined;
    });
    this.ready = nodes.filter((http) => http !== undefined);
  }

  follow(isOver: () => boolean): Promise<boolean> {
    const look = async () => {
      await this.look();
      return isOver();
    };
    return until('the load is over', look, LONGEST_MS);
  }

  async send<Body>(
    method: string,
    path: string,
    options: Parameters<HttpClient['request']>[2],
  ): Promise<Body | undefined> {
    const http = this.ready[(this.#next += 1) % this.ready.length];
    if (!http) throw new Error('No node is ready.');
    try {
      const answer = await http.request<Body>(method, path, options);
      if (answer.status === 200) {
        this.answered += 1;
        return answer.body;
      }
      this.failures.push(`${method} ${path}: ${answer.status}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${(error as Error).message}`);
    }
    return undefined;
  }
}
