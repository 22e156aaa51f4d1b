import { type Load, startLoad } from './load.ts';
import type { LoadResult, Traffic } from './traffic.ts';

/** Requests that are made ready for a first, short run. */
const FIRST_REQUESTS = 20_000;
/** How many more than the last round would have sent. */
const RESERVE = 1.3;

/** What is put on a port. */
export interface Act {
  readonly port: number;
  /** Each round gets traffic of its own. */
  readonly isFresh: boolean;
  readonly traffic: (requests: number) => Traffic | Promise<Traffic>;
  readonly probes: Readonly<Record<string, Traffic>>;
}

/** The load of one row on one port, and the probes beside it. */
export class Stage {
  readonly #act: Act;
  readonly #load = startLoad();
  readonly #probes = new Map<string, Load>();
  #perSecond = 0;

  private constructor(act: Act) {
    this.#act = act;
  }

  static async open(act: Act): Promise<Stage> {
    const stage = new Stage(act);
    try {
      await stage.#connect(FIRST_REQUESTS);
      for (const [name, traffic] of Object.entries(act.probes)) {
        const load = startLoad();
        stage.#probes.set(name, load);
        await load.connect(act.port, traffic);
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

  /** Makes new requests ready, for rows that may not send one twice. */
  async refill(seconds: number): Promise<void> {
    if (this.#act.isFresh) await this.#connect(Math.ceil(this.#perSecond * seconds * RESERVE));
  }

  async run(seconds: number): Promise<LoadResult> {
    const result = await this.#load.run(seconds);
    this.#perSecond = (result.requests / result.elapsedMs) * 1000;
    return result;
  }

  /** How long each of the probes took under the same load, by name. */
  async probe(seconds: number): Promise<Record<string, Float64Array>> {
    const probing = [...this.#probes].map(
      async ([name, probe]) => [name, (await probe.run(seconds)).latenciesMs] as const,
    );
    const [, ...probes] = await Promise.all([this.#load.run(seconds), ...probing]);
    return Object.fromEntries(probes);
  }

  close(): void {
    this.#load.close();
    for (const probe of this.#probes.values()) probe.close();
  }

  async #connect(requests: number): Promise<void> {
    await this.#load.connect(this.#act.port, await this.#act.traffic(requests));
  }
}
