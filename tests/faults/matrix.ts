import assert from 'node:assert/strict';
import type { TestDatabase } from '../harness/database.ts';
import { parallel } from '../harness/parallel.ts';
import { seededRandom } from '../harness/random.ts';
import { until } from '../harness/until.ts';
import { Client } from './client.ts';
import type { Fleet } from './fleet.ts';
import { History } from './history.ts';
import { readOutcome } from './storm.ts';

const CLIENTS = 3;
/** The number of successful requests required before and after a fault. */
const CALM = 12;

/** What a process holds. */
export type Resource =
  | 'clock'
  | 'standard output'
  | 'pooled connections'
  | 'pipelined connections'
  | 'connections that listen'
  | 'settings of connections'
  | 'tables'
  | 'disk of the database'
  /** Of the embedded database. */
  | 'data folder'
  | 'file handles';
export type Fault = 'gone' | 'full' | 'stalled' | 'wrong';

/** The node's `/health` response during a fault: the status, and the code of the problem if there is one. */
interface Reported {
  readonly status: 200 | 503;
  readonly database?: 'ok' | 'unavailable';
  readonly problem?: string;
}

/** A fault of something that a node uses, and the expected behavior. */
export interface Cell {
  readonly resource: Resource;
  readonly fault: Fault;
  /** How it is caused. */
  readonly about: string;
  readonly inject: (fleet: Fleet) => Promise<unknown> | void;
  /** Removes the cause. The rest must heal by itself. */
  readonly heal: (fleet: Fleet) => Promise<unknown> | void;
  /** Undefined: the fault is too short to be observed. */
  readonly health?: Reported;
  /** What the log reports, exactly once. Undefined: not checked. */
  readonly log?: RegExp;
  /** Whether requests succeed during the fault. */
  readonly isServing: boolean;
}

/** Clients of a fleet, and what it acknowledged to them. */
export class Ledger {
  readonly #fleet: Fleet;
  readonly #history = new History();
  readonly #clients: readonly Client[];
  readonly #lives: Promise<unknown>;
  #isOver = false;

  private constructor(fleet: Fleet, history: History, clients: readonly Client[]) {
    this.#fleet = fleet;
    this.#history = history;
    this.#clients = clients;
    this.#lives = Promise.all(clients.map((client) => client.live(() => this.#isOver)));
  }

  static async open(fleet: Fleet): Promise<Ledger> {
    const history = new History();
    const random = seededRandom();
    const clients = await parallel(CLIENTS, async (index) => {
      const tokens = await fleet.register(index);
      return new Client(fleet, history, seededRandom(random.between(0, 2 ** 31)), tokens);
    });
    return new Ledger(fleet, history, clients);
  }

  /** Resolves when a number of further requests has succeeded. */
  async isServed(when: string): Promise<void> {
    const served = () => this.#clients.reduce((sum, client) => sum + client.served, 0);
    const target = served() + CALM;
    await until(`requests are answered ${when}`, () => served() >= target, 60_000);
  }

  /**
   * Ends the clients. @param database the current one. @throws if something acknowledged was lost, or if something
   * revoked was accepted
   */
  async close(database: Pick<TestDatabase, 'query'> = this.#fleet.database): Promise<void> {
    this.#isOver = true;
    await this.#lives;
    assert.deepEqual(this.#history.violations(await readOutcome(database)), []);
  }
}

/** Injects the fault, checks the cell's expectations, and removes the fault. */
export async function suffer(fleet: Fleet, ledger: Ledger, cell: Cell): Promise<void> {
  await ledger.isServed('before the fault');
  const logged = await countLogged(fleet, cell);
  try {
    await cell.inject(fleet);
    if (cell.health) await reports(fleet, cell.health);
    if (cell.isServing) await ledger.isServed('during the fault');
  } finally {
    await cell.heal(fleet);
  }
  await reports(fleet, { status: 200 }, 'ok');
  await ledger.isServed('after the fault');
  if (cell.log) {
    await until('the log says so', async () => (await countLogged(fleet, cell)) > logged);
    assert.equal(await countLogged(fleet, cell), logged + 1, 'the log says so once');
  }
}

async function countLogged(fleet: Fleet, { log }: Cell): Promise<number> {
  const { stdout } = await fleet.node(0);
  return log ? stdout.split('\n').filter((line) => log.test(line)).length : 0;
}

interface Health {
  readonly status: string;
  readonly database: string;
  readonly problems?: readonly { readonly code: string }[];
}

async function reports(fleet: Fleet, expected: Reported, status?: string): Promise<void> {
  let last = '';
  const describe = () => `/health reports ${JSON.stringify(expected)}, and not ${last}`;
  await until(
    'the health',
    async () => {
      const answer = await fleet.request<Health>(0, 'GET', '/health');
      last = answer?.text ?? 'nothing';
      if (answer?.status !== expected.status) return false;
      const codes = answer.body.problems?.map(({ code }) => code) ?? [];
      return (
        (status === undefined || answer.body.status === status) &&
        (expected.database === undefined || answer.body.database === expected.database) &&
        (expected.problem === undefined || codes.includes(expected.problem))
      );
    },
    60_000,
  ).catch((error: unknown) => {
    throw new Error(describe(), { cause: error });
  });
}
