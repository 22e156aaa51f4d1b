import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { runCommand } from '@keywright/tests/harness/command-line';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { expectStatus } from '@keywright/tests/harness/http';
import { type ServerProcess, startServerProcess } from '@keywright/tests/harness/process';
import { until } from '@keywright/tests/harness/until';

let database: TestDatabase;
let env: Readonly<Record<string, string>>;
let server: ServerProcess;

before(async () => {
  database = await createDatabase();
  env = environmentOf(database);
  server = await startServerProcess({ env });
});

after(async () => {
  const { code, signal } = await server.interrupt();
  await database.drop();
  assert.deepEqual([code, signal], [0, null], server.stdout + server.stderr);
});

function environmentOf({ url }: TestDatabase) {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
  };
}

function run<Result = Record<string, string>>(args: readonly string[], input = '') {
  return runCommand<Result>(args, { env, input });
}

function logIn(identifier: string, secret: string, tenant = 'org_default') {
  return server.http.request<TokenAnswer>('POST', '/auth/login', {
    tenant,
    body: { identifier, secret },
  });
}

async function count(table: string): Promise<number> {
  const [row] = await database.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`);
  return row?.n ?? 0;
}

describe('tenant', () => {
  test('list finds part of a name, an id or a domain, and pages through what it finds', async () => {
    for (const slug of ['found-one', 'found-two', 'found-3']) {
      const name = slug === 'found-3' ? 'Other' : 'Found_%';
      const args = [`--name=${name}`, `--slug=${slug}`, `--domain=${slug}.seek.example.com`];
      await run(['tenant', 'create', ...args, '--json']);
    }
    const list = async (...args: string[]) => {
      const { code, stderr, answer } = await run<{
        tenants: { id: string }[];
        next: string | null;
      }>(['tenant', 'list', ...args, '--json']);
      assert.equal(code, 0, stderr);
      return [answer.result.tenants.map(({ id }) => id), answer.result.next];
    };
    const [one, two, three] = ['org_found-one', 'org_found-two', 'org_found-3'];
    assert.deepEqual(await list('--search=FOUND_%'), [[one, two], null]);
    assert.deepEqual(await list('--search=Seek.Example'), [[one, two, three], null]);
    assert.deepEqual(await list('--search=org_FOUND-3'), [[three], null]);
    assert.deepEqual(await list('--search=found-', '--limit=2'), [[one, two], two]);
    const last = [[three], null];
    assert.deepEqual(await list('--search=found-', '--limit=2', `--after=${two}`), last);
    const { stdout } = await run(['tenant', 'list', '--search=found-', '--limit=1']);
    assert.match(stdout, /^There are more: --after org_found-one$/m);
    const gone = await run(['tenant', 'list', '--after=org_nowhere', '--json']);
    assert.deepEqual([gone.code, gone.answer.code], [1, 'NOT_FOUND']);
  });

  test('show tells the settings of a tenant', async () => {
    await run(['tenant', 'create', '--name=Shown', '--domain=shown.example.com', '--json']);
    const { code, stdout, stderr } = await run(['tenant', 'show', '--tenant=org_shown']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ID +org_shown$/m);
    assert.match(stdout, /^State +active$/m);
    assert.match(stdout, /^Domains +shown\.example\.com$/m);
    assert.match(stdout, /^password_min_length +\d+$/m);
    const { answer } = await run(['tenant', 'show', '--tenant=org_shown', '--json']);
    const { id, state, messaging } = answer.result;
    assert.deepEqual([id, state, typeof messaging], ['org_shown', 'active', 'object']);
    const unknown = await run(['tenant', 'show', '--tenant=org_nowhere', '--json']);
    assert.deepEqual([unknown.code, unknown.answer.code], [1, 'NOT_FOUND']);
  });

  test('delete ends a tenant on a running service, leaves no row, and is in the audit log', async () => {
    const admin = newIdentifier();
    const args = ['tenant', 'create', '--name=Ending', `--admin-identifier=${admin}`, '--json'];
    const made = await run<{ administrator: { secret: string } }>(args);
    const { secret } = made.answer.result.administrator;
    expectStatus(200, await logIn(admin, secret, 'org_ending'));
    const gone = ['tenant', 'delete', '--tenant=org_ending', '--confirm=org_ending'];
    const { code, stdout, stderr } = await run(gone);
    assert.deepEqual([code, stdout, stderr], [0, 'Deleted the tenant org_ending.\n', '']);
    for (const table of ['tenants', 'users', 'signing_keys', 'tenant_data_keys', 'sessions']) {
      assert.equal(await count(`${table} WHERE tenant_id = 'org_ending'`), 0, table);
    }
    const isRefused = async () => (await logIn(admin, secret, 'org_ending')).status !== 200;
    await until('the service has heard of it', isRefused, 1000);
    const told = `audit_entries WHERE tenant_id = 'org_default' AND action = 'system.work'
      AND actor_id = 'command line' AND target_id = 'org_ending'`;
    assert.equal(await count(`${told} AND details->>'reason' = 'delete tenant org_ending'`), 1);
    const again = await run([...gone, '--json']);
    assert.deepEqual([again.code, again.answer.code], [1, 'NOT_FOUND']);
  });

  test('delete leaves alone the default tenant, and any that is not confirmed', async () => {
    await run(['tenant', 'create', '--name=Staying', '--json']);
    const tenants = await count('tenants WHERE deleted_at IS NULL');
    const cases = [
      [1, 'DEFAULT_TENANT_PROTECTED', '--tenant=org_default', '--confirm=org_default'],
      [2, 'USAGE', '--tenant=org_staying', '--confirm=org_default'],
      [2, 'USAGE', '--tenant=org_staying'],
    ] as const;
    for (const [exitCode, name, ...args] of cases) {
      const { code, answer } = await run(['tenant', 'delete', ...args, '--json']);
      assert.deepEqual([code, answer.code], [exitCode, name], args.join(' '));
    }
    assert.equal(await count('tenants WHERE deleted_at IS NULL'), tenants);
  });
});

describe('key list', () => {
  test('shows the keys of one tenant by their states, and nothing of a private key', async () => {
    await run(['tenant', 'create', '--name=Keyed', '--json']);
    await run(['key', 'rotate', '--tenant=org_keyed', '--json']);
    const { code, stdout, stderr } = await run(['key', 'list', '--tenant=org_keyed']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ID +STATE +CREATED +SIGNS FROM$/m);
    assert.match(stdout, /^key_\w+ +current +\d{4}-/m);
    assert.match(stdout, /^key_\w+ +next +\d{4}-/m);
    const args = ['key', 'list', '--tenant=org_keyed', '--json'];
    const { answer } = await run<{ keys: { tenant_id: string }[] }>(args);
    const { keys } = answer.result;
    assert.deepEqual(new Set(keys.map((key) => key.tenant_id)), new Set(['org_keyed']));
    assert.ok(keys.every((key) => !Object.keys(key).some((field) => /private/.test(field))));
    const unknown = await run(['key', 'list', '--tenant=org_nowhere', '--json']);
    assert.deepEqual([unknown.code, unknown.answer.code], [1, 'NOT_FOUND']);
  });
});
