import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import {
  type Actor,
  actorColumns,
  anonymous,
  type Change,
  entryOf,
  type NewEntry,
} from './audit-record.ts';

/** Maximum number of distinct entries waiting, per tenant and in total. */
const ENTRIES: Bounds = { ofTenant: 500, inAll: 4000 };
/** Maximum number of counted sources. */
const SOURCES: Bounds = { ofTenant: 500, inAll: 4000 };
/** Maximum number of kinds of floods; a tenant has at most as many as there are kinds of entries. */
const FLOODS: Bounds = { ofTenant: 50, inAll: 4000 };
/** Distinct entries that one unauthenticated address can cause within a window. Further ones are only counted. */
const MAX_OF_ANONYMOUS = 30;
/** Counted requests become one entry this many seconds after the first one. */
const COUNTED_SECONDS = 60;

/** An entry about an action that changed nothing, such as a failed login or a denial. */
export type Entry = Omit<Change, 'events' | 'count'>;

/** A waiting entry, and the number of its repetitions. */
export interface Waiting {
  readonly tenantId: TenantId;
  readonly first: NewEntry;
  count: number;
  lastAt: Date;
  /** The earliest time to write the entry. */
  readonly dueAt?: Date;
}

/**
 * Entries waiting to be written together. The buffer is bounded in total and per tenant: a flood in one tenant reduces
 * only the detail of its own entries.
 */
export class PendingEntries {
  readonly #clock: Clock;
  readonly #entries = new TenantBuffer<Waiting>(ENTRIES);
  readonly #sources = new TenantBuffer<Waiting>(SOURCES);
  readonly #floods = new TenantBuffer<Waiting>(FLOODS);
  readonly #anonymous = new TenantBuffer<AnonymousSource>(SOURCES);
  #lost = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether no entry is waiting, due or not. */
  get isEmpty(): boolean {
    return this.#entries.size + this.#sources.size + this.#floods.size === 0;
  }

  keep(tenantId: TenantId, by: Actor, note: Entry): void {
    const now = this.#clock.now();
    const name = nameOf(by, note);
    const pending = this.#entries.find(tenantId, name);
    // Only its first occurrence is described, because clients repeat most requests.
    if (pending) return repeat(pending, 1, now);
    if (by.kind === 'anonymous' && !this.#isModest(tenantId, by.from, now)) {
      this.count(tenantId, by.from, {
        ...note,
        target: { kind: note.target.kind, id: null },
        details: {
          reason: 'too many different entries from one IP address: targets and details are omitted',
        },
      });
      return;
    }
    const entry = { tenantId, first: entryOf(by, note, now), count: 1, lastAt: now };
    this.#addOrFold(this.#entries, name, entry);
  }

  /** Counts an action from this address as one entry per window, whatever the client sent. */
  count(tenantId: TenantId, from: Origin, note: Entry): void {
    const now = this.#clock.now();
    const name = JSON.stringify([clientNetwork(from.address), note]);
    const first = entryOf(anonymous(from), note, now);
    const entry = { tenantId, first, count: 1, lastAt: now, dueAt: after(now, COUNTED_SECONDS) };
    this.#addOrFold(this.#sources, name, entry);
  }

  /** Takes out the due entries, or all. `lost`: the number of entries that found no room since the last call. */
  take(everything: boolean): { readonly waiting: readonly Waiting[]; readonly lost: number } {
    const now = this.#clock.now();
    const isDue = ({ dueAt }: Waiting) => everything || dueAt === undefined || dueAt <= now;
    const all = [this.#entries, this.#sources, this.#floods];
    const taken = { waiting: all.flatMap((buffer) => buffer.takeOut(isDue)), lost: this.#lost };
    this.#anonymous.takeOut(({ until }) => until <= now);
    this.#lost = 0;
    return taken;
  }

  /** Queues entries again that could not be written, as far as there is room. */
  giveBack(waiting: readonly Waiting[]): void {
    for (const entry of waiting) this.#addOrFold(this.#entries, entry.first.id, entry);
  }

  #addOrFold(buffer: TenantBuffer<Waiting>, name: string, entry: Waiting): void {
    if (!this.#add(buffer, name, entry)) this.#fold(entry);
  }

  /** Adds an entry to an equal waiting entry, or as a new one. @returns whether there was room */
  #add(buffer: TenantBuffer<Waiting>, name: string, entry: Waiting): boolean {
    const pending = buffer.find(entry.tenantId, name);
    if (pending) {
      repeat(pending, entry.count, entry.lastAt);
      return true;
    }
    const added = buffer.add(entry.tenantId, name, entry);
    if (added.isAdded && added.displaced) this.#fold(added.displaced);
    return added.isAdded;
  }

  /** Reduces an entry to its action and outcome, when there are too many. */
  #fold({ tenantId, first, count, lastAt }: Waiting): void {
    const { action, target_kind: kind, outcome } = first;
    const note = {
      action,
      target: { kind, id: null },
      outcome,
      details: {
        reason: 'too many different entries in one interval: actors and targets are omitted',
      },
    };
    const entry = { tenantId, first: entryOf(FLOOD, note, lastAt), count, lastAt };
    if (!this.#add(this.#floods, JSON.stringify([action, kind, outcome]), entry))
      this.#lost += count;
  }

  /** Whether this address can cause another distinct entry. */
  #isModest(tenantId: TenantId, from: Origin, now: Date): boolean {
    const name = clientNetwork(from.address);
    const source = this.#anonymous.find(tenantId, name);
    const fresh = { entries: 1, until: after(now, COUNTED_SECONDS) };
    if (!source) return this.#anonymous.add(tenantId, name, fresh).isAdded;
    if (source.until <= now) Object.assign(source, fresh);
    else source.entries += 1;
    return source.entries <= MAX_OF_ANONYMOUS;
  }
}

function repeat(pending: Waiting, count: number, at: Date): void {
  pending.count += count;
  pending.lastAt = at;
}

/** An unauthenticated address: the number of entries that it has caused, and the end of its window. */
interface AnonymousSource {
  entries: number;
  until: Date;
}

const FLOOD: Actor = { kind: 'system', name: 'flood' };

function after(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000);
}

/** Everything in an entry except its request ID and its time. */
function nameOf(by: Actor, { action, target, outcome, details }: Entry): string {
  const { request_id: _, ...who } = actorColumns(by);
  return JSON.stringify([who, action, target, outcome, details]);
}

/** Limits of items per tenant, and in total. */
interface Bounds {
  readonly ofTenant: number;
  readonly inAll: number;
}

type Added<Item> =
  | { readonly isAdded: false }
  | { readonly isAdded: true; readonly displaced: Item | undefined };

/** Items by name, separately per tenant: a tenant with too many loses only its own. */
class TenantBuffer<Item> {
  readonly #bounds: Bounds;
  readonly #tenants = new Map<TenantId, Map<string, Item>>();
  #size = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#size;
  }

  find(tenantId: TenantId, name: string): Item | undefined {
    return this.#tenants.get(tenantId)?.get(name);
  }

  /**
   * Adds an item, if its tenant has room. At the total limit, the largest tenant loses its newest item.
   * @returns whether it was added, and the evicted item
   */
  add(tenantId: TenantId, name: string, item: Item): Added<Item> {
    const { ofTenant, inAll } = this.#bounds;
    const taken = this.#tenants.get(tenantId)?.size ?? 0;
    if (taken >= ofTenant) return { isAdded: false };
    const displaced = this.#size < inAll ? undefined : this.#displace(taken + 1);
    if (this.#size >= inAll) return { isAdded: false };
    const items = this.#tenants.get(tenantId) ?? new Map<string, Item>();
    this.#tenants.set(tenantId, items.set(name, item));
    this.#size += 1;
    return { isAdded: true, displaced };
  }

  /** Removes and returns the matching items. */
  takeOut(matches: (item: Item) => boolean): Item[] {
    const taken: Item[] = [];
    for (const [tenantId, items] of this.#tenants) {
      for (const [name, item] of items) {
        if (!matches(item)) continue;
        taken.push(item);
        this.#remove(tenantId, items, name);
      }
    }
    return taken;
  }

  /** Removes and returns the newest item of the largest tenant, if that has more than `than` items. */
  #displace(than: number): Item | undefined {
    let fullest: [TenantId, Map<string, Item>] | undefined;
    for (const entry of this.#tenants) {
      if (entry[1].size > (fullest?.[1].size ?? than)) fullest = entry;
    }
    if (!fullest) return undefined;
    const [tenantId, items] = fullest;
    const [name, item] = [...items].at(-1) ?? [];
    if (name !== undefined) this.#remove(tenantId, items, name);
    return item;
  }

  #remove(tenantId: TenantId, items: Map<string, Item>, name: string): void {
    if (items.delete(name)) this.#size -= 1;
    if (items.size === 0) this.#tenants.delete(tenantId);
  }
}
