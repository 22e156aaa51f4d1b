import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

interface DryRun {
  readonly dry_run: true;
  readonly tenant: TenantRecord;
  readonly affected: readonly { setting: string; users: number; effect: string }[];
}

const DAY_SECONDS = 86_400;
/** All users who can log in: the administrator, two who are logged in, two who never were and three who once were. */
const ACTIVE = 8;
const LOGGED_IN = 3;
/** Users with a phone number, who get no email. */
const WITH_PHONE = 1;
const MAIL = { smtp_host: 'mail.example.com', smtp_port: 587, from_address: 'login@example.com' };

let keywright: Keywright;
let tenant: TestTenant;
let member: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { login_attempts_limit: 10_000, refresh_token_ttl: DAY_SECONDS };
  tenant = await keywright.tenant('dry', { config });
  const over = await tenant.createUser();
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: over.token }));
  for (let expired = 0; expired < 2; expired += 1) await tenant.createUser();
  keywright.clock.advance(DAY_SECONDS + 1);

  const token = await tenant.adminToken();
  member = await tenant.createUser();
  await tenant.login(member.identifier, member.password);
  await tenant.createUser();
  const body = { identifier: 'never@example.com', password: 'kestrel over harbour' };
  expectStatus(201, await tenant.request('POST', '/users', { token, body }));
  const byPhone = { identifier: '+14155550123', password: 'kestrel over harbour' };
  expectStatus(201, await tenant.request('POST', '/users', { token, body: byPhone }));
  const off = await tenant.createUser();
  const inactive = { token, body: { is_active: false } };
  expectStatus(200, await tenant.request('PATCH', `/users/${off.user.id}`, inactive));
  // Users of other tenants do not count.
  await (await keywright.tenant('bystander')).createUser();
});

after(() => keywright.close());

async function dryRun(body: object): Promise<DryRun> {
  const token = await keywright.adminToken();
  const path = `/tenants/${tenant.id}?dry_run=true`;
  return expectStatus(200, await keywright.home.request<DryRun>('PATCH', path, { token, body }));
}

async function affected(body: object): Promise<[string, number][]> {
  return (await dryRun(body)).affected.map(({ setting, users }) => [setting, users]);
}

async function recordOf(): Promise<TenantRecord> {
  const token = await keywright.adminToken();
  const path = `/tenants/${tenant.id}`;
  return expectStatus(200, await keywright.home.request<TenantRecord>('GET', path, { token }));
}

describe('PATCH /tenants/<id>?dry_run=true', () => {
  const CASES: readonly [string, object, [string, number][]][] = [
    [
      'longer passwords',
      { config: { password_min_length: 13 } },
      [['password_min_length', ACTIVE]],
    ],
    [
      'special characters',
      { config: { password_require_special: true } },
      [['password_require_special', ACTIVE]],
    ],
    ['shorter tokens', { config: { session_timeout: 60 } }, [['session_timeout', LOGGED_IN]]],
    ['another audience', { config: { audience: 'api' } }, [['audience', LOGGED_IN]]],
    ['a claim', { config: { custom_claims: { a: 1 } } }, [['custom_claims', LOGGED_IN]]],
    ['another issuer', { issuer: 'https://id.acme.test' }, [['issuer', LOGGED_IN]]],
    ['an inactive tenant', { is_active: false }, [['is_active', ACTIVE]]],
    [
      'two settings together',
      { config: { password_min_length: 13, session_timeout: 60 } },
      [
        ['password_min_length', ACTIVE],
        ['session_timeout', LOGGED_IN],
      ],
    ],
    ['shorter passwords', { config: { password_min_length: 8 } }, []],
    [
      'a second factor for all users',
      { config: { require_mfa: true } },
      [
        ['require_mfa', ACTIVE],
        ['require_mfa', LOGGED_IN],
      ],
    ],
    [
      'a second factor for administrators',
      { config: { require_mfa_role: 'admin' } },
      [
        ['require_mfa_role', 1],
        ['require_mfa_role', 1],
      ],
    ],
    [
      'a second factor for all users by a role without scopes',
      { config: { require_mfa_role: 'member' } },
      [
        ['require_mfa_role', ACTIVE],
        ['require_mfa_role', LOGGED_IN],
      ],
    ],
    [
      'verified identifiers',
      { config: { require_verified_identifier: true }, messaging: { email: MAIL } },
      [
        ['require_verified_identifier', ACTIVE],
        ['require_verified_identifier', WITH_PHONE],
        ['require_verified_identifier', LOGGED_IN],
      ],
    ],
    [
      'no passwords',
      { config: { allowed_login_methods: ['magic_link'] }, messaging: { email: MAIL } },
      [
        ['allowed_login_methods', WITH_PHONE],
        ['allowed_login_methods', LOGGED_IN],
      ],
    ],
    [
      'no codes by mail',
      { config: { allowed_login_methods: ['password'] } },
      [
        ['allowed_login_methods', 0],
        ['allowed_login_methods', 0],
      ],
    ],
    ['what is there already', { config: { require_mfa: false, session_timeout: 3600 } }, []],
    ['another name', { name: 'Other' }, []],
  ];
  for (const [what, body, expected] of CASES) {
    test(`A dry run of PATCH /tenants/<id> reports how many users it would affect: ${what}`, async () => {
      assert.deepEqual(await affected(body), expected);
    });
  }

  test('A dry run of PATCH /tenants/<id> returns the tenant as it would be, and changes nothing', async () => {
    const earlier = await recordOf();
    const change = {
      name: 'Other',
      is_active: false,
      issuer: 'https://id.acme.test',
      domains: ['Other.test:80'],
      config: { allow_registration: false, password_min_length: 30 },
      branding: { primary_color: '#000000' },
      messaging: { sms: { auth_token: 'hush' } },
    };
    const answer = await dryRun(change);
    assert.equal(answer.dry_run, true);
    assert.deepEqual(answer.tenant, {
      ...earlier,
      ...change,
      domains: ['other.test'],
      config: { ...earlier.config, ...change.config },
      messaging: { sms: { auth_token: '********' } },
    });
    assert.doesNotMatch(JSON.stringify(answer), /hush/);
    assert.deepEqual(await recordOf(), earlier);
    const login = await tenant.login(member.identifier, member.password);
    const me = { host: tenant.domains[0] ?? '', token: login.access_token };
    expectStatus(200, await keywright.request('GET', '/me', me));
  });

  test('A dry run of PATCH /tenants/<id> rejects what the change itself would reject', async () => {
    const adminToken = await tenant.adminToken();
    const path = `/tenants/${tenant.id}?dry_run=true`;
    const send = (body: object): Promise<Answer<ErrorBody>> =>
      tenant.request('PATCH', path, { token: adminToken, body });
    expectStatus(200, await send({ config: { session_timeout: 60 } }));
    expectStatus(200, await send({ config: { require_mfa: true } }));
    expectStatus(400, await send({ config: { require_mfa_role: 'unknown' } }));
    expectStatus(400, await send({ config: { allowed_login_methods: ['oauth'] } }));
    expectStatus(403, await send({ is_active: false }));
    expectStatus(400, await send({ config: { session_timeout: 1 } }));
    const reserved = await send({ config: { custom_claims: { exp: 1 } } });
    assert.equal(expectStatus(400, reserved).code, 'CLAIM_RESERVED');
    const token = await keywright.adminToken();
    for (const [domains, code] of [
      [['no name'], 'VALIDATION_FAILED'],
      [['bystander.example.com'], 'DOMAIN_TAKEN'],
    ] as const) {
      const options = { token, body: { domains } };
      const answer = await keywright.home.request<ErrorBody>('PATCH', path, options);
      assert.equal(expectStatus(400, answer).code, code);
    }
    const unclear = path.replace('true', 'yes');
    expectStatus(
      400,
      await tenant.request('PATCH', unclear, { token: adminToken, body: { name: 'x' } }),
    );
  });
});
