import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ListMeta } from '../../../sdk/src/generated/records.ts';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { UserRecord } from '@keywright/contract/records/user';
import {
  type CommandOptions,
  runCommand,
  startProgram,
} from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { startServiceProxy } from '@keywright/tests/harness/service-proxy';
import { eventsFrom } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;
/** The environment of the tenant's administrator. */
let admin: { readonly KEYWRIGHT_URL: string; readonly KEYWRIGHT_TOKEN: string };

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('remote');
  admin = { KEYWRIGHT_URL: issuer(), KEYWRIGHT_TOKEN: await tenant.adminToken() };
});

after(() => keywright.close());

/** The issuer of the tenant, as reachable from this machine. */
function issuer(): string {
  return `${keywright.url}/t/${tenant.id}`;
}

/** Runs a command as the administrator. @returns its result */
async function runAsAdmin<Result = Record<string, unknown>>(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Result> {
  const env = { ...admin, ...options.env };
  const { code, stdout, stderr, answer } = await runCommand<Result>([...args, '--json'], {
    ...options,
    env,
  });
  assert.equal(code, 0, stdout + stderr);
  return answer.result;
}

interface Listed<Item> {
  readonly items: readonly Item[];
  readonly meta: ListMeta;
}

test('Invitations are created, listed, shown and revoked', async () => {
  const messaging = { email: { smtp_host: 'mail.example.com', from_address: 'id@example.com' } };
  const options = { token: admin.KEYWRIGHT_TOKEN, body: { messaging } };
  const { status } = await tenant.request('PATCH', `/tenants/${tenant.id}`, options);
  assert.equal(status, 200);
  const identifier = newIdentifier();
  const create = ['invitation', 'create', `--identifier=${identifier}`, '--role=member'];
  const made = await runAsAdmin<InvitationRecord>([...create, '--expires-in-days=2']);
  assert.equal(Date.parse(made.expires_at) - Date.parse(made.created_at), 2 * 86_400_000);
  const list = await runAsAdmin<Listed<InvitationRecord>>([
    'invitation',
    'list',
    '--status=pending',
  ]);
  assert.deepEqual(
    list.items.map(({ id }) => id),
    [made.id],
  );
  await runAsAdmin(['invitation', 'revoke', made.id]);
  const shown = await runAsAdmin<InvitationRecord>(['invitation', 'show', made.id]);
  assert.equal(shown.status, 'revoked');
});

describe('users', () => {
  test('Users can be created, shown, changed and deleted from the command line, and a password is never an argument', async () => {
    const identifier = newIdentifier();
    const password = newPassword();
    const create = [
      'user',
      'create',
      `--identifier=${identifier}`,
      '--role=member',
      '--password-stdin',
    ];
    const user = await runAsAdmin<UserRecord>(create, { input: password });
    await tenant.login(identifier, password);
    const metadata = join(await temporaryDirectory('input'), 'metadata.json');
    await writeFile(metadata, JSON.stringify({ metadata: { floor: 3 }, is_active: true }));
    const changed = await runAsAdmin<UserRecord>([
      'user',
      'update',
      user.id,
      `--input=${metadata}`,
      '--is-active=false',
      '--role=member',
      '--role=admin',
    ]);
    assert.deepEqual(changed.metadata, { floor: 3 });
    assert.deepEqual([changed.is_active, changed.roles.toSorted()], [false, ['admin', 'member']]);
    const shown = await runCommand(['user', 'show', user.id], { env: admin });
    assert.match(shown.stdout, new RegExp(`^identifiers +${identifier}$`, 'm'));
    const trial = await runAsAdmin(['user', 'delete', user.id, '--dry-run']);
    assert.equal(trial['deleted'], undefined);
    const gone = await runCommand(['user', 'delete', user.id], { env: admin });
    assert.deepEqual([gone.code, gone.stdout], [0, `Deleted ${user.id}.\n`]);
    const again = await runCommand(['user', 'show', user.id, '--json'], { env: admin });
    assert.deepEqual([again.code, again.answer.code], [1, 'NOT_FOUND']);
  });

  test('Users can be listed on the command line by filters, up to the limit and from a cursor', async () => {
    const part = 'listed.example.com';
    await addUsers(part, 105);
    const expected = Array.from({ length: 105 }, (_, n) => `${100 + n}@${part}`);
    const list = (...args: string[]) =>
      runAsAdmin<Listed<UserRecord>>([
        'user',
        'list',
        `--email=${part}`,
        '--sort=identifier',
        ...args,
      ]);
    const names = ({ items }: Listed<UserRecord>) =>
      items.map(({ identifiers }) => identifiers[0]?.identifier);
    const first = await list('--limit=103');
    assert.deepEqual(names(first), expected.slice(0, 103));
    const rest = await list(`--cursor=${first.meta.next_cursor}`);
    assert.deepEqual([names(rest), rest.meta.next_cursor], [expected.slice(103), undefined]);
    const { stdout } = await runCommand(
      ['user', 'list', `--email=${part}`, '--sort=identifier', '--limit=2'],
      { env: admin },
    );
    assert.match(
      stdout,
      /^ID +IS ACTIVE +CREATED AT +ROLES +IDENTIFIERS\n(user:.*\n){2}More results: --cursor \S+\n$/,
    );
    const none = await runCommand(['user', 'list', '--email=unknown.here'], { env: admin });
    assert.deepEqual([none.code, none.stdout], [0, 'No results.\n']);
  });
});

/** Bypasses the API, which would hash a password for each. */
async function addUsers(domain: string, count: number): Promise<void> {
  await keywright.database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at)
       SELECT $1, 'user:0' || lpad(n::text, 25, '0'), now() FROM generate_series(100, 99 + $2) AS n
       RETURNING tenant_id, id)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, right(id, 3) || '@' || $3, id, 'email', 0 FROM new`,
    [tenant.id, count, domain],
  );
}

describe('agents and their API keys', () => {
  test('An agent and its API key can be created, and the key is shown once and works, as does its successor', async () => {
    const agent = await runAsAdmin<AgentRecord>([
      'agent',
      'create',
      '--name=reporting',
      '--scope=read:users',
      '--scope=read:events',
    ]);
    assert.deepEqual(agent.scopes, ['read:users', 'read:events']);
    const made = await runCommand(
      [
        'api-key',
        'create',
        `--agent-id=${agent.id}`,
        '--name=ci',
        '--expires-in-days=30',
        '--scope=read:users',
      ],
      { env: admin },
    );
    const [, key = ''] =
      /^key +(svc_sk_\w+) {3}\(shown only once: save it\)$/m.exec(made.stdout) ?? [];
    const asAgent = { KEYWRIGHT_URL: issuer(), KEYWRIGHT_API_KEY: key };
    assert.equal((await runCommand(['user', 'list'], { env: asAgent })).code, 0);
    const listed = await runAsAdmin<Listed<{ id: string }>>([
      'api-key',
      'list',
      `--agent-id=${agent.id}`,
    ]);
    assert.ok(!JSON.stringify(listed).includes(key));
    const id = listed.items[0]?.id ?? '';
    const next = await runAsAdmin<{ key: string }>(['api-key', 'rotate', id, '--overlap-days=0']);
    assert.equal((await runCommand(['user', 'list'], { env: asAgent })).code, 1);
    const renewed = { ...asAgent, KEYWRIGHT_API_KEY: next.key };
    assert.equal((await runCommand(['whoami'], { env: renewed })).code, 0);
    await runAsAdmin(['agent', 'update', agent.id, '--is-active=false']);
    const inactive = await runAsAdmin<Listed<AgentRecord>>(['agent', 'list', '--is-active=false']);
    assert.deepEqual(
      inactive.items.map((item) => item.id),
      [agent.id],
    );
    assert.equal((await runAsAdmin(['agent', 'delete', agent.id]))['deleted'], true);
  });

  test('An agent that lacks a permission gets the reason, with the code and the request id', async () => {
    const { key } = await tenant.createAgent({ scopes: ['read:users'] });
    const env = { KEYWRIGHT_URL: issuer(), KEYWRIGHT_API_KEY: key };
    const { code, stdout, stderr } = await runCommand(['webhook', 'list'], { env });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^keywright: .*read:webhooks.* \(SCOPE_REQUIRED, request [\w-]+\)\nMore: https:\/\/id\.example\.com\/docs\/errors\/scope_required\n$/,
    );
    const { answer } = await runCommand(['webhook', 'list', '--json'], { env });
    const { request_id: id, ...refusal }: object & Record<string, unknown> = { ...answer };
    assert.deepEqual(
      [refusal['ok'], refusal['code'], refusal['status']],
      [false, 'SCOPE_REQUIRED', 403],
    );
    assert.match(String(id), /^[\w-]+$/);
  });

  test('An agent with invalid fields is rejected with a message that names every field', async () => {
    const args = [
      'agent',
      'create',
      '--name=x',
      '--scope=every thing',
      '--scope=read:users',
      '--owner-id=unknown',
    ];
    const { code, stderr, answer } = await runCommand([...args, '--json'], { env: admin });
    assert.deepEqual([code, stderr, answer.code], [1, '', 'VALIDATION_FAILED']);
    assert.match(answer.message, /\/owner_id: .*\/scopes\/0: |\/scopes\/0: .*\/owner_id: /);
  });
});

describe('webhooks', () => {
  test('Webhooks can be created, changed, tested and deleted from the command line, and the secret is shown once', async () => {
    const made = await runAsAdmin<{ id: string; secret: string }>([
      'webhook',
      'create',
      '--endpoint=https://192.0.2.7.example.com/in',
      '--event=user.created',
      '--event=user.deleted',
    ]);
    assert.match(made.secret, /^whsec_/);
    const changed = await runAsAdmin<{ events: string[] }>([
      'webhook',
      'update',
      made.id,
      '--event=user.login',
    ]);
    assert.deepEqual(changed.events, ['user.login']);
    const { stdout } = await runCommand(['webhook', 'show', made.id], { env: admin });
    assert.match(stdout, /^url +https:\/\/192\.0\.2\.7\.example\.com\/in$/m);
    assert.ok(!stdout.includes(made.secret));
    const trial = await runAsAdmin<{ id: string }>(['webhook', 'test', made.id]);
    const log = await runAsAdmin<Listed<{ id: string }>>(['webhook', 'deliveries', made.id]);
    assert.deepEqual(
      log.items.map(({ id }) => id),
      [trial.id],
    );
    assert.equal(
      (await runAsAdmin<{ id: string }>(['webhook', 'retry', made.id, trial.id])).id,
      trial.id,
    );
    const next = await runAsAdmin<{ secret: string }>([
      'webhook',
      'rotate',
      made.id,
      '--overlap-hours=0',
    ]);
    assert.notEqual(next.secret, made.secret);
    assert.equal((await runAsAdmin(['webhook', 'delete', made.id]))['deleted'], true);
  });
});

/** @returns the id of a user whose events are readable */
async function createUserInLog(): Promise<string> {
  // The work can renew the token of the administrator, whose login is an event as well.
  const events = await eventsFrom(tenant, () => tenant.createUser());
  const created = events.find(({ type }) => type === 'user.created');
  return String(created?.data['user_id']);
}

describe('events', () => {
  test('Events can be listed on the command line after an event and by kind', async () => {
    const userId = await createUserInLog();
    const about = await runAsAdmin<Listed<{ id: string; type: string }>>([
      'event',
      'list',
      `--subject=${userId}`,
      '--limit=100',
    ]);
    const [created, ...later] = about.items;
    assert.equal(created?.type, 'user.created');
    const onwards = await runAsAdmin<Listed<{ id: string }>>([
      'event',
      'list',
      `--subject=${userId}`,
      `--after=${created.id}`,
      '--limit=100',
    ]);
    assert.deepEqual(
      onwards.items.map(({ id }) => id),
      later.map(({ id }) => id),
    );
    const page = await runAsAdmin<Listed<{ type: string }>>([
      'event',
      'list',
      '--type=user.deleted',
      '--limit=1',
    ]);
    assert.ok(page.items.every(({ type }) => type === 'user.deleted'));
  });

  test('Events are followed as they happen, one JSON object per line, through an outage of the service', async (t) => {
    const proxy = await startServiceProxy(keywright.url);
    t.after(() => proxy.goDown());
    const userId = await createUserInLog();
    const log = await runAsAdmin<Listed<{ id: string }>>(['event', 'list', `--subject=${userId}`]);
    const args = [
      'event',
      'tail',
      `--after=${log.items[0]?.id}`,
      '--type=user.deleted',
      '--count=2',
      '--json',
    ];
    const { child, outcome } = startProgram(args, {
      env: { ...admin, KEYWRIGHT_URL: `${proxy.url}/t/${tenant.id}` },
    });
    let stdoutSoFar = '';
    let stderrSoFar = '';
    child.stdout.on('data', (chunk: Buffer) => (stdoutSoFar += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderrSoFar += chunk.toString()));
    const whileItRuns = (what: string, probe: () => boolean) =>
      until(what, () => {
        assert.equal(child.exitCode, null, `it ended: ${stdoutSoFar}${stderrSoFar}`);
        return probe();
      });
    await runAsAdmin(['user', 'delete', userId]);
    await whileItRuns('the first is printed', () => stdoutSoFar.endsWith('}\n'));
    await proxy.goDown();
    await whileItRuns('it reports that the service is unreachable', () =>
      stderrSoFar.endsWith('Retrying.\n'),
    );
    await proxy.goUp();
    const other = await tenant.createUser();
    await runAsAdmin(['user', 'delete', other.user.id]);
    const { code, stdout, stderr } = await outcome;
    assert.equal(code, 0, stderr);
    assert.equal(stderr.split('\n').length, 2, stderr);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { data: { user_id: string } });
    assert.deepEqual(
      events.map(({ data }) => data.user_id),
      [userId, other.user.id],
    );
  });
});
