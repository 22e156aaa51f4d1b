import { recent } from '../platform/cache/recent.ts';
import type { Database, Watch } from '../platform/db/database.ts';

/** The channel that the database announces changed tenants on; the payload is the tenant. */
const CHANNEL = 'keywright_changes';
/** While announcements don't reach this node, nothing is believed for longer than this. */
const UNTOLD_MS = 500;
/** While they do, what is remembered is asked for anew now and then all the same. */
const TOLD_MS = 10 * 60 * 1000;
const MAX_REMEMBERED = 20_000;
const MAX_CHANGED = 50_000;

/** When something was asked for: what changed later than that makes the answer stale. */
interface Mark {
  readonly turn: number;
  readonly at: number;
}

/** Knows whether what was learned about a tenant may have changed since, on whichever node. */
export interface Changes {
  /** How much is remembered of one kind. */
  readonly remembers: number;
  mark(): Mark;
  holdsSince(mark: Mark, tenantId: string): boolean;
  stop(): Promise<void>;
}

export async function watchChanges(
  database: Database,
  remembers = MAX_REMEMBERED,
): Promise<Changes> {
  const changedAt = new Map<string, number>();
  let turn = 0;
  let everythingChangedAt = 0;

  function forgetEverything(): void {
    turn += 1;
    everythingChangedAt = turn;
    changedAt.clear();
  }

  function noteChange(tenantId: string): void {
    if (changedAt.size >= MAX_CHANGED) forgetEverything();
    turn += 1;
    changedAt.set(tenantId, turn);
  }

  const watch: Watch = await database.watch(CHANNEL, noteChange, forgetEverything);
  return {
    remembers,
    mark: () => ({ turn, at: performance.now() }),
    holdsSince(mark, tenantId) {
      const age = performance.now() - mark.at;
      return (
        age < (watch.isHeard() ? TOLD_MS : UNTOLD_MS) &&
        mark.turn >= everythingChangedAt &&
        mark.turn >= (changedAt.get(tenantId) ?? 0)
      );
    },
    stop: () => watch.stop(),
  };
}

interface Remembered<Value> {
  readonly value: Value;
  readonly tenantId: string;
  readonly turn: number;
  readonly at: number;
}

/**
 * Remembers what `load` answers for a key until the tenant that the answer belongs to changes. Requests that
 * ask at the same time share one look-up; what is absent is not remembered. Never for credentials.
 * @param isCurrent whether an answer is still right that nobody changed: some grow old by themselves
 */
export function remembered<Key extends string, Value extends object>(
  changes: Changes,
  load: (key: Key) => Promise<Value | undefined>,
  tenantOf: (value: Value, key: Key) => string,
  isCurrent: (value: Value) => boolean = () => true,
): (key: Key) => Promise<Value | undefined> {
  const known = recent<Key, Remembered<Value>>(changes.remembers);
  const underWay = new Map<Key, Promise<Value | undefined>>();

  async function look(key: Key): Promise<Value | undefined> {
    const mark = changes.mark();
    try {
      const value = await load(key);
      if (value) known.set(key, { value, tenantId: tenantOf(value, key), ...mark });
      else known.delete(key);
      return value;
    } finally {
      underWay.delete(key);
    }
  }

  return async (key) => {
    const entry = known.get(key);
    if (entry && changes.holdsSince(entry, entry.tenantId) && isCurrent(entry.value)) {
      return entry.value;
    }
    const pending = underWay.get(key) ?? look(key);
    underWay.set(key, pending);
    return pending;
  };
}
