import type { Kysely } from 'kysely';
import type { DB } from './schema.ts';

/** A statement of a path that is taken often: named, so that the server plans it once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(name: string, text: string): Statement {
  return { name, text };
}

/** A database. Only the tenancy layer holds one: everything else works through the gate. */
export interface Database {
  readonly engine: 'postgres' | 'embedded';
  readonly kysely: Kysely<DB>;
  /** Runs one statement in a transaction of its own. */
  run<Row>(one: Statement, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}
