import type { Database, Watch } from '../platform/db/database.ts';

/** The channel of notifications about changed tenants; the payload is the tenant. */
const CHANNEL = 'keywright_changes';
/** The lifetime of cached data while notifications do not reach this node. */
const DISCONNECTED_TTL_MS = 500;
/** The lifetime of cached data while notifications reach this node. */
const CONNECTED_TTL_MS = 10 * 60 * 1000;
/** Capacity of each cache. At least half of it is retained: more than ten thousand tenants. */
const MAX_REMEMBERED = 25_000;
const MAX_CHANGED = 50_000;
/** An absent result is cached this long, and only until anything changes. */
const ABSENT_MS = 1000;

/** When a query started: later changes make its result stale. */
export interface QueryTime {
  readonly version: number;
  readonly at: number;
}

/** Tracks whether cached data of a tenant may have changed, on any node. */
export interface Changes {
  /** Capacity of each cache. */
  readonly remembers: number;
  now(): QueryTime;
  holdsSince(asOf: QueryTime, tenantId: string): boolean;
  /** Whether no tenant has changed since. */
  isLatest(asOf: QueryTime): boolean;
  /** Whether the query is recent, and no tenant has changed since. */
  isRecent(asOf: QueryTime): boolean;
  /** Records that this node changed a tenant: cached data and pending reads of it are stale. */
  readonly forget: (tenantId: string) => void;
  /** Whether this node is notified of changes by other nodes. */
  areAnnounced(): boolean;
  stop(): Promise<void>;
}

export async function watchChanges(
  database: Database,
  remembers = MAX_REMEMBERED,
): Promise<Changes> {
  const changedAt = new Map<string, number>();
  let version = 0;
  let everythingChangedAt = 0;

  function forgetEverything(): void {
    version += 1;
    everythingChangedAt = version;
    changedAt.clear();
  }

  function noteChange(tenantId: string): void {
    if (changedAt.size >= MAX_CHANGED) forgetEverything();
    version += 1;
    changedAt.set(tenantId, version);
  }

  const watch: Watch = await database.watch(CHANNEL, noteChange, forgetEverything);
  return {
    remembers,
    // Rounds to whole milliseconds: V8 stores a fraction as a separate object.
    now: () => ({ version, at: Math.floor(performance.now()) }),
    holdsSince(asOf, tenantId) {
      const age = performance.now() - asOf.at;
      return (
        age < (watch.isConnected() ? CONNECTED_TTL_MS : DISCONNECTED_TTL_MS) &&
        asOf.version >= everythingChangedAt &&
        asOf.version >= (changedAt.get(tenantId) ?? 0)
      );
    },
    isLatest: (asOf) => asOf.version === version,
    isRecent: (asOf) => asOf.version === version && performance.now() - asOf.at < ABSENT_MS,
    forget: noteChange,
    areAnnounced: () => watch.isConnected(),
    stop: () => watch.stop(),
  };
}
