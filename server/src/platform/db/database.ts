import type { Kysely } from 'kysely';
import type { SharedClock } from '../clock.ts';
import type { DB } from './schema.ts';

declare const row: unique symbol;

/** The type of the rows; does not exist at run time. */
export interface Answering<Row> {
  readonly [row]?: Row;
}

/** A statement of a hot path: named, so that the server plans it once per connection. */
export interface Statement<Row = unknown> extends Answering<Row> {
  readonly name: string;
  readonly text: string;
  /** It does not wait for the disk, and so not behind statements that do. */
  readonly onlyReads: boolean;
  /** It takes milliseconds, which others must not wait for: it gets its own connection. */
  readonly takesLong: boolean;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: false, takesLong: false };
}

/** A statement that only reads. */
export function lookUp<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: true, takesLong: false };
}

/** Listens to notifications of the database. */
export interface Watch {
  /** Whether notifications currently reach this process. */
  isConnected(): boolean;
  stop(): Promise<void>;
}

/** What keeps a process from using the database, or from making new connections to it. */
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
  /** The same with a longer timeout per statement. */
  kyselyFor(work: LongWork): Kysely<DB>;
  /** Number of connections by state; empty if there is only one. */
  connections(): Readonly<Record<string, number>>;
  /** Runs one statement in its own transaction. */
  run<Row>(one: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /**
   * The same on a dedicated connection, so never behind waiting statements. Absent if there is only one connection.
   */
  readonly runAside?: <Row>(one: Statement<Row>, values: readonly unknown[]) => Promise<Row[]>;
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
  /** Checks regularly whether the address of the database leads to a new primary, until `close`. */
  startProbe?(): void;
  /**
   * What keeps this process from using the database, as far as it knows without a query; for `/health` and operators.
   */
  fault?(): DatabaseFault | undefined;
  close(): Promise<void>;
}
