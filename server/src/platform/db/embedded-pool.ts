import type { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

/**
 * The part of `pg.Pool` that Kysely uses, on the one connection that PGlite has: whoever holds it is alone
 * with it, the others wait in line. PGlite's own `transaction` is not used: a query beside it deadlocks.
 */
export class EmbeddedPool implements PostgresPool {
  readonly options = {};
  readonly #pglite: PGlite;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  async connect(): Promise<PostgresPoolClient> {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = released;
    await before;
    return {
      query: ((sql: string, values?: readonly unknown[]) =>
        this.#run(sql, values)) as PostgresPoolClient['query'],
      release: () => resolve(),
    };
  }

  async query<Row>(sql: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const client = await this.connect();
    try {
      return await client.query<Row>(sql, values);
    } finally {
      client.release();
    }
  }

  /** @returns the way to stop listening */
  async listen(
    channel: string,
    onMessage: (payload: string) => void,
  ): Promise<() => Promise<void>> {
    const client = await this.connect();
    try {
      await this.#pglite.listen(channel, onMessage);
    } finally {
      client.release();
    }
    return () => this.#unlisten(channel);
  }

  async #unlisten(channel: string): Promise<void> {
    const client = await this.connect();
    try {
      await this.#pglite.unlisten(channel);
    } finally {
      client.release();
    }
  }

  async end(): Promise<void> {
    const client = await this.connect();
    await this.#pglite.close();
    client.release();
  }

  async #run<Row>(sql: string, values: readonly unknown[] = []): Promise<PostgresQueryResult<Row>> {
    const result =
      values.length === 0
        ? (await this.#pglite.exec(sql)).at(-1)
        : await this.#pglite.query(sql, [...values]);
    const rows = (result?.rows ?? []) as Row[];
    for (const row of rows) adoptBuffers(row);
    return {
      command: commandOf(sql),
      rowCount: result?.affectedRows || rows.length,
      rows,
    };
  }
}

/** pg answers bytea as Buffer, PGlite as Uint8Array. */
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
