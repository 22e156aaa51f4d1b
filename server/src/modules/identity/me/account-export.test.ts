import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AccountExport, ExportRecord } from '@keywright/contract/records/account-export';
import type { UserRecord } from '@keywright/contract/records/user';
import { delegate } from '@keywright/tests/harness/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const HOUR_SECONDS = 3600;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('exported', {
    config: { allow_account_deletion: true, login_attempts_limit: 10_000 },
  });
});
after(() => keywright.close());

const callExport = ({ token }: TestUser, method: 'GET' | 'POST') =>
  tenant.request<ExportRecord & ErrorBody>(method, '/me/export', { token });
const read = ({ token }: TestUser) =>
  tenant.request<AccountExport & ErrorBody>('GET', '/me/export/content', { token });

async function ready(user: TestUser): Promise<ExportRecord> {
  return until('the export', async () => {
    const found = expectStatus(200, await callExport(user, 'GET'));
    return found.status === 'ready' ? found : undefined;
  });
}

async function exported(user: TestUser): Promise<AccountExport> {
  expectStatus(201, await callExport(user, 'POST'));
  await ready(user);
  return expectStatus(200, await read(user));
}

async function listed({ token }: TestUser, path: string): Promise<unknown> {
  const answer = await tenant.request<{ items: unknown }>('GET', path, { token });
  return expectStatus(200, answer).items;
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

async function again(user: TestUser): Promise<TestUser> {
  const { access_token: token } = await tenant.login(user.identifier, user.password);
  return { ...user, token };
}

describe('a copy of one’s data', () => {
  test('A copy of one’s data has what the API shows of the account, and nothing of others', async () => {
    const [user, other] = [
      await tenant.createUser({ roles: ['admin'] }),
      await tenant.createUser(),
    ];
    const agent = await tenant.createAgent({ scopes: ['read:users'] });
    await delegate(tenant, user, agent, ['read:users']);
    const profile = { token: user.token, body: { name: 'Ada', locale: 'de' } };
    expectStatus(200, await tenant.request('PATCH', '/me/profile', profile));
    const me = async () =>
      expectStatus(200, await tenant.request<UserRecord>('GET', '/me', { token: user.token }));
    await until('the login is recorded', async () => (await me()).last_login_at !== null);
    const data = await exported(user);
    assert.deepEqual(data.user, await me());
    assert.equal(data.profile.name, 'Ada');
    for (const [name, path] of Object.entries({
      sessions: `/sessions?user_id=${user.user.id}`,
      factors: '/me/factors',
      identities: '/me/identities',
      consents: '/me/consents',
      delegations: '/me/delegations',
      workspaces: '/me/workspaces',
      invitations: '/me/invitations',
    })) {
      assert.deepEqual(data[name as 'sessions'], await listed(user, path), name);
    }
    assert.ok(data.log.some(({ action }) => action === 'delegation.created'));
    assert.deepEqual(data.shortened, []);
    assert.equal(data.delegations.length, 1);
    assert.ok(!JSON.stringify(data).includes(other.user.id));
  });

  test('A copy of one’s data is made in the background, and reports its size', async () => {
    const user = await tenant.createUser();
    const created = expectStatus(201, await callExport(user, 'POST'));
    assert.deepEqual([created.status, created.bytes], ['pending', null]);
    const { bytes } = await ready(user);
    const { text } = await read(user);
    assert.equal(bytes, Buffer.byteLength(text));
  });

  test('A copy of one’s data is not made twice within an hour, and has no more than one job', async () => {
    const user = await tenant.createUser();
    const answers = await parallel(6, () => callExport(user, 'POST'));
    const times = new Set(answers.map((answer) => expectStatus(201, answer).created_at));
    assert.equal(times.size, 1);
    await ready(user);
    const repeated = expectStatus(201, await callExport(user, 'POST'));
    assert.ok(times.has(repeated.created_at));
    keywright.clock.advance(HOUR_SECONDS + 1);
    const next = await again(user);
    assert.ok(!times.has(expectStatus(201, await callExport(next, 'POST')).created_at));
    await ready(next);
  });

  test('A copy of one’s data requires a recent login to be requested, and to be read', async () => {
    const user = await tenant.createUser();
    await exported(user);
    keywright.clock.advance(301);
    refused(await read(user), 401, 'STEP_UP_REQUIRED');
    refused(await callExport(user, 'POST'), 401, 'STEP_UP_REQUIRED');
    expectStatus(200, await callExport(user, 'GET'));
    expectStatus(200, await read(await again(user)));
  });

  test('A copy of one’s data needs the second factor of a user who has one', async () => {
    const user = await tenant.createUser();
    const former = await again(user);
    await enrollTotp(tenant, user.token, keywright.clock);
    refused(await callExport(former, 'POST'), 401, 'STEP_UP_REQUIRED');
  });

  test('A copy of one’s data is deleted after 24 hours', async () => {
    const user = await tenant.createUser();
    await exported(user);
    keywright.clock.advance(24 * HOUR_SECONDS + 1);
    const later = await again(user);
    refused(await read(later), 404, 'NOT_FOUND');
    refused(await callExport(later, 'GET'), 404, 'NOT_FOUND');
  });

  test('A copy of one’s data cannot be read by other users, agents or administrators', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    await exported(user);
    refused(await read(other), 404, 'NOT_FOUND');
    const { key } = await tenant.createAgent({ scopes: ['*:*'] });
    const byAgent = await tenant.request<ErrorBody>('GET', '/me/export/content', { token: key });
    assert.equal(byAgent.status, 403);
  });

  test('A copy of one’s data is deleted with the account', async () => {
    const user = await tenant.createUser();
    await exported(user);
    const body = { identifier: user.identifier };
    expectStatus(200, await tenant.request('POST', '/me/deletion', { token: user.token, body }));
    const rows = await keywright.database.query('SELECT id FROM account_exports WHERE id = $1', [
      user.user.id,
    ]);
    assert.deepEqual(rows, []);
  });

  test('A copy of one’s data is stored sealed, and reading it is recorded', async () => {
    const user = await tenant.createUser();
    const data = await exported(user);
    const [row] = await keywright.database.query<{ content: Buffer }>(
      'SELECT content FROM account_exports WHERE id = $1',
      [user.user.id],
    );
    assert.ok(row && !row.content.includes(Buffer.from(data.user.id)));
    assert.notEqual(row.content[0], 0x1f, 'not merely compressed');
    const actions = (await listed(user, '/me/audit')) as { action: string }[];
    const names = actions.map(({ action }) => action);
    assert.deepEqual(
      ['user.export_requested', 'user.exported'].filter((action) => !names.includes(action)),
      [],
    );
  });
});
