import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DatabaseClock } from '../clock.ts';
import { type Database, lookUp, type LongWork, type Statement } from './database.ts';
import { Deadlines, type Exchange } from './deadlines.ts';
import { GrownTables } from './grown-tables.ts';
import { PipelinedConnection } from './pipelined-connection.ts';
import { LimitedPool } from './limited-pool.ts';
import { NOW_IN_MS, PostgresWatch } from './postgres-watch.ts';
import type { DB } from './schema.ts';

const POOL_SIZE = 10;
/** Connections for statements that only read, and for writes, each of which waits until its commit is on disk. */
const READING_CONNECTIONS = 2;
const WRITING_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5000;
/** An idle connection that was cut off ends after this and ten probes at intervals of one second. */
const KEEP_ALIVE_MS = 5000;
const STATEMENT_TIMEOUT_MS = 5000;
const readTime = lookUp<{ now: number }>('kw_time', `SELECT ${NOW_IN_MS} AS now`);
/** Multiples of the statement timeout: by default one minute, and over an hour. */
const PATIENCE: Readonly<Record<LongWork, number>> = { maintenance: 12, migration: 1000 };

export interface PostgresOptions {
  /** A statement without an answer after this ends its connection. Default 5 s. */
  readonly statementTimeoutMs?: number;
  /** Called once when the connection goes through a pooler, which drops notifications. */
  readonly onPooled?: () => void;
}

/**
 * A PostgreSQL server.
 * @param onError called for broken connections
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, onPooled = () => undefined }: PostgresOptions = {},
): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: Math.min(CONNECT_TIMEOUT_MS, statementTimeoutMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const deadlines = new Deadlines(statementTimeoutMs);
  const { pool, within } = openPool(connection, deadlines, onError);
  const pipelined = () => new PipelinedConnection(connection, deadlines, onError);
  const reading = Array.from({ length: READING_CONNECTIONS }, pipelined);
  const writing = Array.from({ length: WRITING_CONNECTIONS }, pipelined);
  const aside = pipelined();
  const long = within(PATIENCE.maintenance);
  const kyselyWithin = (patience: number) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: within(patience) }) });
  const maintenance = kyselyWithin(PATIENCE.maintenance);
  const migration = kyselyWithin(PATIENCE.migration);
  const grownTables = new GrownTables(maintenance);
  const clock = new DatabaseClock(() => findTime(reading));
  return {
    engine: 'postgres',
    clock,
    kysely: kyselyWithin(1),
    kyselyFor: (work) => ({ maintenance, migration })[work],
    connections: () => countsOf(pool),
    async run<Row>(one: Statement, values: readonly unknown[]) {
      // Unnamed: behind a pooler it would be prepared in one process and executed in another.
      if (one.takesLong) return (await long.query(one.text, values)).rows as Row[];
      return leastBusy(one.onlyReads ? reading : writing).run<Row>(one, values);
    },
    runAside: (one, values) => aside.run(one, values),
    async watch(channel, onMessage, onGap) {
      const subscriber = { onMessage, onGap, onError, onPooled, clock };
      return new PostgresWatch(connection, deadlines, channel, subscriber);
    },
    startMaintenance: (onFailed) => grownTables.start(onFailed),
    async close() {
      clock.stop();
      deadlines.endAll();
      await grownTables.stop();
      await Promise.all([pool.end(), ...[...reading, ...writing, aside].map((one) => one.close())]);
      deadlines.stop();
    },
  };
}

const countsOf = (pool: pg.Pool) => ({
  idle: pool.idleCount,
  used: pool.totalCount - pool.idleCount,
  waited_for: pool.waitingCount,
});

async function findTime(reading: readonly PipelinedConnection[]): Promise<number> {
  const [row] = await leastBusy(reading).run<{ now: number }>(readTime, []);
  if (!row) throw new Error('The database has not returned its time.');
  return row.now;
}

function openPool(
  connection: pg.ClientConfig,
  deadlines: Deadlines,
  onError: (error: Error) => void,
) {
  const exchanges = new WeakMap<pg.PoolClient, Exchange>();
  const pool = new pg.Pool({
    ...connection,
    max: POOL_SIZE,
    application_name: 'keywright',
  });
  // The pool handles errors of idle connections only; an unhandled one in the middle of a transaction would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('error', () => {
    // The handler of the connection has reported it.
  });
  return {
    pool,
    within: (patience: number) => new LimitedPool(pool, deadlines, exchanges, patience),
  };
}

/**
 * The first connection with the fewest pending statements. Not round-robin: every server process has its own plan and
 * catalogue caches, and those of the connection used last are in the CPU caches.
 */
function leastBusy(connections: readonly PipelinedConnection[]): PipelinedConnection {
  return connections.reduce((least, one) => (one.inFlight < least.inFlight ? one : least));
}
