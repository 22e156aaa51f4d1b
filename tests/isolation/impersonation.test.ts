// System administrators: their exclusive routes, and what an impersonation allows.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Route } from '@keywright/contract/route';
import { getMe } from '@keywright/contract/routes/me';
import { startTestLogin } from '@keywright/contract/routes/test-logins';
import { listTenants } from '@keywright/contract/routes/tenants';
import { listUsers } from '@keywright/contract/routes/users';
import type { JsonBody } from '../harness/http.ts';
import { claimsOf } from '../harness/token.ts';
import {
  sendExample,
  sendFreshExample,
  assertRefused,
  assertSame,
  nameOf,
  routesOf,
} from './route-requests.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());

for (const route of routesOf('system')) {
  test(`${nameOf(route)} answers 403 to all but system administrators, whatever they request (SPEC authentication 9, SPEC endpoints tenants 3)`, async () => {
    const { local, homeAdminToken, impersonationToken } = world;
    const callers = [
      { token: local.admin.token },
      { token: local.member.token },
      { token: impersonationToken },
      { token: homeAdminToken, tenant: world.system.tenant },
    ];
    const refused = await sendExample(world, route, { token: local.admin.token });
    assertRefused(refused, 'SYSTEM_ADMINISTRATOR_REQUIRED');
    for (const caller of callers) {
      assertSame(await sendExample(world, route, caller), refused);
      // Unauthorized requests are rejected before their body is read.
      assertSame(await sendExample(world, route, { ...caller, rawBody: '{' }), refused);
    }
    const granted = await sendFreshExample(world, route, world.system);
    assert.equal(granted.status, route.ok.status, granted.text);
  });
}

/** Routes that require a user of the tenant, which reject an impersonator. */
const OF_USERS: readonly Route[] = [...routesOf('user'), getMe, startTestLogin];
const FOR_IMPERSONATORS = routesOf('caller', 'callerOfIssuer', 'scope').filter(
  (route) => route.id !== 'sessions.delete_all' && !OF_USERS.includes(route),
);

for (const route of OF_USERS) {
  test(`${nameOf(route)} is for users of the tenant: an impersonating system administrator gets 403`, async () => {
    assertRefused(
      await sendExample(world, route, { token: world.impersonationToken }),
      'IMPERSONATION_REFUSED',
    );
  });
}

for (const route of FOR_IMPERSONATORS) {
  test(`${nameOf(route)} is granted to a system administrator who impersonates in its tenant`, async () => {
    const answer = await sendFreshExample(world, route, { token: world.impersonationToken });
    assert.equal(answer.status, route.ok.status, answer.text);
  });
}

test('An impersonation token names the administrator, and depends on their own session and on the tenant', () => {
  const claims = claimsOf(world.impersonationToken);
  const home = claimsOf(world.system.token);
  assert.equal(claims.tenant_id, world.local.tenant.id);
  assert.equal(claims.sid, home.sid);
  assert.deepEqual(claims.act, { sub: home.sub, tenant_id: home.tenant_id, ver: 0 });
  assert.ok(claims.exp - claims.iat <= 15 * 60);
});

test('An impersonation token is valid for one tenant: not for another, nor for the default one (SPEC authentication 7)', async () => {
  const elsewhere = [world.foreign.tenant.id, world.system.tenant];
  for (const tenant of elsewhere) {
    const answer = await sendExample(world, listUsers, { token: world.impersonationToken, tenant });
    assertRefused(answer, 'TENANT_MISMATCH', tenant);
  }
});

test('GET /users accepts another tenant from system administrators only (SPEC authentication 9, SPEC service 6)', async () => {
  const { local, foreign, homeAdminToken, impersonationToken, system } = world;
  const query = { tenant_id: foreign.tenant.id };
  const callers = [
    { token: local.admin.token },
    { token: impersonationToken },
    { token: homeAdminToken, tenant: system.tenant },
  ];
  for (const caller of callers) {
    assertRefused(
      await sendExample(world, listUsers, { ...caller, query }),
      'SYSTEM_ADMINISTRATOR_REQUIRED',
    );
  }
  const scopeless = await sendExample(world, listUsers, { token: local.member.token, query });
  assertRefused(scopeless, 'SCOPE_REQUIRED');
  const granted = await sendExample(world, listUsers, { ...system, query });
  assert.equal(granted.status, 200, granted.text);
  const tenants = (granted.body['items'] as JsonBody[]).map((item) => item['tenant_id']);
  assert.deepEqual(new Set(tenants), new Set([foreign.tenant.id]));
  const unknown = await sendExample(world, listUsers, {
    ...system,
    query: { tenant_id: 'org_nobody' },
  });
  assertRefused(unknown, 'NOT_FOUND');
});

test('GET /tenants lists every tenant to a system administrator (SPEC authentication 9, SPEC endpoints tenants 1)', async () => {
  const { local, foreign, inactiveTenantId, system } = world;
  const { body } = await sendExample(world, listTenants, { ...system, query: { limit: 100 } });
  const ids = new Set((body['items'] as JsonBody[]).map((item) => item['id']));
  for (const id of [local.tenant.id, foreign.tenant.id, inactiveTenantId, system.tenant]) {
    assert.ok(ids.has(id), id);
  }
});

test('No data of the foreign tenant was disclosed to another caller, and none of it was changed (SPEC service 6)', async () => {
  assert.deepEqual(await world.leaks(), []);
  const { before: past, now } = await world.foreignRows();
  assert.deepEqual(now, past);
});
