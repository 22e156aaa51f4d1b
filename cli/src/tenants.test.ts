import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { Installation } from '@keywright/tests/harness/installation';
import { until } from '@keywright/tests/harness/until';

let installation: Installation;

before(async () => {
  installation = await Installation.start();
});

after(() => installation.close());

describe('tenant', () => {
  test('The tenant list finds part of a name, an ID or a domain, and pages through the results', async () => {
    for (const slug of ['found-one', 'found-two', 'found-3']) {
      const name = slug === 'found-3' ? 'Other' : 'Found_%';
      const args = [`--name=${name}`, `--slug=${slug}`, `--domain=${slug}.seek.example.com`];
      await installation.run(['tenant', 'create', ...args, '--json']);
    }
    const list = async (...args: string[]) => {
      const { code, stderr, answer } = await installation.run<{
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
    const { stdout } = await installation.run(['tenant', 'list', '--search=found-', '--limit=1']);
    assert.match(stdout, /^More results: --after org_found-one$/m);
    const gone = await installation.run(['tenant', 'list', '--after=org_nowhere', '--json']);
    assert.deepEqual([gone.code, gone.answer.code], [1, 'NOT_FOUND']);
  });

  test('The tenant show command prints the settings of a tenant', async () => {
    await installation.run([
      'tenant',
      'create',
      '--name=Shown',
      '--domain=shown.example.com',
      '--json',
    ]);
    const { code, stdout, stderr } = await installation.run([
      'tenant',
      'show',
      '--tenant=org_shown',
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ID +org_shown$/m);
    assert.match(stdout, /^State +active$/m);
    assert.match(stdout, /^Domains +shown\.example\.com$/m);
    assert.match(stdout, /^password_min_length +\d+$/m);
    const { answer } = await installation.run(['tenant', 'show', '--tenant=org_shown', '--json']);
    const { id, state, messaging } = answer.result;
    assert.deepEqual([id, state, typeof messaging], ['org_shown', 'active', 'object']);
    const unknown = await installation.run(['tenant', 'show', '--tenant=org_nowhere', '--json']);
    assert.deepEqual([unknown.code, unknown.answer.code], [1, 'NOT_FOUND']);
  });

  test('The tenant delete command removes a tenant of a running service with all rows, and is recorded in the audit log', async () => {
    const admin = newIdentifier();
    const args = ['tenant', 'create', '--name=Ending', `--admin-identifier=${admin}`, '--json'];
    const made = await installation.run<{ administrator: { secret: string } }>(args);
    const { secret } = made.answer.result.administrator;
    expectStatus(200, await installation.logIn(admin, secret, 'org_ending'));
    const gone = ['tenant', 'delete', '--tenant=org_ending', '--confirm=org_ending'];
    const { code, stdout, stderr } = await installation.run(gone);
    assert.deepEqual([code, stdout, stderr], [0, 'Deleted the tenant org_ending.\n', '']);
    for (const table of ['tenants', 'users', 'signing_keys', 'tenant_data_keys', 'sessions']) {
      assert.equal(await installation.count(`${table} WHERE tenant_id = 'org_ending'`), 0, table);
    }
    const isRefused = async () =>
      (await installation.logIn(admin, secret, 'org_ending')).status !== 200;
    await until('the service has heard of it', isRefused, 1000);
    const entries = `audit_entries WHERE tenant_id = 'org_default' AND action = 'system.work'
      AND actor_id = 'command line' AND target_id = 'org_ending'`;
    assert.equal(
      await installation.count(`${entries} AND details->>'reason' = 'delete tenant org_ending'`),
      1,
    );
    const again = await installation.run([...gone, '--json']);
    assert.deepEqual([again.code, again.answer.code], [1, 'NOT_FOUND']);
  });

  test('The tenant create command does not reuse the id of a deleted tenant', async () => {
    const deleted = ['--tenant=org_former', '--confirm=org_former'];
    await installation.run(['tenant', 'create', '--name=Former', '--json']);
    assert.equal((await installation.run(['tenant', 'delete', ...deleted])).code, 0);
    for (const name of [['--name=Former'], ['--name=Another', '--slug=former']]) {
      const { code, answer } = await installation.run(['tenant', 'create', ...name, '--json']);
      assert.deepEqual([code, answer.code], [1, 'SLUG_TAKEN'], name.join(' '));
      assert.match(answer.message, /org_former/);
    }
    assert.equal(await installation.count("tenants WHERE tenant_id = 'org_former'"), 0);
    const other = await installation.run([
      'tenant',
      'create',
      '--name=Former',
      '--slug=former-2',
      '--json',
    ]);
    assert.equal(other.code, 0, other.stdout);
  });

  test('The tenant delete command rejects the default tenant, and a missing confirmation', async () => {
    await installation.run(['tenant', 'create', '--name=Staying', '--json']);
    const tenants = await installation.count('tenants WHERE deleted_at IS NULL');
    const cases = [
      [1, 'DEFAULT_TENANT_PROTECTED', '--tenant=org_default', '--confirm=org_default'],
      [2, 'USAGE', '--tenant=org_staying', '--confirm=org_default'],
      [2, 'USAGE', '--tenant=org_staying'],
    ] as const;
    for (const [exitCode, name, ...args] of cases) {
      const { code, answer } = await installation.run(['tenant', 'delete', ...args, '--json']);
      assert.deepEqual([code, answer.code], [exitCode, name], args.join(' '));
    }
    assert.equal(await installation.count('tenants WHERE deleted_at IS NULL'), tenants);
  });
});

describe('key list', () => {
  test('The key list command shows the keys of one tenant by their states, and nothing of a private key', async () => {
    await installation.run(['tenant', 'create', '--name=Keyed', '--json']);
    await installation.run(['key', 'rotate', '--tenant=org_keyed', '--json']);
    const { code, stdout, stderr } = await installation.run(['key', 'list', '--tenant=org_keyed']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ID +STATE +CREATED +SIGNS FROM$/m);
    assert.match(stdout, /^key_\w+ +current +\d{4}-/m);
    assert.match(stdout, /^key_\w+ +next +\d{4}-/m);
    const args = ['key', 'list', '--tenant=org_keyed', '--json'];
    const { answer } = await installation.run<{ keys: { tenant_id: string }[] }>(args);
    const { keys } = answer.result;
    assert.deepEqual(new Set(keys.map((key) => key.tenant_id)), new Set(['org_keyed']));
    assert.ok(keys.every((key) => !Object.keys(key).some((field) => /private/.test(field))));
    const unknown = await installation.run(['key', 'list', '--tenant=org_nowhere', '--json']);
    assert.deepEqual([unknown.code, unknown.answer.code], [1, 'NOT_FOUND']);
  });
});
