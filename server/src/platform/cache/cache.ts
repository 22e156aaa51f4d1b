/** A map that keeps the entries that were used last. */
export interface Cache<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/**
 * Two generations: what is used moves to the young one, and when that holds half of `max`, the old one is dropped. A list in
 * order of use would be written to with each look-up, which costs four times as much with ten thousand entries (ADR 11).
 * @param max entries at most; the half that was used last is always kept
 */
export function createCache<Key, Value>(max: number): Cache<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();

  function set(key: Key, value: Value): void {
    if (young.size >= max / 2 && !young.has(key)) {
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
      old.delete(key);
      set(key, value);
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
