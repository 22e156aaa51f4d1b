/** Bits of a tenant that were set, between two versions of its lists. */
export interface StatusChange {
  /** Earlier changes include everything that was set up to this version. */
  readonly from: number;
  readonly version: number;
  /** Numbered over all lists; undefined when there are too many to list. */
  readonly bits: readonly number[] | undefined;
}

const MAX_BITS = 10_000;
const MAX_CHANGES = 1000;

/** The latest changes of a tenant, for readers who missed some. */
export class ChangeLog {
  #changes: StatusChange[] = [];
  #bits = 0;

  add(change: StatusChange): void {
    if (change.bits === undefined) {
      this.#changes = [];
      this.#bits = 0;
      return;
    }
    this.#changes.push(change);
    this.#bits += change.bits.length;
    while (this.#bits > MAX_BITS || this.#changes.length > MAX_CHANGES) {
      this.#bits -= this.#changes.shift()?.bits?.length ?? 0;
    }
  }

  /** All changes after a version, combined; undefined if not all of them are here. */
  since(version: number): StatusChange | undefined {
    const missed = this.#changes.filter((change) => change.version > version);
    const [first, last] = [missed[0], missed.at(-1)];
    if (!first || !last || first.from > version) return undefined;
    const bits = missed.flatMap((change) => change.bits ?? []);
    return { from: first.from, version: last.version, bits };
  }
}
