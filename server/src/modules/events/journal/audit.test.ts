import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fail } from '@keywright/contract/errors';
import type { AuditCheckpoint, AuditEntry } from '@keywright/contract/records/audit-entry';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';
import { readPage } from '../../../platform/db/page.ts';

interface ListOf<Item> {
  readonly items: Item[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

let keywright: Keywright;
let tenant: TestTenant;
let admin: { readonly id: string; readonly session: string };

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' } });
  tenant = await keywright.tenant('ledger', { config: { login_attempts_limit: 10_000 } });
  const token = await tenant.adminToken();
  admin = { id: claimsOf(token).sub, session: sessionOf(token) };
});

after(() => keywright.close());

async function send(method: string, path: string, body?: object, token?: string) {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const as = { token: token ?? (await tenant.adminToken()), headers };
  return tenant.request(method, path, { ...as, ...(body && { body }) });
}

/** The newest entry about a target. */
async function latest(target: unknown, action?: string): Promise<AuditEntry> {
  const [entry] = await entriesOf(tenant, { target: String(target), ...(action && { action }) });
  assert.ok(entry, `an entry about ${String(target)}`);
  return entry;
}

describe('an entry', () => {
  test('An audit entry records who did what, on what, from where, with which credential and in which request', async () => {
    const answer = await send('POST', '/workspaces', { name: 'Cellar' });
    const entry = await latest(expectStatus(201, answer)['id']);
    const {
      id,
      created_at: at,
      position: _,
      previous_hash: __,
      hash: ___,
      mac,
      ...recorded
    } = entry;
    assert.match(id, /^aud_[0-9a-z]{26}$/);
    assert.match(String(mac), /^[\w-]{43}$/);
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
    assert.deepEqual(recorded, {
      tenant_id: tenant.id,
      actor: { kind: 'user', id: admin.id, on_behalf_of: null, credential: admin.session },
      action: 'workspace.created',
      target: { kind: 'workspace', id: 'ws_cellar' },
      outcome: 'success',
      address: '203.0.113.7',
      request_id: answer.headers['x-request-id'],
      count: 1,
      details: { name: 'Cellar' },
    });
  });

  test('An audit entry of a change of roles lists the roles and scopes gained and lost', async () => {
    const [near, far] = ['near', 'far'];
    expectStatus(
      201,
      await send('POST', '/roles', { name: near, scopes: ['read:users', 'read:roles'] }),
    );
    expectStatus(
      201,
      await send('POST', '/roles', { name: far, scopes: ['read:users', 'write:roles'] }),
    );
    const { user } = await tenant.createUser({ roles: [near] });
    expectStatus(200, await send('PATCH', `/users/${user.id}`, { roles: [far] }));
    const changed = await latest(user.id, 'user.updated');
    const scopes = { scopes_added: ['write:roles'], scopes_removed: ['read:roles'] };
    const roles = { roles_added: [far], roles_removed: [near] };
    assert.deepEqual(changed.details, { fields: ['roles'], ...roles, ...scopes });

    expectStatus(200, await send('PATCH', `/roles/${far}`, { scopes: ['read:*'] }));
    const { details } = await latest(far, 'role.updated');
    // read:users is covered by read:*, and so is not lost.
    const lost = { scopes_added: ['read:*'], scopes_removed: ['write:roles'] };
    assert.deepEqual(details, { fields: ['scopes'], ...lost });

    expectStatus(200, await send('PATCH', `/users/${user.id}`, { roles: [near, far] }));
    expectStatus(200, await send('DELETE', `/roles/${far}?force=true`));
    const taken = await latest(user.id, 'user.updated');
    assert.deepEqual(taken.actor.id, admin.id);
    const rest = { roles_removed: [far], scopes_removed: ['read:*'] };
    assert.deepEqual(taken.details, { fields: ['roles'], ...rest });
    assert.deepEqual((await latest(far)).details, { scopes_removed: ['read:*'], users: 1 });
  });

  test('An audit entry of a tenant change names the settings with their values, and no secret', async () => {
    const messaging = {
      email: { smtp_password: newPassword() },
      sms: { auth_token: newPassword() },
    };
    const patch = { messaging, config: { session_timeout: 1234 } };
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, patch));
    const entry = await latest(tenant.id, 'tenant.updated');
    const changes = [{ name: 'config.session_timeout', before: 3600, after: 1234 }];
    assert.deepEqual(entry.details, { fields: ['messaging', 'config'], changes });
    const log = JSON.stringify(await entriesOf(tenant));
    for (const secret of [messaging.email.smtp_password, messaging.sms.auth_token]) {
      assert.ok(!log.includes(secret));
    }
  });

  test('An audit entry of a login names the session, and is attributed to the user', async () => {
    const user = await tenant.createUser();
    const session = sessionOf(user.token);
    const { actor, action, details } = await latest(session);
    const expectedActor = {
      kind: 'user',
      id: user.user.id,
      on_behalf_of: null,
      credential: session,
    };
    assert.deepEqual([actor, action], [expectedActor, 'auth.login']);
    assert.deepEqual(details, {
      method: 'password',
      user_agent: null,
      workspace_id: 'ws_default',
    });
  });

  test('No audit entry is written if the transaction is rolled back', async () => {
    const { user } = await tenant.createUser();
    const patch = { metadata: { a: 1 }, workspaces: ['ws_nowhere'] };
    expectStatus(404, await send('PATCH', `/users/${user.id}`, patch));
    assert.deepEqual(await entriesOf(tenant, { target: user.id, action: 'user.updated' }), []);
  });
});

describe('rejected requests are recorded too:', () => {
  function failures(filter: Readonly<Record<string, string>>): Promise<AuditEntry[]> {
    return until('the entries are written', async () => {
      const entries = await entriesOf(tenant, filter);
      return entries.length > 0 && entries;
    });
  }

  test('A login with a wrong secret is recorded with the user and an unknown actor', async () => {
    const { user, identifier } = await tenant.createUser();
    const body = { identifier, secret: newPassword() };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
    const [entry] = await failures({ target: user.id, action: 'auth.login_failed' });
    assert.deepEqual(
      [entry?.actor.kind, entry?.outcome, entry?.details],
      ['anonymous', 'failure', { identifier: null, method: 'password', reason: 'secret_wrong' }],
    );
  });

  test('A rejected login is recorded with the browser and the system, without other parts of the User-Agent', async () => {
    const { user, identifier } = await tenant.createUser();
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0 secret';
    await tenant.request('POST', '/auth/login', {
      body: { identifier, secret: newPassword() },
      headers: { 'user-agent': agent },
    });
    const [entry] = await failures({ target: user.id, action: 'auth.login_failed' });
    assert.deepEqual(entry?.details, {
      browser: 'Chrome',
      identifier: null,
      method: 'password',
      reason: 'secret_wrong',
      system: 'Windows',
    });
  });

  test('A login with an unknown identifier is recorded with the identifier truncated', async () => {
    const identifier = `zebra-${newIdentifier()}`;
    const body = { identifier, secret: newPassword() };
    const answer = await tenant.request('POST', '/auth/login', { body });
    expectStatus(401, answer);
    const found = await until('the entry is written', async () => {
      const entries = await entriesOf(tenant, { action: 'auth.login_failed' });
      return entries.find((entry) => entry.request_id === answer.headers['x-request-id']);
    });
    const details = {
      identifier: 'z…@example.com',
      method: 'password',
      reason: 'identifier_unknown',
    };
    assert.deepEqual([found.details, found.target.id], [details, null]);
  });

  test('A denial is recorded with the route and the code, and many of them are one entry with a count', async () => {
    const { token, user } = await tenant.createUser();
    const floods = Array.from({ length: 50 }, () => send('GET', '/users', undefined, token));
    for (const answer of await Promise.all(floods)) expectStatus(403, answer);
    const entries = await until('all are counted', async () => {
      const found = await entriesOf(tenant, { actor: user.id, action: 'auth.denied' });
      return found.reduce((sum, entry) => sum + entry.count, 0) === 50 && found;
    });
    assert.ok(entries.length <= 5, `${entries.length} entries`);
    const [entry] = entries;
    assert.deepEqual(entry?.target, { kind: 'route', id: 'users.list' });
    assert.deepEqual([entry?.outcome, entry?.details['code']], ['denied', 'SCOPE_REQUIRED']);
    assert.equal(entry?.actor.credential, sessionOf(token));
  });

  test('A request that the caller has the scope but not the rank for is recorded', async () => {
    expectStatus(201, await send('POST', '/roles', { name: 'clerk', scopes: ['write:users'] }));
    const { token, user } = await tenant.createUser({ roles: ['clerk'] });
    expectStatus(403, await send('PATCH', `/users/${admin.id}`, { is_active: false }, token));
    const [entry] = await failures({ actor: user.id, action: 'auth.denied' });
    assert.equal(entry?.details['code'], 'SCOPE_NOT_HELD');
  });
});

describe('the audit log', () => {
  test('The audit log filtered by request ID returns everything the request did, and nothing else', async () => {
    const body = { name: 'Scullery' };
    const made = await send('POST', '/workspaces', body);
    expectStatus(201, made);
    expectStatus(201, await send('POST', '/workspaces', { name: 'Garage' }));
    const id = String(made.headers['x-request-id']);
    const entries = await entriesOf(tenant, { request_id: id });
    assert.deepEqual(
      entries.map((entry) => [entry.action, entry.target.id, entry.request_id]),
      [['workspace.created', 'ws_scullery', id]],
    );
    assert.deepEqual(await entriesOf(tenant, { request_id: `${id}x` }), []);
    assert.deepEqual(await entriesOf(tenant, { request_id: id, action: 'user.created' }), []);
    const other = await keywright.tenant('elsewhere-by-request');
    assert.deepEqual(await entriesOf(other, { request_id: id }), []);
  });

  test('The audit log can be filtered by actor, action, target, outcome and time', async () => {
    const { user, token } = await tenant.createUser({ roles: ['admin'] });
    const start = new Date(Date.now() + 1);
    await until('a millisecond has gone by', () => Date.now() > start.getTime());
    expectStatus(201, await send('POST', '/workspaces', { name: 'Loft' }, token));
    expectStatus(200, await send('PATCH', '/workspaces/ws_loft', { name: 'Attic' }, token));
    const end = new Date(Date.now() + 1);
    await until('a millisecond has gone by', () => Date.now() > end.getTime());
    expectStatus(200, await send('DELETE', '/workspaces/ws_loft', undefined, token));
    const actions = async (filter: Record<string, string>) =>
      (await entriesOf(tenant, filter)).map((entry) => entry.action);
    const [made, changed, gone] = [
      'workspace.created',
      'workspace.updated',
      'workspace.deleted',
    ] as const;
    const target = 'ws_loft';
    assert.deepEqual(await actions({ target }), [gone, changed, made]);
    assert.deepEqual(await actions({ target, actor: user.id }), [gone, changed, made]);
    assert.deepEqual(await actions({ target, actor: admin.id }), []);
    assert.deepEqual(await actions({ target, action: changed }), [changed]);
    assert.deepEqual(await actions({ target, outcome: 'denied' }), []);
    const [from, to] = [start.toISOString(), end.toISOString()];
    assert.deepEqual(await actions({ target, from }), [gone, changed, made]);
    assert.deepEqual(await actions({ target, from, to }), [changed, made]);
    assert.deepEqual(await actions({ target, to: from }), []);
    assert.deepEqual(await actions({ target, from: '2020-01-01T00:00:00+02:00' }), [
      gone,
      changed,
      made,
    ]);
  });

  test('The audit log rejects an invalid time, an unknown action, and a cursor that is not a number', async () => {
    for (const query of [
      'from=yesterday',
      'to=2026-01-01',
      'from=2026-13-01T00:00:00Z',
      'action=x',
    ]) {
      expectStatus(400, await send('GET', `/audit?${query}`));
    }
    for (const id of ['x', '', '9'.repeat(30)]) {
      const { binding } = readPage([tenant.id, 'checkpoints'], {}, '-position', fail);
      const cursor = Buffer.from(JSON.stringify([binding, '1', id])).toString('base64url');
      const { status, body } = await send('GET', `/audit/checkpoints?cursor=${cursor}`);
      assert.deepEqual([status, body['code']], [400, 'VALIDATION_FAILED']);
    }
  });

  test('The audit log lists every checkpoint once, newest first, page by page', async () => {
    const other = await keywright.tenant('sealed-in-parts');
    const token = await other.adminToken();
    for (const name of ['One', 'Two', 'Three']) {
      expectStatus(201, await other.request('POST', '/workspaces', { token, body: { name } }));
      await keywright.nodes[0]?.sealing.seal(other.id);
    }
    const read = async (query: string) =>
      expectStatus(
        200,
        await other.request<ListOf<AuditCheckpoint>>('GET', `/audit/checkpoints?${query}`, {
          token,
        }),
      );
    const { items: all, meta } = await read('limit=100');
    assert.ok(all.length >= 3);
    assert.equal(meta.total, all.length);
    const positions = all.map(({ position }) => position);
    assert.deepEqual(
      positions,
      [...new Set(positions)].toSorted((first, two) => two - first),
    );
    let cursor = '';
    for (const [index, checkpoint] of all.entries()) {
      const byNumber = await read(`limit=1&page=${index + 1}`);
      const byCursor = await read(`limit=1${cursor}`);
      assert.deepEqual(byNumber.items, [checkpoint]);
      assert.deepEqual(byCursor.items, [checkpoint]);
      const next = byCursor.meta.next_cursor;
      assert.equal(next === undefined, index === all.length - 1);
      cursor = `&cursor=${next}`;
    }
  });

  test('The audit log of the default tenant shows work across tenants, to system administrators only', async () => {
    const token = await keywright.adminToken();
    const reason = 'they asked us to';
    const exchange = { token, body: { tenant_id: tenant.id, reason } };
    expectStatus(200, await keywright.home.request('POST', '/auth/impersonate', exchange));
    expectStatus(200, await keywright.home.request('GET', `/tenants/${tenant.id}`, { token }));
    const work = await entriesOf(keywright.home, { target: tenant.id });
    assert.deepEqual(
      work.slice(0, 2).map((entry) => [entry.action, entry.actor.kind, entry.details.reason]),
      [
        ['system.work', 'user', `read tenant ${tenant.id}`],
        ['system.work', 'user', `impersonate in ${tenant.id}: ${reason}`],
      ],
    );
    const impersonation = await latest(tenant.id, 'auth.impersonated');
    assert.deepEqual(
      [impersonation.actor.kind, impersonation.actor.id],
      ['impersonator', claimsOf(token).sub],
    );
    assert.equal(impersonation.details.reason, reason);

    const plain = await keywright.createUser({ roles: ['admin'] });
    for (const query of [`?target=${tenant.id}`, '?action=system.work']) {
      const answer = await keywright.home.request('GET', `/audit${query}`, { token: plain.token });
      assert.deepEqual(expectStatus(200, answer)['items'], [], query);
    }
    const headers = { accept: 'application/x-ndjson' };
    const options = { token: plain.token, headers };
    const exported = await keywright.home.request('GET', '/audit', options);
    assert.ok(exported.text.includes(plain.user.id) && !exported.text.includes('system.work'));
  });

  test('A change to a tenant by its administrator appears only in the audit log of that tenant', async () => {
    expectStatus(200, await send('PATCH', `/tenants/${tenant.id}`, { name: 'Ledger & Sons' }));
    const work = await entriesOf(keywright.home, { target: tenant.id });
    assert.ok(work.every((entry) => entry.actor.id !== admin.id));
  });
});
