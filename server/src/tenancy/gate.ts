import type { TenantId } from '@keywright/contract/ids';
import type { Kysely, Transaction } from 'kysely';
import { enter } from '../../sql/tenancy/kw_enter.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Call, callAs, type TenantCall } from '../platform/db/calls.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import { repeatedAfterConflict } from '../platform/db/failures.ts';
import type { DB } from '../platform/db/schema.ts';
import { AfterCommit, type CommitHooks, type Follow, type Topic } from './after-commit.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from './audit-keys.ts';
import { findWrappedDataKeyIn } from './lookup-store.ts';

declare const entered: unique symbol;

/** A transaction that sees one tenant. Only the gate creates one; every store requires it. */
export interface TenantTx {
  readonly tenantId: TenantId;
  readonly db: Transaction<DB>;
  /** Start time, by the service's clock. */
  readonly now: Date;
  /** The key of the tenant's audit MACs. @throws Error when the tenant has no data key */
  readonly auditKey: () => Promise<AuditKey>;
  /** As in CommitHooks. */
  readonly afterCommit: (follow: Follow) => void;
  readonly publish: <Message>(to: Topic<Message>, message: Message) => void;
  /** Marks cached data of the tenant as changed: this node evicts it before the work returns. */
  readonly changed: () => void;
  readonly [entered]: true;
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
    one: Statement & TenantCall<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]> {
    return runRepeatably(this.#parts.database, one, one.values(this.tenantId, given));
  }
}

interface GateParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly afterCommit: AfterCommit;
  readonly auditKeys: AuditKeys;
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
    one: Statement & Call<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]> {
    return runRepeatably(this.#parts.database, one, one.values(given));
  }

  /** Notifies the subscribers of this process about a committed call. */
  publish<Message>(to: Topic<Message>, message: Message): void {
    this.#parts.afterCommit.publish(to, message);
  }
}

/** Runs one statement in its own transaction, without other effects. */
function runRepeatably<Row>(
  database: Database,
  one: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return repeatedAfterConflict(() => database.run(one, values));
}

/** The state of a transaction of one tenant or of all. */
interface TxState {
  readonly db: Transaction<DB>;
  readonly now: Date;
  readonly auditKeys: AuditKeys;
  readonly hooks: CommitHooks;
}

/** Returns the transaction for work within one tenant that has been entered. */
export function tenantTx({ db, now, auditKeys, hooks }: TxState, tenantId: TenantId): TenantTx {
  return {
    tenantId,
    db,
    now,
    auditKey: () => auditKeyIn(db, auditKeys, tenantId),
    afterCommit: (follow) => hooks.afterCommit(follow),
    publish: (to, message) => hooks.publish(to, message),
    changed: () => hooks.changed(tenantId),
  } as TenantTx;
}

/** For a gate that only reads. */
const NO_AUDIT_KEYS: AuditKeys = {
  known: () => undefined,
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
  const known = auditKeys.known(tenantId);
  if (known) return known;
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
    await callAs({ db, tenantId }, enter, {});
    return work(db);
  });
}
