import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RESERVED_CLAIMS } from '@keywright/contract/claims';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantConfig, TenantRecord } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

type CustomClaims = TenantConfig['custom_claims'];

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
});

after(() => keywright.close());

function tenantWith(claims: CustomClaims): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`claims-${tenants}`, { config: { custom_claims: claims } });
}

/** The claims of an access token of a user with this metadata, equal after a login and after a refresh. */
async function claimsOfSomebody(tenant: TestTenant, metadata: object) {
  const token = await tenant.adminToken();
  const { user, identifier, password } = await tenant.createUser();
  const patch = await tenant.request('PATCH', `/users/${user.id}`, { token, body: { metadata } });
  expectStatus(200, patch);
  const login = await tenant.login(identifier, password);
  const body = { refresh_token: login.refresh_token };
  const options = { node: 1, body };
  const next = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
  const [first, second] = [login, expectStatus(200, next)].map(
    (tokens) => claimsOf(tokens.access_token) as Record<string, unknown>,
  );
  const { jti: _, iat: __, exp: ___, ...rest } = first ?? {};
  const { jti: ____, iat: _____, exp: ______, ...restAfterwards } = second ?? {};
  assert.deepEqual(restAfterwards, rest);
  return first ?? {};
}

describe('custom_claims', () => {
  test('The access tokens of users contain custom_claims, literal or from their metadata (SPEC resources access token 5)', async () => {
    const tenant = await tenantWith({
      region: 'eu',
      tier: 3,
      beta: false,
      teams: ['red', 7, true],
      plan: { metadata: '/plan' },
      cost_center: { metadata: '/billing/center' },
      second: { metadata: '/list/1' },
      'https://example.com/slash': { metadata: '/a~1b/c~0d' },
    });
    const metadata = {
      plan: 'gold',
      billing: { center: { code: 12 } },
      list: ['zero', 'one'],
      'a/b': { 'c~d': 'escaped' },
    };
    const claims = await claimsOfSomebody(tenant, metadata);
    const expected = {
      region: 'eu',
      tier: 3,
      beta: false,
      teams: ['red', 7, true],
      plan: 'gold',
      cost_center: { code: 12 },
      second: 'one',
      'https://example.com/slash': 'escaped',
    };
    const customClaims = Object.fromEntries(
      Object.keys(expected).map((name) => [name, claims[name]]),
    );
    assert.deepEqual(customClaims, expected);
  });

  test('The custom_claims setting takes nothing that users can write, unless the tenant allows it', async () => {
    const tenant = await tenantWith({
      plan: { metadata: '/plan' },
      theme: { user_metadata: '/theme', user_writable: true },
    });
    const { user, token, identifier, password } = await tenant.createUser();
    const values = { plan: 'gold', theme: 'dark' };
    const mine = { token, body: { user_metadata: values } };
    expectStatus(200, await tenant.request('PATCH', '/me', mine));
    const forged = await tenant.request('PATCH', '/me', { token, body: { metadata: values } });
    expectStatus(400, forged);
    const claimsNow = async () => {
      const { access_token: access } = await tenant.login(identifier, password);
      const { plan, theme } = claimsOf(access) as Record<string, unknown>;
      return { plan, theme };
    };
    assert.deepEqual(await claimsNow(), { plan: undefined, theme: 'dark' });
    const boss = {
      token: await tenant.adminToken(),
      body: { metadata: { plan: 'free', theme: 1 } },
    };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, boss));
    assert.deepEqual(await claimsNow(), { plan: 'free', theme: 'dark' });
  });

  test('The custom claims of an access token are specific to its user', async () => {
    const tenant = await tenantWith({ plan: { metadata: '/plan' } });
    const [gold, free] = [
      await claimsOfSomebody(tenant, { plan: 'gold' }),
      await claimsOfSomebody(tenant, { plan: 'free' }),
    ];
    assert.deepEqual([gold['plan'], free['plan']], ['gold', 'free']);
  });

  test('A custom claim is omitted if the metadata has no value for it', async () => {
    const tenant = await tenantWith({
      absent: { metadata: '/absent' },
      beneath_text: { metadata: '/plan/name' },
      beneath_nothing: { metadata: '/none/at/all' },
      none: { metadata: '/none' },
    });
    const claims = await claimsOfSomebody(tenant, { plan: 'gold', none: null });
    for (const name of ['absent', 'beneath_text', 'beneath_nothing']) {
      assert.equal(Object.hasOwn(claims, name), false, name);
    }
    assert.equal(claims['none'], null);
  });

  test('A custom claim takes nothing from the prototype of objects', async () => {
    const tenant = await tenantWith({
      one: { metadata: '/constructor' },
      two: { metadata: '/constructor/name' },
      three: { metadata: '/__proto__' },
      four: { metadata: '/plan/toString' },
      five: { metadata: '/list/length' },
      constructor: 'a literal of that name',
      toString: { metadata: '/toString' },
    });
    const claims = await claimsOfSomebody(tenant, { plan: {}, list: [1, 2] });
    for (const name of ['one', 'two', 'three', 'four', 'five', 'toString']) {
      assert.equal(Object.hasOwn(claims, name), false, name);
    }
    assert.equal(claims['constructor'], 'a literal of that name');
  });

  test('The custom claims of a tenant override nothing that the service sets, from any source', async () => {
    const tenant = await tenantWith({});
    // Directly in the database: the API rejects such names. No node has loaded the tenant yet.
    const forced = { jti: 'mine', sub: 'user:other', tenant_id: 'org_other', seen: true };
    await keywright.database.query('UPDATE tenants SET config = $2 WHERE tenant_id = $1', [
      tenant.id,
      { custom_claims: forced },
    ]);
    const { user, token } = await tenant.createUser();
    const { jti, sub, tenant_id: tenantId, ...claims } = claimsOf(token);
    assert.notEqual(jti, 'mine');
    assert.deepEqual([sub, tenantId, 'seen' in claims], [user.id, tenant.id, true]);
  });

  test('The custom claims of a session follow a configuration change with the next refresh', async () => {
    const tenant = await tenantWith({ region: 'eu' });
    const { refreshToken } = await tenant.createUser();
    const body = { config: { custom_claims: { region: 'us', since: 2026 } } };
    const token = await keywright.adminToken();
    const path = `/tenants/${tenant.id}`;
    expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
    let refresh_token = refreshToken;
    for (const node of [0, 1]) {
      const claims = await until(
        'the new claims',
        async () => {
          const options = { node, body: { refresh_token } };
          const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
          refresh_token = expectStatus(200, answer).refresh_token;
          const found = claimsOf(answer.body.access_token) as Record<string, unknown>;
          return found['region'] === 'us' && found;
        },
        1000,
      );
      assert.equal(claims['since'], 2026);
    }
  });
});

describe('a custom claim', () => {
  async function put(tenantId: string, claims: object) {
    const token = await keywright.adminToken();
    const body = { config: { custom_claims: claims } };
    const options = { token, body };
    const path = `/tenants/${tenantId}`;
    return keywright.home.request<TenantRecord & ErrorBody>('PATCH', path, options);
  }

  test('A custom claim cannot have a registered name, or one that the service sets', async () => {
    const { id } = await tenantWith({ kept: true });
    assert.ok(
      ['sub', 'aud', 'roles', 'tenant_id', 'ver', 'act'].every((n) => RESERVED_CLAIMS.has(n)),
    );
    for (const name of RESERVED_CLAIMS) {
      const answer = await put(id, { fine: 1, [name]: 'mine' });
      assert.equal(expectStatus(400, answer).code, 'CLAIM_RESERVED', name);
      assert.match(answer.body.detail, new RegExp(`: ${name}\\.`));
    }
    const token = await keywright.adminToken();
    const body = { name: 'Reserved', config: { custom_claims: { sub: 'user:1' } } };
    const made = await keywright.home.request<ErrorBody>('POST', '/tenants', { token, body });
    assert.equal(expectStatus(400, made).code, 'CLAIM_RESERVED');
    const path = `/tenants/${id}`;
    const read = await keywright.home.request<TenantRecord>('GET', path, { token });
    assert.deepEqual(read.body.config.custom_claims, { kept: true });
  });

  const MALFORMED: readonly [string, object][] = [
    ['a name that starts with an underscore', { _x: 1 }],
    ['__proto__', JSON.parse('{"__proto__": 1}') as object],
    ['a name with a space', { 'a b': 1 }],
    ['a name of 65 characters', { ['x'.repeat(65)]: 1 }],
    ['null', { x: null }],
    ['an object', { x: { value: 1 } }],
    ['a list of lists', { x: [[1]] }],
    ['a list of 33', { x: Array.from({ length: 33 }, () => 1) }],
    ['text of 513 characters', { x: 'y'.repeat(513) }],
    ['a pointer without a slash', { x: { metadata: 'plan' } }],
    ['a pointer of nine steps', { x: { metadata: '/a'.repeat(9) } }],
    ['a pointer with another member', { x: { metadata: '/a', default: 1 } }],
    ['what users write, without saying so', { x: { user_metadata: '/a' } }],
    ['what users write, denied', { x: { user_metadata: '/a', user_writable: false } }],
    ['what users cannot write', { x: { metadata: '/a', user_writable: true } }],
    ['33 claims', Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`c${n}`, n]))],
  ];
  for (const [what, claims] of MALFORMED) {
    test(`A custom claim is rejected if malformed: ${what}`, async () => {
      const { id } = await tenantWith({ kept: true });
      const answer = await put(id, claims);
      assert.equal(answer.status, 400);
      assert.match(answer.body.code, /^(VALIDATION_FAILED|JSON_INVALID)$/);
    });
  }
});
