import { randomBytes } from 'node:crypto';
import { createDatabase, shareServer, type TestDatabase } from '@keywright/tests/harness/database';
import { startPostgres } from '@keywright/tests/harness/postgres';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { findParent } from '../measure/cpu.ts';

/** What the service stores its data in while it is measured. */
export interface BenchDatabase {
  readonly engine: 'postgres' | 'embedded';
  /** In a word or two, for the report. */
  readonly description: string;
  /** What tells the service about it. */
  readonly env: Readonly<Record<string, string>>;
  /** The process whose children do the work; nothing where there is none on this machine. */
  readonly postmaster: number | undefined;
  /** Brings statistics up to date and writes out what is pending, so that neither happens in between. */
  settle(): Promise<void>;
  /** Asks the database itself, as its superuser. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** An empty database on the same server, for a peer; nothing where there is no server. */
  createBeside(): Promise<TestDatabase | undefined>;
  close(): Promise<void>;
}

/** A server that databases are made on, each for an installation of its own. */
export interface BenchServer {
  create(): Promise<BenchDatabase>;
  close(): Promise<void>;
}

const GIVEN_URL = 'KEYWRIGHT_TEST_DATABASE_URL';

export async function openBenchDatabase(engine: 'postgres' | 'embedded'): Promise<BenchDatabase> {
  if (engine === 'embedded') return openEmbeddedDirectory();
  const server = await openBenchServer();
  const database = await server.create().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    ...database,
    async close() {
      await database.close();
      await server.close();
    },
  };
}

export function openBenchServer(): Promise<BenchServer> {
  return process.env[GIVEN_URL] === undefined ? openOwnServer() : openGivenServer();
}

async function openEmbeddedDirectory(): Promise<BenchDatabase> {
  return {
    engine: 'embedded',
    description: 'PGlite, inside the service',
    env: { KEYWRIGHT_DATA_DIR: await temporaryDirectory('bench'), ...masterKey() },
    postmaster: undefined,
    settle: async () => {},
    query: () => Promise.reject(new Error('The embedded database has one owner.')),
    createBeside: async () => undefined,
    close: async () => {},
  };
}

/** As PostgreSQL sets it: servers of tests have half of it. */
const SHARED_BUFFERS = '128MB';

/** A server of our own, with durable commits. */
async function openOwnServer(): Promise<BenchServer> {
  const settings = { shared_buffers: SHARED_BUFFERS };
  const server = await startPostgres({ fsync: true, settings });
  return {
    create: async () =>
      inDatabase(await createDatabase(server), server.pid, () => createDatabase(server)),
    close: () => server.close(),
  };
}

/** The server that was named. It should have nothing else to do: its whole CPU time is counted. */
async function openGivenServer(): Promise<BenchServer> {
  const close = await shareServer();
  return {
    async create() {
      const database = await createDatabase();
      const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const parent = row && findParent(row.pid);
      // On another machine the same number is another process, or none.
      const isHere = parent !== undefined && /^post(gres|master)/.test(parent.name);
      return inDatabase(database, isHere ? parent.pid : undefined, async () => {
        const beside = await createDatabase();
        // It comes as a copy of one that is migrated.
        await beside.query('DROP SCHEMA public CASCADE');
        await beside.query('CREATE SCHEMA public AUTHORIZATION pg_database_owner');
        return beside;
      });
    },
    close,
  };
}

async function inDatabase(
  database: TestDatabase,
  postmaster: number | undefined,
  createBeside: () => Promise<TestDatabase>,
): Promise<BenchDatabase> {
  try {
    await requireDurability(database);
    const version = await setting(database, 'server_version');
    return {
      engine: 'postgres',
      description: `PostgreSQL ${version.split(' ', 1)[0]}, fsync on`,
      env: { KEYWRIGHT_DATABASE_URL: database.url, ...masterKey() },
      postmaster,
      async settle() {
        await database.query('VACUUM ANALYZE');
        await database.query('CHECKPOINT');
      },
      query: (sql, values) => database.query(sql, values),
      createBeside,
      close: () => database.drop(),
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

async function requireDurability(database: TestDatabase): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit']) {
    if ((await setting(database, name)) !== 'on') {
      throw new Error(`${name} is off: what a commit costs could not be told.`);
    }
  }
}

async function setting(database: TestDatabase, name: string): Promise<string> {
  const [row] = await database.query<{ value: string }>('SELECT current_setting($1) AS value', [
    name,
  ]);
  return row?.value ?? '';
}

function masterKey() {
  return { KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64') };
}
