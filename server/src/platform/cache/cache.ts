/** A map that keeps the most recently used entries. */
export interface Cache<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  /** Evicts everything. */
  clear(): void;
}

/**
 * Two generations: used entries move to the young one, and when that holds half of `max`, the old one is dropped. A
 * list in order of use would be written on each lookup, which costs four times as much with ten thousand entries (ADR
 * 11).
 * @param max maximum number of entries; the most recently used half is always kept
 * @param onEvict called with each value that is dropped
 */
export function createCache<Key, Value>(
  max: number,
  onEvict: (value: Value) => void = () => {},
): Cache<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= max / 2 && !young.has(key)) {
      for (const aged of old.values()) onEvict(aged);
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get size() {
      return young.size + old.size;
    },
    get(key) {
      const fresh = young.get(key);
      if (fresh !== undefined) return fresh;
      const aged = old.get(key);
      if (aged === undefined) return undefined;
      old.delete(key);
      set(key, aged);
      return aged;
    },
    set(key, value) {
      const before = young.get(key) ?? old.get(key);
      if (before !== undefined && before !== value) onEvict(before);
      old.delete(key);
      set(key, value);
    },
    delete(key) {
      const before = young.get(key) ?? old.get(key);
      if (before !== undefined) onEvict(before);
      young.delete(key);
      old.delete(key);
    },
    clear() {
      for (const value of [...young.values(), ...old.values()]) onEvict(value);
      young.clear();
      old.clear();
    },
  };
}
