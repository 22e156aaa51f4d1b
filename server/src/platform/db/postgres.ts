import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, LongWork, Statement } from './database.ts';
import { Deadlines, type Exchange } from './deadlines.ts';
import { HotLine } from './hot-line.ts';
import { LimitedPool } from './limited-pool.ts';
import { PostgresWatch } from './postgres-watch.ts';
import type { DB } from './schema.ts';

const POOL_SIZE = 10;
/** Of the statements that only read; of the others, each of which waits until its commit is on disk. */
const READING_CONNECTIONS = 2;
const WRITING_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5000;
/** An idle connection that is cut off ends after this and ten probes, a second apart. */
const KEEP_ALIVE_MS = 5000;
const STATEMENT_TIMEOUT_MS = 5000;
/** How many times the limit of other statements they may take: by default a minute, and an hour and more. */
const PATIENCE: Readonly<Record<LongWork, number>> = { maintenance: 12, migration: 1000 };

export interface PostgresOptions {
  /** How long a statement may take. One that is not answered within it ends its connection. Default 5 s. */
  readonly statementTimeoutMs?: number;
  /** Told once that announcements don't get through. */
  readonly onPooled?: () => void;
}

/**
 * A PostgreSQL server.
 * @param onError told of connections that break
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
  const linesOf = (length: number) =>
    Array.from({ length }, () => new HotLine(connection, deadlines, onError));
  const reading = linesOf(READING_CONNECTIONS);
  const writing = linesOf(WRITING_CONNECTIONS);
  const long = within(PATIENCE.maintenance);
  const kyselyWithin = (patience: number) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: within(patience) }) });
  const kyselyOf: Readonly<Record<LongWork, Kysely<DB>>> = {
    maintenance: kyselyWithin(PATIENCE.maintenance),
    migration: kyselyWithin(PATIENCE.migration),
  };
  return {
    engine: 'postgres',
    kysely: kyselyWithin(1),
    kyselyFor: (work) => kyselyOf[work],
    connections: () => ({
      idle: pool.idleCount,
      used: pool.totalCount - pool.idleCount,
      waited_for: pool.waitingCount,
    }),
    async run<Row>(one: Statement, values: readonly unknown[]) {
      // Without its name: behind a pooler it would be prepared in one process and asked of another.
      if (one.takesLong) return (await long.query(one.text, values)).rows as Row[];
      return leastBusy(one.onlyReads ? reading : writing).run<Row>(one, values);
    },
    async watch(channel, onMessage, onGap) {
      const hearer = { onMessage, onGap, onError, onPooled };
      return new PostgresWatch(connection, deadlines, channel, hearer);
    },
    async close() {
      deadlines.endAll();
      await Promise.all([pool.end(), ...[...reading, ...writing].map((line) => line.close())]);
      deadlines.stop();
    },
  };
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
  // The pool hears of its idle connections only. One that breaks in the middle of a transaction has nobody to
  // tell, and an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('error', () => {
    // The connection itself has told of it.
  });
  return {
    pool,
    within: (patience: number) => new LimitedPool(pool, deadlines, exchanges, patience),
  };
}

/**
 * The first one of those that the fewest statements are under way on. Not each in turn: every process of the server
 * has plans and catalogues of its own, and those that were used last are in the processor's caches.
 */
function leastBusy(lines: readonly HotLine[]): HotLine {
  return lines.reduce((least, line) => (line.underWay < least.underWay ? line : least));
}
