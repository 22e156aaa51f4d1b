// Every route of the contract, called by an agent with all scopes that acts for a user, about that user.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Route } from '@keywright/contract/route';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { delegate, exchange } from '../harness/delegation.ts';
import { expectStatus } from '../harness/http.ts';
import { sessionOf } from '../harness/token.ts';
import { sendExample, assertRefused, nameOf, routesOf } from './route-requests.ts';
import { pathParametersOf, pathRecord } from './examples.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());

const { tenant, robot } = world.local;
const principal = await tenant.createUser({ roles: ['admin'] });
const delegation = await delegate(tenant, principal, robot, ['*:*']);
const sessionId = sessionOf(principal.token);

/** What names the principal, or something of theirs, in a path or a query. */
const THEIRS: Readonly<Record<string, string>> = {
  user_id: principal.user.id,
  session_id: sessionId,
  delegation_id: delegation.id,
  role: 'admin',
};
/** Routes that disclose only what every reader of users can see of the principal. */
const READS_THE_RECORD = ['users.get', 'users.list', 'me.get'];
/** Logs whose readers see every user's history; the principal allowed the agent to read them. */
const LOGS = ['events.list', 'audit.list'];

const PRINCIPAL_CHANGES: readonly Readonly<Record<string, unknown>>[] = [
  { password: newPassword() },
  { identifiers: [{ identifier: principal.identifier, verified: true }] },
  { identifiers: [{ identifier: newIdentifier() }] },
  { roles: ['member'] },
  { workspaces: ['ws_default'] },
  { is_active: false },
  { metadata: { department: 'board' } },
  { user_metadata: { theme: 'dark' } },
];

async function actingToken(): Promise<string> {
  const by = { subject_token_type: TOKEN_TYPE.delegation };
  return expectStatus(200, await exchange(tenant, robot, delegation.id, by)).access_token;
}

/** Returns all rows of the principal's account. The time of their last login is written with a delay. */
async function account(): Promise<unknown[]> {
  const tables = await world.keywright.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'user_id' AND table_name <> 'user_logins' ORDER BY 1`,
  );
  const rows = [await rowsOf('users', 'id')];
  for (const { name } of tables) rows.push(await rowsOf(name, 'user_id'));
  return rows;
}

async function rowsOf(table: string, column: string): Promise<unknown> {
  // Each use by the agent updates the delegation's `last_used_at`.
  const noted = table === 'delegations' ? `- 'last_used_at'` : '';
  const rows = await world.keywright.database.query(
    `SELECT to_jsonb(t) ${noted} AS row FROM ${table} t WHERE tenant_id = $1 AND ${column} = $2 ORDER BY 1`,
    [tenant.id, principal.user.id],
  );
  return { table, rows };
}

async function pathOf(route: Route): Promise<Record<string, string>> {
  const path: Record<string, string> = {};
  for (const name of pathParametersOf(route)) {
    path[name] = THEIRS[name] ?? (await pathRecord(name, route).make(world));
  }
  return path;
}

function isAboutThem(route: Route): boolean {
  const names = [...pathParametersOf(route), ...Object.keys(route.query?.properties ?? {})];
  const isNamed = names.some((name) => ['user_id', 'session_id', 'delegation_id'].includes(name));
  return isNamed && !READS_THE_RECORD.includes(route.id);
}

for (const route of routesOf('caller', 'callerOfIssuer', 'scope', 'user', 'system')) {
  test(`${nameOf(route)} denies an agent that acts for a user access to that user's account`, async () => {
    const before = await account();
    const bodies = route.id === 'users.update' ? PRINCIPAL_CHANGES : [undefined];
    for (const body of bodies) {
      const query = route.query?.properties['user_id'] ? { user_id: principal.user.id } : {};
      const answer = await sendExample(world, route, {
        token: await actingToken(),
        path: await pathOf(route),
        query,
        ...(body && { body }),
      });
      if (isAboutThem(route)) assert.equal(answer.status, 403, answer.text);
      if (!LOGS.includes(route.id)) assert.ok(!answer.text.includes(sessionId), answer.text);
    }
    assert.deepEqual(await account(), before);
  });
}

test('A list of all sessions excludes those of the user for whom the agent acts', async () => {
  const token = await actingToken();
  const list = await tenant.request<{ items: { user_id: string }[]; meta: { total: number } }>(
    'GET',
    '/sessions?limit=100',
    { token },
  );
  const { items, meta } = expectStatus(200, list);
  assert.ok(items.some(({ user_id: id }) => id === world.local.member.user.id));
  assert.ok(items.every(({ user_id: id }) => id !== principal.user.id));
  assert.equal(meta.total, items.length);
});

test('A system administrator who impersonates in the default tenant cannot reach their own account there', async () => {
  const { keywright, system } = world;
  const reason = 'to look at ourselves';
  const options = { token: system.token, body: { tenant_id: system.tenant, reason } };
  const impersonation = await keywright.home.request('POST', '/auth/impersonate', options);
  const token = String(expectStatus(200, impersonation)['access_token']);
  const me = expectStatus(200, await keywright.home.request('GET', '/me', { token: system.token }));
  const path = `/users/${String(me['id'])}`;
  for (const [method, to, body] of [
    ['PATCH', path, { password: newPassword() }],
    ['PATCH', path, { identifiers: [{ identifier: newIdentifier() }] }],
    ['DELETE', path, undefined],
    ['DELETE', `/sessions/${sessionOf(system.token)}`, undefined],
  ] as const) {
    const answer = await keywright.home.request(method, to, { token, ...(body && { body }) });
    assertRefused(answer, 'PRINCIPAL_PROTECTED');
  }
});
