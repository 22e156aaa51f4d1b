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
  const makeRoom = () => {
    if (pipes.every(({ isLeaving }) => !isLeaving)) pipes.findLast((pipe) => pipe.leave());
  };
  const pool = new GreetedPool(connection, deadlines, onError, makeRoom, options.storesSettings);
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

/**
 * Returns the first connection with the fewest pending statements. Not round-robin: every server process has its own
 * plan and catalog caches, and those of the last-used connection are in the CPU caches.
 */
function leastBusy(connections: readonly PipelinedConnection[]): PipelinedConnection {
  return connections.reduce((least, connection) =>
    connection.load < least.load ? connection : least,
  );
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

interface OpenConnection {
  readonly exchange: Exchange;
  /** False behind a pooler, where a named statement would be prepared in one process and executed in another. */
  readonly isNamed: boolean;
}

/** Pause between attempts to connect while the server accepts no more connections. */
const CONNECT_AGAIN_MS = 250;
/** Pause after a connection was closed so that the pool can open one. */
const MADE_ROOM_MS = 1000;

/**
 * A connection in pipeline mode, which sends statements without waiting for previous results. Connects on first use,
 * and reconnects after a failure.
 */
export class PipelinedConnection {
  readonly #options: pg.ClientConfig;
  readonly #deadlines: Deadlines;
  readonly #onError: (error: Error) => void;
  #connection: Promise<OpenConnection> | undefined;
  /** The connection after its greeting. */
  #open: OpenConnection | undefined;
  /** Time of the next attempt after the server accepted no more connections, from performance.now(). */
  #connectAt = 0;
  /** Statements without a result so far. */
  #inFlight = 0;
  #isLeaving = false;
  /** The end of a connection that was closed to make room. */
  #closed: Promise<void> | undefined;

  constructor(options: pg.ClientConfig, deadlines: Deadlines, onError: (error: Error) => void) {
    this.#options = options;
    this.#deadlines = deadlines;
    this.#onError = onError;
  }

  /**
   * Number of statements without a result so far; Infinity while the connection closes, or the server accepts no more.
   */
  get load(): number {
    if (this.#isLeaving) return Number.POSITIVE_INFINITY;
    if (this.#connectAt === 0 || performance.now() > this.#connectAt) return this.#inFlight;
    return Number.POSITIVE_INFINITY;
  }

  async run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.#inFlight += 1;
    try {
      return await this.#send<Row>(await (this.#connection ?? this.#connect()), statement, values);
    } finally {
      this.#inFlight -= 1;
      if (this.#isLeaving && this.#inFlight === 0) this.#closeForRoom();
    }
  }

  async #send<Row>(
    { exchange, isNamed }: OpenConnection,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const name = isNamed ? { name: statement.name } : {};
    exchange.started();
    try {
      const result = await exchange.client.query({
        ...name,
        text: statement.text,
        values: [...values],
      });
      return result.rows as Row[];
    } catch (error) {
      if (isReadOnly(error)) exchange.drop(error as Error);
      throw error;
    } finally {
      exchange.answered();
    }
  }

  /** Whether the connection closes after its last statement. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * Accepts no more statements, and closes the connection after the last one, so that the server accepts one for
   * transactions. Statements then use that one. @returns whether there was a connection to close
   */
  leave(): boolean {
    if (!this.#open) return false;
    this.#isLeaving = true;
    if (this.#inFlight === 0) this.#closeForRoom();
    return true;
  }

  #closeForRoom(): void {
    const client = this.#open?.exchange.client;
    this.#isLeaving = false;
    this.#open = undefined;
    this.#connection = undefined;
    this.#connectAt = performance.now() + MADE_ROOM_MS;
    this.#closed = client?.end().catch(this.#onError);
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await Promise.all([this.#closed, connection?.exchange.client.end()]);
  }

  #connect(): Promise<OpenConnection> {
    const client = new pg.Client({
      ...this.#options,
      pipeline: true,
      application_name: 'keywright pipelined',
    });
    const connection = this.#greet(client);
    this.#connection = connection;
    // A late event of an earlier connection must not drop the current one.
    const forget = () => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      this.#open = undefined;
    };
    client.on('error', (error) => {
      forget();
      this.#onError(error);
    });
    client.on('end', forget);
    connection.then(
      (open) => {
        this.#connectAt = 0;
        if (this.#connection === connection) this.#open = open;
      },
      (error: unknown) => {
        forget();
        if (isOutOfConnections(error)) this.#connectAt = performance.now() + CONNECT_AGAIN_MS;
      },
    );
    return connection;
  }

  async #greet(client: pg.Client): Promise<OpenConnection> {
    await client.connect();
    const exchange = this.#deadlines.watch(client);
    try {
      const { isPooled } = await greet(exchange, this.#deadlines);
      return { exchange, isNamed: !isPooled };
    } catch (error) {
      exchange.drop(error as Error);
      throw error;
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
