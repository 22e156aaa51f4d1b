// Every route of the contract, tested against another tenant. Generated from the contract, so new routes are included
// automatically; a missing example fails with a message.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, describe, test } from 'node:test';
import type { ErrorCode } from '@keywright/contract/errors';
import { isOfAnyTenant, needsToken, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import type { Answer, JsonBody } from '../harness/http.ts';
import { claimsOf } from '../harness/token.ts';
import {
  sendExample,
  sendFreshExample,
  type RequestChanges,
  assertRefused,
  assertSame,
  CLASSES,
  entitled,
  MATRIX_ROUTES,
  nameOf,
  needsCredential,
  rejectsAnonymous,
  routesOf,
  withoutEcho,
  withTokenClaims,
} from './route-requests.ts';
import { wrongCredentials } from './credentials.ts';
import {
  bodyPlacesOf,
  bodyReference,
  LOGS,
  LOOKUPS,
  pathRecord,
  pathReferencesOf,
  queryParametersOf,
  queryReference,
  requestParts,
  WHOLE_LISTS,
} from './examples.ts';
import { findRecords, itemSchemaOf, recordSchemasOf } from './records.ts';
import {
  assertCursorIsBound,
  assertListOfAnyTenant,
  iterateList,
  iterateLog,
} from './list-iteration.ts';
import { startWorld, type Side } from './world.ts';

const UNKNOWN_HOST = 'unknown.example.net';
const DAMAGED = (id: string) => [`${id}x`, id.slice(0, -1), id.toUpperCase(), `${id}\0`];
const NONSENSE = ['x', '%', '*', "' OR true --", 'a/b', '../me', 'ü'];

/** Every route that the service binds, recorded at binding. */
const bound: string[] = [];
const recordRoutes = (message: unknown) => {
  const { fastify } = message as { fastify: { addHook(name: string, hook: unknown): void } };
  fastify.addHook('onRoute', (route: { method: string | string[]; url: string }) => {
    for (const method of [route.method].flat()) bound.push(`${method} ${route.url}`);
  });
};
subscribe('fastify.initialization', recordRoutes);
const world = await startWorld();
// Other files of the process start services with modules of their own.
unsubscribe('fastify.initialization', recordRoutes);
after(() => world.close());

describe('the matrix covers the contract', () => {
  test('Each route is in exactly one access class', () => {
    for (const route of MATRIX_ROUTES) {
      const classes = Object.keys(CLASSES).filter((name) => CLASSES[name]?.(route));
      const { access } = route;
      const message = `${nameOf(route)} (${JSON.stringify(access)}) is in the classes [${classes.join(', ')}]: fix CLASSES in tests/isolation/route-requests.ts`;
      assert.equal(classes.length, 1, message);
    }
    for (const name of Object.keys(CLASSES)) assert.notEqual(routesOf(name).length, 0, name);
  });

  test('Each route defined in a file of the contract is in ROUTES', async () => {
    const folder = new URL('../../contract/src/routes/', import.meta.url);
    for (const file of readdirSync(folder)) {
      const stated: object = await import(new URL(file, folder).href);
      for (const exported of Object.values(stated)) {
        if (typeof exported !== 'object' || exported === null || !('access' in exported)) continue;
        assert.ok(ROUTES.includes(exported as Route), `${nameOf(exported as Route)} of ${file}`);
      }
    }
  });

  test('The service serves exactly the routes of the contract', () => {
    const names = ROUTES.map(nameOf);
    const asGet = bound.map((route) => route.replace(/^HEAD /, 'GET '));
    // The files of the console, the documentation and the reference are the same for all users and belong to no tenant.
    const folders = ['/console', '/console/*', '/console/assets/:name', '/docs', '/docs/*'];
    const files = [...folders, '/reference', '/reference/:name'];
    assert.deepEqual(new Set(asGet), new Set([...names, ...files.map((path) => `GET ${path}`)]));
  });

  test('A route without an example fails, and the error says where to add one', async () => {
    const where = /in tests\/isolation\/\{examples,path-records\}\.ts/;
    const unheard = { ...ROUTES[0], id: 'trees.create' } as Route;
    assert.throws(() => pathRecord('tree_id', unheard), /tree_id.*PATH_RECORDS/);
    assert.throws(() => queryReference('tree_id', unheard), /tree_id.*QUERY_REFERENCES/);
    assert.throws(() => bodyReference(unheard, '/tree_id'), /trees\.create .*BODY_REFERENCES/);
    await assert.rejects(requestParts(unheard, world.local), /trees\.create.*REQUESTS/);
    await assert.rejects(requestParts(unheard, world.local), where);
  });

  test('An ID is found in every place of a request body', () => {
    const bodies = ROUTES.filter((route) => route.body).map((route) => [
      route.id,
      bodyPlacesOf(route),
    ]);
    const places = new Map(bodies as [string, string[]][]);
    assert.ok(places.get('auth.login')?.includes('/workspace_id'));
    assert.ok(places.get('users.update')?.includes('/workspaces/*'));
    assert.ok(places.get('auth.impersonate')?.includes('/tenant_id'));
    assert.deepEqual(places.get('me.update'), []);
  });
});

for (const route of MATRIX_ROUTES) {
  test(`${nameOf(route)} is granted to its own tenant, and every record carries that tenant's id (SPEC resources 2)`, async () => {
    const asker = await entitled(world, route);
    const answer = await sendFreshExample(world, route, asker);
    assert.equal(answer.status, route.ok.status, answer.text);
    // The records in the document are examples, without an owner.
    const records = route.id === 'service.openapi' ? [] : findRecords(answer.body);
    for (const record of records) {
      // A system administrator gets tenants, each of which belongs to itself.
      const owner = route.access === 'system' ? record['id'] : world.local.tenant.id;
      assert.equal(record['tenant_id'], owner);
    }
    for (const schema of route.ok.body ? recordSchemasOf(route.ok.body) : []) {
      assert.ok(schema.required?.includes('tenant_id'), JSON.stringify(schema));
    }
  });

  for (const name of pathReferencesOf(route)) describePathParameter(route, name);
  for (const name of queryParametersOf(route)) {
    test(`${nameOf(route)} discloses nothing foreign by its query parameter ${name} (SPEC errors 4)`, async () => {
      const { foreign, random, refusal } = queryReference(name, route);
      const token = await world.freshAdminToken();
      const theirs = await sendExample(world, route, {
        token,
        query: { [name]: await foreign(world, route) },
      });
      if (refusal) assertRefused(theirs, refusal);
      else assert.notEqual(theirs.body['code'], 'VALIDATION_FAILED', theirs.text);
      if (!random) return;
      assertSame(
        theirs,
        await sendExample(world, route, { token, query: { [name]: random(world) } }),
      );
    });
  }
  for (const place of bodyPlacesOf(route)) {
    test(`${nameOf(route)} finds nothing foreign by ${place} of its body (SPEC errors 4)`, async () => {
      const { foreign, random, around, status, code } = bodyReference(route, place);
      const token = await world.freshAdminToken();
      const [present, absent] = [await foreign(world, route), random(world)];
      const theirs = await sendExample(world, route, { token, body: around(present, world.local) });
      assert.equal(theirs.status, status, theirs.text);
      assert.equal(theirs.body['code'], code);
      const unknown = await sendExample(world, route, { token, body: around(absent, world.local) });
      assertSame(withoutEcho(theirs, present), withoutEcho(unknown, absent));
    });
  }
}

function describePathParameter(route: Route, name: string): void {
  const sendWith = (value: string, options: RequestChanges) =>
    sendExample(world, route, { ...options, path: { [name]: value } });
  const unknownIds = () => {
    const { present, random } = pathRecord(name, route);
    return [random(), ...DAMAGED(random()), ...DAMAGED(present(world.foreign)), ...NONSENSE];
  };

  /** An ID without its prefix gets the same error, which can describe the format but is equal for all such values. */
  const assertUnknown = async (
    values: readonly string[],
    options: RequestChanges,
    like: Answer<JsonBody>,
  ) => {
    const [prefix = ''] = /^[a-z]+[:_]/.exec(pathRecord(name, route).random()) ?? [];
    const form = new RegExp(
      `${String(like.body['detail'])} ${name} must be an ID of the form ${prefix}<\\w+>\\.$`,
    );
    for (const value of values) {
      const answer = await sendWith(value, options);
      const isDescribed = !value.startsWith(prefix) && form.test(String(answer.body['detail']));
      if (!isDescribed) assertSame(answer, like);
      else assertRefused(answer, like.body['code'] as ErrorCode);
    }
  };

  if (route.tenant === 'path' && name === 'tenant_id') {
    test(`${nameOf(route)} answers an unknown ${name} and a malformed one alike`, async () => {
      const unknown = await sendWith(pathRecord(name, route).random(), {});
      assertRefused(unknown, 'TENANT_NOT_FOUND');
      for (const value of unknownIds()) assertSame(await sendWith(value, {}), unknown);
    });
    return;
  }

  if (CLASSES['system']?.(route)) {
    test(`${nameOf(route)} discloses nothing of any ${name} to anyone of a tenant, and responds alike for unknown and malformed ones to a system administrator (SPEC errors 4)`, async () => {
      const token = await world.freshAdminToken();
      const refused = await sendWith(world.foreign.tenant.id, { token });
      assertRefused(refused, 'SYSTEM_ADMINISTRATOR_REQUIRED');
      const unknown = await sendWith(pathRecord(name, route).random(), world.system);
      assertRefused(unknown, 'NOT_FOUND');
      await assertUnknown(unknownIds(), { token }, refused);
      await assertUnknown(unknownIds(), world.system, unknown);
    });
    return;
  }

  test(`${nameOf(route)} responds to a foreign ${name} as to an unknown one (SPEC errors 4, SPEC service 6)`, async () => {
    const token = await world.freshAdminToken();
    const foreign = await sendWith(pathRecord(name, route).present(world.foreign), { token });
    assertRefused(foreign, pathRecord(name, route).refusal ?? 'NOT_FOUND');
    await assertUnknown(unknownIds(), { token }, foreign);
  });

  // No token is needed: a secret in the request authorizes it.
  if (route.access === 'tenant') return;

  test(`${nameOf(route)} discloses nothing of any ${name} without the scope (SPEC errors 4)`, async () => {
    const { token } = world.local.member;
    const { present, make } = pathRecord(name, route);
    const foreign = await sendWith(present(world.foreign), { token });
    assertRefused(foreign, scopeOf(route) === undefined ? 'NOT_FOUND' : 'SCOPE_REQUIRED');
    await assertUnknown([await make(world), ...unknownIds()], { token }, foreign);
  });
}

for (const route of routesOf('open')) {
  test(`${nameOf(route)} is the same for everyone and resolves no tenant`, async () => {
    const plain = await sendExample(world, route, { tenant: [], host: UNKNOWN_HOST });
    assert.equal(plain.status, route.ok.status, plain.text);
    const named = await sendExample(world, route, {
      tenant: world.foreign.tenant.id,
      token: world.foreign.admin.token,
    });
    assertSame(withTokenClaims(named), withTokenClaims(plain));
  });
}

for (const route of routesOf('issuer', 'callerOfIssuer')) {
  test(`${nameOf(route)} responds for the tenant of its path, whatever else a request names`, async () => {
    const first = needsCredential(route) ? await entitled(world, route) : {};
    // A registration that is deleted cannot be deleted again.
    const credentials = async () => (route.method === 'DELETE' ? entitled(world, route) : first);
    const plain = await sendExample(world, route, { ...first, tenant: [], host: UNKNOWN_HOST });
    assert.equal(plain.status, route.ok.status, plain.text);
    for (const tenant of [world.foreign.tenant.id, 'org_nobody']) {
      const token = world.foreign.admin.token;
      const named = await sendExample(world, route, { token, ...(await credentials()), tenant });
      assertSame(withTokenClaims(named), withTokenClaims(plain));
    }
  });

  test(`${nameOf(route)} answers 400 or 403 for an unknown or inactive tenant, before it reads the body (SPEC errors 2)`, async () => {
    const sendTo = (tenant_id: string) =>
      sendExample(world, route, { path: { tenant_id }, ...(route.body ? { rawBody: '{' } : {}) });
    assertRefused(await sendTo('org_nobody'), 'TENANT_NOT_FOUND');
    assertRefused(await sendTo(world.inactiveTenantId), 'TENANT_INACTIVE');
  });
}

for (const route of routesOf('tenant', 'caller', 'user', 'scope', 'system')) {
  test(`${nameOf(route)} answers 400 if no tenant is found, before it checks the token (SPEC errors 2, SPEC authentication 6)`, async () => {
    const token = await world.freshAdminToken();
    const byHeader = await sendExample(world, route, { token, tenant: 'org_nobody' });
    assertRefused(byHeader, 'TENANT_NOT_FOUND');
    assert.match(String(byHeader.body['detail']), /tenant was not found/);
    assertSame(await sendExample(world, route, { tenant: 'org_nobody', rawBody: '{' }), byHeader);
    const byHost = await sendExample(world, route, { token, tenant: [], host: UNKNOWN_HOST });
    assertRefused(byHost, 'TENANT_NOT_FOUND');
    assert.match(String(byHost.body['detail']), /tenant was not found/);
    const anonymous = { tenant: [], host: UNKNOWN_HOST, rawBody: '{' };
    assertSame(await sendExample(world, route, anonymous), byHost);
  });
}

for (const route of routesOf('tenant', 'caller', 'user', 'scope', 'system')) {
  test(`${nameOf(route)} answers 403 if its tenant is inactive, before it checks the token`, async () => {
    const tenant = world.inactiveTenantId;
    assertRefused(await sendExample(world, route, { tenant }), 'TENANT_INACTIVE');
    assertRefused(await sendExample(world, route, { tenant, token: 'garbage' }), 'TENANT_INACTIVE');
  });
}

for (const route of MATRIX_ROUTES.filter(rejectsAnonymous)) {
  test(`${nameOf(route)} answers 401 to anything but a token of its tenant (SPEC errors 1, SPEC errors 3, SPEC authentication 7)`, async () => {
    for (const [what, { code, options }] of Object.entries(wrongCredentials(world))) {
      assertRefused(await sendExample(world, route, options()), code, what);
      if (!needsToken(route)) continue;
      // Unauthorized requests are rejected before their body is read.
      assertRefused(
        await sendExample(world, route, { ...options(), rawBody: '{' }),
        code,
        `${what}, broken JSON`,
      );
      if (route.method !== 'GET') continue;
      const head = await sendExample(world, { ...route, method: 'HEAD' as never }, options());
      assert.equal(head.status, 401, `HEAD with ${what}`);
    }
  });
}

for (const route of routesOf('scope')) {
  test(`${nameOf(route)} answers 403 without its scope, and names it`, async () => {
    const answer = await sendExample(world, route, { token: world.local.member.token });
    assertRefused(answer, 'SCOPE_REQUIRED');
    assert.ok(String(answer.body['detail']).includes(scopeOf(route) ?? '?'), answer.text);
  });
}

for (const route of ROUTES.filter((candidate) => LOGS.includes(candidate.id))) {
  test(`${nameOf(route)} returns everything of its own tenant and nothing of another (SPEC service 6, SPEC resources 2)`, async () => {
    const items = await iterateLog(world, route, await world.freshAdminToken());
    assert.ok(items.length > 1);
    const tenants = new Set(items.map((item) => (item['data'] as JsonBody)['tenant_id']));
    assert.deepEqual([...tenants], [world.local.tenant.id]);
  });
}

const LISTS = ROUTES.filter(
  (route) => itemSchemaOf(route) && ![...LOGS, ...LOOKUPS].includes(route.id),
);
for (const route of LISTS.filter((candidate) => candidate.access !== 'system')) {
  test(`${nameOf(route)} lists everything of its own tenant and nothing of another (SPEC service 6, SPEC resources 2)`, async () => {
    const token = await world.freshAdminToken();
    // Otherwise the next checkpoint may be written during the iteration.
    const [node] = world.keywright.nodes;
    await node?.notes.flush();
    await node?.sealing.seal(world.local.tenant.id);
    const items = await iterateList(world, route, token);
    assert.ok(items.length > 1);
    const tenants = new Set(items.map((item) => item['tenant_id']));
    assert.deepEqual([...tenants], [world.local.tenant.id]);
  });
}

for (const route of ROUTES.filter(isOfAnyTenant)) {
  test(`${nameOf(route)} is read by system administrators in any tenant that they name (SPEC authentication 9)`, async () => {
    await assertListOfAnyTenant(world, route);
  });
}

test('A cursor is valid only for the list that issued it, with its filters and order', async () => {
  const walked = LISTS.filter(
    (route) => route.access !== 'system' && !WHOLE_LISTS.includes(route.id),
  );
  assert.ok(walked.length > 7);
  const token = await world.freshAdminToken();
  for (const route of walked) await assertCursorIsBound(world, route, walked, token);
});

test('Each rejection in the isolation matrix had a single cause: the sessions and keys are valid', async () => {
  const { foreign, local, keywright } = world;
  const { foreignKeyToken: token } = world;
  assert.equal((await foreign.tenant.request('GET', '/me', { token })).status, 200);
  for (const { tenant, admin, member, robot } of [local, foreign]) {
    for (const good of [admin.token, member.token, robot.key]) {
      assert.equal((await tenant.request('GET', '/me', { token: good })).status, 200);
    }
  }
  const impersonated: readonly (readonly [Side, string])[] = [
    [local, world.impersonationToken],
    [foreign, world.foreignImpersonationToken],
  ];
  for (const [{ tenant }, impersonator] of impersonated) {
    const answer = await tenant.request('GET', '/users', { token: impersonator });
    assert.equal(answer.status, 200);
  }
  const [session] = await keywright.database.query<{ is_active: boolean }>(
    'SELECT is_active FROM sessions WHERE tenant_id = $1 AND id = $2',
    [local.tenant.id, claimsOf(world.expiredToken).sid],
  );
  assert.equal(session?.is_active, true);
});

test('No response in the isolation matrix disclosed anything of the foreign tenant (SPEC service 6)', async () => {
  assert.deepEqual(await world.leaks(), []);
});

test('No row of the foreign tenant was changed by any request of the isolation matrix (SPEC service 6)', async () => {
  const { before: past, now } = await world.foreignRows();
  assert.deepEqual(now, past);
});
