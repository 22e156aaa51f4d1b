import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { type Kysely, sql, type Transaction } from 'kysely';
import { enter as enterTenant } from '../../sql/tenancy/kw_enter.ts';
import { recordSystemWork } from '../../sql/tenancy/kw_record_system_work.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { callAs, callWithin, type SystemCall } from '../platform/db/calls.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { repeatedAfterConflict } from '../platform/db/failures.ts';
import type { DB } from '../platform/db/schema.ts';
import type { Log } from '../platform/log.ts';
import { AfterCommit, type CommitHooks } from './after-commit.ts';
import type { AuditKey, AuditKeys } from './audit-keys.ts';
import type { Caller, SystemActor } from './caller.ts';
import { type TenantTx, tenantTx } from './gate.ts';
import { findTenantRow, findWrappedDataKeyOf } from './lookup-store.ts';

declare const acrossTenants: unique symbol;

/** A transaction that sees every tenant. */
export interface SystemTx {
  readonly db: Transaction<DB>;
  /** Start time, by the service's clock. */
  readonly now: Date;
  readonly hooks: CommitHooks;
  readonly auditKeys: AuditKeys;
  readonly [acrossTenants]: true;
}

/** Work across tenants. */
export interface SystemData {
  /**
   * Requested work. Who requested it and why is logged before it runs, and written to the audit log in the transaction
   * of the work.
   */
  run<T>(
    by: Caller | SystemActor,
    reason: string,
    work: (tx: SystemTx) => Promise<T>,
    /** The tenant concerned. */
    on?: TenantId,
  ): Promise<T>;
  /**
   * The same in one round trip: a function that takes the audit entry first, and writes it before its work. The answer
   * comes when both are committed.
   */
  call<Arguments, Row>(
    by: Caller | SystemActor,
    reason: string,
    one: Statement & SystemCall<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]>;
  /** A `call` has changed cached data of a tenant: this node evicts it. */
  changed(tenantId: TenantId): void;
  /**
   * The service's own work, and work that the audit log of the tenant concerned records anyway. Its statements have the
   * timeout of maintenance.
   */
  maintain<T>(task: string, work: (tx: SystemTx) => Promise<T>): Promise<T>;
}

/** The entries of the default tenant's audit log about work across tenants, as JSON. */
export type DescribeSystemWork = (
  key: AuditKey,
  by: Caller | SystemActor,
  reason: string,
  on: TenantId | undefined,
  now: Date,
) => string;

export function createSystemData(
  database: Database,
  log: Log,
  describe: DescribeSystemWork,
  auditKeys: AuditKeys,
  clock: Clock = systemClock,
  afterCommit: AfterCommit = new AfterCommit(),
): SystemData {
  const { kysely } = database;
  const patient = database.kyselyFor('maintenance');
  function inTransaction<T>(
    db: Kysely<DB>,
    enter: (db: Transaction<DB>) => Promise<unknown>,
    work: (tx: SystemTx) => Promise<T>,
  ): Promise<T> {
    return afterCommit.follow((hooks) =>
      db.transaction().execute(async (tx) => {
        await enter(tx);
        return work({ db: tx, now: clock.now(), hooks, auditKeys } as SystemTx);
      }),
    );
  }
  const announce = announcing(database, log, describe, auditKeys, clock);
  return {
    async run(by, reason, work, on) {
      const entries = await announce(by, reason, on);
      return inTransaction(kysely, (db) => callWithin({ db }, recordSystemWork, { entries }), work);
    },
    async call(by, reason, one, given) {
      const values = one.values(await announce(by, reason), given);
      return repeatedAfterConflict(() => database.run(one, values));
    },
    changed: afterCommit.changed,
    maintain(task, work) {
      log.debug({ task }, 'maintenance');
      return inTransaction(patient, becomeSystem, work);
    },
  };
}

/** Logs who does what across tenants. @returns the entries of the audit log, for the caller to write */
function announcing(
  database: Database,
  log: Log,
  describe: DescribeSystemWork,
  auditKeys: AuditKeys,
  clock: Clock,
) {
  return async (by: Caller | SystemActor, reason: string, on?: TenantId): Promise<string> => {
    const actor = by.kind === 'system' ? by.name : by.subject;
    log.info({ actor, reason }, 'work across tenants');
    const key = await findHomeKey(database, auditKeys);
    return key ? describe(key, by, reason, on, clock.now()) : '[]';
  };
}

/** Undefined before the first start: there is no log to write to. */
async function findHomeKey(
  database: Database,
  auditKeys: AuditKeys,
): Promise<AuditKey | undefined> {
  const key = await auditKeys.find(DEFAULT_TENANT);
  if (key) return key;
  const wrapped = await findWrappedDataKeyOf(database, DEFAULT_TENANT);
  if (wrapped) return auditKeys.open(DEFAULT_TENANT, wrapped);
  if (!(await findTenantRow(database, { id: DEFAULT_TENANT }))) return undefined;
  throw new Error(`The tenant ${DEFAULT_TENANT} has no data key.`);
}

function becomeSystem(db: Transaction<DB>): Promise<unknown> {
  return sql`SELECT set_config('role', 'keywright_system', true)`.execute(db);
}

/** Runs a part of the work as one tenant, within the same transaction. */
export async function asTenant<T>(
  tx: SystemTx,
  tenantId: TenantId,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  await callAs({ db: tx.db, tenantId }, enterTenant, {});
  const result = await work(tenantTx(tx, tenantId));
  // After a failure the transaction has ended, and this is not reached.
  await becomeSystem(tx.db);
  return result;
}
