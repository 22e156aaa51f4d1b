import type { SystemWork } from '@keywright/contract/audit';
import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { type Kysely, type QueryExecutorProvider, type Transaction, sql } from 'kysely';
import { enter as enterTenant } from '../../sql/tenancy/kw_enter.ts';
import { recordSystemWork } from '../../sql/tenancy/kw_record_system_work.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import {
  type BatchCall,
  type Call,
  type Placed,
  type SystemCall,
  type TenantCall,
  callAs,
  callWithin,
  rowsByPlace,
} from '../platform/db/calls.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { repeatedAfterConflict } from '../platform/db/failures.ts';
import type { DB } from '../platform/db/schema.ts';
import type { Log } from '../platform/log.ts';
import { AfterCommit, type CommitHooks, type Follow, type Topic } from './after-commit.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from './audit-keys.ts';
import type { Caller, SystemActor } from './caller.ts';
import { findTenantRow, findWrappedDataKeyIn, findWrappedDataKeyOf } from './lookup-store.ts';

/** Not exported, so that queries of stores start with `from`, `update` or `deleteFrom`. */
const entered: unique symbol = Symbol('entered');

/** A transaction that sees one tenant. Only the gate creates one; every store requires it. */
export interface TenantTx {
  readonly tenantId: TenantId;
  /** For inserts and raw SQL, which name the tenant themselves. */
  readonly db: Pick<Transaction<DB>, 'insertInto' | 'selectNoFrom'> & QueryExecutorProvider;
  /** Start time, by the service's clock. */
  readonly now: Date;
  /** The key of the tenant's audit MACs. @throws Error when the tenant has no data key */
  readonly auditKey: () => Promise<AuditKey>;
  /** As in CommitHooks. */
  readonly afterCommit: (follow: Follow) => void;
  readonly publish: <Message>(to: Topic<Message>, message: Message) => void;
  /** Marks cached data of the tenant as changed: this node evicts it before the work returns. */
  readonly changed: () => void;
  readonly [entered]: Transaction<DB>;
}

/** Access to one tenant's data. */
export class TenantData {
  readonly tenantId: TenantId;
  readonly #parts: GateParts;

  constructor(tenantId: TenantId, parts: GateParts) {
    this.tenantId = tenantId;
    this.#parts = parts;
  }

  /**
   * Runs `work` in one transaction; an exception rolls it back. No hashing, email or HTTP inside. After a deadlock,
   * `work` runs once more, so it must change nothing outside except values that the second run sets again.
   */
  transaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    const { database, clock, afterCommit, auditKeys } = this.#parts;
    const { tenantId } = this;
    // Each run has its own hooks: the hooks of a run that was rolled back never run.
    return repeatedAfterConflict(() =>
      afterCommit.follow((hooks) =>
        inTransaction(database.kysely, tenantId, (db) =>
          work(tenantTx({ db, now: clock.now(), auditKeys, hooks }, tenantId)),
        ),
      ),
    );
  }

  /** Returns the audit key, as in a transaction; undefined when the tenant has no data key. */
  auditKey(): Promise<AuditKey | undefined> {
    return this.#parts.auditKeys.find(this.tenantId);
  }

  /** Calls a function whose first argument is the tenant, in one statement. */
  call<Arguments, Row>(
    call: Statement & TenantCall<Arguments, Row>,
    args: NoInfer<Arguments>,
  ): Promise<Row[]> {
    return runRepeatably(this.#parts.database, call, call.values(this.tenantId, args));
  }
}

interface GateParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly afterCommit: AfterCommit;
  readonly auditKeys: AuditKeys;
}

/** An item of a batch. */
interface OfTenant {
  readonly tenant: TenantId;
}

/** The arguments of a function for many tenants. */
interface OfTenants {
  readonly tenants: readonly TenantId[];
}

/** The only access of modules to the database (layer 1 of tenant isolation: types). */
export class Gate {
  readonly #parts: GateParts;

  constructor(
    database: Database,
    clock: Clock = systemClock,
    afterCommit: AfterCommit = new AfterCommit(),
    auditKeys: AuditKeys = NO_AUDIT_KEYS,
  ) {
    this.#parts = { database, clock, afterCommit, auditKeys };
  }

  into(tenantId: TenantId): TenantData {
    return new TenantData(tenantId, this.#parts);
  }

  /** Calls a function for many tenants in one statement. The function enters each tenant separately. */
  callMany<Arguments extends OfTenants, Row>(
    call: Statement & Call<Arguments, Row>,
    args: NoInfer<Arguments>,
  ): Promise<Row[]> {
    return runRepeatably(this.#parts.database, call, call.values(args));
  }

  /**
   * Calls a function for each item, in one statement and one commit. Each call enters the tenant of its item.
   * @returns the rows of each item, in the order of the items
   */
  async callEach<Item extends OfTenant, Row>(
    call: Statement & BatchCall<Item, Row>,
    items: readonly NoInfer<Item>[],
  ): Promise<Placed<Row>[][]> {
    const rows = await runRepeatably(this.#parts.database, call, call.values(items));
    return rowsByPlace(items.length, rows);
  }

  /** Notifies the subscribers of this process about a committed call. */
  publish<Message>(to: Topic<Message>, message: Message): void {
    this.#parts.afterCommit.publish(to, message);
  }
}

/** Runs one statement in its own transaction, without other effects. */
function runRepeatably<Row>(
  database: Database,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return repeatedAfterConflict(() => database.run(statement, values));
}

/** The state of a transaction of one tenant or of all. */
interface TxState {
  readonly db: Transaction<DB>;
  readonly now: Date;
  readonly auditKeys: AuditKeys;
  readonly hooks: CommitHooks;
}

/** Returns the transaction for work within one tenant that has been entered. */
function tenantTx({ db, now, auditKeys, hooks }: TxState, tenantId: TenantId): TenantTx {
  return {
    tenantId,
    db,
    now,
    auditKey: () => auditKeyIn(db, auditKeys, tenantId),
    afterCommit: (follow) => hooks.afterCommit(follow),
    publish: (to, message) => hooks.publish(to, message),
    changed: () => hooks.changed(tenantId),
    [entered]: db,
  };
}

/** The tables whose rows belong to a tenant, each also as `table as alias`. */
type TenantTable = TableOfTenant | `${TableOfTenant} as ${string}`;
type TableOfTenant = {
  [Table in keyof DB]: DB[Table] extends { readonly tenant_id: unknown } ? Table : never;
}[keyof DB];
declare const queries: Transaction<DB>;

/** Starts a query of the tenant's rows. */
export function from<Table extends TenantTable>(
  tx: TenantTx,
  table: Table,
): ReturnType<typeof queries.selectFrom<Table>>;
export function from(tx: TenantTx, table: TableOfTenant) {
  return tx[entered].selectFrom(table).where(tenantOf(table), '=', tx.tenantId);
}

/** Starts an update of the tenant's rows. */
export function update<Table extends TenantTable>(
  tx: TenantTx,
  table: Table,
): ReturnType<typeof queries.updateTable<Table>>;
export function update(tx: TenantTx, table: TableOfTenant) {
  return tx[entered].updateTable(table).where(tenantOf(table), '=', tx.tenantId);
}

/** Starts a deletion of the tenant's rows. */
export function deleteFrom<Table extends TenantTable>(
  tx: TenantTx,
  table: Table,
): ReturnType<typeof queries.deleteFrom<Table>>;
export function deleteFrom(tx: TenantTx, table: TableOfTenant) {
  return tx[entered].deleteFrom(table).where(tenantOf(table), '=', tx.tenantId);
}

/** The column with the tenant, with the table or its alias, because joined tables have the column as well. */
function tenantOf(table: TenantTable) {
  const alias = table.slice(table.lastIndexOf(' ') + 1);
  return sql.ref<string>(`${alias}.tenant_id`);
}

/** For a gate that only reads. */
const NO_AUDIT_KEYS: AuditKeys = {
  cached: () => undefined,
  find: () => Promise.resolve(undefined),
  open: () => {
    throw new Error('This gate does not record anything.');
  },
};

/**
 * Reads the key within the transaction, which may have just created the tenant. Another connection would not see the
 * tenant, and might not be available.
 */
async function auditKeyIn(
  db: Transaction<DB>,
  auditKeys: AuditKeys,
  tenantId: TenantId,
): Promise<AuditKey> {
  const cached = auditKeys.cached(tenantId);
  if (cached) return cached;
  const wrapped = await findWrappedDataKeyIn(db, tenantId);
  if (!wrapped) throw new DataKeyGone(tenantId);
  return auditKeys.open(tenantId, wrapped);
}

function inTransaction<T>(
  kysely: Kysely<DB>,
  tenantId: TenantId,
  work: (db: Transaction<DB>) => Promise<T>,
): Promise<T> {
  return kysely.transaction().execute(async (db) => {
    await callAs({ db, tenantId }, enterTenant, {});
    return work(db);
  });
}

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
    reason: SystemWork,
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
    reason: SystemWork,
    call: Statement & SystemCall<Arguments, Row>,
    args: NoInfer<Arguments>,
  ): Promise<Row[]> {
    const values = call.values(await this.#announce(by, reason), args);
    return repeatedAfterConflict(() => this.#database.run(call, values));
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
  async #announce(by: Caller | SystemActor, reason: SystemWork, on?: TenantId): Promise<string> {
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
