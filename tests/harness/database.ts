import { createHash, randomBytes } from 'node:crypto';
import { migrate } from '@keywright/server/platform/db/migrate';
import { openPostgres } from '@keywright/server/platform/db/postgres';
import pg from 'pg';
import { aside } from './flat-transactions.ts';
import { type ClusterContent, type DatabaseServer, startPostgres } from './postgres.ts';

/** Set for the processes of a test run (global.ts). */
const SERVER_URL = 'KEYWRIGHT_TEST_SERVER_URL';
const TEMPLATE = 'KEYWRIGHT_TEST_TEMPLATE';
/** Set by the user: a server to use instead of the tests' servers. */
const EXTERNAL_URL = 'KEYWRIGHT_TEST_DATABASE_URL';

export interface TestDatabase {
  /** URL for the service's role, which owns its databases, as in the PostgreSQL guide. */
  readonly url: string;
  readonly superuserUrl: string;
  /** As the superuser. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** A cluster with a migrated template, for the servers of the test run. */
export const MIGRATED: ClusterContent = {
  name: 'migrated',
  template: 'kw_template',
  async make(server) {
    await createRoles(server.url);
    await migrateThere(await createIn(server.url, 'kw_template'));
  },
};

let ready: Promise<void> | undefined;

/**
 * A new database. Without `server`: on the test run's server, already migrated. With `server`: a copy of its template
 * or of the idle database `source`, otherwise empty.
 */
export async function createDatabase(
  server?: DatabaseServer,
  source?: TestDatabase,
): Promise<TestDatabase> {
  const name = `kw_${randomBytes(8).toString('hex')}`;
  if (server) {
    await createRoles(server.url);
    return createIn(server.url, name, source ? nameIn(source.url) : server.template);
  }
  // Outside a test run, this process starts the server.
  if (process.env[SERVER_URL] === undefined) await (ready ??= shareServer().then(() => undefined));
  return createIn(process.env[SERVER_URL] ?? '', name, process.env[TEMPLATE]);
}

/** A server for tests, as the environment names it to a process. */
interface SharedServer {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A separate server for each process, or one for all of them if the user named it. */
export async function startServers(count: number): Promise<SharedServer[]> {
  const externalUrl = process.env[EXTERNAL_URL];
  if (externalUrl !== undefined) {
    const shared = await shareExternalServer(externalUrl);
    return Array.from({ length: count }, () => shared);
  }
  const servers: SharedServer[] = [];
  while (servers.length < count) servers.push(await startSeparateServer());
  return servers;
}

/** Starts the server of this process and names it in the environment. @returns how to stop it */
export async function shareServer(): Promise<() => Promise<void>> {
  const [server] = await startServers(1);
  Object.assign(process.env, server?.environment);
  return async () => server?.close();
}

async function startSeparateServer(): Promise<SharedServer> {
  const server = await startPostgres({ fsync: false, content: MIGRATED });
  const environment = { [SERVER_URL]: server.url, [TEMPLATE]: MIGRATED.template };
  return { environment, close: () => server.close() };
}

async function shareExternalServer(url: string): Promise<SharedServer> {
  await createRoles(url);
  const template = await createIn(url, `kw_template_${randomBytes(8).toString('hex')}`);
  await migrateThere(template);
  let isOpen = true;
  return {
    environment: { [SERVER_URL]: url, [TEMPLATE]: nameIn(template.url) },
    async close() {
      if (isOpen) await template.drop();
      isOpen = false;
    },
  };
}

async function migrateThere({ url }: TestDatabase): Promise<void> {
  const database = openPostgres(url, () => {});
  await migrate(database);
  await database.close();
}

async function createIn(serverUrl: string, name: string, template?: string): Promise<TestDatabase> {
  const source = template === undefined ? '' : ` TEMPLATE ${template}`;
  const service = serviceRoleOf(serverUrl);
  await administer(serverUrl, `CREATE DATABASE ${name} OWNER ${service.username}${source}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const superuserUrl = url.href;
  // As in the guide: before PostgreSQL 16, a NOINHERIT role does not have this right as the owner of the database.
  // A copy of a database inherits it.
  if (template === undefined) {
    await once(superuserUrl, `GRANT CREATE ON SCHEMA public TO ${service.username}`);
  }
  Object.assign(url, service);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 2, idleTimeoutMillis: 1000 });
  pool.on('error', () => {});
  return {
    url: url.href,
    superuserUrl,
    // A test looks from outside, within a transaction of the service too.
    query: async (sql, values = []) => (await aside(() => pool.query(sql, [...values]))).rows,
    async drop() {
      await pool.end();
      await administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The password is the same in every process of the test run, and worth nothing without the superuser's. */
export function serviceRoleOf(serverUrl: string): { username: string; password: string } {
  const { password } = new URL(serverUrl);
  return {
    username: 'kw_service',
    password: createHash('sha256').update(password).digest('base64url'),
  };
}

/** Creates what docs/guide/postgresql.md has a superuser create, unless it exists. */
async function createRoles(serverUrl: string): Promise<void> {
  const roles = ['keywright_tenant', 'keywright_resolver', 'keywright_system'];
  const { username, password } = serviceRoleOf(serverUrl);
  const requiredRoles = [
    ...roles.map((role) => [role, 'NOLOGIN'] as const),
    [username, `LOGIN NOINHERIT PASSWORD '${password}'`] as const,
  ];
  const creations = requiredRoles.map(
    ([role, attributes]) =>
      `IF to_regrole('${role}') IS NULL THEN CREATE ROLE ${role} ${attributes}; END IF;`,
  );
  const grant = `GRANT ${roles.join(', ')} TO ${username};`;
  // Test files start concurrently, so a lock lets only one of them create the roles.
  const lock = `PERFORM pg_advisory_xact_lock(hashtext('${username}'));`;
  await administer(serverUrl, `DO $$ BEGIN ${lock} ${creations.join(' ')} ${grant} END $$`);
}

/** By the address of their server: each keeps a connection for the next statement. */
const administrators = new Map<string, pg.Pool>();

/** Runs a statement as the superuser in the maintenance database. */
async function administer(serverUrl: string, sql: string): Promise<void> {
  let pool = administrators.get(serverUrl);
  if (!pool) {
    pool = new pg.Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
    pool.on('error', () => {});
    administrators.set(serverUrl, pool);
  }
  await pool.query(sql);
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
