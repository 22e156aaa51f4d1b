import { type Fail } from '@keywright/contract/errors';

/** How many streams a node has open at a time. */
export interface StreamLimits {
  readonly total: number;
  readonly perAddress: number;
}

const RETRY_AFTER_SECONDS = 5;

/** Counts open streams, in all and by the address that they go to. */
export class Admission {
  readonly #limits: StreamLimits;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** @returns how to give the place back, once */
  admit(address: string, fail: Fail<'UNAVAILABLE'>): () => void {
    const count = this.#byAddress.get(address) ?? 0;
    if (this.#total >= this.#limits.total || count >= this.#limits.perAddress) {
      fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#total += 1;
    this.#byAddress.set(address, count + 1);
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    this.#total -= 1;
    const count = (this.#byAddress.get(address) ?? 1) - 1;
    if (count > 0) this.#byAddress.set(address, count);
    else this.#byAddress.delete(address);
  }
}
