import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { decide } from '@keywright/tests/harness/evaluation';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { requireScope } from '../../../../../sdk/src/sdk.ts';

let keywright: Keywright;
let tenant: TestTenant;
let roles = 0;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('own-actions');
});
after(() => keywright.close());

function request(token: string, method: string, path: string, body?: object) {
  const options = body ? { token, body } : { token };
  return tenant.request<JsonBody & ErrorBody>(method, path, options);
}

/** The token of a user who holds these scopes. */
async function holderOf(...scopes: readonly string[]): Promise<string> {
  roles += 1;
  const name = `role-${roles}`;
  const admin = await tenant.adminToken();
  expectStatus(201, await request(admin, 'POST', '/roles', { name, scopes }));
  return (await tenant.createUser({ roles: [name] })).token;
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

describe('a scope with an action of a tenant', () => {
  test('A scope with an action of a tenant is in the token of its holder, and counts in evaluations, explanations and the SDK', async () => {
    const scopes = ['approve:invoices/2026:q4', 'sign:*', '*:archive'];
    const token = await holderOf(...scopes);
    assert.deepEqual(claimsOf(token).scopes.toSorted(), scopes.toSorted());
    const granted = ['approve:invoices/2026:q4', 'sign:contracts', 'burn:archive', '*:archive'];
    const lacked = [
      'approve:invoices',
      'approve:invoices/2026',
      'read:invoices/2026:q4',
      'sign:users',
      '*:*',
    ];
    for (const [all, isGranted] of [
      [granted, true],
      [lacked, false],
    ] as const) {
      for (const scope of all) {
        const verdict = await decide(tenant, { token, scope }, { token });
        assert.equal(verdict.allowed, isGranted, scope);
        const check = () => requireScope(claimsOf(token), scope);
        if (isGranted) check();
        else assert.throws(check, { code: 'SCOPE_REQUIRED' }, scope);
      }
    }
    const admin = await tenant.adminToken();
    const explained = await request(admin, 'POST', '/explain', {
      token,
      scope: 'sign:contracts burn:users/x',
    });
    const { allowed, missing } = expectStatus(200, explained);
    assert.deepEqual([allowed, missing], [false, ['burn:users/x']]);
  });

  test('A scope with an action of a tenant is rejected on a resource of the service, and the error lists the valid actions', async () => {
    const token = await tenant.adminToken();
    for (const [path, body] of [
      ['/roles', { name: 'wrong', scopes: ['read:users', 'frobnicate:users'] }],
      ['/agents', { name: 'wrong', scopes: ['read:users', 'frobnicate:users'] }],
    ] as const) {
      const { errors } = expectStatus(400, await request(token, 'POST', path, body));
      const message = 'has an unknown action: those on users are read, write, delete, *';
      assert.deepEqual(errors, [{ path: '/scopes/1', message }]);
    }
    const explained = await request(token, 'POST', '/explain', {
      token,
      scope: 'frobnicate:users',
    });
    assert.equal(expectStatus(400, explained).errors?.[0]?.path, '/scope');
  });

  test('A scope with an action of a tenant opens no route of the service, however its resource is named', async () => {
    const token = await holderOf(
      'admin:*',
      '*:users/x',
      'read:users/x',
      'read:users:x',
      '*:users:read',
      'reads:*',
      'read.users:*',
      'read:user',
    );
    for (const path of ['/users', '/roles', '/audit', '/keys']) {
      assert.equal(says(await request(token, 'GET', path)), '403 SCOPE_REQUIRED', path);
    }
  });

  test('A scope with an action of a tenant is granted only by a caller who holds it', async () => {
    const narrow = await holderOf(
      '*:roles',
      '*:agents',
      'read:invoices',
      'write:invoices',
      'delete:invoices',
    );
    const wide = await holderOf('*:roles', '*:agents', '*:invoices');
    for (const scope of ['approve:invoices', '*:invoices', 'approve:*', 'approve:invoices/x']) {
      for (const [path, body] of [
        ['/roles', { name: `granted-${(roles += 1)}`, scopes: [scope] }],
        ['/agents', { name: 'granted', scopes: [scope] }],
      ] as const) {
        assert.equal(says(await request(narrow, 'POST', path, body)), '403 SCOPE_NOT_HELD', scope);
        const isGranted = scope.endsWith(':invoices');
        const expected = isGranted ? '201' : '403 SCOPE_NOT_HELD';
        assert.equal(says(await request(wide, 'POST', path, body)), expected, scope);
      }
    }
  });
});
