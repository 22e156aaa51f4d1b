// Failing starts: one message tells the operator what is wrong, and how to fix it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { startServerProcess } from '../harness/process.ts';
import { refusalOf } from './refusal.ts';

const MASTER_KEY = randomBytes(32).toString('base64');

let database: TestDatabase;

before(async () => {
  database = await createDatabase();
});

after(() => database.drop());

function environment(url = database.url): Readonly<Record<string, string>> {
  return { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: MASTER_KEY };
}

/** A database URL on the same server, with another user or database. */
function urlAs(
  change: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>,
  url = database.url,
): string {
  return Object.assign(new URL(url), change).href;
}

function inUse(port: number): string {
  return (
    `127.0.0.1:${port} is in use by another program. ` +
    'Stop that program, or choose another port with KEYWRIGHT_PORT.\n'
  );
}

describe('an address that cannot be listened on', { concurrency: true }, () => {
  test('A start on a port in use names the port, and creates nothing, not even a secret', async () => {
    const program = createServer().listen(0, '127.0.0.1');
    await once(program, 'listening');
    const { port } = program.address() as AddressInfo;
    const message = await refusalOf({ ...environment(), KEYWRIGHT_PORT: String(port) });
    program.close();
    assert.equal(message, inUse(port));
    assert.deepEqual(await database.query('SELECT FROM tenants'), []);
  });

  test('A later start on a port in use names the port as well', async () => {
    const installed = await createDatabase();
    const server = await startServerProcess({ env: environment(installed.url) });
    const port = Number(new URL(server.url).port);
    const env = { ...environment(installed.url), KEYWRIGHT_PORT: String(port) };
    assert.equal(await refusalOf(env), inUse(port));
    await server.interrupt();
    await installed.drop();
  });

  test('A start on an address of another machine is refused, and names the address and the setting', async () => {
    // RFC 5737: a documentation address.
    const message = await refusalOf({ ...environment(), KEYWRIGHT_HOST: '192.0.2.1' });
    assert.match(
      message,
      /^192\.0\.2\.1:0 cannot be listened on \(EADDRNOTAVAIL\)\. Set KEYWRIGHT_HOST/,
    );
  });
});

describe('an unusable database', { concurrency: true }, () => {
  test('A start with an unreachable database server is refused, without the password in the message', async () => {
    const message = await refusalOf(environment('postgres://kw:unused-password@127.0.0.1:1/kw'), 4);
    assert.match(
      message,
      /^The database of KEYWRIGHT_DATABASE_URL cannot be reached: .*ECONNREFUSED/,
    );
    assert.ok(!message.includes('unused-password'));
  });

  test('A start with a wrong database password or an unknown database is refused with the reason', async () => {
    const password = newPassword();
    const [wrongPassword, wrongName] = await Promise.all([
      refusalOf(environment(urlAs({ password })), 4),
      refusalOf(environment(urlAs({ pathname: '/kw_nowhere' })), 4),
    ]);
    assert.match(
      wrongPassword,
      /cannot be reached: password authentication failed for user "\S+"\.$/m,
    );
    assert.ok(!wrongPassword.includes(password));
    assert.match(wrongName, /cannot be reached: database "kw_nowhere" does not exist\.$/m);
  });

  test('A start as a role without any of the required privileges prints every statement it needs, and then succeeds', async () => {
    await withUser(async (name, password) => {
      await database.query(`CREATE DATABASE ${name}`);
      const env = environment(urlAs({ username: name, password, pathname: `/${name}` }));
      const message = await refusalOf(env);
      assert.match(message, /^Run these statements in psql, as a superuser of PostgreSQL:\n/);
      assert.match(message, new RegExp(`as the role ${name} of KEYWRIGHT_DATABASE_URL:\n`));
      assert.match(message, / {2}- it is not a member of keywright_tenant, /);
      assert.match(message, / {2}- it cannot create tables in the schema public\n/);
      assert.match(message, /docs\/guide\/postgresql\.md/);
      const statements = message.match(/^ {2}[A-Z].*;$/gm) ?? [];
      const superuser = new pg.Client(urlAs({ pathname: `/${name}` }, database.superuserUrl));
      await superuser.connect();
      for (const statement of statements) await superuser.query(statement);
      await superuser.end();
      const server = await startServerProcess({ env });
      await server.interrupt();
      await database.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  });

  test('A start on a schema of a newer version, which took away what this one uses, is refused', async () => {
    const newer = await createDatabase();
    await newer.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
    await newer.query(`INSERT INTO schema_versions VALUES (2, 'of tomorrow')`);
    await newer.query('ALTER TABLE users DROP COLUMN user_metadata');
    assert.equal(
      await refusalOf(environment(newer.url)),
      'The database was migrated by a newer version (9999_of_tomorrow). ' +
        'This one is incompatible: column users.user_metadata jsonb: use that version.\n',
    );
    await newer.drop();
  });
});

/** Creates an ordinary database user for the duration of `work`. */
async function withUser(work: (name: string, password: string) => Promise<void>): Promise<void> {
  const name = `kw_user_${randomBytes(8).toString('hex')}`;
  const password = newPassword();
  await database.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  await work(name, password);
  await database.query(`DROP ROLE ${name}`);
}
