import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

const WRITTEN_AFTER_MS = 250;
const WRITTEN_AT_ONCE = 1000;

/** That a record was used, in the period that begins at `at`. */
export interface Use<Id extends string, Details = void> {
  readonly tenantId: TenantId;
  readonly id: Id;
  readonly at: Date;
  readonly details: Details;
}

/** Records that a record of a tenant was used. Never blocks, never throws. */
export type NoteUse<Id extends string, Details = void> = (
  tenantId: TenantId,
  id: Id,
  details: Details,
) => void;

/** When records were last used; written in the background. */
export interface Uses<Id extends string, Details = void> {
  readonly note: NoteUse<Id, Details>;
  /** Writes what was recorded, and waits for writes in progress. */
  stop(): Promise<void>;
}

interface Recorded<Id extends string, Details> {
  /** Their name in the log. */
  readonly what: string;
  readonly periodMs: number;
  readonly write: (uses: readonly Use<Id, Details>[]) => Promise<void>;
}

/** Each record is written at most once a period. After a failure, the next period tries again. */
export function createUses<Id extends string, Details = void>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  { what, periodMs, write }: Recorded<Id, Details>,
): Uses<Id, Details> {
  let period = 0;
  /** Used in this period. */
  const recorded = new Set<Id>();
  /** Those of them that are not written yet. */
  let waiting: Use<Id, Details>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, WRITTEN_AT_ONCE);
      waiting = waiting.slice(WRITTEN_AT_ONCE);
      try {
        await write(some);
      } catch (error) {
        log.warn({ err: error }, `the last use of some ${what} could not be written`);
      }
    }
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      inFlight = inFlight.then(writeAll);
    }, WRITTEN_AFTER_MS).unref();
  }

  return {
    note(tenantId, id, details) {
      const present = Math.floor(clock.now().getTime() / periodMs);
      if (present !== period) {
        period = present;
        recorded.clear();
      }
      if (recorded.has(id)) return;
      recorded.add(id);
      waiting.push({ tenantId, id, at: new Date(period * periodMs), details });
      writeSoon();
    },
    async stop() {
      clearTimeout(timer);
      inFlight = inFlight.then(writeAll);
      await inFlight;
    },
  };
}
