/** A map that keeps what was used lately. */
export interface Recent<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

/**
 * Two maps: what is used moves to the young one, and when that is half of `max`, the old one goes as a whole. A
 * list in the order of use, which is what a cache usually keeps, is written to with each look-up, in places that
 * are in no cache of the processor once there are many entries.
 * @param max entries at the most; half as many that were used last are sure to be there
 */
export function recent<Key, Value>(max: number): Recent<Key, Value> {
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
