import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type EventRecord, EVENTS } from '@keywright/contract/events';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { eventsFrom, eventsOf, tally } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';
import { Compile } from '../../../platform/compile.ts';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('happenings', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function send(method: string, path: string, body?: object, token?: string) {
  const options = { token: token ?? (await tenant.adminToken()), ...(body && { body }) };
  const answer = await tenant.request(method, path, options);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

/** The events of `work`, without their ids and times. */
async function happens(work: () => Promise<unknown>) {
  const events = await eventsFrom(tenant, work);
  for (const event of events) assertPublishedForm(event);
  return events.map(({ type, data }) => Object.assign({ type }, data));
}

function assertPublishedForm({ id, type, created_at: at, data }: EventRecord): void {
  const form = Compile(EVENTS[type].data);
  assert.deepEqual([...form.Errors(data)], [], `${type}: ${JSON.stringify(data)}`);
  assert.match(id, /^evt_[0-9a-z]{26}$/);
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000, at);
  const subject = data[EVENTS[type].subject];
  assert.equal(typeof subject, 'string');
}

interface Page {
  readonly items: EventRecord[];
  readonly meta: { readonly limit: number; readonly has_more: boolean };
}

function logIn({ identifier, password }: TestUser) {
  return tenant.login(identifier, password);
}

describe('the events of', () => {
  test('POST /users name the user and each role (SPEC events 2, SPEC events 12, SPEC events 15)', async () => {
    const credentials = { identifier: newIdentifier(), password: newPassword() };
    const roles = ['admin', 'member'];
    let id: unknown;
    const events = await happens(async () => {
      id = (await send('POST', '/users', { ...credentials, roles }))['id'];
    });
    const identifiers = [{ type: 'email', identifier: credentials.identifier }];
    const [user_id, tenant_id] = [id, tenant.id];
    assert.deepEqual(events, [
      { type: 'user.created', tenant_id, user_id, identifiers },
      { type: 'role.assigned', tenant_id, user_id, role: 'admin' },
      { type: 'role.assigned', tenant_id, user_id, role: 'member' },
    ]);
  });

  test('The events of a registration name user, role, login and session, in that order (SPEC events 2, SPEC events 5, SPEC events 7, SPEC events 9)', async () => {
    const identifier = newIdentifier();
    const events = await happens(() =>
      tenant.login(identifier, newPassword(), { extra: { register: true } }),
    );
    const order = ['user.created', 'role.assigned', 'user.login', 'session.created'];
    assert.deepEqual(
      events.map((event) => event.type),
      order,
    );
  });

  test('The events of a login and a logout name the session and its workspace (SPEC events 5, SPEC events 6, SPEC events 7, SPEC events 8)', async () => {
    const user = await tenant.createUser();
    let session_id: unknown;
    const events = await happens(async () => {
      const { access_token: token } = await logIn(user);
      session_id = sessionOf(token);
      await send('POST', '/auth/logout', undefined, token);
    });
    const common = { tenant_id: tenant.id, user_id: user.user.id, session_id };
    assert.deepEqual(events, [
      { type: 'user.login', ...common, workspace_id: 'ws_default', new_device: true },
      { type: 'session.created', ...common, workspace_id: 'ws_default' },
      { type: 'user.logout', ...common },
      { type: 'session.revoked', ...common, reason: 'logout' },
    ]);
  });

  test('PATCH /users and PATCH /me name the fields, the roles gained and lost, and the sessions ended (SPEC events 3, SPEC events 9)', async () => {
    const user = await tenant.createUser();
    const second = await logIn(user);
    const [user_id, tenant_id] = [user.user.id, tenant.id];
    const sessions = [sessionOf(user.token), sessionOf(second.access_token)].toSorted();
    const patch = { roles: ['admin'], metadata: { a: 1 }, is_active: false };
    const changed = await happens(() => send('PATCH', `/users/${user_id}`, patch));
    assert.deepEqual(changed, [
      { type: 'user.updated', tenant_id, user_id, fields: ['roles', 'metadata', 'is_active'] },
      { type: 'role.assigned', tenant_id, user_id, role: 'admin' },
      { type: 'role.unassigned', tenant_id, user_id, role: 'member' },
      ...sessions.map((session_id) => {
        return { type: 'session.revoked', tenant_id, user_id, session_id, reason: 'deactivated' };
      }),
    ]);
    const other = await tenant.createUser();
    const body = { password: newPassword(), current_password: other.password };
    const events = await happens(() => send('PATCH', '/me', body, other.token));
    const fields = ['password'];
    assert.deepEqual(events, [{ type: 'user.updated', tenant_id, user_id: other.user.id, fields }]);
  });

  test('The events of DELETE /users name the user and the sessions that ended (SPEC events 4, SPEC events 8)', async () => {
    const user = await tenant.createUser();
    const [user_id, tenant_id] = [user.user.id, tenant.id];
    const events = await happens(() => send('DELETE', `/users/${user_id}`));
    const session_id = sessionOf(user.token);
    assert.deepEqual(events, [
      { type: 'user.deleted', tenant_id, user_id },
      { type: 'session.revoked', tenant_id, user_id, session_id, reason: 'user_deleted' },
    ]);
  });

  test('The events of revoking sessions name each session and the reason (SPEC events 8)', async () => {
    const user = await tenant.createUser();
    const rotated = { refresh_token: user.refreshToken };
    const successor = await tenant.request('POST', '/auth/refresh', { body: rotated });
    const again = { refresh_token: String(successor.body['refresh_token']) };
    const reuse = await happens(async () => {
      expectStatus(200, await tenant.request('POST', '/auth/refresh', { body: again }));
      expectStatus(401, await tenant.request('POST', '/auth/refresh', { body: rotated }));
    });
    const common = { type: 'session.revoked', tenant_id: tenant.id, user_id: user.user.id };
    const reused = { ...common, session_id: sessionOf(user.token), reason: 'refresh_token_reused' };
    assert.deepEqual(reuse, [reused]);
    const session_id = sessionOf((await logIn(user)).access_token);
    const revoked = { ...common, session_id, reason: 'revoked' };
    const revokeSession = () => send('DELETE', `/sessions/${session_id}`);
    assert.deepEqual(await happens(revokeSession), [revoked]);
    const repeated = async () => {
      const token = await tenant.adminToken();
      expectStatus(404, await tenant.request('DELETE', `/sessions/${session_id}`, { token }));
    };
    assert.deepEqual(await happens(repeated), [], 'it was over already');
    const session = sessionOf((await logIn(user)).access_token);
    const all = await happens(() => send('DELETE', `/sessions?user_id=${user.user.id}`));
    assert.deepEqual(all, [{ ...revoked, session_id: session }]);
  });

  test('The events of workspaces and their members name each change (SPEC events 10)', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const tenant_id = tenant.id;
    const [workspace_id, user_id] = ['ws_cellar', user.id];
    let session_id: unknown;
    const events = await happens(async () => {
      await send('POST', '/workspaces', { name: 'Cellar' });
      await send('PUT', `/workspaces/${workspace_id}/members/${user_id}`);
      await send('PUT', `/workspaces/${workspace_id}/members/${user_id}`);
      await send('PATCH', `/workspaces/${workspace_id}`, { name: 'Attic' });
    });
    assert.deepEqual(events, [
      { type: 'workspace.created', tenant_id, workspace_id, name: 'Cellar' },
      { type: 'workspace.member_added', tenant_id, workspace_id, user_id },
      { type: 'workspace.updated', tenant_id, workspace_id, fields: ['name'] },
    ]);
    const end = await happens(async () => {
      session_id = sessionOf((await tenant.login(identifier, password)).access_token);
      await send('DELETE', `/workspaces/${workspace_id}/members/${user_id}`);
      await send('DELETE', `/workspaces/${workspace_id}?force=true`);
    });
    assert.deepEqual(end.slice(2), [
      { type: 'workspace.member_removed', tenant_id, workspace_id, user_id },
      { type: 'workspace.deleted', tenant_id, workspace_id },
      { type: 'session.revoked', tenant_id, user_id, session_id, reason: 'workspace_deleted' },
    ]);
  });

  test('The events of roles, signing keys and the tenant name each change', async () => {
    const { user } = await tenant.createUser();
    const tenant_id = tenant.id;
    let key_id: unknown;
    const events = await happens(async () => {
      await send('POST', '/roles', { name: 'cook', scopes: ['read:soups'] });
      await send('PATCH', '/roles/cook', { scopes: ['write:soups'] });
      await send('PATCH', `/users/${user.id}`, { roles: ['member', 'cook'] });
      await send('DELETE', '/roles/cook?force=true');
      key_id = (await send('POST', '/keys/rotate'))['id'];
      await send('DELETE', `/keys/${String(key_id)}`);
      await send('PATCH', `/tenants/${tenant_id}`, { config: { session_timeout: 3000 } });
    });
    const role = { tenant_id, role: 'cook' };
    const rotated = events.find((event) => event.type === 'key.rotated');
    assert.deepEqual(events, [
      { type: 'role.created', ...role, scopes: ['read:soups'] },
      { type: 'role.updated', ...role, fields: ['scopes'] },
      { type: 'user.updated', tenant_id, user_id: user.id, fields: ['roles'] },
      { type: 'role.assigned', ...role, user_id: user.id },
      { type: 'role.deleted', ...role },
      { type: 'role.unassigned', ...role, user_id: user.id },
      { ...rotated, key_id },
      { type: 'key.retired', tenant_id, key_id },
      { type: 'tenant.updated', tenant_id, fields: ['config'] },
    ]);
  });

  test('The events of disabling a user include all dependents', async () => {
    const { user } = await tenant.createUser();
    const body = { reason: 'their laptop was stolen' };
    const events = await happens(() => send('POST', `/users/${user.id}/disable`, body));
    assert.deepEqual(
      events.map((event) => event.type),
      ['user.updated', 'session.revoked'],
    );
  });

  test('Requests that are rejected have no events', async () => {
    const { user, identifier, token } = await tenant.createUser();
    const password = newPassword();
    const events = await happens(async () => {
      const admin = { token: await tenant.adminToken() };
      const taken = { ...admin, body: { identifier, password } };
      expectStatus(400, await tenant.request('POST', '/users', taken));
      const unknown = { ...admin, body: { roles: ['nothing'] } };
      expectStatus(400, await tenant.request('PATCH', `/users/${user.id}`, unknown));
      expectStatus(403, await tenant.request('DELETE', `/users/${user.id}`, { token }));
      const wrong = { body: { identifier, secret: password } };
      expectStatus(401, await tenant.request('POST', '/auth/login', wrong));
      // The first member is written before the second is found to be missing.
      const workspaces = { ...admin, body: { metadata: { a: 1 }, workspaces: ['ws_nowhere'] } };
      expectStatus(404, await tenant.request('PATCH', `/users/${user.id}`, workspaces));
    });
    assert.deepEqual(events, []);
  });
});

describe('the event log', () => {
  test("The event log is read from the reader's last event, each event once and in one order", async () => {
    const user = await tenant.createUser();
    await eventsFrom(tenant, () => Promise.all(Array.from({ length: 10 }, () => logIn(user))));
    const ids = async (last?: string) => (await eventsOf(tenant, last)).map((event) => event.id);
    const all = await ids();
    assert.equal(new Set(all).size, all.length);
    for (const at of [0, 7, all.length - 2]) {
      assert.deepEqual(await ids(all[at]), all.slice(at + 1, all.length));
    }
    assert.deepEqual(await ids(all.at(-1)), []);
  });

  test('The event log returns 20 events by default, 100 at most, and whether there are more', async () => {
    const user = await tenant.createUser();
    await eventsFrom(tenant, async () => {
      for (let count = 0; count < 60; count += 1) await logIn(user);
    });
    const fetchPage = async (query: string) => {
      const answer = await tenant.request<Page>('GET', `/events?${query}`, {
        token: await tenant.adminToken(),
      });
      return expectStatus(200, answer);
    };
    for (const [query, limit] of [
      ['', 20],
      ['limit=3', 3],
      ['limit=100', 100],
      ['limit=101', 100],
    ] as const) {
      const { items, meta } = await fetchPage(query);
      const more = { limit, has_more: true, next_cursor: items.at(-1)?.id };
      assert.deepEqual([items.length, meta], [limit, more], query);
    }
    const all = await eventsOf(tenant);
    for (const query of [
      `after=${all.at(-4)?.id}`,
      `after=${all[0]?.id}&cursor=${all.at(-4)?.id}`,
    ]) {
      const last = await fetchPage(`${query}&limit=3`);
      assert.deepEqual(last.meta, { limit: 3, has_more: false });
      assert.deepEqual(last.items, all.slice(-3));
    }
  });

  test('The event log continues after an event of any kind, with or without a filter', async () => {
    const all = await eventsOf(tenant);
    const [at] = all.filter((event) => event.type === 'user.login').slice(1, 2);
    const type = 'session.created';
    const rest = all.slice(all.findIndex((event) => event.id === at?.id) + 1);
    const expected = rest.filter((event) => event.type === type);
    assert.ok(expected.length > 10);
    assert.deepEqual(await eventsOf(tenant, at?.id, { type }), expected);
  });

  test('The event log can be filtered by kind and by subject', async () => {
    const user = await tenant.createUser();
    await eventsFrom(tenant, async () => {
      await logIn(user);
      await send('PATCH', `/users/${user.user.id}`, { metadata: { seen: true } });
    });
    const about = await eventsOf(tenant, undefined, { subject: user.user.id });
    const expected = { 'user.created': 1, 'role.assigned': 1, 'user.login': 2, 'user.updated': 1 };
    assert.deepEqual(tally(about), expected);
    const logins = { subject: user.user.id, type: 'user.login' };
    assert.deepEqual(tally(await eventsOf(tenant, undefined, logins)), { 'user.login': 2 });
    const sessions = await eventsOf(tenant, undefined, { type: 'session.created' });
    assert.deepEqual(Object.keys(tally(sessions)), ['session.created']);
  });

  test('The event log rejects a request without the scope, or after an ID that is not an event of the tenant', async () => {
    const { token } = await tenant.createUser();
    expectStatus(403, await tenant.request('GET', '/events', { token }));
    const admin = { token: await tenant.adminToken() };
    const errorCodeFor = async (query: string) => {
      const answer = await tenant.request<ErrorBody>('GET', `/events?${query}`, admin);
      return expectStatus(400, answer).code;
    };
    assert.equal(await errorCodeFor(`after=evt_${'0'.repeat(26)}`), 'EVENT_UNKNOWN');
    const [foreign] = await eventsOf(keywright.home);
    assert.equal(await errorCodeFor(`after=${foreign?.id}`), 'EVENT_UNKNOWN');
    for (const query of ['after=user:1', 'type=user.moved', 'limit=0', 'subject=']) {
      assert.equal(await errorCodeFor(query), 'VALIDATION_FAILED', query);
    }
  });
});
