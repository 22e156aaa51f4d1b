import { recent } from '../platform/cache/recent.ts';

/** When something was asked for: what changed later than that makes the answer stale. */
export interface Mark {
  readonly turn: number;
  readonly at: number;
}

/** An answer, when it was asked for, and which tenant it belongs to. */
export interface Remembered extends Mark {
  readonly value: object;
  readonly tenantId: string;
}

/** Where answers of one kind are. */
export interface Shelf<Key> {
  find(key: Key): Remembered | undefined;
  put(key: Key, entry: Remembered): void;
  clear(key: Key): void;
}

/** A shelf that stands alone. */
export function shelfOf<Key>(max: number): Shelf<Key> {
  const known = recent<Key, Remembered>(max);
  return {
    find: (key) => known.get(key),
    put: (key, entry) => known.set(key, entry),
    clear: (key) => known.delete(key),
  };
}

interface Kept extends Remembered {
  readonly shelf: object;
  /** Of the same tenant, on another shelf. There are two or three. */
  readonly next: Kept | undefined;
}

/**
 * Shelves of what is asked for by tenant. All that is kept of one hangs together: a request asks for several kinds, and
 * each look among ten thousand tenants reads memory that is in no cache of the processor.
 */
export class TenantMemory {
  readonly #known;

  constructor(max: number) {
    this.#known = recent<string, Kept>(max);
  }

  shelf<TenantId extends string>(): Shelf<TenantId> {
    const known = this.#known;
    const shelf: Shelf<TenantId> = {
      find(tenantId) {
        let kept = known.get(tenantId);
        while (kept && kept.shelf !== shelf) kept = kept.next;
        return kept;
      },
      put(tenantId, { value, turn, at, tenantId: name }) {
        const next = without(known.get(tenantId), shelf);
        known.set(name, { value, turn, at, tenantId: name, shelf, next });
      },
      clear(tenantId) {
        const rest = without(known.get(tenantId), shelf);
        if (rest) known.set(tenantId, rest);
        else known.delete(tenantId);
      },
    };
    return shelf;
  }
}

function without(kept: Kept | undefined, shelf: object): Kept | undefined {
  if (!kept) return undefined;
  if (kept.shelf === shelf) return kept.next;
  const next = without(kept.next, shelf);
  return next === kept.next ? kept : { ...kept, next };
}
