import type { Database, Watch } from '../platform/db/database.ts';

/** The channel that the database announces changed tenants on; the payload is the tenant. */
const CHANNEL = 'keywright_changes';
/** While announcements don't reach this node, nothing is believed for longer than this. */
const UNTOLD_MS = 500;
/** While they do, caches expire after this long all the same. */
const TOLD_MS = 10 * 60 * 1000;
/** Half of it is sure to be there: more than ten thousand tenants. */
const MAX_REMEMBERED = 25_000;
const MAX_CHANGED = 50_000;
/** That something is not there is believed for this long, and only until anything changes. */
const ABSENT_MS = 1000;

/** When something was asked for: what changed later than that makes the answer stale. */
export interface Mark {
  readonly turn: number;
  readonly at: number;
}

/** Knows whether what was learned about a tenant may have changed since, on whichever node. */
export interface Changes {
  /** How much is remembered of one kind. */
  readonly remembers: number;
  mark(): Mark;
  holdsSince(mark: Mark, tenantId: string): boolean;
  /** Whether nothing at all was changed since. */
  isLatest(mark: Mark): boolean;
  /** Whether it was a moment ago, and nothing at all was changed since. */
  isRecent(mark: Mark): boolean;
  /** This node changed a tenant: what it remembers of it, or reads at this moment, is stale. */
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
    // Whole milliseconds: a fraction would be kept as an object of its own.
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
