import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import type { Exchange } from './deadlines.ts';
import { isReadOnly } from './failures.ts';
import type { GreetedPool } from './greeted-pool.ts';

/** The part of `pg.Pool` that Kysely uses, with a timeout for each statement. */
export class LimitedPool implements PostgresPool {
  readonly options = {};
  readonly #pool: GreetedPool;
  readonly #patience: number;

  /** @param patience multiplier of the statement timeout */
  constructor(pool: GreetedPool, patience: number) {
    this.#pool = pool;
    this.#patience = patience;
  }

  async connect(): Promise<PostgresPoolClient> {
    const { client, exchange } = await this.#pool.connect();
    exchange.patience = this.#patience;
    exchange.isHeld = true;
    return {
      query: ((sql: string, values?: readonly unknown[]) =>
        ask(client, exchange, sql, values)) as PostgresPoolClient['query'],
      release: (error?: Error | boolean) => {
        exchange.isHeld = false;
        client.release(error);
      },
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

  end(): Promise<void> {
    return this.#pool.end();
  }
}

async function ask<Row>(
  client: pg.ClientBase,
  exchange: Exchange,
  sql: string,
  values: readonly unknown[] = [],
): Promise<PostgresQueryResult<Row>> {
  exchange.sent();
  try {
    const result: pg.QueryResult = await client.query(sql, [...values]);
    return result as PostgresQueryResult<Row>;
  } catch (error) {
    if (isReadOnly(error)) exchange.drop(error as Error);
    throw error;
  } finally {
    exchange.answered();
  }
}
