import assert from 'node:assert/strict';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Random } from '../harness/random.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import { lowestOfEachMinute, residentMib, type Sample, slopeMibPerHour } from './memory.ts';
import { capacity, paced, percentile } from './pace.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const SHARE = 0.7;
/** Enough that some sessions are idle, however long one response takes. */
const SESSIONS = 2000;
const WIDTH = 16;
const CAPACITY_SECONDS = 5;
const SAMPLE_EVERY_SECONDS = 1;
/** The interval of cut connections; failures just after a cut are counted separately. */
const CUT_EVERY_SECONDS = 60;
const INJECTED_FOR_MS = 3000;
/** The minimum length of a soak whose memory growth is checked. The first third is excluded, while caches fill. */
const TELLING_MINUTES = 10;
const SLOPE_MIB_PER_HOUR = 20;

/** Half an hour at 70 % of the machine's capacity. */
export const soak: Scenario = {
  name: 'soak',
  about:
    'refreshes, reads, questions and key sets at 70 % load, connections cut each minute; a round is a minute',
  rounds: 30,
  run: soakFor,
};

async function soakFor({ random, rounds, say }: Run): Promise<Figures> {
  const fleet = await Fleet.start({ nodes: 1 });
  try {
    const load = new Load(fleet, random);
    await load.prepare();
    const most = await capacity(WIDTH, CAPACITY_SECONDS, () => load.send());
    load.forget();
    const perSecond = SHARE * most;
    say(`${Math.round(most)} requests a second at most; ${Math.round(perSecond)} from now on`);
    const watch = new Watch(fleet, load, rounds * 60, say);
    await Promise.all([
      paced(
        perSecond,
        () => watch.isOver(),
        () => load.send(),
      ),
      watch.run(),
    ]);
    return judge(load, watch, perSecond, rounds);
  } finally {
    await fleet.close();
  }
}

function judge(load: Load, watch: Watch, perSecond: number, minutes: number): Figures {
  const levels = lowestOfEachMinute(watch.samples).slice(Math.ceil(minutes / 3));
  const slope = slopeMibPerHour(levels);
  assert.deepEqual(load.errors, [], 'errors that were not injected');
  if (minutes >= TELLING_MINUTES) {
    assert.ok(slope < SLOPE_MIB_PER_HOUR, `memory grows by ${Math.round(slope)} MiB an hour`);
  }
  return {
    minutes,
    'requests per s': Math.round(perSecond),
    requests: load.milliseconds.length,
    'p50 ms': percentile(load.milliseconds, 0.5).toFixed(1),
    'p99 ms': percentile(load.milliseconds, 0.99).toFixed(1),
    'errors injected': load.injected,
    'errors else': load.errors.length,
    'MiB after a third': Math.round(levels[0]?.mib ?? 0),
    'MiB at the end': Math.round(levels.at(-1)?.mib ?? 0),
    'MiB at most': Math.round(Math.max(...watch.samples.map(({ mib }) => mib))),
    'MiB per hour': Math.round(slope),
  };
}

/** Looks at the process, and cuts connections, until the time is over. */
class Watch {
  readonly samples: Sample[] = [];
  readonly #fleet: Fleet;
  readonly #load: Load;
  readonly #seconds: number;
  readonly #say: (line: string) => void;
  readonly #startedAt = performance.now();
  #hasFailed = false;

  constructor(fleet: Fleet, load: Load, seconds: number, say: (line: string) => void) {
    this.#fleet = fleet;
    this.#load = load;
    this.#seconds = seconds;
    this.#say = say;
  }

  get #passed(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }

  isOver(): boolean {
    return this.#hasFailed || this.#passed > this.#seconds;
  }

  async run(): Promise<void> {
    try {
      await this.#look();
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #look(): Promise<void> {
    const { pid } = await this.#fleet.node(0);
    let cutAt = CUT_EVERY_SECONDS / 2;
    for (let at = SAMPLE_EVERY_SECONDS; at < this.#seconds; at += SAMPLE_EVERY_SECONDS) {
      await until('the next look', () => this.#passed >= at, 60_000);
      this.samples.push({ seconds: this.#passed, mib: residentMib(pid) });
      if (this.#passed < cutAt) continue;
      cutAt += CUT_EVERY_SECONDS;
      this.#load.injectedUntil = performance.now() + INJECTED_FOR_MS;
      await this.#fleet.cutConnections();
      const mib = Math.round(this.samples.at(-1)?.mib ?? 0);
      this.#say(
        `${Math.round(this.#passed)} s, ${mib} MiB, ${this.#load.milliseconds.length} requests`,
      );
    }
  }
}

interface Session {
  access: string;
  refresh: string;
}

/** A realistic mix of requests by services and users. */
class Load {
  readonly #fleet: Fleet;
  readonly #random: Random;
  readonly #sessions: Session[] = [];
  readonly #idle: Session[] = [];
  /** Errors before this time count as caused by cut connections. */
  injectedUntil = 0;
  injected = 0;
  readonly errors: string[] = [];
  readonly milliseconds: number[] = [];

  constructor(fleet: Fleet, random: Random) {
    this.#fleet = fleet;
    this.#random = random;
  }

  async prepare(): Promise<void> {
    for (let index = 0; index < SESSIONS; index += 1) {
      const login = await this.#fleet.register(0);
      this.#sessions.push({ access: login.access_token, refresh: login.refresh_token });
    }
    this.#idle.push(...this.#sessions);
  }

  forget(): void {
    this.milliseconds.length = 0;
  }

  async send(): Promise<void> {
    const lot = this.#random.between(0, 100);
    const startedAt = performance.now();
    const status = await this.#request(lot).catch((error: NodeJS.ErrnoException) => error.code);
    this.milliseconds.push(performance.now() - startedAt);
    if (status === 200) return;
    if (startedAt < this.injectedUntil) this.injected += 1;
    else this.errors.push(`${status}`);
  }

  async #request(lot: number): Promise<number> {
    if (lot < 20) return this.#refresh();
    const session = this.#sessions[this.#random.between(0, SESSIONS)];
    const token = session?.access ?? '';
    const { http } = await this.#fleet.node(0);
    if (lot < 60) return (await http.request('GET', '/me', { token })).status;
    if (lot < 90) {
      const options = { token, body: { token } };
      return (await http.request('POST', '/auth/verify-token', options)).status;
    }
    return (await http.request('GET', '/.well-known/jwks.json')).status;
  }

  /** Refreshes a session without a refresh in progress. A session without a response is refreshed again later. */
  async #refresh(): Promise<number> {
    const session = this.#idle.shift();
    if (!session) throw Object.assign(new Error(), { code: 'every session waits' });
    try {
      const { http } = await this.#fleet.node(0);
      const body = { refresh_token: session.refresh };
      const answer = await http.request<TokenAnswer>('POST', '/auth/refresh', { body });
      if (answer.status === 200) {
        session.access = answer.body.access_token;
        session.refresh = answer.body.refresh_token;
      }
      return answer.status;
    } finally {
      this.#idle.push(session);
    }
  }
}
