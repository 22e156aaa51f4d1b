import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenPreview } from '@keywright/contract/records/token-preview';
import { UserBrowser, newClient } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

type CustomClaims = TenantConfig['custom_claims'];

const SAVED: CustomClaims = {
  region: 'eu',
  plan: { metadata: '/plan/name' },
  theme: { user_metadata: '/theme', user_writable: true },
  absent: { metadata: '/absent' },
};
const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'read:users'];

const MACHINE = {
  redirect_uris: [],
  grant_types: ['client_credentials'],
  scopes: ['read:users'],
  shared_signals: 'all_users',
};

let keywright: Keywright;
let tenant: TestTenant;
let person: TestUser;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('previewed', { config: { custom_claims: SAVED } });
  const token = await tenant.adminToken();
  await tenant.request('POST', '/roles', { token, body: { name: 'seer', scopes: ['read:users'] } });
  person = await tenant.createUser({ roles: ['seer'] });
  const metadata = { plan: { name: 'team' }, locale: 'en', birthdate: 'no' };
  const path = `/users/${person.user.id}`;
  expectStatus(
    200,
    await tenant.request('PATCH', path, { token, body: { name: 'Ada Lovelace', metadata } }),
  );
  const update = { token: person.token, body: { user_metadata: { theme: 'dark' } } };
  expectStatus(200, await tenant.request('PATCH', '/me', update));
});
after(() => keywright.close());

async function requestPreview(body: object, token?: string) {
  const options = { token: token ?? (await tenant.adminToken()), body };
  return tenant.request<TokenPreview>('POST', '/tokens/preview', options);
}

const preview = async (more: object = {}) =>
  expectStatus(200, await requestPreview({ user_id: person.user.id, ...more }));

type Claims = TokenPreview['access_token'];

/** Compares claim by claim. Claims of a login can differ in value but not in type. */
function assertSame(previewed: Claims, issued: object): void {
  const named = new Map(Object.entries(issued));
  assert.deepEqual(previewed.map(({ name }) => name).toSorted(), [...named.keys()].toSorted());
  for (const { name, value, origin } of previewed) {
    if (origin === 'login') assert.equal(typeof value, typeof named.get(name), name);
    else assert.deepEqual(value, named.get(name), name);
  }
}

const originsIn = (claims: Claims) =>
  Object.fromEntries(claims.map(({ name, origin }) => [name, origin]));

/** The tokens of a client after a user's login. */
async function tokensOf(client: Awaited<ReturnType<typeof newClient>>) {
  const browser = new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, person);
  return browser.tokensFor(client, { scope: SCOPES.join(' ') });
}

describe('a preview of tokens', () => {
  test('A preview of tokens matches the access token of a login, claim by claim', async () => {
    const { access_token: token } = await tenant.login(person.identifier, person.password);
    const { access_token: claims, custom_claims: mapped, ...rest } = await preview();
    assert.deepEqual(rest, { user_id: person.user.id, tenant_id: tenant.id });
    assertSame(claims, claimsOf(token));
    const { region, plan, theme, sub, roles, jti } = originsIn(claims);
    assert.deepEqual(
      [region, plan, theme, sub, roles, jti],
      ['constant', 'metadata', 'user_metadata', 'service', 'service', 'login'],
    );
    assert.deepEqual(mapped, [
      { name: 'absent', source: 'metadata', pointer: '/absent', outcome: 'no_value' },
      { name: 'plan', source: 'metadata', pointer: '/plan/name', outcome: 'added' },
      { name: 'region', source: 'constant', outcome: 'added' },
      { name: 'theme', source: 'user_metadata', pointer: '/theme', outcome: 'added' },
    ]);
  });

  test('A preview of tokens matches both tokens of a client, claim by claim', async () => {
    const client = await newClient(tenant, { scopes: SCOPES });
    const issued = await tokensOf(client);
    const { access_token: access, id_token: identity = [] } = await preview({
      client_id: client.id,
    });
    assertSame(access, claimsOf(issued.access_token));
    assertSame(identity, claimsOf(issued.id_token ?? ''));
    const { name, email, updated_at: changed, sub } = originsIn(identity);
    assert.deepEqual([name, email, changed, sub], ['user', 'identifier', 'service', 'service']);
  });

  test('A preview of tokens has no ID token without the openid scope, and no claims in an ID token that discloses none', async () => {
    const plain = await newClient(tenant, { scopes: ['read:users'] });
    assert.equal('id_token' in (await preview({ client_id: plain.id })), false);
    const silent = await newClient(tenant, { scopes: SCOPES, id_token_claims: false });
    const { id_token: claims = [] } = await preview({ client_id: silent.id });
    assertSame(claims, claimsOf((await tokensOf(silent)).id_token ?? ''));
    assert.ok(!claims.some(({ name }) => name === 'email'));
  });

  test('A preview of tokens discloses neither a key nor the pairwise subject of a client', async () => {
    const bound = await newClient(tenant, { scopes: SCOPES, dpop_bound_access_tokens: true });
    const { access_token: access } = await preview({ client_id: bound.id });
    assert.equal(originsIn(access)['cnf'], 'login');
    const pairwise = await newClient(tenant, { scopes: SCOPES, subject_type: 'pairwise' });
    const { sub } = claimsOf((await tokensOf(pairwise)).id_token ?? '');
    const shown = await preview({ client_id: pairwise.id });
    assert.deepEqual(
      shown.id_token?.find(({ name }) => name === 'sub'),
      { name: 'sub', origin: 'service' },
    );
    assert.ok(!JSON.stringify(shown).includes(sub));
  });

  test('A preview of tokens uses settings that are not saved, and says why a claim is refused', async () => {
    const custom_claims = {
      team: ['red', 7],
      roles: ['admin'],
      groups: { metadata: '/plan' },
      whole: { metadata: '/plan' },
      proto: { metadata: '/__proto__' },
    };
    const { access_token: claims, custom_claims: mapped } = await preview({ custom_claims });
    const values = Object.fromEntries(claims.map(({ name, value }) => [name, value]));
    assert.deepEqual([values['team'], values['whole']], [['red', 7], { name: 'team' }]);
    assert.deepEqual([values['roles'], values['region']], [['seer'], undefined]);
    const reason = 'is reserved: the service or a standard sets it';
    assert.deepEqual(mapped, [
      { name: 'groups', source: 'metadata', pointer: '/plan', outcome: 'refused', reason },
      { name: 'proto', source: 'metadata', pointer: '/__proto__', outcome: 'no_value' },
      { name: 'roles', source: 'constant', outcome: 'refused', reason },
      { name: 'team', source: 'constant', outcome: 'added' },
      { name: 'whole', source: 'metadata', pointer: '/plan', outcome: 'added' },
    ]);
    const saved = await tenant.request('PATCH', `/tenants/${tenant.id}`, {
      token: await tenant.adminToken(),
      body: { config: { custom_claims } },
    });
    assert.equal(saved.status, 400, 'which saving refuses as well');
    assert.match(String(saved.body['detail']), /roles, groups/);
    assert.equal(originsIn((await preview()).access_token)['region'], 'constant');
  });

  test('A preview of tokens signs and stores nothing', async () => {
    const client = await newClient(tenant, { scopes: SCOPES });
    await tenant.adminToken();
    const count = () =>
      keywright.database.query(
        `SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM events) AS events,
                (SELECT count(*) FROM audit_entries) AS entries, (SELECT count(*) FROM consents) AS consents`,
      );
    const earlier = await count();
    const text = JSON.stringify([await preview(), await preview({ client_id: client.id })]);
    assert.deepEqual(await count(), earlier);
    assert.doesNotMatch(text, /eyJ|[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/);
  });

  test('A preview of tokens requires the scopes that read all of it, and refuses agents and clients without users', async () => {
    const client = await newClient(tenant, { scopes: SCOPES });
    const machine = await newClient(tenant, MACHINE);
    const body = { user_id: person.user.id };
    const admin = await tenant.adminToken();
    const needed = ['read:users', 'read:tenant', 'read:roles', 'read:clients'];
    const tokenWith = async (name: string, scopes: readonly string[]) => {
      const role = { token: admin, body: { name, scopes } };
      expectStatus(201, await tenant.request('POST', '/roles', role));
      const { identifier, password } = await tenant.createUser({ roles: [name] });
      return (await tenant.login(identifier, password)).access_token;
    };
    for (const [index, lacking] of needed.entries()) {
      const token = await tokenWith(
        `lacks-${index}`,
        needed.filter((scope) => scope !== lacking),
      );
      const answer = await requestPreview({ ...body, client_id: client.id }, token);
      assert.equal(answer.status, 403, lacking);
      assert.match(answer.text, new RegExp(lacking));
    }
    const all = await tokenWith('has-all', needed);
    expectStatus(200, await requestPreview({ ...body, client_id: client.id }, all));
    const { key } = await tenant.createAgent({ scopes: needed });
    assert.equal((await requestPreview(body, key)).status, 403);
    const refused = await requestPreview({ ...body, client_id: machine.id });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /client_id/);
  });

  test('A preview of tokens finds no user and no client of another tenant', async () => {
    const other = await keywright.tenant('previewed-elsewhere');
    const { user } = await other.createUser();
    assert.equal((await requestPreview({ user_id: user.id })).status, 404);
    const client = await newClient(other);
    assert.equal(
      (await requestPreview({ user_id: person.user.id, client_id: client.id })).status,
      404,
    );
  });
});
