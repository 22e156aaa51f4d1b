/**
 * A map of the most recently used entries, in two generations: used entries move to the young generation, and when
 * that holds half of `max`, the old one is dropped. A list in order of use would be written on each lookup, which
 * costs four times as much with ten thousand entries (ADR 11).
 */
export class Cache<Key, Value> {
  readonly #max: number;
  readonly #onEvict: (value: Value) => void;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /**
   * @param max maximum number of entries; the most recently used half is never evicted
   * @param onEvict called with each value that is dropped
   */
  constructor(max: number, onEvict: (value: Value) => void = () => {}) {
    this.#max = max;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: Key): Value | undefined {
    const fresh = this.#young.get(key);
    if (fresh !== undefined) return fresh;
    const aged = this.#old.get(key);
    if (aged === undefined) return undefined;
    this.#old.delete(key);
    this.#add(key, aged);
    return aged;
  }

  set(key: Key, value: Value): void {
    const before = this.#young.get(key) ?? this.#old.get(key);
    if (before !== undefined && before !== value) this.#onEvict(before);
    this.#old.delete(key);
    this.#add(key, value);
  }

  delete(key: Key): void {
    const before = this.#young.get(key) ?? this.#old.get(key);
    if (before !== undefined) this.#onEvict(before);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Evicts everything. */
  clear(): void {
    for (const value of [...this.#young.values(), ...this.#old.values()]) this.#onEvict(value);
    this.#young.clear();
    this.#old.clear();
  }

  #add(key: Key, value: Value): void {
    if (this.#young.size >= this.#max / 2 && !this.#young.has(key)) {
      for (const aged of this.#old.values()) this.#onEvict(aged);
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
