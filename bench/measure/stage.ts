import { Connection } from './connection.ts';
import { type Load, startLoad } from './load.ts';
import type { Exchange, LoadResult, Traffic } from './traffic.ts';

/** Requests prepared for the first, short run. */
const FIRST_REQUESTS = 20_000;
/** Factor on the number of requests of the last round. */
const RESERVE = 1.3;

/** The load on a port. */
export interface Target {
  readonly port: number;
  /** Each round gets new traffic. */
  readonly isFresh: boolean;
  readonly traffic: (requests: number) => Traffic | Promise<Traffic>;
  readonly probes: Readonly<Record<string, Traffic>>;
}

/** The load of a row on a port, and its probes. */
export class Stage {
  readonly #target: Target;
  readonly #load = startLoad();
  readonly #probes = new Map<string, Load>();
  #traffic: Traffic | undefined;
  #perSecond = 0;

  private constructor(target: Target) {
    this.#target = target;
  }

  static async open(target: Target): Promise<Stage> {
    const stage = new Stage(target);
    try {
      await stage.#connect(FIRST_REQUESTS);
      for (const [name, traffic] of Object.entries(target.probes)) {
        const load = startLoad();
        stage.#probes.set(name, load);
        await load.connect(target.port, traffic);
      }
      return stage;
    } catch (error) {
      stage.close();
      throw error;
    }
  }

  get hasProbes(): boolean {
    return this.#probes.size > 0;
  }

  /** Prepares new requests, for rows that cannot repeat them. */
  async refill(seconds: number): Promise<void> {
    if (this.#target.isFresh) await this.#connect(Math.ceil(this.#perSecond * seconds * RESERVE));
  }

  async run(seconds: number): Promise<LoadResult> {
    const result = await this.#load.run(seconds);
    this.#perSecond = (result.requests / result.elapsedMs) * 1000;
    return result;
  }

  /** Latencies of the probes under the same load, by name. */
  async probe(seconds: number): Promise<Record<string, Float64Array>> {
    const probing = [...this.#probes].map(
      async ([name, probe]) => [name, (await probe.run(seconds)).latenciesMs] as const,
    );
    const [, ...probes] = await Promise.all([this.#load.run(seconds), ...probing]);
    return Object.fromEntries(probes);
  }

  /** Sends the last prepared request. If it cannot be repeated, the load gets new requests before reaching it. */
  async exchange(): Promise<Exchange> {
    const { scripts, expected } = this.#traffic as Traffic;
    const script = scripts.at(-1);
    const isPlain = script?.kind === 'cycle' || script?.kind === 'once';
    const request = isPlain ? script.requests.at(-1) : undefined;
    if (request === undefined) throw new Error('The row has no prepared request for its floor.');
    let response = '';
    const learn = (answer: string) => void (response = answer);
    const connection = new Connection(this.#target.port, { next: () => request, learn }, expected);
    await connection.sendNext();
    connection.close();
    return { request, response, expected };
  }

  close(): void {
    this.#load.close();
    for (const probe of this.#probes.values()) probe.close();
  }

  async #connect(requests: number): Promise<void> {
    this.#traffic = await this.#target.traffic(requests);
    await this.#load.connect(this.#target.port, this.#traffic);
  }
}
