import { randomBytes } from 'node:crypto';
import { createDatabase, shareServer, type TestDatabase } from '@keywright/tests/harness/database';
import { startPostgres } from '@keywright/tests/harness/postgres';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { findParent } from '../measure/cpu.ts';

/** The database of a measured service. */
export interface BenchDatabase {
  readonly engine: 'postgres' | 'embedded';
  /** For the report. */
  readonly description: string;
  /** The service's settings for it. */
  readonly env: Readonly<Record<string, string>>;
  /** The parent of the server processes; undefined if there is none on this machine. */
  readonly postmaster: number | undefined;
  /** Vacuums, analyzes and checkpoints, so that none of it happens during a measurement. */
  settle(): Promise<void>;
  /** Runs SQL as the superuser. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** An empty database on the same server, for a peer; undefined without a server. */
  createBeside(): Promise<TestDatabase | undefined>;
  close(): Promise<void>;
}

/** A server with a database for each installation. */
export interface BenchServer {
  create(): Promise<BenchDatabase>;
  close(): Promise<void>;
}

const URL_VARIABLE = 'KEYWRIGHT_TEST_DATABASE_URL';

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
  const url = process.env[URL_VARIABLE];
  return url === undefined ? openNewServer() : openExistingServer(url);
}

async function openEmbeddedDirectory(): Promise<BenchDatabase> {
  return {
    engine: 'embedded',
    description: 'PGlite, inside the service',
    env: { KEYWRIGHT_DATA_DIR: await temporaryDirectory('bench'), ...masterKey() },
    postmaster: undefined,
    settle: async () => {},
    query: () => Promise.reject(new Error('The embedded database runs inside the service.')),
    createBeside: async () => undefined,
    close: async () => {},
  };
}

/** PostgreSQL's default; servers of tests have half of it. */
const SHARED_BUFFERS = '128MB';

async function openNewServer(): Promise<BenchServer> {
  const settings = { shared_buffers: SHARED_BUFFERS };
  const server = await startPostgres({ fsync: true, settings });
  return {
    create: async () =>
      inDatabase(await createDatabase(server), server.pid, () => createDatabase(server)),
    close: () => server.close(),
  };
}

/** Uses an existing server. It should otherwise be idle, because all its CPU time is counted. */
async function openExistingServer(url: string): Promise<BenchServer> {
  const close = await shareServer();
  return {
    async create() {
      const database = await createDatabase();
      const [row] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const parent = row && findParent(row.pid);
      // On another machine the pid belongs to another process, or to none.
      const isHere = parent !== undefined && /^post(gres|master)/.test(parent.name);
      const pid = isHere ? parent.pid : undefined;
      return inDatabase(database, pid, () => createDatabase({ url }));
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
      throw new Error(`${name} is off, so the cost of a commit cannot be measured.`);
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
