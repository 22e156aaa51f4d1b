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

/** Returns the entries for the default tenant's audit log about work across tenants, as JSON. */
export type DescribeSystemWork = (
  key: AuditKey,
  by: Caller | SystemActor,
  reason: string,
  on: TenantId | undefined,
  now: Date,
) => string;

/** Work across tenants. */
export class SystemData {
  readonly #database: Database;
  readonly #log: Log;
  readonly #describe: DescribeSystemWork;
  readonly #auditKeys: AuditKeys;
  readonly #clock: Clock;
  readonly #afterCommit: AfterCommit;
  /** Runs statements with the maintenance timeout. */
  readonly #patient: Kysely<DB>;

  constructor(
    database: Database,
    log: Log,
    describe: DescribeSystemWork,
    auditKeys: AuditKeys,
    clock: Clock = systemClock,
    afterCommit: AfterCommit = new AfterCommit(),
  ) {
    this.#database = database;
    this.#log = log;
    this.#describe = describe;
    this.#auditKeys = auditKeys;
    this.#clock = clock;
    this.#afterCommit = afterCommit;
    this.#patient = database.kyselyFor('maintenance');
  }

  /**
   * Runs requested work. The caller and the reason are logged first, and written to the audit log in the same
   * transaction as the work.
   * @param on the tenant concerned
   */
  async run<T>(
    by: Caller | SystemActor,
    reason: string,
    work: (tx: SystemTx) => Promise<T>,
    on?: TenantId,
  ): Promise<T> {
    const entries = await this.#announce(by, reason, on);
    const enter = (db: Transaction<DB>) => callWithin({ db }, recordSystemWork, { entries });
    return this.#inTransaction(this.#database.kysely, enter, work);
  }

  /**
   * Runs requested work in one round trip: a database function takes the audit entry first, and writes it before its
   * work. Resolves when both are committed.
   */
  async call<Arguments, Row>(
    by: Caller | SystemActor,
    reason: string,
    one: Statement & SystemCall<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]> {
    const values = one.values(await this.#announce(by, reason), given);
    return repeatedAfterConflict(() => this.#database.run(one, values));
  }

  /** Evicts this node's cached data of a tenant after a `call` changed it. */
  changed(tenantId: TenantId): void {
    this.#afterCommit.changed(tenantId);
  }

  /**
   * Runs the service's own work, and work that the audit log of the tenant concerned records anyway, with the
   * maintenance timeout.
   */
  maintain<T>(task: string, work: (tx: SystemTx) => Promise<T>): Promise<T> {
    this.#log.debug({ task }, 'maintenance');
    return this.#inTransaction(this.#patient, becomeSystem, work);
  }

  /** Logs the work. @returns the audit log entries for the transaction to write */
  async #announce(by: Caller | SystemActor, reason: string, on?: TenantId): Promise<string> {
    const actor = by.kind === 'system' ? by.name : by.subject;
    this.#log.info({ actor, reason }, 'work across tenants');
    const key = await findHomeKey(this.#database, this.#auditKeys);
    return key ? this.#describe(key, by, reason, on, this.#clock.now()) : '[]';
  }

  #inTransaction<T>(
    kysely: Kysely<DB>,
    enter: (db: Transaction<DB>) => Promise<unknown>,
    work: (tx: SystemTx) => Promise<T>,
  ): Promise<T> {
    return this.#afterCommit.follow((hooks) =>
      kysely.transaction().execute(async (db) => {
        await enter(db);
        const now = this.#clock.now();
        return work({ db, now, hooks, auditKeys: this.#auditKeys } as SystemTx);
      }),
    );
  }
}

/** Returns undefined before the first start, when the audit log does not exist yet. */
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
  // Not reached after a failure, because the transaction has ended.
  await becomeSystem(tx.db);
  return result;
}
