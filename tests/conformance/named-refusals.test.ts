// A rejection names the role, slug, domain, scope or user that caused it, if its code leaves that open.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

let keywright: Keywright;
let tenant: TestTenant;
/** Has only the scopes to write users, roles and workspaces. */
let clerk: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('named');
  const scopes = ['write:users', 'write:roles', 'write:workspaces', 'delete:sessions'];
  expectStatus(201, await asAdmin('POST', '/roles', { name: 'clerk', scopes }));
  expectStatus(201, await asAdmin('POST', '/roles', { name: 'auditor', scopes: ['read:audit'] }));
  clerk = (await tenant.createUser({ roles: ['clerk'] })).token;
});
after(() => keywright.close());

type PendingAnswer = Promise<Answer<ErrorBody>>;

function requestAs(token: string, method: string, path: string, body?: object): PendingAnswer {
  return tenant.request<ErrorBody>(method, path, body ? { token, body } : { token });
}

async function asAdmin(method: string, path: string, body?: object): PendingAnswer {
  return requestAs(await tenant.adminToken(), method, path, body);
}

async function asRoot(method: string, path: string, body?: object): PendingAnswer {
  const token = await keywright.adminToken();
  return keywright.home.request<ErrorBody>(method, path, body ? { token, body } : { token });
}

async function assertNames(
  code: string,
  names: readonly string[],
  pending: PendingAnswer,
): Promise<void> {
  const { body } = await pending;
  assert.equal(body.code, code, body.detail);
  for (const name of names) assert.ok(body.detail.includes(name), `${name} in: ${body.detail}`);
}

function newUser(...roles: readonly string[]) {
  return { identifier: newIdentifier(), password: newPassword(), roles };
}

test('An error names an unknown, existing or built-in role', async () => {
  const unknown = newUser('member', 'gardener', 'florist');
  await assertNames('ROLE_UNKNOWN', ['gardener', 'florist'], asAdmin('POST', '/users', unknown));
  const taken = { name: 'auditor', scopes: [] };
  await assertNames('ROLE_TAKEN', ['auditor'], asAdmin('POST', '/roles', taken));
  const builtin = { name: 'member', scopes: [] };
  await assertNames('ROLE_TAKEN', ['member'], asAdmin('POST', '/roles', builtin));
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { description: 'Ours' } : undefined;
    await assertNames('BUILTIN_ROLE_PROTECTED', ['member'], asAdmin(method, '/roles/member', body));
  }
});

test('An error names a slug or a domain in use', async () => {
  const cellar = { name: 'Cellar', slug: 'cellar' };
  expectStatus(201, await asAdmin('POST', '/workspaces', cellar));
  await assertNames('SLUG_TAKEN', ['ws_cellar'], asAdmin('POST', '/workspaces', cellar));
  const again = { name: 'Named', slug: tenant.id.replace('org_', '') };
  await assertNames('SLUG_TAKEN', [tenant.id], asRoot('POST', '/tenants', again));
  const [domain = ''] = tenant.domains;
  const other = await keywright.tenant('other');
  const domains = [domain];
  const path = `/tenants/${other.id}`;
  await assertNames('DOMAIN_TAKEN', [domain], asRoot('PATCH', path, { domains }));
  await assertNames('DOMAIN_TAKEN', [domain], asRoot('POST', '/tenants', { name: 'x9', domains }));
});

test('An error names the missing scope, both where it is granted and where it is required', async () => {
  const { user } = await tenant.createUser({ roles: ['auditor'] });
  const grant = newUser('auditor');
  const refusals: readonly PendingAnswer[] = [
    requestAs(clerk, 'POST', '/users', grant),
    requestAs(clerk, 'PATCH', `/users/${user.id}`, { is_active: false }),
    requestAs(clerk, 'PUT', `/workspaces/ws_cellar/members/${user.id}`),
    requestAs(clerk, 'POST', '/roles', { name: 'mine', scopes: ['read:audit'] }),
    requestAs(clerk, 'PATCH', '/roles/auditor', { description: 'Mine' }),
  ];
  for (const refusal of refusals) await assertNames('SCOPE_NOT_HELD', ['read:audit'], refusal);
  await assertNames('SCOPE_NOT_HELD', ['auditor'], requestAs(clerk, 'POST', '/users', grant));
});

test('An error names a protected role, and its last holder', async () => {
  const { home } = keywright;
  const admin = await keywright.createUser({ roles: ['admin'] });
  const raised = home.request<ErrorBody>('POST', '/users', {
    token: admin.token,
    body: newUser('system_admin'),
  });
  await assertNames('SCOPE_NOT_HELD', ['system_admin'], raised);
  const token = await keywright.adminToken();
  const { body: me } = await home.request<{ id: string }>('GET', '/me', { token });
  const userPath = `/users/${me.id}`;
  for (const [method, path, body] of [
    ['PATCH', userPath, { roles: ['admin'] }],
    ['DELETE', userPath, undefined],
    ['POST', `${userPath}/disable`, { reason: 'Left us' }],
  ] as const) {
    const names = [me.id, 'system_admin'];
    await assertNames('LAST_ADMINISTRATOR', names, asRoot(method, path, body));
  }
});

test('An error names the content types that the route accepts', async () => {
  for (const [path, types] of [
    ['/roles', 'application/json'],
    ['/users/import', 'application/x-ndjson'],
    ['/auth/token', 'application/json or application/x-www-form-urlencoded'],
  ] as const) {
    const options = { token: await tenant.adminToken(), rawBody: '{}', contentType: 'text/html' };
    const { body } = await tenant.request<ErrorBody>('POST', path, options);
    assert.equal(body.detail, `The body must be sent as ${types}.`);
  }
});
