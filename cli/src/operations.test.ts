import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { runCommand, runProgram } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { expectStatus, httpClient } from '@keywright/tests/harness/http';
import { environmentOn, Installation } from '@keywright/tests/harness/installation';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

/** Settings of a service in this process. */
const QUIET = { KEYWRIGHT_PORT: '0', KEYWRIGHT_LOG_LEVEL: 'silent' };

let installation: Installation;

before(async () => {
  installation = await Installation.start();
});

after(() => installation.close());

describe('migrate', () => {
  let empty: TestDatabase;
  const migrate = (...more: string[]) =>
    runCommand(['migrate', ...more], { env: environmentOn(empty) });

  before(async () => {
    empty = await createDatabase();
    await empty.query('DROP SCHEMA public CASCADE');
    await empty.query('CREATE SCHEMA public AUTHORIZATION pg_database_owner');
  });

  after(() => empty.drop());

  test('The other commands require migrate on an unmigrated database', async () => {
    for (const args of [
      ['tenant', 'list'],
      ['admin', 'create', '--identifier=a@example.com'],
      ['tenant', 'create', '--name=Acme'],
      ['key', 'rotate', '--tenant=org_acme'],
      ['master-key', 'rotate'],
    ]) {
      const { code, stderr } = await runCommand(args, { env: environmentOn(empty) });
      assert.equal(code, 1);
      assert.match(stderr, /^keywright: Run "keywright migrate" first: .* as 0001_tenants\.\n$/);
    }
    assert.deepEqual(
      await empty.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`),
      [],
      'nothing was made',
    );
  });

  test('The migrate command reports the migrations it applied, and none the second time', async () => {
    const first = await migrate();
    assert.equal(first.code, 0);
    assert.match(
      first.stdout,
      /^Applied:\n  0001_tenants\n  0002_identity\n[^]*\n  \d+ functions$/m,
    );
    assert.match(
      (await migrate()).stdout,
      /^Nothing to do: all \d+ migrations are already applied/,
    );
    const { code, answer } = await migrate('--json');
    assert.equal(code, 0);
    assert.equal(answer.ok, true);
    assert.deepEqual(answer.result['applied'], []);
  });
});

describe('admin create', () => {
  test('The admin create command generates a secret and shows it once, and the administrator can sign in', async () => {
    const identifier = newIdentifier();
    const { code, stdout, stderr } = await installation.run([
      'admin',
      'create',
      `--identifier=${identifier}`,
    ]);
    assert.equal(code, 0, stderr);
    const secret = /^Password: ([A-Za-z0-9]{24}) {3}\(shown only once: .*\)$/m.exec(stdout)?.[1];
    const { access_token: token } = expectStatus(
      200,
      await installation.logIn(identifier, secret ?? ''),
    );
    expectStatus(
      200,
      await installation.server.http.request('GET', '/tenants', { token, host: 'localhost' }),
    );
  });

  test('The admin create command takes any secret from standard input, and does not show it', async () => {
    const identifier = newIdentifier();
    const secret = `  "quoted" $HOME \\ ${newPassword()} é🔑 `;
    const args = ['admin', 'create', `--identifier=${identifier}`, '--secret-stdin', '--json'];
    const { code, stdout, answer } = await installation.run(args, `${secret}\n`);
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(answer.result), ['user_id', 'identifier']);
    assert.ok(!stdout.includes('quoted'));
    expectStatus(200, await installation.logIn(identifier, secret));
  });

  test('The admin create command rejects an identifier in use, and does not change its user', async () => {
    const identifier = newIdentifier();
    const first = await installation.run([
      'admin',
      'create',
      `--identifier=${identifier}`,
      '--json',
    ]);
    const users = await installation.count('users');
    const again = await installation.run([
      'admin',
      'create',
      `--identifier=${identifier.toUpperCase()}`,
    ]);
    assert.equal(again.code, 1);
    assert.equal(again.stdout, '');
    assert.match(again.stderr, new RegExp(`^keywright: ${identifier} is taken: .*\\n$`));
    assert.equal(await installation.count('users'), users);
    expectStatus(200, await installation.logIn(identifier, first.answer.result['secret'] ?? ''));
  });

  test('The admin create command rejects an invalid identifier, and a secret that violates the password rules', async () => {
    const users = await installation.count('users');
    const refused = await installation.run(['admin', 'create', '--identifier=unknown', '--json']);
    assert.equal(refused.code, 1);
    assert.equal(refused.answer.code, 'IDENTIFIER_INVALID');
    const args = ['admin', 'create', '--identifier=a@example.com', '--secret-stdin', '--json'];
    for (const secret of ['short', 'passwordpassword', 'x'.repeat(257)]) {
      const { code, stdout, answer } = await installation.run(args, secret);
      assert.equal(code, 1);
      assert.equal(answer.code, 'SECRET_WEAK');
      assert.ok(!stdout.includes(secret));
    }
    assert.equal(await installation.count('users'), users);
  });

  test('The admin create command creates the installation on a new database', async () => {
    const fresh = await createDatabase();
    const freshEnv = environmentOn(fresh);
    const args = ['admin', 'create', '--identifier=first@example.com', '--json'];
    const { code, answer } = await runCommand(args, { env: freshEnv });
    assert.equal(code, 0);
    const service = await startKeywright({ config: readConfig({ ...freshEnv, ...QUIET }) });
    const http = httpClient(service.url);
    const body = { identifier: 'first@example.com', secret: answer.result['secret'] };
    const host = 'localhost';
    expectStatus(200, await http.request('POST', '/auth/login', { host, body }));
    http.close();
    await service.close();
    await fresh.drop();
  });
});

describe('tenant', () => {
  test('The tenant create command makes a complete tenant, whose administrator can sign in with the printed secret', async () => {
    const { code, stdout, stderr } = await installation.run([
      'tenant',
      'create',
      '--name=Acmé Ltd',
      '--domain=Login.Acme.Example.com.',
      '--domain=acme.example.com:443',
      '--admin-identifier=root@acme.example.com',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Created the tenant org_acme-ltd, Acmé Ltd\.$/m);
    assert.match(stdout, /^  Domains {8}acme\.example\.com, login\.acme\.example\.com$/m);
    assert.match(stdout, /^  Administrator  root@acme\.example\.com$/m);
    const secret =
      /^  Secret {9}(\w{24}) {3}\(shown only once: save it\)$/m.exec(stdout)?.[1] ?? '';
    const login = await installation.logIn('root@acme.example.com', secret, 'org_acme-ltd');
    const { access_token: token } = expectStatus(200, login);
    const host = 'login.acme.example.com';
    expectStatus(200, await installation.server.http.request('GET', '/users', { token, host }));
    expectStatus(403, await installation.server.http.request('GET', '/tenants', { token, host }));
  });

  test('The tenant create command rejects a slug or domain that is in use or invalid', async () => {
    await installation.run(['tenant', 'create', '--name=Taken', '--domain=taken.example.com']);
    const tenants = await installation.count('tenants');
    const cases: readonly (readonly [code: number, name: string, ...args: string[]])[] = [
      [1, 'SLUG_TAKEN', '--name=Taken'],
      [1, 'DOMAIN_TAKEN', '--name=Other', '--domain=TAKEN.example.com'],
      [1, 'VALIDATION_FAILED', '--name=Other', '--domain=not a host'],
      [1, 'VALIDATION_FAILED', '--name=东京'],
      [1, 'IDENTIFIER_INVALID', '--name=Other', '--admin-identifier=unknown'],
      [2, 'USAGE', '--name=Other', '--slug=No_Slug'],
      [2, 'USAGE', `--name=${'x'.repeat(129)}`],
    ];
    for (const [exitCode, name, ...args] of cases) {
      const { code, answer } = await installation.run(['tenant', 'create', ...args, '--json']);
      assert.deepEqual([code, answer.ok, answer.code], [exitCode, false, name], args.join(' '));
      assert.match(answer.message, /^\S.*\.$/);
    }
    assert.equal(await installation.count('tenants'), tenants, 'nothing was created');
  });

  test('The tenant list shows every tenant, marking inactive ones and those being deleted', async () => {
    for (const slug of ['resting', 'leaving']) {
      await installation.run(['tenant', 'create', `--name=${slug}`, '--json']);
    }
    await installation.database.query(
      `UPDATE tenants SET is_active = false WHERE tenant_id = 'org_resting'`,
    );
    await installation.database.query(
      `UPDATE tenants SET deleted_at = now() WHERE tenant_id = 'org_leaving'`,
    );
    const { code, stdout } = await installation.run(['tenant', 'list']);
    assert.equal(code, 0);
    assert.match(stdout, /^ID +STATE +CREATED +NAME +DOMAINS$/m);
    assert.match(stdout, /^org_default +active +\d{4}-\d\d-\d\d +Default Tenant +127\.0\.0\.1, /m);
    assert.match(stdout, /^org_resting +inactive +/m);
    assert.match(stdout, /^org_leaving +being deleted +/m);
    const { answer } = await installation.run<{ tenants: { id: string }[] }>([
      'tenant',
      'list',
      '--json',
    ]);
    const { tenants } = answer.result;
    assert.equal(tenants.length, await installation.count('tenants'));
    assert.equal(tenants[0]?.id, 'org_default');
    await installation.database.query(
      `UPDATE tenants SET deleted_at = NULL WHERE tenant_id = 'org_leaving'`,
    );
  });

  test('The tenant list shows no control characters of a name to the terminal', async () => {
    await installation.run(['tenant', 'create', '--name=plain', '--json']);
    await installation.database.query(
      `UPDATE tenants SET name = E'a\\u001b[2Jb\\u009bc' WHERE tenant_id = 'org_plain'`,
    );
    const { stdout } = await installation.run(['tenant', 'list']);
    assert.match(stdout, /^org_plain .* a\uFFFD\[2Jb\uFFFDc$/m);
  });
});

describe('key rotate', () => {
  async function publishedKeys(tenant: string): Promise<string[]> {
    const path = `/t/${tenant}/.well-known/jwks.json`;
    const { body } = await installation.server.http.request<{ keys: { kid: string }[] }>(
      'GET',
      path,
    );
    return body.keys.map((key) => key.kid);
  }

  test('The key rotate command immediately publishes a new key on a running service, and rejects a second one until it signs', async () => {
    await installation.run(['tenant', 'create', '--name=Turning', '--json']);
    const [old] = await publishedKeys('org_turning');
    const first = await installation.run(['key', 'rotate', '--tenant=org_turning']);
    assert.equal(first.code, 0, first.stderr);
    const message = /^(key_\w+) of org_turning is published and becomes the signing key at \d{4}-/;
    const id = message.exec(first.stdout)?.[1];
    const both = new Set([old, id]);
    const isPublished = async () =>
      isDeepStrictEqual(new Set(await publishedKeys('org_turning')), both);
    await until('the service has heard of it', isPublished, 1000);
    const second = await installation.run(['key', 'rotate', '--tenant=org_turning', '--json']);
    assert.equal(second.code, 1);
    assert.equal(second.answer.code, 'ROTATION_IN_PROGRESS');
    assert.match(second.answer.message, /--immediately/);
  });

  test('--immediately makes the new key sign within a second', async () => {
    const admin = 'root@hurry.example.com';
    const args = ['tenant', 'create', '--name=Hurry', `--admin-identifier=${admin}`, '--json'];
    const made = await installation.run<{ administrator: { secret: string } }>(args);
    const { secret } = made.answer.result.administrator;
    const { code, answer } = await installation.run([
      'key',
      'rotate',
      '--tenant=org_hurry',
      '--immediately',
      '--json',
    ]);
    assert.equal(code, 0);
    assert.equal(answer.result['state'], 'current');
    const isNew = async () => {
      const login = expectStatus(200, await installation.logIn(admin, secret, 'org_hurry'));
      return headerOf(login.access_token).kid === answer.result['id'];
    };
    await until('the service signs with the new key', isNew, 1000);
  });

  test('The key rotate command rejects an unknown tenant', async () => {
    for (const tenant of ['org_nowhere', 'no tenant']) {
      const { code, answer } = await installation.run([
        'key',
        'rotate',
        `--tenant=${tenant}`,
        '--json',
      ]);
      assert.deepEqual([code, answer.code], [1, 'NOT_FOUND']);
    }
  });
});

describe('errors are one line, with their exit code', () => {
  test('4 when the database does not respond, or rejects the login', async () => {
    const password = newPassword();
    const wrong = new URL(installation.database.url);
    wrong.password = password;
    for (const url of ['postgres://keywright:unused-password@127.0.0.1:1/keywright', wrong.href]) {
      const { code, stdout, stderr } = await runCommand(['tenant', 'list'], {
        env: { ...installation.env, KEYWRIGHT_DATABASE_URL: url },
      });
      assert.equal(code, 4);
      assert.equal(stdout, '');
      assert.match(stderr, /^keywright: The database of \w+ cannot be reached: .+\n$/);
      assert.ok(!stderr.includes(password) && !stderr.includes('unused-password'));
    }
  });

  test('1 when the environment is invalid, naming each variable without its value', async () => {
    const { code, stderr } = await runCommand(['tenant', 'list'], {
      env: {
        KEYWRIGHT_DATABASE_URL: 'mysql://secret',
        KEYWRIGHT_MASTER_KEY: 'tooshort',
        KEYWRIGHT_X: '1',
      },
    });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^keywright: .*KEYWRIGHT_DATABASE_URL.*KEYWRIGHT_MASTER_KEY.*KEYWRIGHT_X.*\n$/,
    );
    assert.doesNotMatch(stderr, /mysql|tooshort/);
  });

  test('1 when the master key is different, and nothing is created', async () => {
    const tenants = await installation.count('tenants');
    for (const args of [
      ['tenant', 'create', '--name=Foreign'],
      ['admin', 'create', `--identifier=${newIdentifier()}`],
      ['key', 'rotate', '--tenant=org_default'],
    ]) {
      const { code, stderr } = await runCommand(args, {
        env: environmentOn(installation.database),
      });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^keywright: KEYWRIGHT_MASTER_KEY is not the master key of this database\./,
      );
    }
    assert.equal(await installation.count('tenants'), tenants);
  });
});

test('No secret is in an argument of any process, or in a log', async () => {
  const file = join(await temporaryDirectory('argv'), 'argv');
  await appendFile(file, '');
  const record =
    `import { appendFileSync } from 'node:fs';` +
    `appendFileSync(process.env.ARGV_FILE, JSON.stringify(process.argv) + '\\n');`;
  const secret = newPassword();
  const { code, stdout, stderr } = await runProgram(
    ['admin', 'create', `--identifier=${newIdentifier()}`, '--secret-stdin'],
    {
      env: {
        ...installation.env,
        KEYWRIGHT_LOG_LEVEL: 'trace',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(record)}`,
        ARGV_FILE: file,
      },
      input: secret,
    },
  );
  assert.equal(code, 0, stderr);
  const seen = await readFile(file, 'utf8');
  assert.match(seen, /keywright\.mjs.*admin.*\n.*operate\.ts.*admin create/);
  assert.match(stderr, /"msg":"work across tenants"/, 'the log is there');
  const { password } = new URL(installation.database.url);
  for (const hidden of [secret, password, installation.env.KEYWRIGHT_MASTER_KEY]) {
    assert.ok(!`${seen}${stdout}${stderr}`.includes(hidden));
  }
});

test('The audit logs contain operator commands, with the command line as the actor', async () => {
  const admin = newIdentifier();
  const made = ['tenant', 'create', '--name=Told', '--slug=told', `--admin-identifier=${admin}`];
  for (const args of [made, ['key', 'rotate', '--tenant=org_told', '--immediately']]) {
    assert.equal((await installation.run(args)).code, 0, args.join(' '));
  }
  const entries = await installation.database.query<{ action: string }>(
    `SELECT action FROM audit_entries WHERE actor_kind = 'system' AND actor_id = 'command line'
        AND (tenant_id = 'org_told' OR target_id = 'org_told' OR details::text LIKE '%told%') ORDER BY 1`,
  );
  const actions = new Set(entries.map((entry) => entry.action));
  for (const action of ['tenant.created', 'user.created', 'key.rotated', 'system.work']) {
    assert.ok(actions.has(action), `${action} among ${[...actions].join(' ')}`);
  }
});
