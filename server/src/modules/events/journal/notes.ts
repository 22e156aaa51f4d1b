import type { AuditAction } from '@keywright/contract/audit';
import type { CountedMethod } from '@keywright/contract/activity';
import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Actor } from './actor.ts';
import type { NewEntry } from './mac.ts';
import { insertNotes } from './store.ts';
import { type Entry, type Waiting, PendingEntries } from './pending-entries.ts';

const EVERY_MS = 500;
const LOST = 'audit entries were lost: too many different ones at once';
/** Entries per statement, which delays others on an embedded database: a few milliseconds. */
const WRITTEN_AT_ONCE = 100;

type LoginFailed = 'auth.login_failed';

/**
 * An entry for what changed nothing. A failed login names what it is counted as in GET /activity; null: it goes on with
 * another step.
 */
type Note = Entry &
  (
    | { readonly action: Exclude<AuditAction, LoginFailed> }
    | { readonly action: LoginFailed; readonly method: CountedMethod | 'second_factor' | null }
  );

/**
 * Writes entries asynchronously: they are buffered for at most half a second and written in batches. Equal ones
 * become one entry with a count, so a flood of requests does not flood the log. The buffer is bounded: beyond that,
 * entries of a tenant and action lose actor and target, and keep the count.
 * What a client can repeat indefinitely, such as throttled attempts, is counted by address: one entry a minute. A
 * process that is killed loses that minute's count.
 */
export interface Notes {
  note(tenantId: TenantId, by: Actor, note: Note): void;
  /** Counts an attempt from this address. @param note holds nothing that the client can vary */
  count(tenantId: TenantId, from: Origin, note: Note): void;
  /** Flushes the buffer. */
  flush(): Promise<void>;
  /** Flushes the buffer, and accepts no more. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: CountActivity;
}

export function createNotes({ gate, clock, log, activity }: Dependencies): Notes {
  const room = new PendingEntries(clock);
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function write(everything: boolean): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { waiting, lost } = room.take(everything);
    schedule();
    if (lost > 0) log.error({ lost }, LOST);
    for (let start = 0; start < waiting.length; start += WRITTEN_AT_ONCE) {
      const some = waiting.slice(start, start + WRITTEN_AT_ONCE);
      try {
        await insertNotes(gate, byTenant(some));
      } catch (error) {
        log.error({ err: error, entries: some.length }, 'audit entries could not be written');
        if (!isUnavailable(error)) continue;
        room.giveBack(waiting.slice(start));
        return schedule();
      }
    }
  }

  function schedule(): void {
    if (room.isEmpty) return;
    timer ??= setTimeout(() => void inTurn(false), EVERY_MS).unref();
  }

  function inTurn(everything: boolean): Promise<void> {
    inFlight = inFlight.then(() => write(everything));
    return inFlight;
  }

  return {
    note(tenantId, by, note) {
      countFailure(activity, tenantId, note);
      room.keep(tenantId, by, entryIn(note));
      schedule();
    },
    count(tenantId, from, note) {
      if (note.action === LOGIN_FAILED) activity.count(tenantId, 'logins_throttled');
      room.count(tenantId, from, entryIn(note));
      schedule();
    },
    flush: () => inTurn(true),
    stop: () => inTurn(true).then(() => clearTimeout(timer)),
  };
}

const LOGIN_FAILED: LoginFailed = 'auth.login_failed';

function countFailure({ count }: CountActivity, tenantId: TenantId, note: Note): void {
  if (note.action !== LOGIN_FAILED || note.method === null) return;
  count(tenantId, `logins_failed.${note.method}`);
}

/** Equal entries are found by their fields: these, and no others. */
function entryIn({ action, target, outcome, details }: Note): Entry {
  return { action, target, ...(outcome && { outcome }), ...(details && { details }) };
}

function byTenant(waiting: readonly Waiting[]): ReadonlyMap<TenantId, readonly NewEntry[]> {
  const grouped = Map.groupBy(waiting, (one) => one.tenantId);
  return new Map([...grouped].map(([id, list]) => [id, list.map(countedEntry)]));
}

function countedEntry({ first, count, lastAt }: Waiting): NewEntry {
  if (count === 1) return first;
  return { ...first, count, details: { ...first.details, last_at: lastAt.toISOString() } };
}
