import type { Row, Scene } from '../rows/row.ts';
import type { Service } from '../target/service.ts';
import type { Bench } from './bench.ts';
import { type Load, startLoad } from './load.ts';
import type { LoadResult } from './traffic.ts';

/** Requests that are made ready for a first, short run. */
const FIRST_REQUESTS = 20_000;
/** How many more than the last round would have sent. */
const RESERVE = 1.3;

/** The load of one row on one service, and the probes beside it. */
export class Stage {
  readonly #bench: Bench;
  readonly #row: Row;
  readonly #service: Service;
  readonly #load = startLoad();
  readonly #probes = new Map<string, Load>();
  #perSecond = 0;

  private constructor(bench: Bench, row: Row, service: Service) {
    this.#bench = bench;
    this.#row = row;
    this.#service = service;
  }

  static async open(bench: Bench, row: Row, service: Service): Promise<Stage> {
    const stage = new Stage(bench, row, service);
    await stage.#connect(FIRST_REQUESTS);
    const probes = row.probes?.(stage.#scene(0)) ?? {};
    for (const [name, traffic] of Object.entries(probes)) {
      const load = startLoad();
      stage.#probes.set(name, load);
      await load.connect(service.port, traffic);
    }
    return stage;
  }

  get hasProbes(): boolean {
    return this.#probes.size > 0;
  }

  /** Makes new requests ready, for rows that may not send one twice. */
  async refill(seconds: number): Promise<void> {
    if (this.#row.isFresh) await this.#connect(Math.ceil(this.#perSecond * seconds * RESERVE));
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
    await this.#load.connect(this.#service.port, await this.#row.traffic(this.#scene(requests)));
  }

  #scene(requests: number): Scene {
    const { seed, options } = this.#bench;
    return { seed, url: this.#service.url, connections: options.connections, requests };
  }
}
