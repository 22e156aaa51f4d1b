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

interface Limits {
  /** Entries of all owners. */
  readonly max: number;
  /** Entries of one owner. */
  readonly maxOfOwner: number;
}

/**
 * A map whose entries have owners: an owner's entries never evict those of an owner with fewer. When the map is full,
 * the owner with the most entries loses its least recently used one; among equals, the least recently used owner
 * does. Eviction looks at every owner, so this map is for values that cost much more to get.
 */
export class FairCache<Owner, Key, Value> {
  readonly #limits: Limits;
  // Maps iterate in insertion order, which is the order of use here.
  readonly #shares = new Map<Owner, Map<Key, Value>>();
  #size = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get(owner: Owner, key: Key): Value | undefined {
    const value = this.#take(owner, key);
    if (value !== undefined) this.#put(owner, key, value);
    return value;
  }

  set(owner: Owner, key: Key, value: Value): void {
    this.#take(owner, key);
    const share = this.#put(owner, key, value);
    if (share.size > this.#limits.maxOfOwner) this.#evictFrom(owner, share);
    if (this.#size > this.#limits.max) this.#evict();
  }

  #take(owner: Owner, key: Key): Value | undefined {
    const share = this.#shares.get(owner);
    const value = share?.get(key);
    if (!share || value === undefined) return undefined;
    share.delete(key);
    this.#size -= 1;
    if (share.size === 0) this.#shares.delete(owner);
    return value;
  }

  #put(owner: Owner, key: Key, value: Value): Map<Key, Value> {
    const share = this.#shares.get(owner) ?? new Map<Key, Value>();
    this.#shares.delete(owner);
    this.#shares.set(owner, share.set(key, value));
    this.#size += 1;
    return share;
  }

  #evict(): void {
    let [most] = this.#shares;
    for (const share of this.#shares) if (most && share[1].size > most[1].size) most = share;
    if (most) this.#evictFrom(...most);
  }

  #evictFrom(owner: Owner, share: Map<Key, Value>): void {
    for (const oldest of share.keys()) {
      this.#take(owner, oldest);
      return;
    }
  }
}
