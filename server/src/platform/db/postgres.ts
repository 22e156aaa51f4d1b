import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { DatabaseClock } from '../clock.ts';
import { type Database, type LongWork, type Statement, lookUp } from './database.ts';
import { Deadlines, type Exchange } from './deadlines.ts';
import { isOutOfConnections, isReadOnly } from './failures.ts';
import { GreetedPool } from './greeted-pool.ts';
import { greet } from './greeting.ts';
import { GrownTables } from './grown-tables.ts';
import { leastBusy, makeRoom, PipelinedConnection } from './pipelined.ts';
import { NOW_IN_MS, PostgresWatch } from './postgres-watch.ts';
import type { DB } from './schema.ts';

/**
 * Connections for statements that only read, and for writes. A write occupies its connection until its commit is on
 * disk.
 */
const READING_CONNECTIONS = 2;
const WRITING_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5000;
/** A dead idle connection ends after this time and ten probes at one-second intervals. */
const KEEP_ALIVE_MS = 5000;
const STATEMENT_TIMEOUT_MS = 5000;
const readTime = lookUp<{ now: number }>('kw_time', `SELECT ${NOW_IN_MS} AS now`);
/** Multipliers of the statement timeout: one minute and over an hour with the default timeout. */
const PATIENCE: Readonly<Record<LongWork, number>> = { maintenance: 12, migration: 1000 };

export interface PostgresOptions {
  /** A statement without a result after this time ends its connection. Default 5 s. */
  readonly statementTimeoutMs?: number;
  /** Called once when the connection goes through a pooler, which drops notifications. */
  readonly onPooled?: () => void;
  /** Whether to store settings for the role behind a pooler. Default true. */
  readonly storesSettings?: boolean;
}

/**
 * A PostgreSQL server.
 * @param onError called for broken connections
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  options: PostgresOptions = {},
): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS, onPooled = () => undefined } = options;
  const connection = connectionTo(url, statementTimeoutMs);
  const deadlines = new Deadlines(statementTimeoutMs);
  const pipelined = () => new PipelinedConnection(connection, deadlines, onError);
  const reading = Array.from({ length: READING_CONNECTIONS }, pipelined);
  const writing = Array.from({ length: WRITING_CONNECTIONS }, pipelined);
  const aside = pipelined();
  const pipes = [...reading, ...writing];
  const onFull = () => makeRoom(pipes);
  const pool = new GreetedPool(connection, deadlines, onError, onFull, options.storesSettings);
  const short = new LimitedPool(pool, 1);
  const long = new LimitedPool(pool, PATIENCE.maintenance);
  const migration = kyselyOn(new LimitedPool(pool, PATIENCE.migration));
  const maintenance = kyselyOn(long);
  const grownTables = new GrownTables(maintenance);
  const probe = new PrimaryProbe(connection, deadlines);
  const clock = new DatabaseClock(() => findTime(reading, short));
  return {
    engine: 'postgres',
    clock,
    kysely: kyselyOn(short),
    kyselyFor: (work) => ({ maintenance, migration })[work],
    connections: () => pool.counts,
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      // Unnamed: behind a pooler a named statement would be prepared in one process and executed in another.
      if (statement.takesLong) return (await long.query(statement.text, values)).rows as Row[];
      return runOn<Row>(statement.onlyReads ? reading : writing, short, statement, values);
    },
    runAside: (statement, values) => aside.run(statement, values),
    async watch(channel, onMessage, onGap) {
      const subscriber = { onMessage, onGap, onError, onPooled, clock };
      return new PostgresWatch(connection, deadlines, channel, subscriber);
    },
    startMaintenance: (onFailed) => grownTables.start(onFailed),
    startProbe: () => probe.start(),
    fault: () => deadlines.fault,
    async close() {
      for (const service of [clock, probe]) service.stop();
      deadlines.endAll();
      await grownTables.stop();
      await Promise.all([pool.end(), ...[...pipes, aside].map((pipe) => pipe.close())]);
      deadlines.stop();
    },
  };
}

async function findTime(
  reading: readonly PipelinedConnection[],
  pool: LimitedPool,
): Promise<number> {
  const [row] = await runOn<{ now: number }>(reading, pool, readTime, []);
  if (!row) throw new Error('The database did not return its time.');
  return row.now;
}

function connectionTo(connectionString: string, statementTimeoutMs: number): pg.ClientConfig {
  return {
    connectionString,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

function kyselyOn(pool: LimitedPool): Kysely<DB> {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * Returns the least busy connection for single statements, or a transaction connection while the server accepts no
 * more.
 */
async function runOn<Row>(
  connections: readonly PipelinedConnection[],
  pool: LimitedPool,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  for (;;) {
    const connection = leastBusy(connections);
    if (connection.load === Number.POSITIVE_INFINITY) {
      return (await pool.query<Row>(statement.text, values)).rows;
    }
    try {
      return await connection.run<Row>(statement, values);
    } catch (error) {
      // The connection failed before the statement was sent.
      if (!isOutOfConnections(error)) throw error;
    }
  }
}

/** Maximum time that a process uses a former primary after a failover without fencing. */
const EVERY_MS = 30_000;

/**
 * Connects periodically to check which server the database address leads to. Existing connections never move to
 * another server, so without this probe a process connected only to a former primary would not detect the failover.
 */
export class PrimaryProbe {
  readonly #connection: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: pg.ClientConfig, deadlines: Deadlines) {
    this.#connection = connection;
    this.#deadlines = deadlines;
  }

  start(everyMs = EVERY_MS): void {
    this.#timer = setInterval(() => void this.#probe(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A failure has no effect: requests and the heartbeat detect an unreachable database. */
  async #probe(): Promise<void> {
    const client = new pg.Client({ ...this.#connection, application_name: 'keywright probe' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await greet(this.#deadlines.watch(client), this.#deadlines);
    } catch {
      // See above.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The part of `pg.Pool` that Kysely uses, with a timeout for each statement. */
class LimitedPool implements PostgresPool {
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
    exchange.isReserved = true;
    return {
      query: ((sql: string, values?: readonly unknown[]) =>
        runQuery(client, exchange, sql, values)) as PostgresPoolClient['query'],
      release: (error?: Error | boolean) => {
        exchange.isReserved = false;
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

async function runQuery<Row>(
  client: pg.ClientBase,
  exchange: Exchange,
  sql: string,
  values: readonly unknown[] = [],
): Promise<PostgresQueryResult<Row>> {
  exchange.started();
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
