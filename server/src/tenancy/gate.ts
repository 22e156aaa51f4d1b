import type { TenantId } from '@keywright/contract/ids';
import type { Kysely, Transaction } from 'kysely';
import { enter } from '../../sql/tenancy/kw_enter.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type Call, callAs, type TenantCall } from '../platform/db/calls.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';
import { AfterCommit, type CommitHooks, type Follow, type Topic } from './after-commit.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from './audit-keys.ts';
import { findWrappedDataKeyIn } from './lookup-store.ts';

declare const entered: unique symbol;

/** A transaction that sees one tenant. Only the gate makes one; every store asks for it. */
export interface TenantTx {
  readonly tenantId: TenantId;
  readonly db: Transaction<DB>;
  /** When it began, by the service's clock. */
  readonly now: Date;
  /** What the audit entries of the tenant are authenticated with. @throws when the tenant has no data key */
  readonly auditKey: () => Promise<AuditKey>;
  /** As of CommitHooks. */
  readonly afterCommit: (follow: Follow) => void;
  readonly publish: <Message>(to: Topic<Message>, message: Message) => void;
  /** What nodes remember of the tenant is changed: this node forgets it before the work returns. */
  readonly changed: () => void;
  readonly [entered]: true;
}

/** The way into one tenant's data. */
export interface TenantData {
  readonly tenantId: TenantId;
  /** Runs `work` in one transaction; what it throws rolls back. No hash, mail or HTTP inside. */
  transaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>;
  /** As in a transaction; nothing when the tenant has no data key. */
  auditKey(): Promise<AuditKey | undefined>;
  /** Calls a function that takes the tenant first and enters it, by one statement. */
  call<Arguments, Row>(
    one: Statement & TenantCall<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]>;
}

/** The arguments of a function that takes many tenants. */
interface OfTenants {
  readonly tenants: readonly TenantId[];
}

/** The only way from the modules to the database (net 1 of tenant isolation: types). */
export interface Gate {
  into(tenantId: TenantId): TenantData;
  /** Calls a function that takes many tenants and enters each by itself, by one statement. */
  callMany<Arguments extends OfTenants, Row>(
    one: Statement & Call<Arguments, Row>,
    given: NoInfer<Arguments>,
  ): Promise<Row[]>;
  /** Tells the subscribers of this process what a call has committed. */
  publish<Message>(to: Topic<Message>, message: Message): void;
}

export function createGate(
  database: Database,
  clock: Clock = systemClock,
  afterCommit: AfterCommit = new AfterCommit(),
  auditKeys: AuditKeys = NO_AUDIT_KEYS,
): Gate {
  return {
    into: (tenantId) => ({
      tenantId,
      transaction: (work) =>
        afterCommit.follow((hooks) =>
          inTransaction(database.kysely, tenantId, (db) =>
            work(tenantTx({ db, now: clock.now(), auditKeys, hooks }, tenantId)),
          ),
        ),
      auditKey: () => auditKeys.find(tenantId),
      call: (one, given) => database.run(one, one.values(tenantId, given)),
    }),
    callMany: (one, given) => database.run(one, one.values(given)),
    publish: afterCommit.publish,
  };
}

/** What a transaction holds, whichever tenants it sees. */
interface Held {
  readonly db: Transaction<DB>;
  readonly now: Date;
  readonly auditKeys: AuditKeys;
  readonly hooks: CommitHooks;
}

/** The transaction as one tenant's work sees it, once the tenant was entered. */
export function tenantTx({ db, now, auditKeys, hooks }: Held, tenantId: TenantId): TenantTx {
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

/** Of a gate that only reads. */
const NO_AUDIT_KEYS: AuditKeys = {
  known: () => undefined,
  find: () => Promise.resolve(undefined),
  open: () => {
    throw new Error('Nothing is recorded through this gate.');
  },
};

/**
 * Within a transaction, which sees a tenant that it has just made itself; another connection would neither see that, nor
 * be free for certain.
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
