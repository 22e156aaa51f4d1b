import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import type { Deadlines, Exchange } from './deadlines.ts';
import { isReadOnly } from './failures.ts';
import { greet } from './greeting.ts';

/** The part of `pg.Pool` that Kysely uses, with a timeout for each statement. */
export class LimitedPool implements PostgresPool {
  readonly options: object;
  readonly #pool: pg.Pool;
  readonly #deadlines: Deadlines;
  readonly #exchanges: WeakMap<pg.PoolClient, Exchange>;
  readonly #patience: number;

  /**
   * @param exchanges of the greeted connections; several pools may share them
   * @param patience multiple of the timeout that a statement may take
   */
  constructor(
    pool: pg.Pool,
    deadlines: Deadlines,
    exchanges: WeakMap<pg.PoolClient, Exchange>,
    patience: number,
  ) {
    this.options = pool.options;
    this.#pool = pool;
    this.#deadlines = deadlines;
    this.#exchanges = exchanges;
    this.#patience = patience;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    const exchange = this.#exchanges.get(client) ?? (await this.#greet(client));
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

  async #greet(client: pg.PoolClient): Promise<Exchange> {
    const exchange = this.#deadlines.watch(client);
    try {
      await greet(exchange, this.#deadlines.limitMs);
    } catch (error) {
      client.release(true);
      throw error;
    }
    this.#exchanges.set(client, exchange);
    return exchange;
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
