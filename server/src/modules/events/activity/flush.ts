import type { TenantId } from '@keywright/contract/ids';
import { isAbandoned, isUnavailable } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import type { ActivityCounts, SpanCounts } from '../../../tenancy/activity.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { addCounts } from './store.ts';

const EVERY_MS = 5000;
/** Tenants whose counts one statement writes, which delays others on an embedded database. */
const WRITTEN_AT_ONCE = 100;
/** Statements each time. With more active tenants than these write, counts wait for longer. */
const STATEMENTS = 5;

/** Writes what this node has counted. */
export interface ActivityWriter {
  start(): void;
  /** What was counted in one tenant, so that an answer of this node includes it. */
  flush(tenantId: TenantId): Promise<void>;
  /** Writes everything. */
  stop(): Promise<void>;
}

export function createActivityWriter(
  gate: Gate,
  waiting: ActivityCounts,
  log: Log,
): ActivityWriter {
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<void> = Promise.resolve();

  async function write(taken: readonly SpanCounts[]): Promise<void> {
    try {
      await addCounts(gate, taken);
    } catch (error) {
      log.warn({ err: error, tenants: taken.length }, 'activity could not be written');
      if (isUnavailable(error) || isAbandoned(error)) waiting.giveBack(taken);
    }
  }

  /** Sequentially: one connection of the pool is enough for this. */
  function inTurn(take: () => readonly SpanCounts[]): Promise<void> {
    inFlight = inFlight.then(() => write(take()));
    return inFlight;
  }

  async function writeSome(statements: number): Promise<void> {
    for (let n = 0; n < statements && waiting.size > 0; n += 1) {
      await inTurn(() => waiting.take(WRITTEN_AT_ONCE));
    }
  }

  function tick(): void {
    const lost = waiting.takeLost();
    if (lost > 0) log.warn({ lost }, 'activity was not counted: too many tenants at once');
    void writeSome(STATEMENTS);
  }

  return {
    start() {
      timer = setInterval(tick, EVERY_MS).unref();
    },
    flush: (tenantId) => inTurn(() => waiting.takeOf(tenantId)),
    async stop() {
      clearInterval(timer);
      // What comes back, because the database is gone, does not keep the node.
      await writeSome(Math.ceil(waiting.size / WRITTEN_AT_ONCE));
      await inFlight;
    },
  };
}
