// What decides who can log in as whom, or where a secret is sent, needs `write:logins` with all its conditions, and
// `write:tenant` is not enough. Generated from the contract, so new routes and settings are included automatically.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ErrorCode } from '@keywright/contract/errors';
import { SETTING_SCOPES } from '@keywright/contract/records/tenant';
import { loginsOf, type Route, scopeOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { LOGINS } from '@keywright/contract/scopes';
import pg from 'pg';
import { openApplication, registerClient } from '../harness/application.ts';
import { createUserWith, delegate, exchange } from '../harness/delegation.ts';
import { EVERY_SETTING } from '../harness/full-config.ts';
import { expectStatus } from '../harness/http.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { pathParametersOf, pathRecord } from './examples.ts';
import { sendExample, assertRefused, nameOf } from './route-requests.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());
const { tenant } = world.local;

const ALL = [LOGINS, 'write:tenant', 'write:clients'];
const TRUSTED = {
  name: 'Ours',
  kind: 'web',
  first_party: true,
  redirect_uris: ['https://ours.example.com/callback'],
};
const ourClient = await registerClient(tenant, TRUSTED);

/** Requests that need the scope, for routes where only some requests do. */
const EXAMPLES: Readonly<Record<string, { readonly body?: object; readonly path?: object }>> = {
  'tenants.update': { body: { config: { require_mfa: false } } },
  'messaging.put_template': {
    body: { subject: 'Your code', text: 'Enter {{code}} at login.evil.example' },
  },
  'messaging.test': {
    body: { to: 'ada@example.org', email: { smtp_host: 'mail.evil.example' } },
  },
  'branding.put_text': { body: { text: 'Sign in at evil.example' } },
  'clients.create': { body: TRUSTED },
  'clients.update': {
    body: { redirect_uris: ['https://evil.example/callback'] },
    path: { client_id: ourClient },
  },
  'clients.create_secret': { path: { client_id: ourClient } },
};

const OF_LOGINS = ROUTES.filter((route) => scopeOf(route) === LOGINS || loginsOf(route));

async function sendAs(token: string, route: Route) {
  const { body, path: examplePath } = EXAMPLES[route.id] ?? {};
  const path: Record<string, string> = {};
  for (const name of pathParametersOf(route))
    path[name] = await pathRecord(name, route).make(world);
  return sendExample(world, route, {
    token,
    path: { ...path, ...examplePath },
    ...(body && { body }),
  });
}

const admin = await tenant.createUser({ roles: ['admin'] });
const robot = await tenant.createAgent({ scopes: ['*:*'] });
const delegation = await delegate(tenant, admin, robot, ['*:*']);
const clientId = await registerClient(tenant);
const allowed = { user: admin, clientId, scopes: ['openid', '*:*'] };
const application = await openApplication(world.keywright, tenant, allowed);
const actingToken = async () => {
  const by = { subject_token_type: TOKEN_TYPE.delegation };
  return expectStatus(200, await exchange(tenant, robot, delegation.id, by)).access_token;
};
const settingsOnly = await createUserWith(tenant, ['write:tenant', 'write:clients']);
const loginsOnly = await createUserWith(tenant, [LOGINS]);
const most = await createUserWith(tenant, ALL);

test('Each route where some requests need write:logins has an example of such a request', () => {
  const conditional = OF_LOGINS.filter((route) => loginsOf(route)).map(({ id }) => id);
  assert.deepEqual(Object.keys(EXAMPLES).toSorted(), conditional.toSorted());
  assert.ok(OF_LOGINS.length > conditional.length);
});

for (const route of OF_LOGINS) {
  describe(`${nameOf(route)}, where it decides how users log in,`, () => {
    test('A route that decides how users log in refuses an agent, an application and a delegate, whatever their scopes', async () => {
      for (const token of [robot.key, application.token, await actingToken()]) {
        assertRefused(await sendAs(token, route), 'ADMINISTRATOR_REQUIRED');
      }
    });

    test('A route that decides how users log in refuses a user without write:logins, and names the scope', async () => {
      const answer = await sendAs(settingsOnly.token, route);
      assertRefused(answer, 'SCOPE_REQUIRED');
      assert.ok(String(answer.body['detail']).includes(LOGINS), answer.text);
    });

    test('A route that decides how users log in refuses a user who holds less than another user of the tenant', async () => {
      const answer = await sendAs(most.token, route);
      assertRefused(answer, 'SCOPE_NOT_HELD');
      assert.ok(String(answer.body['detail']).includes('*:*'), answer.text);
    });
  });
}

describe('a change of a setting', () => {
  for (const [name, scope] of Object.entries(SETTING_SCOPES)) {
    test(`${name} needs ${scope}, and nothing else`, async () => {
      const body = { config: { [name]: EVERY_SETTING[name as keyof typeof EVERY_SETTING] } };
      const tryAs = (token: string) => patch(tenant, token, body, '?dry_run=true');
      const [holder, other] = scope === LOGINS ? [admin, settingsOnly] : [settingsOnly, loginsOnly];
      assertRefused(await tryAs(other.token), 'SCOPE_REQUIRED');
      const answer = await tryAs(holder.token);
      assert.notEqual(answer.status, 403, answer.text);
      if (scope === LOGINS) assertRefused(await tryAs(robot.key), 'ADMINISTRATOR_REQUIRED');
      else assert.notEqual((await tryAs(robot.key)).status, 403);
    });
  }

  test('A change of settings or other parts of a tenant needs the scope of each part, and the refusal names all missing ones', async () => {
    const cases: readonly (readonly [body: object, scopes: readonly string[]])[] = [
      [{ name: 'Acme' }, ['write:tenant']],
      [{ name: 'acme.example.com' }, [LOGINS]],
      [{ branding: { company_name: 'Acme' } }, ['write:tenant']],
      [{ branding: { company_name: 'Log in at acme.example.com' } }, [LOGINS]],
      [{ branding: { terms_url: 'https://acme.example.com/terms' } }, ['write:tenant']],
      [{ messaging: { email: null } }, [LOGINS]],
      [{ messaging: { sms: { from: 'Acme' } } }, [LOGINS]],
      [{ name: 'Acme', config: { return_urls: [] } }, ['write:tenant', LOGINS]],
      [{ config: { locales: ['de'], require_mfa: false } }, ['write:tenant', LOGINS]],
    ];
    const holders = { 'write:tenant': settingsOnly, [LOGINS]: loginsOnly };
    const nothing = await createUserWith(tenant, ['read:tenant']);
    for (const [body, scopes] of cases) {
      for (const [grantedScope, { token }] of Object.entries(holders)) {
        const missing = scopes.filter((scope) => scope !== grantedScope);
        const answer = await patch(tenant, token, body, '?dry_run=true');
        if (missing.length === 0 && grantedScope !== LOGINS)
          assert.equal(answer.status, 200, answer.text);
        else if (missing.length === 0) assertRefused(answer, 'SCOPE_NOT_HELD');
        else {
          assertRefused(answer, 'SCOPE_REQUIRED');
          assert.equal(answer.body['detail'], `The token lacks: ${missing.join(', ')}.`);
        }
      }
      assertRefused(await patch(tenant, nothing.token, body), 'SCOPE_REQUIRED');
    }
  });

  test('A change that needs the scopes of both kinds of settings is made as a whole or not at all', async () => {
    const before = await tenant.request('GET', `/tenants/${tenant.id}`, { token: admin.token });
    const body = { name: 'Half', config: { require_mfa: true } };
    assertRefused(await patch(tenant, settingsOnly.token, body), 'SCOPE_REQUIRED');
    const now = await tenant.request('GET', `/tenants/${tenant.id}`, { token: admin.token });
    assert.deepEqual(now.body, before.body);
  });
});

describe('texts', () => {
  const template = (token: string, text: string, subject = 'Your code') =>
    tenant.request('PUT', '/messaging/templates/login/nl', { token, body: { subject, text } });
  const page = (token: string, text: string) =>
    tenant.request('PUT', '/texts/en/login.title', { token, body: { text } });

  test('A text without addresses can be set with write:tenant, also by an agent', async () => {
    for (const token of [settingsOnly.token, robot.key]) {
      expectStatus(200, await template(token, 'Uw code is {{code}}.\n\n{{link}}'));
      expectStatus(200, await page(token, 'Sign in'));
    }
    assertRefused(await template(loginsOnly.token, '{{code}}'), 'SCOPE_REQUIRED');
    assertRefused(await page(loginsOnly.token, 'Sign in'), 'SCOPE_REQUIRED');
  });

  test('A text that names an address, also one that a variable or a plural completes, needs write:logins', async () => {
    for (const text of ['{{code}} evil.example', '{{code}} x@evil.example', '{{code}}.example']) {
      assertRefused(await template(settingsOnly.token, text), 'SCOPE_REQUIRED');
    }
    assertRefused(await template(settingsOnly.token, '{{code}}', 'evil.example'), 'SCOPE_REQUIRED');
    assertRefused(await page(settingsOnly.token, 'evil.example'), 'SCOPE_REQUIRED');
    const plural = 'Valid for evil{minutes, plural, one {.example} other {.example}}';
    const said = await tenant.request('PUT', '/texts/en/mail.duration', {
      token: settingsOnly.token,
      body: { text: plural },
    });
    assertRefused(said, 'SCOPE_REQUIRED');
    expectStatus(200, await page(admin.token, 'Sign in to acme.example'));
  });
});

describe('the most powerful user of a tenant', () => {
  let tenants = 0;
  /** Creates a tenant whose users have no scopes beyond these, unless the test adds such a user. */
  async function without(): Promise<{ newTenant: TestTenant; token: string; role: string }> {
    tenants += 1;
    const newTenant = await world.keywright.tenant(`no-administrator-${tenants}`);
    const { token, role } = await createUserWith(newTenant, [...ALL, '*:users']);
    const text = `DELETE FROM user_roles WHERE tenant_id = $1 AND role = 'admin'`;
    await world.keywright.database.query(text, [newTenant.id]);
    return { newTenant, token, role };
  }
  const BODY = { config: { password_min_length: 14 } };
  const write = (text: string, values: readonly unknown[]) =>
    world.keywright.database.query(text, [...values]);

  test('A caller who holds as much as all other users of the tenant decides how users log in', async () => {
    const { newTenant, token } = await without();
    expectStatus(200, await patch(newTenant, token, BODY));
  });

  for (const [who, change] of [
    ['is inactive', ''],
    ['is invited', 'invitation'],
  ] as const) {
    test(`The most powerful user of a tenant counts even while that user ${who}`, async () => {
      const { newTenant, token } = await without();
      if (change === 'invitation') {
        const values = [newTenant.id, 'inv_01m81ehc7wfj4r8d2n6y0s5t3b', 'x@example.com'];
        await write(
          `INSERT INTO invitations (tenant_id, id, identifier, roles, workspaces, invited_by, inviter_kind,
                                    created_at, expires_at, sent_at)
           VALUES ($1, $2, $3, '{admin}', '{}', 'user:x', 'user', now(), '2100-01-01', now())`,
          values,
        );
      } else {
        const { user } = await newTenant.createUser();
        await write(`INSERT INTO user_roles (tenant_id, user_id, role) VALUES ($1, $2, 'admin')`, [
          newTenant.id,
          user.id,
        ]);
        await write('UPDATE users SET is_active = false WHERE tenant_id = $1 AND id = $2', [
          newTenant.id,
          user.id,
        ]);
      }
      assertRefused(await patch(newTenant, token, BODY), 'SCOPE_NOT_HELD');
    });
  }

  test('The most powerful user of a tenant is determined when a change is made, and not when it was requested', async () => {
    const { newTenant, token } = await without();
    const { user } = await createUserWith(newTenant, []);
    const client = new pg.Client({ connectionString: world.keywright.database.superuserUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM tenants WHERE tenant_id = $1 FOR UPDATE', [newTenant.id]);
    const waiting = patch(newTenant, token, BODY);
    await until('the change waits for the lock', async () => {
      const rows = await world.keywright.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await client.query(
      `INSERT INTO user_roles (tenant_id, user_id, role) VALUES ($1, $2, 'admin')`,
      [newTenant.id, user.id],
    );
    await client.query('COMMIT');
    assertRefused(await waiting, 'SCOPE_NOT_HELD');
    await client.end();
  });

  test('The most powerful user of the default tenant is a system administrator, whom its other administrators do not equal', async () => {
    const { home } = world.keywright;
    const { token } = await home.createUser({ roles: ['admin'] });
    const answer = await patch(home, token, BODY);
    assertRefused(answer, 'SCOPE_NOT_HELD');
    assert.match(String(answer.body['detail']), /the role system_admin/);
  });

  test('A system administrator equals the most powerful user of every tenant, also by impersonation, and a former one does not', async () => {
    const { keywright, system, local, impersonationToken } = world;
    const token = await keywright.adminToken();
    expectStatus(200, await patch(keywright.home, token, BODY, '', local.tenant.id));
    expectStatus(200, await patch(local.tenant, impersonationToken, BODY));
    expectStatus(200, await patch(keywright.home, token, BODY));
    assert.equal(system.tenant, keywright.home.id);
  });
});

function patch(to: TestTenant, token: string, body: object, query = '', id: string = to.id) {
  return to.request('PATCH', `/tenants/${id}${query}`, { token, body });
}

// At the end, because it advances the clock.
describe('a login of more than step_up_max_age ago', () => {
  test('A login of more than step_up_max_age ago is not enough to decide how users log in, and enough for everything else', async () => {
    const { identifier, password } = admin;
    const old = (await tenant.login(identifier, password)).access_token;
    const { keywright } = world;
    const root = await keywright.home.createUser({ roles: ['system_admin'] });
    keywright.clock.advance(301);
    for (const route of OF_LOGINS) assertStepUp(await sendAs(old, route), route);
    const body = { tenant_id: tenant.id, reason: 'support ticket 7' };
    const request = { token: root.token, body };
    const impersonated = await keywright.home.request('POST', '/auth/impersonate', request);
    const token = String(expectStatus(200, impersonated)['access_token']);
    for (const route of OF_LOGINS) assertStepUp(await sendAs(token, route), route);
    expectStatus(200, await patch(tenant, token, { name: 'Impersonated' }));
    expectStatus(200, await patch(tenant, old, { name: 'Renamed' }));
    expectStatus(200, await patch(tenant, old, { config: { locales: ['de'] } }));
    // It changes nothing.
    expectStatus(200, await patch(tenant, old, { config: { require_mfa: true } }, '?dry_run=true'));
    const recent = (await tenant.login(identifier, password)).access_token;
    expectStatus(200, await patch(tenant, recent, { config: { password_min_length: 15 } }));
  });
});

function assertStepUp(answer: Parameters<typeof assertRefused>[0], route: Route): void {
  assertRefused(answer, 'STEP_UP_REQUIRED' satisfies ErrorCode, nameOf(route));
  assert.match(String(answer.headers['www-authenticate']), /insufficient_user_authentication/);
}
