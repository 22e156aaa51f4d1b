import type { Database, Watch } from '../platform/db/database.ts';

/** The channel of notifications about changed tenants; the payload is the tenant. */
const CHANNEL = 'keywright_changes';
/** While notifications do not reach this node, caches expire after this long. */
const UNTOLD_MS = 500;
/** While they do, caches still expire after this long. */
const TOLD_MS = 10 * 60 * 1000;
/** At least half of it is kept: more than ten thousand tenants. */
const MAX_REMEMBERED = 25_000;
const MAX_CHANGED = 50_000;
/** Absence is cached this long, and only until anything changes. */
const ABSENT_MS = 1000;

/** The time of a query: changes after it make the answer stale. */
export interface Mark {
  readonly turn: number;
  readonly at: number;
}

/** Knows whether cached data of a tenant may have changed since, on any node. */
export interface Changes {
  /** Capacity of each cache. */
  readonly remembers: number;
  mark(): Mark;
  holdsSince(mark: Mark, tenantId: string): boolean;
  /** Whether nothing was changed since, in any tenant. */
  isLatest(mark: Mark): boolean;
  /** Whether it was a moment ago, and nothing was changed since. */
  isRecent(mark: Mark): boolean;
  /** This node changed a tenant: cached data and pending reads of it are stale. */
  readonly forget: (tenantId: string) => void;
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
    // Whole milliseconds: V8 stores a fraction as a separate object.
    mark: () => ({ turn, at: Math.floor(performance.now()) }),
    holdsSince(mark, tenantId) {
      const age = performance.now() - mark.at;
      return (
        age < (watch.isConnected() ? TOLD_MS : UNTOLD_MS) &&
        mark.turn >= everythingChangedAt &&
        mark.turn >= (changedAt.get(tenantId) ?? 0)
      );
    },
    isLatest: (mark) => mark.turn === turn,
    isRecent: (mark) => mark.turn === turn && performance.now() - mark.at < ABSENT_MS,
    forget: noteChange,
    stop: () => watch.stop(),
  };
}
