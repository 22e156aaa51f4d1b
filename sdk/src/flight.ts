import { pause } from './timer.ts';

/** Work shared by all concurrent callers. */
export class Flight {
  #work: Promise<void> | undefined;
  #startedAt = 0;
  readonly #longestMs: number;

  /**
   * @param longestMs work running longer is considered dead, because edge runtimes drop work with the request that
   * started it
   */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  get isUnderWay(): boolean {
    return this.#work !== undefined && performance.now() - this.#startedAt < this.#longestMs;
  }

  /** Joins the work in progress, or starts it. */
  async run(start: () => Promise<void>): Promise<void> {
    const underWay = this.#work;
    if (underWay !== undefined && this.isUnderWay) {
      return Promise.race([underWay, pause(this.#longestMs)]);
    }
    const work = start().finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#work = work;
    this.#startedAt = performance.now();
    return work;
  }
}
