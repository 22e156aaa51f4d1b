import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OwnLogEntry } from '@keywright/contract/records/own-log-entry';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

interface Log {
  readonly items: OwnLogEntry[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

const ADDRESSES = { user: '203.0.113.7', administrator: '203.0.113.8', stranger: '203.0.113.9' };

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' } });
  tenant = await keywright.tenant('diary');
});
after(() => keywright.close());

async function logOf({ token }: Pick<TestUser, 'token'>, query = ''): Promise<Log> {
  return expectStatus(200, await tenant.request<Log>('GET', `/me/audit${query}`, { token }));
}

function from(who: keyof typeof ADDRESSES) {
  return { headers: { 'x-forwarded-for': ADDRESSES[who] } };
}

/** Waits for an entry, because some are written after the response. */
function entryOf(user: TestUser, action: OwnLogEntry['action']): Promise<OwnLogEntry> {
  return until(action, async () =>
    (await logOf(user)).items.find((entry) => entry.action === action),
  );
}

describe('the log of one’s account', () => {
  test('The account log shows what the user did and from where, and what others did, without who and where they are', async () => {
    const user = await tenant.createUser();
    const options = { token: user.token, body: { user_metadata: { a: 1 } }, ...from('user') };
    expectStatus(200, await tenant.request('PATCH', '/me', options));
    const userEntry = await entryOf(user, 'user.updated');
    assert.deepEqual(
      [userEntry.actor, userEntry.target.id, userEntry.address],
      [{ kind: 'user', id: user.user.id }, user.user.id, ADDRESSES.user],
    );
    const token = await tenant.adminToken();
    const change = { token, body: { metadata: { secret_note: 'x' } }, ...from('administrator') };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, change));
    const [theirs] = (await logOf(user)).items;
    assert.deepEqual(
      [theirs?.action, theirs?.actor, theirs?.address],
      ['user.updated', { kind: 'user', id: null }, null],
    );
    assert.deepEqual(Object.keys(theirs ?? {}).toSorted(), [
      'action',
      'actor',
      'address',
      'count',
      'created_at',
      'id',
      'outcome',
      'target',
      'tenant_id',
    ]);
  });

  test('The account log shows refused logins, with the address that they came from', async () => {
    const user = await tenant.createUser();
    const body = { identifier: user.identifier, secret: 'a wrong guess' };
    await tenant.request('POST', '/auth/login', { body, ...from('stranger') });
    const entry = await entryOf(user, 'auth.login_failed');
    assert.deepEqual(
      [entry.actor, entry.outcome, entry.address],
      [{ kind: 'anonymous', id: null }, 'failure', ADDRESSES.stranger],
    );
  });

  test('The account log shows what agents did on behalf of the user, and names them', async () => {
    const user = await createUserWith(tenant, ['write:workspaces']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(tenant, user, robot, ['write:workspaces']);
    const { access_token: token } = expectStatus(200, await exchange(tenant, robot, user.token));
    const body = { name: 'Cellar' };
    expectStatus(201, await tenant.request('POST', '/workspaces', { token, body }));
    const made = await entryOf(user, 'workspace.created');
    assert.deepEqual(made.actor, { kind: 'delegate', id: robot.agent.id });
    const exchangeEntry = await entryOf(user, 'auth.token_exchanged');
    assert.deepEqual(exchangeEntry.actor, { kind: 'agent', id: robot.agent.id });
  });

  test('The account log shows nothing about other users', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const texts = [JSON.stringify(await logOf(user)), JSON.stringify(await logOf(other))];
    assert.ok(!texts[0]?.includes(other.user.id) && !texts[1]?.includes(user.user.id));
  });

  test('The account log is read in pages, each entry once, and a cursor of another log is refused', async () => {
    const user = await tenant.createUser();
    for (let time = 0; time < 5; time += 1) {
      const options = { token: user.token, body: { user_metadata: { time } } };
      expectStatus(200, await tenant.request('PATCH', '/me', options));
    }
    const whole = await logOf(user);
    assert.equal(whole.meta.total, whole.items.length);
    const read: OwnLogEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await logOf(user, `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      read.push(...page.items);
      cursor = page.meta.next_cursor;
    } while (cursor !== undefined);
    assert.deepEqual(read, whole.items);
    const second = (await logOf(user, '?limit=2&page=2')).items;
    assert.deepEqual(second, whole.items.slice(2, 4));
    const { meta } = await logOf(user, '?limit=2');
    const other = await tenant.createUser();
    const requestOptions = { token: other.token };
    const path = `/me/audit?limit=2&cursor=${meta.next_cursor}`;
    expectStatus(400, await tenant.request('GET', path, requestOptions));
  });

  test('The account log is read by the user alone: no agent can read it, even one that acts for the user', async () => {
    const user = await createUserWith(tenant, ['*:*']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(tenant, user, robot, ['*:*']);
    const { access_token: acting } = expectStatus(200, await exchange(tenant, robot, user.token));
    for (const token of [acting, robot.key]) {
      expectStatus(403, await tenant.request('GET', '/me/audit', { token }));
    }
  });
});

test('A user sees when an agent last acted for them, to the minute', async () => {
  const user = await createUserWith(tenant, ['read:users']);
  const robot = await tenant.createAgent({ name: 'Invoice importer', scopes: ['*:*'] });
  const { id } = await delegate(tenant, user, robot, ['read:users']);
  const read = async () =>
    expectStatus(200, await tenant.request('GET', `/me/delegations/${id}`, { token: user.token }));
  assert.deepEqual(
    [(await read())['agent_name'], (await read())['last_used_at']],
    ['Invoice importer', null],
  );
  expectStatus(200, await exchange(tenant, robot, user.token));
  const { last_used_at: first } = await read();
  assert.ok(Math.abs(Date.parse(String(first)) - Date.now()) < 60_000);
  expectStatus(200, await exchange(tenant, robot, user.token));
  assert.equal((await read())['last_used_at'], first);
});
