// Every route of the contract, called by an application with all permissions of an administrator: it never acts as that
// user itself.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ErrorCode } from '@keywright/contract/errors';
import { needsAdministrator, type Route, scopeOf } from '@keywright/contract/route';
import { USERINFO_ROUTES } from '@keywright/contract/routes/userinfo';
import { openApplication } from '../harness/application.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { sessionOf } from '../harness/token.ts';
import { pathParametersOf, pathRecord } from './examples.ts';
import { sendExample, assertRefused, nameOf, routesOf } from './route-requests.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());

const { tenant } = world.local;
const user = await tenant.createUser({ roles: ['admin'] });
const { clientId } = await world.local.createClient();
const allowed = { user, clientId, scopes: ['openid', 'profile', 'email', '*:*'] };
const application = await openApplication(world.keywright, tenant, allowed);
const { token } = application;

/** The user for whom it acts, wherever a path names a user or a user's session. */
const THEIRS: Readonly<Record<string, string>> = {
  user_id: user.user.id,
  session_id: sessionOf(user.token),
};

/** The rejection that a route's access implies; undefined if the token's scopes decide. */
function refusalOf(route: Route): ErrorCode | undefined {
  if (route.access === 'user') return 'USER_REQUIRED';
  if (route.access === 'caller') return 'APPLICATION_REFUSED';
  if (route.access === 'system') return 'SYSTEM_ADMINISTRATOR_REQUIRED';
  return needsAdministrator(route) ? 'ADMINISTRATOR_REQUIRED' : undefined;
}

async function pathOf(route: Route): Promise<Record<string, string>> {
  const path: Record<string, string> = {};
  for (const name of pathParametersOf(route)) {
    path[name] = THEIRS[name] ?? (await pathRecord(name, route).make(world));
  }
  return path;
}

/** The parts of the user's account that the user could change. */
async function account(): Promise<unknown> {
  const tables = ['user_identifiers', 'user_credentials', 'user_roles', 'user_factors', 'sessions'];
  const rows = await Promise.all(
    ['delegations', 'consents', ...tables].map((table) =>
      world.keywright.database.query(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE tenant_id = $1 AND user_id = $2 ORDER BY 1`,
        [tenant.id, user.user.id],
      ),
    ),
  );
  const userQuery = 'SELECT to_jsonb(t) AS row FROM users t WHERE tenant_id = $1 AND id = $2';
  return [...rows, await world.keywright.database.query(userQuery, [tenant.id, user.user.id])];
}

for (const route of routesOf('user', 'caller', 'callerOfIssuer', 'system', 'scope')) {
  const refusal = refusalOf(route);
  test(`${nameOf(route)} is not the user to an application: ${refusal ?? 'their account stays'}`, async () => {
    const before = await account();
    const query = route.query?.properties['user_id'] ? { user_id: user.user.id } : {};
    const answer = await sendExample(world, route, { token, path: await pathOf(route), query });
    if (refusal) assertRefused(answer, refusal);
    assert.ok(answer.status < 500, answer.text);
    assert.deepEqual(await account(), before);
  });
}

test('PATCH /users/:user_id by an application changes nothing of its user', async () => {
  const before = await account();
  for (const body of [
    { password: newPassword() },
    { identifiers: [{ identifier: newIdentifier() }] },
    { roles: ['member'] },
    { is_active: false },
    { metadata: { department: 'board' } },
  ]) {
    assertRefused(
      await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }),
      'PRINCIPAL_PROTECTED',
    );
  }
  assert.deepEqual(await account(), before);
});

test('The scopes of an application are those that were consented to, even if its user has more', async () => {
  const weak = application.tokenFor('openid profile');
  const routes = routesOf('scope').filter((route) => !needsAdministrator(route));
  for (const route of routes) {
    assert.ok(scopeOf(route));
    const answer = await sendExample(world, route, { token: weak, path: await pathOf(route) });
    assertRefused(answer, 'SCOPE_REQUIRED');
  }
  for (const route of USERINFO_ROUTES) {
    expectStatus(200, await sendExample(world, route, { token: weak }));
  }
});
