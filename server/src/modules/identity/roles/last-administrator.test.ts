import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

interface Administrator {
  readonly id: string;
  readonly token: string;
  readonly identifier: string;
}

/** A tenant with its only active administrator, and the administrator's role. */
interface Managed {
  readonly tenant: TestTenant;
  readonly role: string;
  last: Administrator;
}

const PASSWORD = 'correct horse battery';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

function as(tenant: TestTenant, token: string, method: string, path: string, body?: object) {
  return tenant.request<ErrorBody>(method, path, { token, ...(body && { body }) });
}

async function appoint({ tenant, role }: Omit<Managed, 'last'>, token: string) {
  const { user, ...rest } = await newUser(tenant, token, [role]);
  return { id: user.id, ...rest };
}

async function newUser(tenant: TestTenant, token: string, roles: readonly string[]) {
  const identifier = newIdentifier();
  const body = { identifier, password: PASSWORD, roles };
  const made = await tenant.request<{ id: string }>('POST', '/users', { token, body });
  const user = expectStatus(201, made);
  const login = await tenant.login(identifier, body.password);
  return { user, identifier, token: login.access_token };
}

/** Deactivates all users with the role, except one new administrator. */
async function managed(tenant: TestTenant, role: string, token: string): Promise<Managed> {
  const last = await appoint({ tenant, role }, token);
  const others = await keywright.database.query<{ user_id: string }>(
    'SELECT user_id FROM user_roles WHERE tenant_id = $1 AND role = $2 AND user_id <> $3',
    [tenant.id, role, last.id],
  );
  for (const { user_id: id } of others) {
    expectStatus(200, await as(tenant, last.token, 'PATCH', `/users/${id}`, { is_active: false }));
  }
  return { tenant, role, last };
}

async function newTenant(slug: string): Promise<Managed> {
  const tenant = await keywright.tenant(slug, { config: { allow_account_deletion: true } });
  return managed(tenant, 'admin', await tenant.adminToken());
}

type Removal = (
  tenant: TestTenant,
  target: Administrator,
  token: string,
) => Promise<Answer<ErrorBody>>;

const removal =
  (method: string, path: string, body?: object): Removal =>
  (tenant, { id }, token) =>
    as(tenant, token, method, `/users/${id}${path}`, body);

const REMOVALS: Readonly<Record<string, Removal>> = {
  disabled: removal('POST', '/disable', { reason: 'left us' }),
  deactivated: removal('PATCH', '', { is_active: false }),
  demoted: removal('PATCH', '', { roles: ['member'] }),
  deleted: removal('DELETE', ''),
};

function assertLast(answer: Answer<ErrorBody>, named: string): void {
  const { code, detail } = expectStatus(400, answer);
  assert.equal(code, 'LAST_ADMINISTRATOR');
  assert.ok(detail.includes(named), detail);
}

// Runs before the tests of the default tenant, which remove the harness's administrator.
describe('a tenant’s last administrator', () => {
  test('A tenant’s last administrator cannot delete their own account', async () => {
    const { tenant, last } = await newTenant('leaver');
    const body = { identifier: last.identifier };
    assertLast(await as(tenant, last.token, 'POST', '/me/deletion', body), last.id);
  });

  test('An inactive administrator, or one with fewer permissions, does not replace a tenant’s last administrator', async () => {
    const here = await newTenant('lonely');
    const { tenant, last } = here;
    const role = {
      name: 'almost',
      scopes: ['*:users', '*:roles', 'read:*', 'write:*', 'delete:*'],
    };
    expectStatus(201, await as(tenant, last.token, 'POST', '/roles', role));
    await newUser(tenant, last.token, [role.name]);
    for (const remove of Object.values(REMOVALS)) {
      assertLast(await remove(tenant, last, last.token), last.id);
    }
  });

  test('A role with *:* of a tenant’s last administrator cannot lose it, nor be deleted', async () => {
    const { tenant, last } = await newTenant('owned');
    const role = { name: 'owner', scopes: ['*:*'] };
    expectStatus(201, await as(tenant, last.token, 'POST', '/roles', role));
    const path = `/users/${last.id}`;
    expectStatus(200, await as(tenant, last.token, 'PATCH', path, { roles: ['owner'] }));
    const { access_token: token } = await tenant.login(last.identifier, PASSWORD);
    const narrow = { scopes: ['*:users'] };
    assertLast(await as(tenant, token, 'PATCH', '/roles/owner', narrow), 'owner');
    assertLast(await as(tenant, token, 'DELETE', '/roles/owner?force=true'), 'owner');
    assertLast(await as(tenant, token, 'PATCH', path, { roles: ['member'] }), last.id);
    expectStatus(200, await as(tenant, token, 'PATCH', '/roles/owner', { description: 'Owns.' }));
    await appoint({ tenant, role: 'admin' }, token);
    expectStatus(200, await as(tenant, token, 'PATCH', '/roles/owner', narrow));
  });

  test('A tenant’s last administrator can be removed by a system administrator, who can appoint another one', async () => {
    const { tenant, last } = await newTenant('rescued');
    const body = { tenant_id: tenant.id, reason: 'their account was taken over' };
    const token = await keywright.adminToken();
    const impersonation = await keywright.home.request<{ access_token: string }>(
      'POST',
      '/auth/impersonate',
      { token, body },
    );
    const { access_token: inside } = expectStatus(200, impersonation);
    expectStatus(200, await REMOVALS['disabled']!(tenant, last, inside));
    await appoint({ tenant, role: 'admin' }, inside);
  });
});

for (const [where, start] of Object.entries({
  'a tenant': () => newTenant('managed'),
  'the default tenant': async () =>
    managed(keywright.home, 'system_admin', await keywright.adminToken()),
})) {
  describe(`the last active administrator of ${where}`, () => {
    let here: Managed;
    before(async () => {
      here = await start();
    });

    for (const [how, remove] of Object.entries(REMOVALS)) {
      test(`The last active administrator of ${where} cannot be ${how} by themselves, and remains active`, async () => {
        const { tenant, last } = here;
        assertLast(await remove(tenant, last, last.token), last.id);
        expectStatus(200, await as(tenant, last.token, 'GET', '/roles'));
      });

      test(`An administrator of ${where} can be ${how} by another one, or by themselves when there is another one`, async () => {
        const { tenant } = here;
        const other = await appoint(here, here.last.token);
        expectStatus(200, await remove(tenant, other, here.last.token));
        const next = await appoint(here, here.last.token);
        expectStatus(200, await remove(tenant, here.last, here.last.token));
        here.last = next;
      });
    }

    test(`The last active administrator of ${where} can gain and lose other roles`, async () => {
      const { tenant, role, last } = here;
      for (const roles of [[role, 'member'], [role]]) {
        const { access_token: token } = await tenant.login(last.identifier, PASSWORD);
        expectStatus(200, await as(tenant, token, 'PATCH', `/users/${last.id}`, { roles }));
      }
    });

    test(`A dry run of the deletion of the last active administrator of ${where} also fails`, async () => {
      const { tenant, last } = here;
      const { access_token: token } = await tenant.login(last.identifier, PASSWORD);
      assertLast(await as(tenant, token, 'DELETE', `/users/${last.id}?dry_run=true`), last.id);
    });
  });
}
