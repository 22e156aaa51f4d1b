import type { TenantId } from '@keywright/contract/ids';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Caller, SystemActor } from './caller.ts';
import type { TenantTx } from './gate.ts';
import { createWakeups, type Later, type Wakeups } from './wakeups.ts';

declare const acrossTenants: unique symbol;

/** A transaction that sees every tenant. */
export interface SystemTx {
  readonly db: Transaction<DB>;
  /** When it began, by the service's clock. */
  readonly now: Date;
  readonly later: Later;
  readonly [acrossTenants]: true;
}

/** Work across tenants. */
export interface SystemData {
  /**
   * Work that somebody asked for. Who and why is logged before it runs, and written to the audit log in the
   * transaction of the work.
   */
  run<T>(
    by: Caller | SystemActor,
    reason: string,
    work: (tx: SystemTx) => Promise<T>,
    /** The tenant that it is about. */
    on?: TenantId,
  ): Promise<T>;
  /** The service's own work, and what the audit log of the one tenant concerned tells of anyway. */
  upkeep<T>(task: string, work: (tx: SystemTx) => Promise<T>): Promise<T>;
}

/** Writes to the audit log that somebody works across tenants. */
export type RecordSystemWork = (
  tx: SystemTx,
  by: Caller | SystemActor,
  reason: string,
  on: TenantId | undefined,
) => Promise<void>;

export function createSystemData(
  database: Database,
  log: Log,
  recordWork: RecordSystemWork,
  clock: Clock = systemClock,
  wakeups: Wakeups = createWakeups(),
): SystemData {
  const kysely: Kysely<DB> = database.kysely;
  function inTransaction<T>(work: (tx: SystemTx) => Promise<T>): Promise<T> {
    return wakeups.afterwards((later) =>
      kysely.transaction().execute(async (db) => {
        await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
        return work({ db, now: clock.now(), later } as SystemTx);
      }),
    );
  }
  return {
    run(by, reason, work, on) {
      const actor = by.kind === 'system' ? by.name : by.subject;
      log.info({ actor, reason }, 'work across tenants');
      return inTransaction(async (tx) => {
        await recordWork(tx, by, reason, on);
        return work(tx);
      });
    },
    upkeep(task, work) {
      log.debug({ task }, 'upkeep');
      return inTransaction(work);
    },
  };
}

/** Does a part of the work as one tenant, within the same transaction. */
export async function asTenant<T>(
  { db, now, later }: SystemTx,
  tenantId: TenantId,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  await sql`SELECT kw_enter(${tenantId})`.execute(db);
  const result = await work({ tenantId, db, now, ...later(tenantId) } as TenantTx);
  // Where the work failed the transaction is over, and this is not reached.
  await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
  return result;
}
