import { pause } from './timer.ts';

/** Work that is done once for all who need it at the same time. */
export class Flight {
  #work: Promise<void> | undefined;
  #startedAt = 0;
  readonly #longestMs: number;

  /** @param longestMs what takes longer is taken to be dead: edge runtimes drop work with the request that began it */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  get isUnderWay(): boolean {
    return this.#work !== undefined && performance.now() - this.#startedAt < this.#longestMs;
  }

  /** Joins the work that is under way, or begins it. */
  async run(begin: () => Promise<void>): Promise<void> {
    const underWay = this.#work;
    if (underWay !== undefined && this.isUnderWay) {
      return Promise.race([underWay, pause(this.#longestMs)]);
    }
    const work = begin().finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#work = work;
    this.#startedAt = performance.now();
    return work;
  }
}
