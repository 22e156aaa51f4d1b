import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { EXPORTED, LEFT_OUT } from '@keywright/server/modules/operations/operator/transfer-store';
import { TENANT_TABLES } from '@keywright/server/modules/operations/tenants/deletion-store';
import { MasterKeys, newDataKey } from '@keywright/server/tenancy/data-keys';
import { runCommand } from '@keywright/tests/harness/command-line';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { seedTenant } from '../../tests/isolation/seed.ts';

const PASSPHRASE = 'a passphrase that is hard to guess';

const newKey = () => randomBytes(32).toString('base64');

/** One of two installations, each with its own database and master key. */
interface Side {
  readonly keywright: Keywright;
  readonly env: Readonly<Record<string, string>>;
}

async function start(baseUrl: string): Promise<Side> {
  const key = newKey();
  const settings = { KEYWRIGHT_MASTER_KEY: key, KEYWRIGHT_BASE_URL: baseUrl };
  const keywright = await startKeywright({ env: settings });
  const env = { ...settings, KEYWRIGHT_DATABASE_URL: keywright.database.url };
  return { keywright, env };
}

let source: Side;
let target: Side;
let tenant: TestTenant;
let user: TestUser;
let factored: TestUser;
let codes: readonly string[];
let key: string;
let file: string;
let folder: string;

before(async () => {
  source = await start('https://id.example.com');
  target = await start('https://login.example.org');
  folder = await temporaryDirectory('transfer');
  file = join(folder, 'moving.export');
  tenant = await source.keywright.tenant('moving', { config: { login_attempts_limit: 1000 } });
  user = await tenant.createUser();
  factored = await tenant.createUser();
  ({ codes } = await enrollTotp(tenant, factored.token, { now: () => new Date() }));
  const token = await tenant.adminToken();
  const webhook = {
    url: 'https://hooks.example.com/',
    events: ['webhook.disabled'],
    secret: `whsec_${Buffer.from(newPassword()).toString('base64')}`,
  };
  expectStatus(201, await tenant.request('POST', '/webhooks', { token, body: webhook }));
  ({ key } = await tenant.createAgent());
  await source.keywright.nodes[0]?.notes.flush();
  await source.keywright.nodes[0]?.sealing.sweep();
});
after(async () => {
  await source.keywright.close();
  await target.keywright.close();
});

function transfer(
  side: Side,
  command: 'export' | 'import',
  { input = PASSPHRASE, at = file }: { readonly input?: string; readonly at?: string } = {},
) {
  const tenantArgs = command === 'export' ? ['--tenant', tenant.id] : [];
  const args = ['tenant', command, ...tenantArgs, '--file', at, '--passphrase-stdin', '--json'];
  return runCommand<{ rows: number }>(args, { env: side.env, input });
}

/** Columns that the move changes. The `version` of clients counts changes for caches, including each secret written. */
const OMITTED: Readonly<Record<string, string>> = {
  events: ` - 'xid' - 'told'`,
  oauth_clients: ` - 'version'`,
};

/** The rows of the tenant, by table. */
function rowsOf({ keywright }: Side): Promise<Record<string, string[]>> {
  return rowsIn(keywright.database, tenant.id);
}

async function rowsIn(
  database: Pick<TestDatabase, 'query'>,
  id: string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of EXPORTED) {
    const omitted = OMITTED[table] ?? '';
    const rows = await database.query<{ row: string }>(
      `SELECT (to_jsonb(t)${omitted} - 'issuer')::text AS row FROM ${table} t WHERE tenant_id = $1 ORDER BY 1`,
      [id],
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

async function tenantsAt({ keywright }: Side): Promise<number> {
  const rows = await keywright.database.query('SELECT FROM tenants WHERE tenant_id = $1', [
    tenant.id,
  ]);
  return rows.length;
}

test('Every table of a tenant is exported, or named with the reason why not', () => {
  const all = [...EXPORTED, ...Object.keys(LEFT_OUT)];
  assert.deepEqual(all.toSorted(), [...TENANT_TABLES].toSorted());
  assert.ok(Object.values(LEFT_OUT).every((reason) => reason.length > 20));
});

test('A tenant with a row in every table has all of its rows after its move', async (t) => {
  const [from, to] = await Promise.all([createDatabase(), createDatabase()]);
  t.after(() => Promise.all([from.drop(), to.drop()]));
  const master = randomBytes(32);
  const { tenantId } = await seedTenant(from, 'whole');
  const keys = new MasterKeys([master]);
  const wrapped = keys.wrap(tenantId as TenantId, newDataKey(), keys.ids[0] ?? '');
  await from.query(
    'UPDATE tenant_data_keys SET wrapped_key = $2, master_key_id = $3 WHERE tenant_id = $1',
    [tenantId, wrapped.wrapped_key, wrapped.master_key_id],
  );
  const expected = await rowsIn(from, tenantId);
  const empty = Object.keys(expected).filter((table) => expected[table]?.length === 0);
  assert.deepEqual(empty, [], 'tests/isolation/seed.ts has a row for each table');
  const at = join(folder, 'whole.export');
  const run = (
    command: 'export' | 'import',
    masterKey: string,
    url: string,
    tenantArgs: string[] = [],
  ) => {
    const env = { KEYWRIGHT_MASTER_KEY: masterKey, KEYWRIGHT_DATABASE_URL: url };
    const args = ['tenant', command, ...tenantArgs, '--file', at, '--passphrase-stdin', '--json'];
    return runCommand<{ rows: number }>(args, { env, input: PASSPHRASE });
  };
  const named = ['--tenant', tenantId];
  const exported = await run('export', master.toString('base64'), from.url, named);
  assert.equal(exported.code, 0, exported.stderr + exported.stdout);
  const imported = await run('import', newKey(), to.url);
  assert.equal(imported.code, 0, imported.stderr + imported.stdout);
  assert.deepEqual(await rowsIn(to, tenantId), expected);
});

describe('an export', () => {
  test('A tenant export is encrypted, readable by its owner alone, and replaces no file', async () => {
    const { code, stderr, answer } = await transfer(source, 'export');
    assert.equal(code, 0, stderr + answer.message);
    assert.ok(answer.result.rows > 20);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = await readFile(file, 'latin1');
    const decoded = text.split('\n').map((line) => Buffer.from(line, 'base64').toString('latin1'));
    for (const secret of [user.identifier, 'argon2id', 'secret_hash', tenant.id, key]) {
      assert.ok(!text.includes(secret) && !decoded.join('').includes(secret), secret);
    }
    assert.equal((await transfer(source, 'export')).answer.code, 'FILE_UNWRITABLE');
  });

  test('A tenant export needs a long passphrase, and an existing tenant that is not the default one', async () => {
    const at = join(folder, 'none.export');
    const short = await transfer(source, 'export', { at, input: 'short' });
    assert.equal(short.answer.code, 'USAGE');
    const args = ['--file', at, '--passphrase-stdin', '--json'];
    for (const [id, code] of [
      ['org_default', 'USAGE'],
      ['org_nobody', 'NOT_FOUND'],
    ] as const) {
      const options = { env: source.env, input: PASSPHRASE };
      const { answer } = await runCommand(['tenant', 'export', '--tenant', id, ...args], options);
      assert.equal(answer.code, code);
    }
    await assert.rejects(stat(at), { code: 'ENOENT' });
  });
});

describe('an import', () => {
  test('A tenant import of a file that was changed, cut off or encrypted with another passphrase does nothing', async () => {
    const lines = (await readFile(file, 'latin1')).trimEnd().split('\n');
    const at = join(folder, 'bad.export');
    const bad: readonly (readonly [lines: readonly string[], input?: string])[] = [
      [lines, 'another passphrase than that'],
      [lines.slice(0, -1)],
      [lines.toSpliced(2, 1)],
      [[...lines.slice(0, 2), lines[3] ?? '', lines[2] ?? '', ...lines.slice(4)]],
      [lines.with(3, (lines[3] ?? '').replace(/[A-Z]/, 'z'))],
      [[...lines, lines.at(-1) ?? '']],
      [['{}']],
      [[]],
    ];
    for (const [changed, input = PASSPHRASE] of bad) {
      await writeFile(at, changed.join('\n'));
      const { answer } = await transfer(target, 'import', { at, input });
      assert.equal(answer.code, 'FILE_UNREADABLE', JSON.stringify(answer));
      assert.equal(await tenantsAt(target), 0);
    }
  });

  test('A tenant import brings every row, and works only once', async () => {
    const expected = await rowsOf(source);
    const { code, stderr, answer } = await transfer(target, 'import');
    assert.equal(code, 0, stderr + answer.message);
    assert.deepEqual(await rowsOf(target), expected);
    assert.equal((await transfer(target, 'import')).answer.code, 'TENANT_EXISTS');
  });

  test('A tenant import keeps tokens, sessions, passwords, second factors and keys working', async () => {
    const at = <Body = JsonBody>(method: string, path: string, options: object = {}) =>
      target.keywright.request<Body>(method, path, {
        tenant: tenant.id,
        ...options,
      });
    expectStatus(200, await at('GET', '/me', { token: user.token }));
    const body = { refresh_token: user.refreshToken };
    const renewed = expectStatus(200, await at<TokenAnswer>('POST', '/auth/refresh', { body }));
    const { access_token: token } = renewed;
    expectStatus(200, await at('GET', '/me', { token }));
    expectStatus(200, await at('GET', '/me', { token: key }));
    const { identifier, password: secret } = user;
    expectStatus(200, await at('POST', '/auth/login', { body: { identifier, secret } }));
    const credentials = { identifier: factored.identifier, secret: factored.password };
    const first = await at<ErrorBody>('POST', '/auth/login', { body: credentials });
    const { flow } = first.body;
    assert.equal(first.status, 401);
    const proof = { flow_token: flow?.flow_token, code: codes[0] };
    expectStatus(200, await at('POST', `/auth/flows/${flow?.id}/recovery-code`, { body: proof }));
    const keys = await Promise.all(
      [source, target].map(({ keywright }) =>
        keywright.request('GET', '/.well-known/jwks.json', { tenant: tenant.id }),
      ),
    );
    assert.deepEqual(keys[0]?.body, keys[1]?.body);
    assert.equal(await issuerOf(target), `https://id.example.com/t/${tenant.id}`);
  });

  test('A tenant import keeps the audit log verifiable, and sealed data readable', async () => {
    await target.keywright.nodes[0]?.notes.flush();
    await target.keywright.nodes[0]?.sealing.sweep();
    const args = ['audit', 'verify', '--tenant', tenant.id, '--json'];
    const { code, stdout } = await runCommand(args, { env: target.env });
    assert.equal(code, 0, stdout);
    const doctor = await runCommand(['doctor', '--json'], { env: target.env });
    assert.match(doctor.stdout, /opens 2 data keys/);
  });
});

async function issuerOf({ keywright }: Side): Promise<string | undefined> {
  const [row] = await keywright.database.query<{ issuer: string }>(
    'SELECT issuer FROM tenants WHERE tenant_id = $1',
    [tenant.id],
  );
  return row?.issuer;
}
