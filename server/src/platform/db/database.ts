import type { Kysely } from 'kysely';
import type { SharedClock } from '../clock.ts';
import type { DB } from './schema.ts';

declare const row: unique symbol;

/** Carries the type of the rows; it does not exist at run time. */
export interface Answering<Row> {
  readonly [row]?: Row;
}

/** A statement of a hot path. It is named, so that the server plans it only once per connection. */
export interface Statement<Row = unknown> extends Answering<Row> {
  readonly name: string;
  readonly text: string;
  /** The statement does not wait for the disk, so it need not wait behind statements that do. */
  readonly onlyReads: boolean;
  /** The statement takes milliseconds. It gets its own connection, so that others need not wait for it. */
  readonly takesLong: boolean;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: false, takesLong: false };
}

/** Defines a statement that only reads. */
export function lookUp<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: true, takesLong: false };
}

/** A subscription to notifications of the database. */
export interface Watch {
  /** Whether notifications currently reach this process. */
  isConnected(): boolean;
  stop(): Promise<void>;
}

/** A fault that prevents a process from using the database or from opening new connections to it. */
export interface DatabaseFault {
  readonly code: 'data_folder' | 'settings' | 'failover';
  /** One or two sentences for the log. */
  readonly detail: string;
}

/** Work whose statements have longer timeouts than those of requests. */
export type LongWork = 'maintenance' | 'migration';

/** A database. Only the tenancy layer holds one: everything else works through the gate. */
export interface Database {
  readonly engine: 'postgres' | 'embedded';
  /** The time of the database. Nodes use it instead of their own clocks, which may differ. */
  readonly clock: SharedClock;
  readonly kysely: Kysely<DB>;
  /** Returns Kysely with a longer timeout per statement. */
  kyselyFor(work: LongWork): Kysely<DB>;
  /** Number of connections by state; empty if there is only one. */
  connections(): Readonly<Record<string, number>>;
  /** Runs one statement in its own transaction. */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /** Runs one statement on a dedicated connection, so never behind waiting statements. Absent if there is only one. */
  readonly runAside?: <Row>(
    statement: Statement<Row>,
    values: readonly unknown[],
  ) => Promise<Row[]>;
  /**
   * Listens on a channel.
   * @param onMessage called with each payload
   * @param onGap called when notifications may have been missed
   */
  watch(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<Watch>;
  /**
   * Starts the maintenance that PostgreSQL leaves to its users, until `close`. Absent: it runs by itself.
   * @param onFailed called with failures, which are retried
   */
  startMaintenance?(onFailed: (error: unknown) => void): void;
  /** Regularly checks, until `close`, whether the database's address leads to a new primary. */
  startProbe?(): void;
  /**
   * Returns the fault that prevents this process from using the database, if one is known without a query. For
   * `/health` and operators.
   */
  fault?(): DatabaseFault | undefined;
  close(): Promise<void>;
}
