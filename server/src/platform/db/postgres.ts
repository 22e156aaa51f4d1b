import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database, Statement } from './database.ts';
import { isPooled } from './pooler.ts';
import { PostgresWatch } from './postgres-watch.ts';
import type { DB } from './schema.ts';

const POOL_SIZE = 10;
/** Of the statements that only read; of the others, each of which waits until its commit is on disk. */
const READING_CONNECTIONS = 2;
const WRITING_CONNECTIONS = 4;
const CONNECT_TIMEOUT_MS = 5000;

/**
 * A PostgreSQL server.
 * @param onError told of connections that break
 * @param onPooled told once that announcements don't get through
 */
export function openPostgres(
  url: string,
  onError: (error: Error) => void,
  onPooled: () => void = () => undefined,
): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...connection, max: POOL_SIZE, application_name: 'keywright' });
  // The pool hears of its idle connections only. One that breaks in the middle of a transaction has nobody to
  // tell, and an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('error', () => {
    // The connection itself has told of it.
  });
  const linesOf = (length: number) =>
    Array.from({ length }, () => new HotLine(connection, onError));
  const reading = linesOf(READING_CONNECTIONS);
  const writing = linesOf(WRITING_CONNECTIONS);
  return {
    engine: 'postgres',
    kysely: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }),
    connections: () => ({
      idle: pool.idleCount,
      used: pool.totalCount - pool.idleCount,
      waited_for: pool.waitingCount,
    }),
    async run<Row>(one: Statement, values: readonly unknown[]) {
      // Without its name: behind a pooler it would be prepared in one process and asked of another.
      if (one.takesLong) return (await pool.query(one.text, [...values])).rows as Row[];
      return leastBusy(one.onlyReads ? reading : writing).run<Row>(one, values);
    },
    async watch(channel, onMessage, onGap) {
      return new PostgresWatch(connection, channel, { onMessage, onGap, onError, onPooled });
    },
    async close() {
      await Promise.all([pool.end(), ...[...reading, ...writing].map((line) => line.close())]);
    },
  };
}

/**
 * The first one of those that the fewest statements are under way on. Not each in turn: every process of the server
 * has plans and catalogues of its own, and those that were used last are in the processor's caches.
 */
function leastBusy(lines: readonly HotLine[]): HotLine {
  return lines.reduce((least, line) => (line.underWay < least.underWay ? line : least));
}

interface HotConnection {
  readonly client: pg.Client;
  /** Whether statements keep their names: behind a pooler they would be prepared in one process and asked of another. */
  readonly isNamed: boolean;
}

/**
 * One connection that takes statements without waiting for the answers of those before (pipeline mode).
 * Connects on first use, and again after it broke.
 */
class HotLine {
  readonly #options: pg.ClientConfig;
  readonly #onError: (error: Error) => void;
  #connection: Promise<HotConnection> | undefined;
  /** Statements that are not answered yet. */
  underWay = 0;

  constructor(options: pg.ClientConfig, onError: (error: Error) => void) {
    this.#options = options;
    this.#onError = onError;
  }

  async run<Row>(one: Statement, values: readonly unknown[]): Promise<Row[]> {
    this.underWay += 1;
    try {
      this.#connection ??= this.#connect();
      const { client, isNamed } = await this.#connection;
      const name = isNamed ? { name: one.name } : {};
      const result = await client.query({ ...name, text: one.text, values: [...values] });
      return result.rows as Row[];
    } finally {
      this.underWay -= 1;
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.client.end();
  }

  async #connect(): Promise<HotConnection> {
    const client = new pg.Client({
      ...this.#options,
      pipeline: true,
      application_name: 'keywright hot',
    });
    client.on('error', (error) => {
      this.#connection = undefined;
      this.#onError(error);
    });
    client.on('end', () => {
      this.#connection = undefined;
    });
    try {
      await client.connect();
      return { client, isNamed: !(await isPooled(client)) };
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }
}
