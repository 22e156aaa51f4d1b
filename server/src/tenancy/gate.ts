import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from './audit-keys.ts';
import { findWrappedDataKeyIn } from './lookup-store.ts';
import { createWakeups, type Wakeups } from './wakeups.ts';

declare const entered: unique symbol;

/** A transaction that sees one tenant. Only the gate makes one; every store asks for it. */
export interface TenantTx {
  readonly tenantId: TenantId;
  readonly db: Transaction<DB>;
  /** When it began, by the service's clock. */
  readonly now: Date;
  /** What the audit entries of the tenant are authenticated with. @throws when the tenant has no data key */
  readonly auditKey: () => Promise<AuditKey>;
  /** Deliveries are due for these endpoints. This node is told once this is committed, and never if it is not. */
  readonly wake: (webhookIds: readonly WebhookId[]) => void;
  /** Deliveries were queued that this node is to send: told in the same way. */
  readonly handOver: (queued: readonly string[]) => void;
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
  /** Runs one statement whose function takes the tenant first and enters it. */
  call<Row>(one: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** A call has queued deliveries that this node is to send. */
  handOver(queued: readonly string[]): void;
}

/** The only way from the modules to the database (net 1 of tenant isolation: types). */
export interface Gate {
  into(tenantId: TenantId): TenantData;
  /** One statement for many tenants: its function takes the tenants first and enters each by itself. */
  callMany<Row>(
    one: Statement,
    tenantIds: readonly TenantId[],
    values: readonly unknown[],
  ): Promise<Row[]>;
}

export function createGate(
  database: Database,
  clock: Clock = systemClock,
  wakeups: Wakeups = createWakeups(),
  auditKeys: AuditKeys = NO_AUDIT_KEYS,
): Gate {
  return {
    into: (tenantId) => ({
      tenantId,
      transaction: (work) =>
        wakeups.afterwards((later) =>
          inTransaction(database.kysely, tenantId, (db) =>
            work({
              tenantId,
              db,
              now: clock.now(),
              auditKey: () => auditKeyIn(db, auditKeys, tenantId),
              ...later(tenantId),
            } as TenantTx),
          ),
        ),
      auditKey: () => auditKeys.find(tenantId),
      call: (one, values) => database.run(one, [tenantId, ...values]),
      handOver: (queued) => wakeups.handOver(tenantId, queued),
    }),
    callMany: (one, tenantIds, values) => database.run(one, [[...tenantIds], ...values]),
  };
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
export async function auditKeyIn(
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
    await sql`SELECT kw_enter(${tenantId})`.execute(db);
    return work(db);
  });
}
