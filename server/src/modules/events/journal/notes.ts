import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Actor } from './actor.ts';
import type { NewEntry } from './mac.ts';
import { insertNotes } from './store.ts';
import { type Note, type Waiting, PendingEntries } from './pending-entries.ts';

const EVERY_MS = 500;
/** Entries per statement, which delays others on an embedded database: a few milliseconds. */
const WRITTEN_AT_ONCE = 100;

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

export function createNotes(gate: Gate, clock: Clock, log: Log): Notes {
  const room = new PendingEntries(clock);
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function write(everything: boolean): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const { waiting, lost } = room.take(everything);
    schedule();
    if (lost > 0) log.error({ lost }, 'audit entries were lost: too many different ones at once');
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
      room.keep(tenantId, by, note);
      schedule();
    },
    count(tenantId, from, note) {
      room.count(tenantId, from, note);
      schedule();
    },
    flush: () => inTurn(true),
    async stop() {
      await inTurn(true);
      clearTimeout(timer);
    },
  };
}

function byTenant(waiting: readonly Waiting[]): ReadonlyMap<TenantId, readonly NewEntry[]> {
  const grouped = Map.groupBy(waiting, (one) => one.tenantId);
  return new Map([...grouped].map(([id, list]) => [id, list.map(countedEntry)]));
}

function countedEntry({ first, count, lastAt }: Waiting): NewEntry {
  if (count === 1) return first;
  return { ...first, count, details: { ...first.details, last_at: lastAt.toISOString() } };
}
