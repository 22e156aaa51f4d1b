import { randomBytes } from 'node:crypto';
import { migrate } from '@keywright/server/platform/db/migrate';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres.ts';

/** Set by the global setup, inherited by the test processes. */
const SERVER_URL = 'KEYWRIGHT_TEST_SERVER_URL';
const TEMPLATE = 'KEYWRIGHT_TEST_TEMPLATE';
/** Set by whoever runs the tests: a server of theirs, used in place of one of ours. */
const GIVEN_URL = 'KEYWRIGHT_TEST_DATABASE_URL';

export interface TestDatabase {
  readonly url: string;
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

let ready: Promise<void> | undefined;

/**
 * A new database. Without a server: on the one of the test run, already migrated. On a server named here it
 * is empty, and whoever starts on it migrates; or it is a copy of `source`, which nobody works on meanwhile.
 */
export async function createDatabase(
  server?: Pick<PostgresServer, 'url'>,
  source?: TestDatabase,
): Promise<TestDatabase> {
  const name = `kw_${randomBytes(8).toString('hex')}`;
  if (server) return createIn(server.url, name, source && nameIn(source.url));
  // A file run by itself has no global setup before it.
  if (process.env[SERVER_URL] === undefined) await (ready ??= shareServer().then(() => undefined));
  return createIn(process.env[SERVER_URL] ?? '', name, process.env[TEMPLATE]);
}

/** Starts the server of the test run and names it in the environment. Answers how to end it. */
export async function shareServer(): Promise<() => Promise<void>> {
  const given = process.env[GIVEN_URL];
  const own = given === undefined ? await startPostgres({ fsync: false }) : undefined;
  const url = given ?? own?.url ?? '';
  const template = await createIn(url, `kw_template_${randomBytes(8).toString('hex')}`);
  const database = openPostgres(template.url, () => {});
  await migrate(database);
  await database.close();
  process.env[SERVER_URL] = url;
  process.env[TEMPLATE] = nameIn(template.url);
  return async () => {
    await template.drop();
    await own?.close();
  };
}

async function createIn(serverUrl: string, name: string, template?: string): Promise<TestDatabase> {
  const source = template === undefined ? '' : ` TEMPLATE ${template}`;
  await once(serverUrl, `CREATE DATABASE ${name}${source}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2, idleTimeoutMillis: 1000 });
  pool.on('error', () => {});
  return {
    url: url.href,
    query: async (sql, values = []) => (await pool.query(sql, [...values])).rows,
    async drop() {
      await pool.end();
      await once(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1);
}
