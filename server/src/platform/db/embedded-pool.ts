import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Results } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { DatabaseFault, Statement } from './database.ts';
import type { EmbeddedEngine } from './embedded-engine.ts';

/**
 * The part of `pg.Pool` that Kysely uses, on PGlite's only connection: its holder has exclusive use, and others
 * queue. PGlite's own `transaction` is not used, since concurrent queries deadlock with it.
 */
export class EmbeddedPool implements PostgresPool {
  readonly options = {};
  readonly #engine: EmbeddedEngine;
  #last: Promise<unknown> = Promise.resolve();

  constructor(engine: EmbeddedEngine) {
    this.#engine = engine;
  }

  /** @throws Error why the database cannot be used */
  async connect(): Promise<PostgresPoolClient> {
    const release = await this.#wait();
    try {
      await this.#engine.requireUsable();
    } catch (error) {
      release();
      throw error;
    }
    return {
      query: ((sql: string, values?: readonly unknown[]) =>
        this.#query(sql, values)) as PostgresPoolClient['query'],
      release,
    };
  }

  /** Waits for exclusive use. @returns the function that ends it */
  async #wait(): Promise<() => void> {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = released;
    await before;
    // PGlite answers synchronously: consecutive statements would block the event loop.
    await nextTurn();
    return resolve;
  }

  async query<Row>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const client = await this.connect();
    try {
      return await client.query<Row>(sql, values);
    } finally {
      client.release();
    }
  }

  /** Runs a statement in its own transaction, prepared if it has a name. */
  async run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (statement.name === '') return (await this.query<Row>(statement.text, values)).rows;
    const client = await this.connect();
    try {
      return rowsOf<Row>(await this.#engine.run(statement, values));
    } finally {
      client.release();
    }
  }

  /** @returns a function that stops listening */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onGap: () => void,
  ): Promise<() => Promise<void>> {
    const client = await this.connect();
    try {
      await this.#engine.listen(channel, { onMessage, onGap });
    } finally {
      client.release();
    }
    return () => this.#unlisten(channel);
  }

  async #unlisten(channel: string): Promise<void> {
    const release = await this.#wait();
    try {
      await this.#engine.unlisten(channel);
    } finally {
      release();
    }
  }

  fault(): DatabaseFault | undefined {
    return this.#engine.fault();
  }

  /** Works even if the database cannot be used. */
  async end(): Promise<void> {
    const release = await this.#wait();
    await this.#engine.close();
    release();
  }

  async #query<Row>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> {
    const result = await this.#engine.query(sql, values);
    const rows = rowsOf<Row>(result);
    return {
      command: commandOf(sql),
      rowCount: result.affectedRows || rows.length,
      rows,
    };
  }
}

function rowsOf<Row>(result: Results<unknown>): Row[] {
  const rows = result.rows as Row[];
  for (const row of rows) adoptBuffers(row);
  return rows;
}

/** Converts bytea values, which pg returns as Buffer and PGlite as Uint8Array. */
function adoptBuffers(row: unknown): void {
  const fields = row as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array) fields[name] = Buffer.from(value);
  }
}

function commandOf(sql: string): 'UPDATE' | 'DELETE' | 'INSERT' | 'SELECT' | 'MERGE' {
  const word = /^\s*([a-z]+)/i.exec(sql)?.[1]?.toUpperCase();
  return word === 'UPDATE' || word === 'DELETE' || word === 'INSERT' || word === 'MERGE'
    ? word
    : 'SELECT';
}
