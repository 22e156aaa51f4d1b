import type { Kysely } from 'kysely';
import type { DB } from './schema.ts';

declare const row: unique symbol;

/** What the database answers with rows of this type: nothing at run time. */
export interface Answering<Row> {
  readonly [row]?: Row;
}

/** A statement of a path that is taken often: named, so that the server plans it once per connection. */
export interface Statement<Row = unknown> extends Answering<Row> {
  readonly name: string;
  readonly text: string;
  /** It waits for no disk, and so not behind those that do. */
  readonly onlyReads: boolean;
  /** It takes milliseconds, which others must not wait for: it has a connection to itself meanwhile. */
  readonly takesLong: boolean;
}

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: false, takesLong: false };
}

/** A statement that only reads. */
export function lookUp<Row>(name: string, text: string): Statement<Row> {
  return { name, text, onlyReads: true, takesLong: false };
}

/** Listens to what the database announces. */
export interface Watch {
  /** Whether announcements reach this process right now. */
  isConnected(): boolean;
  stop(): Promise<void>;
}

/** Work whose statements may take longer than those of requests. */
export type LongWork = 'maintenance' | 'migration';

/** A database. Only the tenancy layer holds one: everything else works through the gate. */
export interface Database {
  readonly engine: 'postgres' | 'embedded';
  readonly kysely: Kysely<DB>;
  /** The same, with a longer limit to each statement. */
  kyselyFor(work: LongWork): Kysely<DB>;
  /** How many connections there are, by what they do; empty where there is but one. */
  connections(): Readonly<Record<string, number>>;
  /** Runs one statement in a transaction of its own. */
  run<Row>(one: Statement<Row>, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Listens on a channel.
   * @param onMessage called with each payload
   * @param onGap called when announcements may have been missed
   */
  watch(channel: string, onMessage: (payload: string) => void, onGap: () => void): Promise<Watch>;
  close(): Promise<void>;
}
