import type { TenantId } from '@keywright/contract/ids';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';
import type { Log } from '../platform/log.ts';
import type { TenantTx } from './gate.ts';

declare const acrossTenants: unique symbol;

/** A transaction that sees every tenant. */
export interface SystemTx {
  readonly db: Transaction<DB>;
  readonly [acrossTenants]: true;
}

/** Work across tenants. Each use says who does it and why, and is logged before it runs. */
export interface SystemData {
  run<T>(actor: string, reason: string, work: (tx: SystemTx) => Promise<T>): Promise<T>;
  /** Records that somebody is let into a tenant that is not theirs. */
  record(actor: string, reason: string): void;
}

export function createSystemData(database: Database, log: Log): SystemData {
  const kysely: Kysely<DB> = database.kysely;
  return {
    record: (actor, reason) => log.info({ actor, reason }, 'work across tenants'),
    run: (actor, reason, work) => {
      log.info({ actor, reason }, 'work across tenants');
      return kysely.transaction().execute(async (db) => {
        await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
        return work({ db } as SystemTx);
      });
    },
  };
}

/** Does a part of the work as one tenant, within the same transaction. */
export async function asTenant<T>(
  { db }: SystemTx,
  tenantId: TenantId,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  await sql`SELECT kw_enter(${tenantId})`.execute(db);
  const result = await work({ tenantId, db } as TenantTx);
  // Where the work failed the transaction is over, and this is not reached.
  await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
  return result;
}
