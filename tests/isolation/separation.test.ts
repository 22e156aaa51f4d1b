import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { publishKey } from './published-key.ts';

const ATTEMPTS = 3;

interface KeySet {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
}

let keywright: Keywright;
let north: TestTenant;
let south: TestTenant;

before(async () => {
  keywright = await startKeywright();
  north = await keywright.tenant('north', {
    config: { session_timeout: 600, password_min_length: 20, login_attempts_limit: 1000 },
  });
  south = await keywright.tenant('south', { config: { login_attempts_limit: 1000 } });
});

after(() => keywright.close());

test('One e-mail address is two users in two tenants, each with their own password (SPEC service 6)', async () => {
  const identifier = newIdentifier();
  const inNorth = await north.createUser({ identifier });
  const inSouth = await south.createUser({ identifier });
  assert.notEqual(inNorth.user.id, inSouth.user.id);
  const body = { identifier, secret: inSouth.password };
  const crossed = await north.request<ErrorBody>('POST', '/auth/login', { body });
  assert.equal(crossed.status, 401);
  assert.equal(crossed.body.code, 'INVALID_CREDENTIALS');
});

test('A refresh token is rejected by another tenant, and remains valid (SPEC errors 3, SPEC authentication 7)', async () => {
  const { refreshToken } = await north.createUser();
  const body = { refresh_token: refreshToken };
  const crossed = await south.request<ErrorBody>('POST', '/auth/refresh', { body });
  assert.equal(crossed.status, 401);
  assert.equal(crossed.body.code, 'TENANT_MISMATCH');
  expectStatus(200, await north.request('POST', '/auth/refresh', { body }));
});

test('The verify-token route treats a token of another tenant as inactive (SPEC service 6)', async () => {
  const token = await south.adminToken();
  const { token: foreign } = await north.createUser();
  const about = (inspected: string) =>
    south.request('POST', '/auth/verify-token', { token, body: { token: inspected } });
  const answer = await about(foreign);
  assert.deepEqual(answer.body, { active: false });
  assert.equal(answer.text, (await about('garbage')).text);
});

test('A tenant is affected only by its own configuration (SPEC service 6)', async () => {
  const password = newPassword().slice(0, 15);
  const body = () => ({ identifier: newIdentifier(), password });
  const creations = async (tenant: TestTenant) => {
    const token = await tenant.adminToken();
    return (await tenant.request('POST', '/users', { token, body: body() })).status;
  };
  assert.equal(await creations(north), 400);
  assert.equal(await creations(south), 201);
  const lifetimes = async (tenant: TestTenant) => {
    const { iat, exp } = claimsOf(
      (await tenant.createUser({ password: 'x'.repeat(3) + newPassword() })).token,
    );
    return exp - iat;
  };
  assert.equal(await lifetimes(north), 600);
  assert.equal(await lifetimes(south), 3600);
});

test('A tenant publishes only its own keys, regardless of how they are requested (SPEC service 6)', async () => {
  const keysOf = async (tenant: TestTenant) =>
    (await tenant.request<KeySet>('GET', '/.well-known/jwks.json')).body.keys;
  const [northern, southern] = [await keysOf(north), await keysOf(south)];
  assert.equal(northern.length, 1);
  assert.equal(southern.length, 1);
  assert.notEqual(northern[0]?.kid, southern[0]?.kid);
  assert.notEqual(northern[0]?.x, southern[0]?.x);
  const address = `/t/${north.id}/.well-known/jwks.json`;
  const byIssuer = await south.request<KeySet>('GET', address);
  assert.deepEqual(byIssuer.body.keys, northern);
});

test('The keys of two tenants with the same id are not confused (SPEC service 6)', async () => {
  const [east, west] = [await keywright.tenant('east'), await keywright.tenant('west')];
  const eastern = await publishKey(keywright, east);
  const western = await publishKey(keywright, west, eastern.kid);
  const eastClaims = claimsOf(await east.adminToken());
  const westClaims = claimsOf(await west.adminToken());
  const statusOf = async (tenant: TestTenant, token: string) =>
    (await tenant.request('GET', '/me', { token })).status;
  assert.equal(await statusOf(east, eastern.sign(eastern.kid, eastClaims)), 200);
  assert.equal(await statusOf(west, western.sign(western.kid, westClaims)), 200);
  assert.equal(await statusOf(west, eastern.sign(eastern.kid, westClaims)), 401);
});

test('The failed logins in one tenant lock no user out of another (SPEC service 6)', async () => {
  const config = { login_attempts_limit: ATTEMPTS };
  const [locked, free] = [
    await keywright.tenant('locked', { config }),
    await keywright.tenant('free', { config }),
  ];
  const identifier = newIdentifier();
  const secret = newPassword();
  await free.login(identifier, secret, { extra: { register: true } });
  const attempt = (tenant: TestTenant) =>
    tenant.request('POST', '/auth/login', { body: { identifier, secret } });
  for (let count = 0; count < ATTEMPTS; count += 1) {
    assert.equal((await attempt(locked)).status, 401);
  }
  assert.equal((await attempt(locked)).status, 429);
  assert.equal((await attempt(free)).status, 200);
});

test('An Idempotency-Key that another tenant used is a new one (SPEC service 6)', async () => {
  const headers = { 'idempotency-key': 'the same in both' };
  const password = newPassword();
  const create = async (tenant: TestTenant, identifier: string) => {
    const body = { identifier, password: password + password };
    const token = await tenant.adminToken();
    return tenant.request<{ id: string; tenant_id: string }>('POST', '/users', {
      token,
      headers,
      body,
    });
  };
  const inNorth = expectStatus(201, await create(north, newIdentifier()));
  const inSouth = expectStatus(201, await create(south, newIdentifier()));
  assert.notEqual(inNorth.id, inSouth.id);
  assert.equal(inSouth.tenant_id, south.id);
});

test('A name that another tenant uses is available: workspaces and roles are unique per tenant (SPEC service 6)', async () => {
  const create = async (tenant: TestTenant, scopes: readonly string[]) => {
    const token = await tenant.adminToken();
    const workspace = { token, body: { name: 'Cellar', slug: 'cellar' } };
    const role = { token, body: { name: 'gardener', scopes } };
    expectStatus(201, await tenant.request('POST', '/workspaces', workspace));
    expectStatus(201, await tenant.request('POST', '/roles', role));
  };
  await create(north, ['read:users']);
  await create(south, ['read:roles']);
  const password = newPassword() + newPassword();
  const inNorth = await north.createUser({ roles: ['gardener'], password });
  const inSouth = await south.createUser({ roles: ['gardener'] });
  assert.deepEqual(claimsOf(inNorth.token).scopes, ['read:users']);
  assert.deepEqual(claimsOf(inSouth.token).scopes, ['read:roles']);
  const path = '/roles/gardener?force=true';
  expectStatus(200, await north.request('DELETE', path, { token: await north.adminToken() }));
  const options = { token: await south.adminToken() };
  expectStatus(200, await south.request('GET', '/roles/gardener', options));
  expectStatus(200, await south.request('GET', '/roles', { token: inSouth.token }));
});

test('A key rotation affects only one tenant (SPEC service 6)', async () => {
  const [turning, still] = [await keywright.tenant('turning'), await keywright.tenant('still')];
  const keysOf = async (tenant: TestTenant) =>
    (await tenant.request<KeySet>('GET', '/.well-known/jwks.json')).body.keys;
  const before_ = await keysOf(still);
  const token = await turning.adminToken();
  expectStatus(201, await turning.request('POST', '/keys/rotate?immediately=true', { token }));
  assert.deepEqual(await keysOf(still), before_);
});

test('A workspace of another tenant is 404, wherever it is named (SPEC authentication 7b)', async () => {
  const token = await north.adminToken();
  const secret = newPassword() + newPassword();
  const { user, identifier } = await north.createUser({ password: secret });
  const theirs = { token: await south.adminToken(), body: { name: 'Attic', slug: 'attic' } };
  expectStatus(201, await south.request('POST', '/workspaces', theirs));
  const attempts: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['GET', '/workspaces/ws_attic'],
    ['PATCH', '/workspaces/ws_attic', { name: 'Ours' }],
    ['DELETE', '/workspaces/ws_attic?force=true'],
    ['GET', '/workspaces/ws_attic/members'],
    ['PUT', `/workspaces/ws_attic/members/${user.id}`],
    ['DELETE', `/workspaces/ws_attic/members/${user.id}`],
    ['PATCH', `/users/${user.id}`, { workspaces: ['ws_attic'] }],
    ['POST', '/auth/login', { identifier, secret, workspace_id: 'ws_attic' }],
  ];
  for (const [method, path, body] of attempts) {
    const answer = await north.request(method, path, { token, ...(body ? { body } : {}) });
    assert.equal(`${answer.status} ${String(answer.body['code'])}`, '404 NOT_FOUND', path);
  }
});

test('A role named like that of system administrators makes no user one in another tenant (SPEC authentication 9)', async () => {
  const { identifier, password, user } = await south.createUser();
  const { database } = keywright;
  const scopes = ['*:*'];
  await database.query(
    `INSERT INTO roles (tenant_id, name, description, scopes, created_at)
     VALUES ($1, 'system_admin', 'by hand', $2, now())`,
    [south.id, scopes],
  );
  await database.query(
    `INSERT INTO user_roles (tenant_id, user_id, role) VALUES ($1, $2, 'system_admin')`,
    [south.id, user.id],
  );
  const { access_token: token } = await south.login(identifier, password);
  assert.ok(claimsOf(token).roles.includes('system_admin'));
  const answer = await south.request<ErrorBody>('GET', '/tenants', { token });
  assert.equal(expectStatus(403, answer).code, 'SYSTEM_ADMINISTRATOR_REQUIRED');
});
