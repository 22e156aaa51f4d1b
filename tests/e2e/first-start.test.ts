import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { databaseDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { refusalOf } from './refusal.ts';
import { commandsIn, paste } from './shell.ts';
import { welcomed } from './welcome.ts';

const WELCOME = /Keywright is ready/;
const MASTER_KEY = randomBytes(32).toString('base64');

type Environment = Readonly<Record<string, string>>;

/** Logs in to the default tenant. @returns the status of the response */
async function statusOfLogin(
  { http }: ServerProcess,
  identifier: string,
  secret: string,
): Promise<number> {
  const body = { identifier, secret };
  return (await http.request('POST', '/auth/login', { body })).status;
}

/** The identifiers of the administrator of a first start. */
async function identifiersOf(
  { http }: ServerProcess,
  identifier: string,
  secret: string,
): Promise<unknown> {
  const body = { identifier, secret };
  const answer = await http.request<TokenAnswer>('POST', '/auth/login', { body });
  return expectStatus(200, answer).user.identifiers;
}

/** The single-use login link. */
function linkIn(printed: string): string {
  return /^ {2}One-time link +(\S+)/m.exec(printed)?.[1] ?? '';
}

/** The three commands work as printed. */
async function assertCommandsWork(server: ServerProcess, env: Environment = {}): Promise<void> {
  const commands = commandsIn(server.stdout);
  assert.equal(commands.length, 3);
  const { code, stdout, stderr } = await paste(commands.join('\n'), env);
  assert.equal(code, 0, stderr);
  const [token = '', user = '', verdict, ...claims] = stdout.split('\n');
  const { sub, roles } = claimsOf(token);
  assert.deepEqual(roles, ['system_admin']);
  const { identifiers } = JSON.parse(user) as { identifiers: { identifier: string }[] };
  assert.equal(identifiers[0]?.identifier, 'ada@example.com');
  assert.equal(verdict, 'signature valid: true', stdout + stderr);
  assert.ok(claims.join('\n').includes(sub));
  assert.equal(await statusOfLogin(server, 'ada@example.com', 'engines of analysis'), 200);
}

describe('with the embedded database', () => {
  let dataDir: string;
  let first: ServerProcess;
  let secret: string;

  before(async () => {
    dataDir = join(await databaseDirectory('first-start'), 'data');
    first = await welcomed(await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } }));
    secret = /^ {2}Password +(\S+)/m.exec(first.stdout)?.[1] ?? '';
  });

  after(async () => {
    if (!first.hasExited) await first.kill9();
  });

  test('The first start prints its address, an administrator with a secret, and commands that work as they stand (SPEC service 2, SPEC service 3, SPEC resources default tenant 1)', async () => {
    const { port } = new URL(first.url);
    assert.match(first.stdout, new RegExp(`^Keywright is ready at http://localhost:${port}$`, 'm'));
    assert.match(first.stdout, /^ {2}System administrator {3}admin@keywright\.localhost$/m);
    const [password = '', link = ''] = first.stdout.trimEnd().split('\n').slice(-2);
    assert.match(password, /^ {2}Password /, 'the secret and the link come last');
    assert.match(link, /^ {2}One-time link /);
    assert.match(secret, /^[0-9A-Za-z]{24}$/);
    assert.equal(first.stdout.split(secret).length - 1, 2, 'where it is shown, and in a command');
    const page = `http://localhost:${port}/dev/messages`;
    assert.ok(first.stdout.includes(`\n  Development mailbox    ${page}\n`));
    assert.equal((await fetch(page)).status, 200);
    await assertCommandsWork(first);
    assert.equal((await fetch(linkIn(first.stdout))).status, 200);
    assert.ok(existsSync(join(dataDir, 'master.key')));
  });

  test('The administrator that the first start generates is verified', async () => {
    const identifier = 'admin@keywright.localhost';
    const expected = [{ type: 'email', identifier, verified: true }];
    assert.deepEqual(await identifiersOf(first, identifier, secret), expected);
  });

  test('Another start on the same data directory is rejected, and the first one continues', async () => {
    const message = await refusalOf({ KEYWRIGHT_DATA_DIR: dataDir }, 4);
    assert.match(message, new RegExp(`^The data directory ${dataDir} is in use .*${first.pid}`));
    assert.match(message, /KEYWRIGHT_DATA_DIR/);
    assert.equal(await statusOfLogin(first, 'admin@keywright.localhost', secret), 200);
  });

  test('A start after a user signed in prints no welcome or credentials, and all data is still there', async () => {
    assert.equal((await first.interrupt()).code, 0);
    const second = await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir } });
    const former = new URL(linkIn(first.stdout));
    former.port = new URL(second.url).port;
    assert.equal((await fetch(former)).status, 401);
    assert.equal(await statusOfLogin(second, 'admin@keywright.localhost', secret), 200);
    assert.equal(await statusOfLogin(second, 'ada@example.com', 'engines of analysis'), 200);
    await second.kill9();
    assert.doesNotMatch(second.stdout, WELCOME);
    assert.equal(second.stdout.includes(secret), false);
    assert.doesNotMatch(second.stdout, /Password|One-time|curl/);
  });
});

describe('until a user signs in, with the embedded database', () => {
  const passwordIn = ({ stdout }: ServerProcess) => /^ {2}Password +(\S+)/m.exec(stdout)?.[1] ?? '';
  const ADMIN = 'admin@keywright.localhost';

  test('Each start until a user signs in prints a new password and a new link, in production as well, and the previous password ends', async () => {
    const env = { KEYWRIGHT_DATA_DIR: await databaseDirectory('data'), NODE_ENV: 'production' };
    const first = await welcomed(await startServerProcess({ env }));
    await first.kill9();
    const second = await welcomed(await startServerProcess({ env }));
    assert.equal((await fetch(linkIn(second.stdout))).status, 200);
    assert.notEqual(passwordIn(second), passwordIn(first));
    assert.equal(await statusOfLogin(second, ADMIN, passwordIn(first)), 401);
    assert.equal(await statusOfLogin(second, ADMIN, passwordIn(second)), 200);
    // The password is not replaced even if the process dies before it records the login.
    await second.kill9();
    const third = await startServerProcess({ env });
    assert.equal(await statusOfLogin(third, ADMIN, passwordIn(second)), 200);
    await third.kill9();
    assert.doesNotMatch(third.stdout, WELCOME);
  });
});

test('A chosen password is never replaced, even if no one has signed in with it', async () => {
  const env = { KEYWRIGHT_DATA_DIR: await databaseDirectory('data') };
  const identifier = 'admin@keywright.localhost';
  const secret = randomBytes(12).toString('hex');
  const chosen = { KEYWRIGHT_ADMIN_IDENTIFIER: identifier, KEYWRIGHT_ADMIN_SECRET: secret };
  await (await startServerProcess({ env: { ...env, ...chosen } })).interrupt();
  const second = await startServerProcess({ env });
  assert.equal(await statusOfLogin(second, identifier, secret), 200);
  await second.interrupt();
  assert.doesNotMatch(second.stdout, WELCOME);
});

describe('with PostgreSQL', () => {
  // Characters special to a shell and to JSON.
  const identifier = "o'root$`{}@example.com";
  const secret = `${randomBytes(15).toString('base64url')}"\\'$(exit 1)\`exit 1\``;
  const administrator = {
    KEYWRIGHT_ADMIN_IDENTIFIER: identifier,
    KEYWRIGHT_ADMIN_SECRET: secret,
  };
  let server: PostgresServer;
  let database: TestDatabase;
  let env: Environment;

  before(async () => {
    server = await startPostgres();
    database = await createDatabase(server);
    env = { KEYWRIGHT_DATABASE_URL: database.url, KEYWRIGHT_MASTER_KEY: MASTER_KEY };
  });

  after(async () => {
    await database.drop();
    await server.close();
  });

  test('Two nodes that start concurrently create one tenant and one administrator, and both serve', async () => {
    const empty = await createDatabase(server);
    const both = { ...env, KEYWRIGHT_DATABASE_URL: empty.url, ...administrator };
    const nodes = await Promise.all([
      startServerProcess({ env: both }),
      startServerProcess({ env: both }),
    ]);
    const tables = ['tenants', 'users', 'signing_keys', 'tenant_data_keys', 'installation'];
    for (const table of tables) {
      const rows = await empty.query(`SELECT FROM ${table}`);
      assert.equal(rows.length, 1, table);
    }
    for (const node of nodes) {
      assert.equal(await statusOfLogin(node, identifier, secret), 200);
    }
    await Promise.all(nodes.map((node) => node.kill9()));
    assert.equal(nodes.filter((node) => WELCOME.test(node.stdout)).length, 1);
    await empty.drop();
  });

  test('The administrator of the environment is created as verified, without printing the secret, and the commands work', async () => {
    const first = await welcomed(await startServerProcess({ env: { ...env, ...administrator } }));
    await assertCommandsWork(first, { KEYWRIGHT_ADMIN_SECRET: secret });
    const expected = [{ type: 'email', identifier, verified: true }];
    assert.deepEqual(await identifiersOf(first, identifier, secret), expected);
    await first.kill9();
    assert.equal(`${first.stdout}${first.stderr}`.includes(secret), false);
    assert.equal(`${first.stdout}${first.stderr}`.includes(MASTER_KEY), false);
  });

  test('A later start changes nothing, even if the environment names another administrator', async () => {
    const other = {
      KEYWRIGHT_ADMIN_IDENTIFIER: 'other@example.com',
      KEYWRIGHT_ADMIN_SECRET: 'another long secret',
    };
    const second = await startServerProcess({ env: { ...env, ...other } });
    assert.equal(await statusOfLogin(second, 'other@example.com', 'another long secret'), 401);
    assert.equal(await statusOfLogin(second, identifier, secret), 200);
    await second.kill9();
    assert.doesNotMatch(second.stdout, WELCOME);
  });

  test('A start with another master key is rejected, and the right one still works', async () => {
    const wrong = { ...env, KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64') };
    assert.match(await refusalOf(wrong), /^KEYWRIGHT_MASTER_KEY is not the master key of this/);
    const right = await startServerProcess({ env });
    expectStatus(200, await right.http.request('GET', '/health'));
    await right.kill9();
  });

  test('A start with PostgreSQL and without a master key is rejected, with the command that generates one', async () => {
    const message = await refusalOf({ KEYWRIGHT_DATABASE_URL: database.url });
    assert.match(message, /KEYWRIGHT_MASTER_KEY is missing: .*openssl rand -base64 32/);
  });

  test('No administrator is created automatically with PostgreSQL', async () => {
    const empty = await createDatabase(server);
    const first = await welcomed(
      await startServerProcess({ env: { ...env, KEYWRIGHT_DATABASE_URL: empty.url } }),
    );
    await first.kill9();
    assert.match(first.stdout, /There is no system administrator yet/);
    assert.match(first.stdout, /^ {2}npx keywright admin create --identifier \S+$/m);
    assert.equal((await empty.query('SELECT FROM users')).length, 0);
    await empty.drop();
  });
});

test('An invalid environment is rejected, with all errors in one message', async () => {
  const message = await refusalOf({
    KEYWRIGHT_PORT: 'http',
    KEYWRIGHT_BASE_URL: 'id.example.com',
    KEYWRIGHT_LOG_LEVEL: 'loud',
    KEYWRIGHT_TYPO: 'x',
    KEYWRIGHT_ADMIN_SECRET: 'short',
  });
  const named = [...message.matchAll(/^ {2}- (KEYWRIGHT_\w+)/gm)].map((match) => match[1]);
  assert.deepEqual(
    new Set(named),
    new Set([
      'KEYWRIGHT_PORT',
      'KEYWRIGHT_BASE_URL',
      'KEYWRIGHT_LOG_LEVEL',
      'KEYWRIGHT_TYPO',
      'KEYWRIGHT_ADMIN_SECRET',
      'KEYWRIGHT_ADMIN_IDENTIFIER',
    ]),
  );
});
