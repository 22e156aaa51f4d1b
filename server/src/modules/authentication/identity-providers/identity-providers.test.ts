import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type {
  IdentityProviderRecord,
  PreparedProvider,
} from '@keywright/contract/records/identity-provider';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { newIdentityProviderId } from '../../../platform/crypto/ids.ts';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('providers');
});
after(() => keywright.close());

const PATH = '/identity-providers';
const BODY = {
  type: 'oidc',
  name: 'Corporate',
  issuer: 'https://id.example.com',
  client_id: 'keywright',
};

const send = async <Body = JsonBody>(
  method: string,
  path: string,
  body?: Record<string, unknown>,
  as?: string,
) =>
  tenant.request<Body>(method, path, {
    token: as ?? (await tenant.adminToken()),
    ...(body && { body }),
  });

async function add(fields: Record<string, unknown> = {}): Promise<IdentityProviderRecord> {
  const body = { ...BODY, ...fields };
  return expectStatus(201, await send<IdentityProviderRecord>('POST', PATH, body));
}

async function storedSecret(id: string): Promise<Buffer | null> {
  const [row] = await keywright.database.query<{ client_secret: Buffer | null }>(
    'SELECT client_secret FROM identity_providers WHERE id = $1',
    [id],
  );
  assert.ok(row);
  return row.client_secret;
}

test('A provider can be added, read, changed and deleted, and never shows its secret', async () => {
  const secret = newPassword();
  const { id, created_at: createdAt, ...added } = await add({ client_secret: secret });
  assert.match(id, /^idp_[0-9a-z]{26}$/);
  assert.ok(Date.parse(createdAt) > 0);
  assert.deepEqual(added, {
    ...BODY,
    tenant_id: tenant.id,
    has_client_secret: true,
    scopes: ['profile', 'email'],
    domains: [],
    link: 'ask',
    trust_mfa: false,
    allowed_tenants: [],
    team_id: null,
    key_id: null,
    authorization_endpoint: null,
    token_endpoint: null,
    userinfo_endpoint: null,
    subject_claim: null,
    callback_url: `https://id.example.com/t/${tenant.id}/callback/${id}`,
    is_active: false,
    tested_at: null,
  });
  const path = `${PATH}/${id}`;
  const changed = expectStatus(200, await send('PATCH', path, { name: 'Door' }));
  const shown = { id, created_at: createdAt, ...added, name: 'Door' };
  assert.deepEqual(changed, shown);
  const read = await send('GET', path);
  assert.deepEqual(expectStatus(200, read), shown);
  const listed = await send('GET', PATH);
  assert.deepEqual(expectStatus(200, listed)['items'], [shown]);
  assert.ok(!JSON.stringify([read, listed]).includes(secret));
  assert.ok(!(await storedSecret(id))?.includes(secret));
  assert.deepEqual(expectStatus(200, await send('DELETE', path)), { id, deleted: true });
  for (const method of ['GET', 'DELETE']) expectStatus(404, await send(method, path));
  expectStatus(404, await send('PATCH', path, { name: 'Gone' }));
});

test('A provider has the callback URL that was issued before it, and its ID is new', async () => {
  const prepared = expectStatus(200, await send<PreparedProvider>('GET', `${PATH}/new/callback`));
  const { id, callback_url: callback } = prepared;
  expectStatus(404, await send('GET', `${PATH}/${id}`));
  assert.equal((await add({ id })).callback_url, callback);
  const dayOld = newIdentityProviderId(new Date(Date.now() - 25 * 60 * 60 * 1000));
  const ofTomorrow = newIdentityProviderId(new Date(Date.now() + 24 * 60 * 60 * 1000));
  for (const refused of [id, dayOld, ofTomorrow, 'idp_short']) {
    const { errors = [] } = expectStatus(
      400,
      await send('POST', PATH, { ...BODY, id: refused }),
    ) as ErrorBody;
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['/id'],
      refused,
    );
  }
});

test('A stored client secret belongs to its issuer, and a new issuer needs the secret again', async () => {
  const { id } = await add({ client_secret: newPassword() });
  const path = `${PATH}/${id}`;
  const sealed = await storedSecret(id);
  const issuer = 'https://evil.example.com';
  const refused = await send('PATCH', path, { issuer });
  assert.equal(refused.body.code, 'VALIDATION_FAILED');
  assert.match(JSON.stringify(refused.body.errors), /"\/client_secret"/);
  assert.equal(expectStatus(200, await send('GET', path))['issuer'], BODY.issuer);
  expectStatus(200, await send('PATCH', path, { issuer: BODY.issuer, name: 'Same' }));
  assert.deepEqual(await storedSecret(id), sealed);
  const other = { issuer, client_secret: newPassword() };
  assert.equal(expectStatus(200, await send('PATCH', path, other))['issuer'], issuer);
  assert.notDeepEqual(await storedSecret(id), sealed);
  const dropped = await send('PATCH', path, { client_secret: null });
  assert.equal(expectStatus(200, dropped)['has_client_secret'], false);
  assert.equal(await storedSecret(id), null);
  expectStatus(200, await send('PATCH', path, { issuer: BODY.issuer }));
});

test('An active provider of a public service needs a client secret, and an inactive one can lack it', async () => {
  const TID = '6f1c6b3e-0d5c-4c0e-9d1f-2f8b1a7c3e4d';
  const apple = { team_id: 'TEAM123456', key_id: 'KEY1234567' };
  const lacksSecret = async (method: string, path: string, body: Record<string, unknown>) => {
    const { errors = [] } = expectStatus(400, await send(method, path, body)) as ErrorBody;
    const flaws = errors.map((error) => error.path);
    assert.deepEqual(flaws, ['/client_secret'], JSON.stringify(body));
  };
  for (const fields of [
    { type: 'google' },
    { type: 'microsoft', allowed_tenants: [TID] },
    { type: 'github' },
    { type: 'apple', ...apple },
  ]) {
    const body = { name: 'Public', client_id: 'keywright', ...fields };
    await lacksSecret('POST', PATH, { ...body, is_active: true, skip_test: true });
    const draft = expectStatus(201, await send('POST', PATH, { ...body, is_active: false }));
    const path = `${PATH}/${String(draft['id'])}`;
    await lacksSecret('PATCH', path, { is_active: true, skip_test: true });
    const enabling = { is_active: true, client_secret: newPassword(), skip_test: true };
    expectStatus(200, await send('PATCH', path, enabling));
    await lacksSecret('PATCH', path, { client_secret: null });
    expectStatus(200, await send('PATCH', path, { client_secret: null, is_active: false }));
  }
  const endpoint = `${BODY.issuer}/endpoint`;
  const [authorization_endpoint, token_endpoint, userinfo_endpoint] = [
    endpoint,
    endpoint,
    endpoint,
  ];
  const endpoints = { authorization_endpoint, token_endpoint, userinfo_endpoint };
  await add({ is_active: true, skip_test: true });
  await add({ is_active: true, skip_test: true, type: 'oauth2', ...endpoints });
});

test('An issuer must be a public https address without a query', async () => {
  const { id } = await add();
  for (const issuer of [
    'http://id.example.com',
    'https://127.0.0.1',
    'https://169.254.169.254/latest',
    'https://[::1]',
    'https://user:password@id.example.com',
    'https://id.example.com/?tenant=1',
    'https://id.example.com/#here',
    'file:///etc/passwd',
  ]) {
    for (const [method, path, body] of [
      ['POST', PATH, { ...BODY, issuer }],
      ['PATCH', `${PATH}/${id}`, { issuer }],
    ] as const) {
      const { status, body: answer } = await send(method, path, body);
      assert.equal(status, 400, `${method} ${issuer}`);
      assert.equal(answer.code, 'VALIDATION_FAILED');
    }
  }
  assert.equal(expectStatus(200, await send('GET', `${PATH}/${id}`))['issuer'], BODY.issuer);
});

test('Reading a provider requires read:tenant, and changing it write:logins', async () => {
  const { id } = await add();
  const { token: reader } = await createUserWith(tenant, ['read:tenant', 'write:tenant']);
  const { token: withoutScopes } = await createUserWith(tenant, []);
  expectStatus(200, await send('GET', `${PATH}/${id}`, undefined, reader));
  expectStatus(403, await send('POST', PATH, BODY, reader));
  expectStatus(403, await send('PATCH', `${PATH}/${id}`, { name: 'Mine' }, reader));
  expectStatus(403, await send('DELETE', `${PATH}/${id}`, undefined, reader));
  expectStatus(403, await send('GET', PATH, undefined, withoutScopes));
});

test('A provider of another tenant is unknown', async () => {
  const { id } = await add();
  const other = await keywright.tenant('providers-elsewhere');
  const stranger = await other.adminToken();
  for (const method of ['GET', 'DELETE']) {
    expectStatus(404, await other.request(method, `${PATH}/${id}`, { token: stranger }));
  }
  expectStatus(200, await send('GET', `${PATH}/${id}`));
});

test('A tenant can have at most 50 identity providers', async () => {
  const crowd = await keywright.tenant('providers-crowd');
  const keeper = await crowd.adminToken();
  const post = () => crowd.request('POST', PATH, { token: keeper, body: BODY });
  for (let count = 0; count < 50; count += 1) expectStatus(201, await post());
  assert.equal((await post()).body.code, 'TOO_MANY_IDENTITY_PROVIDERS');
});

test('A subject of a provider belongs to one user', async () => {
  const [first, two] = [await tenant.createUser(), await tenant.createUser()];
  const link = (userId: string) =>
    keywright.database.query(
      `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
       VALUES ($1, $2, 'oauth', 'idp_x', 'subject')`,
      [tenant.id, userId],
    );
  await link(first.user.id);
  await assert.rejects(link(two.user.id), /user_credentials_by_external_id/);
});
