// Every PATCH route of the contract, sent the record's current values, and every POST, sent twice. Generated from the
// contract, so new routes are included automatically.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readOnlyFields } from '@keywright/contract/read-only';
import { pathTo, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { newUserId } from '@keywright/server/platform/crypto/ids';
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { PREPARATIONS } from '../isolation/requests.ts';
import { entitled, nameOf } from '../isolation/route-requests.ts';
import { dumpTenant, type TenantDump } from '../isolation/dump.ts';
import { pathParametersOf, pathRecord, presentPath, requestParts } from '../isolation/examples.ts';
import { startWorld, type World } from '../isolation/world.ts';

/** Changed by sealing a second later, and by earlier logins, whatever is requested meanwhile. */
const LATER = ['audit_chain', 'audit_checkpoints', 'audit_unsealed', 'user_logins', 'activity'];
/** The last use of an API key: updated once a minute, whatever is requested meanwhile. */
const LAST_USE = /"last_used_at": ("[^"]*"|null)/g;

/** Routes of receivers, which have their own tokens: `server/src/modules/oauth/signals/unchanged.test.ts`. */
const OF_RECEIVERS = ['signals.update_stream', 'signals.update_stream_by_issuer'];
const PATCHES = ROUTES.filter(({ method, id }) => method === 'PATCH' && !OF_RECEIVERS.includes(id));

let world: World;
let admin: RequestOptions;

before(async () => {
  world = await startWorld();
  const { tenant, admin: administrator, robot, member } = world.local;
  const token = await world.freshAdminToken();
  admin = { token, tenant: tenant.id };
  // Creates a record of every kind to send back.
  await change(`/users/${member.user.id}`, { roles: ['member', world.local.role] });
  await change(`/agents/${robot.agent.id}`, { scopes: ['read:users', 'write:users'] });
  await change(`/roles/${world.local.role}`, { scopes: ['read:users', 'read:agents'] });
  await change('/me', { user_metadata: { theme: 'dark', sizes: [1, 2] } }, administrator.token);
  await change(`/clients/${world.local.clientId}/branding`, { settings: { corner: 3 } });
  await change(`/tenants/${tenant.id}`, {
    config: { session_timeout: 1800, custom_claims: { plan: 'free' } },
    branding: { primary_color: '#112233' },
    messaging: { sms: { provider: 'vonage' } },
  });
});

after(() => world.close());

async function change(path: string, body: JsonBody, token = admin.token): Promise<void> {
  const { tenant } = world.local;
  expectStatus(200, await tenant.request('PATCH', path, { token: token ?? '', body }));
}

async function createRole(name: string, scopes: readonly string[]): Promise<void> {
  const body = { name, scopes };
  expectStatus(201, await world.request('POST', '/roles', { ...admin, body }));
}

async function tenantRows(): Promise<TenantDump> {
  await world.keywright.nodes[0]?.notes.flush();
  const rows = await dumpTenant(world.keywright.database, world.local.tenant.id);
  return new Map([...rows].map(([table, text]) => [table, comparable(table, text)]));
}

/** Messages are being sent meanwhile: only their ids are compared. */
function comparable(table: string, text: string): string {
  if (table === 'messages') return (text.match(/\bmsg_\w+/g) ?? []).join();
  return text.replaceAll(LAST_USE, '');
}

/** The tables of the tenant that changed. */
async function changedSince(rows: TenantDump): Promise<string[]> {
  const now = await tenantRows();
  const tables = [...now.keys()].filter((table) => !LATER.includes(table));
  return tables.filter((table) => now.get(table) !== rows.get(table));
}

type Schema = TSchema & { readonly properties?: Record<string, TSchema>; readonly items?: TSchema };

/** The fields of a record that a body accepts. */
function writable(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as Schema;
  if (Array.isArray(value)) return items ? value.map((item) => writable(items, item)) : value;
  if (properties === undefined || typeof value !== 'object' || value === null) return value;
  const accepted = Object.entries(value as JsonBody).flatMap(([name, inner]) => {
    const field = properties[name];
    const shown = field && writable(field, inner);
    return field && Compile(field).Check(shown) ? [[name, shown] as const] : [];
  });
  return Object.fromEntries(accepted);
}

/** Fields reserved to system administrators, whatever their value. */
const SYSTEM_ONLY = ['domains', 'is_active', 'issuer'];

interface Sender {
  readonly who: string;
  readonly options: () => RequestOptions;
  readonly leavesOut: readonly string[];
}

function sendersOf(route: Route): Sender[] {
  const isTenant = route.id === 'tenants.update';
  const leavesOut = isTenant ? SYSTEM_ONLY : [];
  const administrator = { who: 'an administrator', options: () => admin, leavesOut };
  const system = { who: 'a system administrator', options: () => world.system, leavesOut: [] };
  return isTenant ? [administrator, system] : [administrator];
}

describe('a PATCH that changes nothing', () => {
  for (const route of PATCHES) {
    for (const { who, options, leavesOut } of sendersOf(route)) {
      test(`A PATCH by ${who} to ${nameOf(route)} that changes nothing leaves every row, event and entry as it is`, async () => {
        const path = pathTo(route, presentPath(route, world.local));
        const record = expectStatus(200, await world.request('GET', path, options()));
        const all = writable(route.body as TSchema, record) as JsonBody;
        const body = Object.fromEntries(
          Object.entries(all).filter(([name]) => !leavesOut.includes(name)),
        );
        assert.ok(Object.keys(body).length > 0, `${route.id} takes nothing that its record shows`);
        const past = await tenantRows();
        for (const sent of [
          record,
          body,
          ...Object.entries(body).map(([name, field]) => ({ [name]: field })),
        ]) {
          const answer = await world.request('PATCH', path, { ...options(), body: sent });
          assert.deepEqual(expectStatus(200, answer), record, JSON.stringify(sent));
          assert.deepEqual(await changedSince(past), [], JSON.stringify(sent));
        }
      });
    }
  }
});

describe('a record that is sent back', () => {
  for (const route of PATCHES) {
    test(`A record sent back to ${nameOf(route)} is refused for each read-only field that it changes, by name`, async () => {
      const path = pathTo(route, presentPath(route, world.local));
      const record = expectStatus(200, await world.request('GET', path, admin));
      const readOnly = readOnlyFields(route);
      assert.ok(readOnly.includes('tenant_id'), `${route.id} returns no tenant_id`);
      for (const name of readOnly.filter((field) => Object.hasOwn(record, field))) {
        const body = { ...record, [name]: `${String(record[name])} and more` };
        const answer = await world.request('PATCH', path, { ...admin, body });
        assert.equal(answer.status, 400, name);
        assert.equal(answer.body['code'], 'VALIDATION_FAILED');
        assert.deepEqual(answer.body['errors'], [
          {
            path: `/${name}`,
            message: 'is read-only: send the current value, or omit it',
          },
        ]);
      }
      assert.deepEqual(expectStatus(200, await world.request('GET', path, admin)), record);
    });
  }

  test('A creation time that a client sends back with fewer digits counts as unchanged', async () => {
    const path = `/roles/${world.local.role}`;
    const record = expectStatus(200, await world.request('GET', path, admin));
    const time = String(record['created_at']).replace(/\.?0*Z$/, '+00:00');
    assert.notEqual(time, record['created_at']);
    const answer = await world.request('PATCH', path, {
      ...admin,
      body: { ...record, created_at: time },
    });
    assert.deepEqual(expectStatus(200, answer), record);
  });

  test('A record that is sent back changes only the field in which it differs', async () => {
    const { tenant, role } = world.local;
    const path = `/roles/${role}`;
    const record = expectStatus(200, await world.request('GET', path, admin));
    const body = { ...record, description: 'Reads users and agents' };
    const answer = await world.request('PATCH', path, { ...admin, body });
    assert.deepEqual(expectStatus(200, answer), body);
    const [event] = await world.keywright.database.query<{ data: { fields: string[] } }>(
      `SELECT data FROM events WHERE tenant_id = $1 ORDER BY xid DESC, id DESC LIMIT 1`,
      [tenant.id],
    );
    assert.deepEqual(event?.data.fields, ['description']);
  });

  test('A record that is sent back needs permission only for the settings in which it differs', async () => {
    const { tenant } = world.local;
    await createRole('decorator', ['read:tenant', 'write:tenant']);
    const { token } = await tenant.createUser({ roles: ['decorator'] });
    const decorator = { token, tenant: tenant.id };
    const path = `/tenants/${tenant.id}`;
    const record = expectStatus(200, await world.request('GET', path, decorator));
    const config = { ...(record['config'] as JsonBody), login_attempts_limit: 7 };
    const changed = await world.request('PATCH', path, {
      ...decorator,
      body: { ...record, config },
    });
    assert.deepEqual(expectStatus(200, changed), { ...record, config });
    const others = { ...record, config: { ...config, session_timeout: 60 } };
    const refused = await world.request('PATCH', path, { ...decorator, body: others });
    assert.deepEqual([refused.status, refused.body['code']], [403, 'SCOPE_REQUIRED']);
  });

  test('A record that is sent back is not compared for a caller who cannot read it', async () => {
    const { tenant, member } = world.local;
    const path = `/users/${member.user.id}`;
    const record = expectStatus(200, await world.request('GET', path, admin));
    await createRole('scribe', ['write:users']);
    const { token } = await tenant.createUser({ roles: ['scribe'] });
    const send = (body: JsonBody) =>
      world.request('PATCH', path, { token, tenant: tenant.id, body });
    const right = await send({ created_at: record['created_at'] });
    const wrong = await send({ created_at: '2020-01-01T00:00:00.000Z' });
    assert.equal(right.status, 400);
    assert.deepEqual(right.body, wrong.body);
  });

  test('A record of another tenant that is sent back gets the response for a record that does not exist', async () => {
    const { foreign } = world;
    const path = `/users/${foreign.member.user.id}`;
    const token = await foreign.tenant.adminToken();
    const body = expectStatus(200, await foreign.tenant.request('GET', path, { token }));
    const theirs = await world.request('PATCH', path, { ...admin, body });
    const unknown = await world.request('PATCH', `/users/${newUserId(new Date())}`, {
      ...admin,
      body,
    });
    assert.deepEqual([theirs.status, theirs.body], [404, unknown.body]);
  });
});

test('A field sent with its current value is not a changed field, and revokes nothing', async () => {
  const { tenant, member, role } = world.local;
  const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
  const client = { grant_type: 'client_credentials', client_id: agent.id, client_secret: key };
  const issued = expectStatus(200, await tenant.request('POST', '/auth/token', { body: client }));
  const { access_token: userToken } = await tenant.login(member.identifier, member.password);
  await change(`/agents/${agent.id}`, { scopes: ['read:users'], is_active: true, name: 'mower' });
  await change(`/users/${member.user.id}`, { roles: [role, 'member'], metadata: { note: 'new' } });
  await change(`/roles/${role}`, { scopes: ['read:agents', 'read:users'], description: 'new' });
  for (const token of [String(issued['access_token']), userToken]) {
    expectStatus(200, await tenant.request('GET', '/me', { token }));
  }
  const events = await world.keywright.database.query<{ type: string; fields: string[] }>(
    `SELECT type, data->'fields' AS fields FROM events
      WHERE tenant_id = $1 ORDER BY xid DESC, id DESC LIMIT 3`,
    [tenant.id],
  );
  assert.deepEqual(events, [
    { type: 'role.updated', fields: ['description'] },
    { type: 'user.updated', fields: ['metadata'] },
    { type: 'agent.updated', fields: ['name'] },
  ]);
});

const SHOWN_ONCE = ['key', 'secret', 'client_secret', 'registration_token'];

describe('a POST repeated with its Idempotency-Key', () => {
  for (const route of ROUTES.filter((candidate) => candidate.idempotent === true)) {
    test(`A POST to ${nameOf(route)} repeated with its Idempotency-Key gets the first response, without secrets, and does nothing`, async () => {
      const path: Record<string, string> = {};
      for (const name of pathParametersOf(route)) {
        path[name] = await pathRecord(name, route).make(world);
      }
      const { query = {}, body } = await requestParts(route, world.local);
      const target = `${pathTo(route, path)}?${new URLSearchParams(query).toString()}`;
      const asker = route.access === 'system' ? world.system : admin;
      const headers = { 'idempotency-key': `again ${route.id}` };
      const options = { ...asker, headers, ...(body && { body }) };
      const first = await world.request('POST', target, options);
      assert.equal(first.status, route.ok.status, first.text);
      const past = await tenantRows();
      const again = await world.request('POST', target, options);
      const shown = Object.fromEntries(
        Object.entries(first.body).filter(([name]) => !SHOWN_ONCE.includes(name)),
      );
      assert.deepEqual([again.status, again.body], [first.status, shown]);
      assert.deepEqual(await changedSince(past), []);
    });
  }
});

/** Where the second request no longer has a credential, or ends whatever exists. */
const NOT_REPEATED = [
  'oauth.delete_registration',
  'oauth.delete_registration_by_issuer',
  'sessions.delete_all',
];
/** After these requests, GET returns the service's default text. */
const OF_TEXTS = ['branding.delete_text', 'messaging.delete_template'];

describe('a DELETE', () => {
  for (const route of ROUTES.filter(
    ({ method, id }) => method === 'DELETE' && !NOT_REPEATED.includes(id),
  )) {
    test(`A DELETE of ${nameOf(route)} gets 404 when it is repeated, and its response shows whether the record remains`, async () => {
      const path: Record<string, string> = {};
      for (const name of pathParametersOf(route)) {
        path[name] = await pathRecord(name, route).make(world);
      }
      await PREPARATIONS[route.id]?.(path, world);
      const asker = { tenant: world.local.tenant.id, ...(await entitled(world, route)) };
      const { query = {} } = await requestParts(route, world.local);
      const target = `${pathTo(route, path)}?${new URLSearchParams(query).toString()}`;
      const first = await world.request('DELETE', target, asker);
      assert.equal(first.status, route.ok.status, first.text);
      const again = await world.request('DELETE', target, asker);
      assert.equal(again.status, 404, again.text);
      const isRead = ROUTES.some(
        (candidate) => candidate.method === 'GET' && candidate.path === route.path,
      );
      if (!isRead || OF_TEXTS.includes(route.id) || route.ok.kind === 'empty') return;
      const { status } = await world.request('GET', pathTo(route, path), asker);
      const remains = first.body['revoked'] === true;
      assert.equal(status, remains ? 200 : 404);
      assert.equal(first.body['deleted'], remains ? undefined : true);
    });
  }
});
