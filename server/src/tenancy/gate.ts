import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { Database, Statement } from '../platform/db/database.ts';
import type { DB } from '../platform/db/schema.ts';
import { createWakeups, type Wakeups } from './wakeups.ts';

declare const entered: unique symbol;

/** A transaction that sees one tenant. Only the gate makes one; every store asks for it. */
export interface TenantTx {
  readonly tenantId: TenantId;
  readonly db: Transaction<DB>;
  /** When it began, by the service's clock. */
  readonly now: Date;
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
): Gate {
  return {
    into: (tenantId) => ({
      tenantId,
      transaction: (work) =>
        wakeups.afterwards((later) =>
          inTransaction(database.kysely, tenantId, (db) =>
            work({ tenantId, db, now: clock.now(), ...later(tenantId) } as TenantTx),
          ),
        ),
      call: (one, values) => database.run(one, [tenantId, ...values]),
      handOver: (queued) => wakeups.handOver(tenantId, queued),
    }),
    callMany: (one, tenantIds, values) => database.run(one, [[...tenantIds], ...values]),
  };
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
