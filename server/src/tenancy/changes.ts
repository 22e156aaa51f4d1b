import type { Database, Watch } from '../platform/db/database.ts';
import { recent } from '../platform/cache/recent.ts';
import { type Mark, type Shelf, shelfOf, TenantMemory } from './memory.ts';

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
/** Names that nobody has are the invention of whoever asks. */
const MAX_ABSENT = 2000;

/** Knows whether what was learned about a tenant may have changed since, on whichever node. */
export interface Changes {
  /** How much is remembered of one kind. */
  readonly remembers: number;
  /** What is remembered of tenants, in one place. */
  readonly tenants: TenantMemory;
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
    tenants: new TenantMemory(remembers),
    // Whole milliseconds: a fraction would be kept as an object of its own.
    mark: () => ({ turn, at: Math.floor(performance.now()) }),
    holdsSince(mark, tenantId) {
      const age = performance.now() - mark.at;
      return (
        age < (watch.isHeard() ? TOLD_MS : UNTOLD_MS) &&
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

/** What is remembered, at once; otherwise what the look-up will answer. */
export type Remembering<Value> = Value | Promise<Value | undefined>;

/**
 * Remembers what `load` answers for a key until the tenant that the answer belongs to changes. Requests that
 * ask at the same time share one look-up, unless something changed after it began; what is absent is remembered for a
 * second. Never for credentials.
 */
export function remembered<Key extends string, Value extends object>(
  changes: Changes,
  load: (key: Key, mark: Mark) => Promise<Value | undefined>,
  tenantOf: (value: Value) => string,
): (key: Key) => Remembering<Value> | undefined {
  return asking(changes, shelfOf<Key>(changes.remembers), load, tenantOf, () => true);
}

/** What is remembered of each tenant. */
export interface OfTenant<Id extends string, Value extends object> {
  find(tenantId: Id): Remembering<Value> | undefined;
  /** What is remembered and still right; asks for nothing. */
  known(tenantId: Id): Value | undefined;
  /** Remembers what came with another answer. @param mark from before that was asked for */
  learn(tenantId: Id, value: Value, mark: Mark): void;
}

/**
 * The same of what is asked for by tenant.
 * @param isCurrent whether an answer is still right that nobody changed: some grow old by themselves
 */
export function rememberedOfTenant<Id extends string, Value extends object>(
  changes: Changes,
  load: (tenantId: Id, mark: Mark) => Promise<Value | undefined>,
  nameOf: (value: Value, tenantId: Id) => string,
  isCurrent: (value: Value) => boolean = () => true,
): OfTenant<Id, Value> {
  const shelf = changes.tenants.shelf<Id>();
  return {
    find: asking(changes, shelf, load, nameOf, isCurrent),
    known: (tenantId) => rememberedIn(changes, shelf, tenantId, isCurrent),
    learn: (tenantId, value, { turn, at }) =>
      shelf.put(tenantId, { value, tenantId: nameOf(value, tenantId), turn, at }),
  };
}

function asking<Key extends string, Value extends object>(
  changes: Changes,
  shelf: Shelf<Key>,
  ask: (key: Key, mark: Mark) => Promise<Value | undefined>,
  tenantOf: (value: Value, key: Key) => string,
  isCurrent: (value: Value) => boolean,
): (key: Key) => Remembering<Value> | undefined {
  const underWay = new Map<Key, LookUp<Value>>();
  const absent = recent<Key, Mark>(MAX_ABSENT);

  async function load(key: Key, mark: Mark): Promise<Value | undefined> {
    const value = await ask(key, mark);
    if (value) shelf.put(key, { value, tenantId: tenantOf(value, key), ...mark });
    else {
      shelf.clear(key);
      absent.set(key, mark);
    }
    return value;
  }

  function look(key: Key): Promise<Value | undefined> {
    const mark = changes.mark();
    const answer = load(key, mark).finally(() => {
      if (underWay.get(key)?.answer === answer) underWay.delete(key);
    });
    underWay.set(key, { answer, mark });
    return answer;
  }

  return (key) => {
    const value = rememberedIn(changes, shelf, key, isCurrent);
    if (value) return value;
    const missed = absent.get(key);
    if (missed && changes.isRecent(missed)) return undefined;
    const pending = underWay.get(key);
    // One that began before a change may have read what was there before it.
    return pending && changes.isLatest(pending.mark) ? pending.answer : look(key);
  };
}

interface LookUp<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly mark: Mark;
}

function rememberedIn<Key, Value extends object>(
  changes: Changes,
  shelf: Shelf<Key>,
  key: Key,
  isCurrent: (value: Value) => boolean,
): Value | undefined {
  const entry = shelf.find(key);
  if (!entry || !changes.holdsSince(entry, entry.tenantId)) return undefined;
  const value = entry.value as Value;
  return isCurrent(value) ? value : undefined;
}
