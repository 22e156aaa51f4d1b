import type { ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type Use, writeUses } from './uses-store.ts';

const MINUTE_MS = 60_000;
const WRITTEN_AFTER_MS = 250;
const WRITTEN_AT_ONCE = 1000;

/** Records that a key was used. Never blocks, never throws. */
export type NoteUse = (tenantId: TenantId, keyId: ApiKeyId) => void;

/** When keys were last used, to the minute; written in the background. */
export interface KeyUses {
  readonly note: NoteUse;
  /** Writes what was recorded, and waits for writes in progress. */
  stop(): Promise<void>;
}

/** Each key is written at most once a minute. After a failure, the next minute tries again. */
export function createKeyUses(gate: Gate, clock: Clock, log: Log): KeyUses {
  let minute = 0;
  /** Keys used in this minute, and those of them not yet written. */
  const recorded = new Set<ApiKeyId>();
  let waiting: Use[] = [];
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, WRITTEN_AT_ONCE);
      waiting = waiting.slice(WRITTEN_AT_ONCE);
      try {
        await writeUses(gate, some);
      } catch (error) {
        log.warn({ err: error }, 'the last use of some API keys could not be written');
      }
    }
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      inFlight = inFlight.then(write);
    }, WRITTEN_AFTER_MS).unref();
  }

  return {
    note(tenantId, keyId) {
      const present = Math.floor(clock.now().getTime() / MINUTE_MS);
      if (present !== minute) {
        minute = present;
        recorded.clear();
      }
      if (recorded.has(keyId)) return;
      recorded.add(keyId);
      waiting.push({ tenantId, keyId, at: new Date(minute * MINUTE_MS) });
      writeSoon();
    },
    async stop() {
      clearTimeout(timer);
      inFlight = inFlight.then(write);
      await inFlight;
    },
  };
}
