import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import { type Actor, actorColumns } from './actor.ts';
import { type Change, entryOf, type NewEntry } from './change.ts';

/** How many different entries wait at the most, and how many more of floods. */
const MAX_WAITING = 2000;
const MAX_FLOODS = 500;

/** An entry of the audit log for what changed nothing, such as a failed login or a denial. */
export type Note = Omit<Change, 'events' | 'count'>;

/** An entry that waits, and how often the same came again. */
export interface Waiting {
  readonly tenantId: TenantId;
  readonly first: NewEntry;
  count: number;
  lastAt: Date;
}

export interface WaitingRoom {
  keep(tenantId: TenantId, by: Actor, note: Note): void;
  /** Empties it. `lost`: how many found no room since the last time. */
  takeAll(): { readonly waiting: readonly Waiting[]; readonly lost: number };
  /** What could not be written waits on, as far as there is room. */
  giveBack(waiting: readonly Waiting[]): void;
}

/** Where entries wait to be written together. It is bounded, whatever comes. */
export function createWaitingRoom(clock: Clock): WaitingRoom {
  let waiting = new Map<string, Waiting>();
  let lost = 0;

  function tryToKeep(tenantId: TenantId, by: Actor, note: Note, limit: number): boolean {
    const key = keyOf(tenantId, by, note);
    const known = waiting.get(key);
    if (!known && waiting.size >= limit) return false;
    const now = clock.now();
    const one = known ?? { tenantId, first: entryOf(by, note, now), count: 0, lastAt: now };
    one.count += 1;
    one.lastAt = now;
    waiting.set(key, one);
    return true;
  }

  return {
    keep(tenantId, by, note) {
      const isKept =
        tryToKeep(tenantId, by, note, MAX_WAITING) ||
        tryToKeep(tenantId, FLOOD, floodOf(note), MAX_WAITING + MAX_FLOODS);
      if (!isKept) lost += 1;
    },
    takeAll() {
      const taken = { waiting: [...waiting.values()], lost };
      waiting = new Map();
      lost = 0;
      return taken;
    },
    giveBack(taken) {
      for (const one of taken) {
        if (waiting.size < MAX_WAITING) waiting.set(one.first.id, one);
        else lost += one.count;
      }
    },
  };
}

const FLOOD: Actor = { kind: 'system', name: 'flood' };

/** What is left of a note when there are too many: that it was, and how it came out. */
function floodOf({ action, target, outcome }: Note): Note {
  return {
    action,
    target: { kind: target.kind, id: null },
    ...(outcome ? { outcome } : {}),
    details: { reason: 'too many different ones at once: who and what is not told' },
  };
}

/** Everything that an entry tells but its request and its time. */
function keyOf(tenantId: TenantId, by: Actor, { action, target, outcome, details }: Note): string {
  const { request_id: _, ...who } = actorColumns(by);
  return JSON.stringify([tenantId, who, action, target, outcome, details]);
}
