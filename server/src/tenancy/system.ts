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
}

export function createSystemData(database: Database, log: Log): SystemData {
  const kysely: Kysely<DB> = database.kysely;
  return {
    run: (actor, reason, work) => {
      log.info({ actor, reason }, 'work across tenants');
      return kysely.transaction().execute(async (db) => {
        await sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
        return work({ db } as SystemTx);
      });
    },
  };
}

/** From here on the transaction works as this one tenant. */
export async function enterTenant({ db }: SystemTx, tenantId: TenantId): Promise<TenantTx> {
  await sql`SELECT kw_enter(${tenantId})`.execute(db);
  return { tenantId, db } as TenantTx;
}
