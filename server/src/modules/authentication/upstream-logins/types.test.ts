// Providers that differ from OpenID Connect, each imitated by a fake on loopback.

import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { answerJson } from '@keywright/tests/harness/outside-issuer';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  addProvider,
  startUpstreamFlow,
  CLIENT_ID,
  comeBack,
  type FakeProvider,
  flowStep,
  goToProvider,
  handoffOf,
  type Person,
  proveUpstream,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';

let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;

before(async () => {
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('types', { config: UPSTREAM_CONFIG });
});
after(() => keywright.close());
beforeEach(async () => {
  await keywright.database.query('DELETE FROM login_attempts');
  provider = await startFakeProvider();
  provider.now = () => keywright.clock.now().getTime();
});

type Fields = Readonly<Record<string, unknown>>;
type Added = Awaited<ReturnType<typeof addProvider>>;

const add = (fields: Fields, path = ''): Promise<Added> =>
  addProvider(
    tenant,
    { issuer: provider.issuer + path, clientSecret: provider.clientSecret },
    fields,
  );

async function login(record: Added, person: Person, body: Fields = {}) {
  const flow = await startUpstreamFlow(tenant, body);
  return proveUpstream(tenant, flow, { provider, record }, person);
}

async function errorOf(record: Added, person: Person): Promise<string | null> {
  const at = await goToProvider(tenant, await startUpstreamFlow(tenant), record);
  const back = await comeBack(tenant, provider.authorize(at, person));
  return back.searchParams.get('error');
}

async function refused(fields: Fields, path: string): Promise<void> {
  const body = { name: 'Refused', client_id: CLIENT_ID, ...fields };
  const options = { token: await tenant.adminToken(), body };
  const answer = await tenant.request('POST', '/identity-providers', options);
  assert.equal(answer.status, 400, answer.text);
  const paths = (answer.body['errors'] as { path: string }[]).map((error) => error.path);
  assert.ok(paths.includes(path), answer.text);
}

describe('oidc', () => {
  test('An OpenID provider can return the email address at its userinfo endpoint, but only for the same subject', async () => {
    provider.metadata = { userinfo_endpoint: `${provider.issuer}/userinfo` };
    const record = await add({ type: 'oidc' });
    const email = newIdentifier();
    const reportSubject = (sub: string) =>
      provider.instead.set('/userinfo', (_request, response) =>
        answerJson(response, { sub, email }),
      );
    reportSubject('another');
    assert.equal(await errorOf(record, { sub: 'ada' }), 'provider_refused');
    reportSubject('ada');
    const { user } = expectStatus(200, await login(record, { sub: 'ada' }));
    assert.equal(user?.identifiers[0]?.identifier, email);
  });
});

describe('google', () => {
  test('Google is authoritative for gmail.com, and for an organization only with hd', async () => {
    const record = await add({ type: 'google', domains: ['corp.example'] });
    const at = (domain: string) => newIdentifier().replace(/@.*/, `@${domain}`);
    let people = 0;
    const taken = async (domain: string, claims: Fields) => {
      const { user, identifier } = await tenant.createUser({ identifier: at(domain) });
      people += 1;
      const person = { sub: `google-${people}`, email: identifier, email_verified: true };
      const answer = await login(record, { ...person, ...claims });
      return answer.status === 200 ? answer.body.user?.id === user.id : answer.body.code;
    };
    // The addresses of these accounts are unverified, so that the accounts pass to their owners.
    assert.equal(await taken('gmail.com', {}), true);
    assert.equal(await taken('corp.example', { hd: 'corp.example' }), true);
    assert.equal(await taken('corp.example', {}), 'IDENTIFIER_TAKEN');
    assert.equal(await taken('corp.example', { hd: 'other.example' }), 'IDENTIFIER_TAKEN');
    assert.equal(await taken('other.example', { hd: 'other.example' }), 'IDENTIFIER_TAKEN');
    assert.equal(await taken('gmail.com', { email_verified: false }), 'IDENTIFIER_TAKEN');
  });

  test('Google has the issuer of the public service by default', async () => {
    const body = { type: 'google', name: 'Google', client_id: 'x', client_secret: 'y' };
    const options = { token: await tenant.adminToken(), body };
    const record = expectStatus(201, await tenant.request('POST', '/identity-providers', options));
    assert.equal(record['issuer'], 'https://accounts.google.com');
  });
});

describe('microsoft', () => {
  const TID = '6f1c6b3e-0d5c-4c0e-9d1f-2f8b1a7c3e4d';
  const FOREIGN = '11111111-2222-4333-8444-555555555555';
  const COMMON = { type: 'microsoft', allowed_tenants: [TID] };

  function beEntra(): void {
    provider.instead.set('/common/v2.0/.well-known/openid-configuration', (_request, response) => {
      answerJson(response, {
        issuer: `${provider.issuer}/{tenantid}/v2.0`,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
      });
    });
    provider.claims = (usual) => ({
      ...usual,
      iss: `${provider.issuer}/${String(usual['tid'])}/v2.0`,
      ...(usual['forged_iss'] !== undefined && { iss: usual['forged_iss'] }),
    });
  }
  const personOf = (oid: string, claims: Fields = {}) => ({
    sub: `pairwise-${oid}`,
    oid,
    tid: TID,
    email: newIdentifier(),
    ...claims,
  });

  test('Microsoft identifies users by directory and object, with any subject', async () => {
    beEntra();
    const record = await add(COMMON, '/common/v2.0');
    const first = expectStatus(200, await login(record, personOf('one')));
    const again = await login(record, { ...personOf('one'), sub: 'another' });
    assert.equal(expectStatus(200, again).user?.id, first.user?.id);
    const { user } = expectStatus(200, await login(record, personOf('two', { sub: 'another' })));
    assert.notEqual(user?.id, first.user?.id);
  });

  test('Users of another Microsoft directory, and tokens of another issuer, are refused', async () => {
    beEntra();
    const record = await add(COMMON, '/common/v2.0');
    for (const claims of [
      { tid: FOREIGN },
      { tid: undefined },
      { tid: '../common' },
      { tid: [TID] },
      { forged_iss: `${provider.issuer}/${FOREIGN}/v2.0` },
      { forged_iss: `${provider.issuer}/{tenantid}/v2.0` },
      { oid: undefined },
    ]) {
      const person = personOf('three', claims) as Person;
      assert.equal(await errorOf(record, person), 'provider_refused', JSON.stringify(claims));
    }
  });

  test('An address from Microsoft is not trusted without xms_edov (nOAuth)', async () => {
    beEntra();
    const record = await add({ ...COMMON, link: 'auto' }, '/common/v2.0');
    const { identifier, user } = await tenant.createUser();
    const options = {
      token: await tenant.adminToken(),
      body: { identifiers: [{ identifier, verified: true }] },
    };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    for (const claims of [{}, { email_verified: true }, { xms_edov: false }, { xms_edov: '0' }]) {
      const person = { ...personOf('attacker'), email: identifier, ...claims };
      assert.equal((await login(record, person)).body.code, 'IDENTIFIER_TAKEN');
    }
    const owner = { ...personOf('owner'), email: identifier, xms_edov: true };
    assert.equal(expectStatus(200, await login(record, owner)).flow.purpose, 'linking');
  });

  test('Microsoft requires allowed_tenants with an issuer for all directories', async () => {
    const issuer = `${provider.issuer}/organizations/v2.0`;
    await refused({ type: 'microsoft', issuer }, '/allowed_tenants');
    await refused({ type: 'microsoft' }, '/allowed_tenants');
    const record = await add({ type: 'microsoft' }, `/${TID}/v2.0`);
    provider.claims = (usual) => ({ ...usual, iss: `${provider.issuer}/${TID}/v2.0` });
    expectStatus(200, await login(record, personOf('own')));
  });
});

describe('apple', () => {
  const TEAM = { team_id: 'TEAM123456', key_id: 'KEY1234567' };

  function beApple(): { pem: string; key: KeyObject; secrets: string[] } {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const secrets: string[] = [];
    provider.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    provider.isClient = (body) => {
      secrets.push(body.get('client_secret') ?? '');
      return body.get('client_id') === CLIENT_ID;
    };
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    return {
      pem,
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      secrets,
    };
  }

  test('Apple gets a signed secret with each call, and responds with a form', async () => {
    const { pem, key, secrets } = beApple();
    const record = await add({ type: 'apple', ...TEAM, client_secret: pem });
    assert.ok(!JSON.stringify(record).includes('PRIVATE'));
    const person = { sub: 'apple-1', email: newIdentifier(), email_verified: 'true' };
    const flow = await startUpstreamFlow(tenant);
    const at = await goToProvider(tenant, flow, record);
    assert.equal(new URL(at).searchParams.get('response_mode'), 'form_post');
    const back = provider.authorize(at, person);
    const form = new URLSearchParams(back.search);
    form.set('user', JSON.stringify({ name: { firstName: 'Ada' }, email: 'admin@example.com' }));
    const answer = await tenant.request('POST', back.pathname, {
      rawBody: form.toString(),
      contentType: 'application/x-www-form-urlencoded',
      headers: { origin: provider.issuer },
    });
    assert.equal(answer.status, 303);
    const next = new URL(answer.headers.location ?? '', 'https://id.example.com');
    const handoff = handoffOf(await comeBack(tenant, next));
    // The same form is posted again.
    assert.equal((await tenant.request('GET', `${next.pathname}${next.search}`)).status, 401);
    const { user } = expectStatus(200, await flowStep(tenant, flow, 'oauth/finish', { handoff }));
    assert.deepEqual(user?.identifiers, [
      { type: 'email', identifier: person.email, verified: true },
    ]);
    const [secret = ''] = secrets;
    const [header = '', payload = '', signature = ''] = secret.split('.');
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
    assert.deepEqual(decode(header), { alg: 'ES256', kid: TEAM.key_id });
    const iat = Math.floor(keywright.clock.now().getTime() / 1000);
    assert.deepEqual(decode(payload), {
      iss: TEAM.team_id,
      iat,
      exp: iat + 300,
      aud: provider.issuer,
      sub: CLIENT_ID,
    });
    const input = Buffer.from(`${header}.${payload}`);
    const bytes = Buffer.from(signature, 'base64url');
    assert.ok(verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, bytes));
  });

  test('Apple with an invalid key is refused', async () => {
    beApple();
    const record = await add({ type: 'apple', ...TEAM, client_secret: 'not a key' });
    assert.equal(await errorOf(record, { sub: 'apple-2' }), 'provider_refused');
  });

  test('Apple requires its team and key, which no other type accepts', async () => {
    await refused({ type: 'apple', issuer: provider.issuer }, '/team_id');
    await refused({ type: 'oidc', issuer: provider.issuer, ...TEAM }, '/key_id');
  });
});

describe('github', () => {
  function beGithub(user: object, emails: object[]): void {
    provider.tokenPath = '/login/oauth/access_token';
    provider.isClient = (body) => body.get('client_secret') === provider.clientSecret;
    const authorized =
      (value: unknown): Parameters<typeof provider.instead.set>[1] =>
      (request, response) => {
        if (request.headers.authorization !== 'Bearer at-the-provider') {
          return void response.writeHead(401).end();
        }
        return answerJson(response, value);
      };
    provider.instead.set('/api/v3/user', authorized(user));
    provider.instead.set('/api/v3/user/emails', authorized(emails));
  }

  test('GitHub identifies users by their number, and their verified primary address comes from the list', async () => {
    const [email, other] = [newIdentifier(), newIdentifier()];
    const profile = { id: 583231, login: 'octocat', email: 'ana@other.example' };
    beGithub(profile, [
      { email: other, verified: true, primary: false },
      { email, verified: true, primary: true },
    ]);
    const record = await add({ type: 'github' });
    const flow = await startUpstreamFlow(tenant);
    const at = new URL(await goToProvider(tenant, flow, record));
    assert.equal(at.pathname, '/login/oauth/authorize');
    assert.equal(at.searchParams.get('scope'), 'read:user user:email');
    assert.equal(at.searchParams.get('nonce'), null);
    const { user } = expectStatus(200, await login(record, { sub: 'ignored' }));
    assert.deepEqual(user?.identifiers, [{ type: 'email', identifier: email, verified: true }]);
    beGithub({ ...profile, login: 'renamed' }, []);
    const again = expectStatus(200, await login(record, { sub: 'ignored' }, { register: false }));
    assert.equal(again.user?.id, user?.id);
  });

  test('A GitHub user without a usable number is refused', async () => {
    const record = await add({ type: 'github' });
    for (const id of [undefined, '', 2 ** 60, 1.5, { a: 1 }, ['1']]) {
      beGithub({ id }, []);
      assert.equal(await errorOf(record, { sub: 'ignored' }), 'provider_refused');
    }
  });

  test('Errors that GitHub returns with status 200 are refused', async () => {
    beGithub({ id: 1 }, []);
    provider.instead.set('/login/oauth/access_token', (_request, response) =>
      answerJson(response, { error: 'bad_verification_code' }),
    );
    assert.equal(await errorOf(await add({ type: 'github' }), { sub: 'x' }), 'provider_refused');
  });
});

describe('oauth2', () => {
  const settings = () => ({
    type: 'oauth2',
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    userinfo_endpoint: `${provider.issuer}/me`,
  });

  test('An OAuth 2.0 provider identifies users by a field of their profile', async () => {
    const email = newIdentifier();
    const profile = { id: 17, sub: 'changes', email, email_verified: true };
    provider.instead.set('/me', (_request, response) => answerJson(response, profile));
    const record = await add({ ...settings(), subject_claim: 'id' });
    const { user } = expectStatus(200, await login(record, { sub: 'ignored' }));
    assert.deepEqual(user?.identifiers, [{ type: 'email', identifier: email, verified: false }]);
    profile.sub = 'changed';
    const again = expectStatus(200, await login(record, { sub: 'ignored' }, { register: false }));
    assert.equal(again.user?.id, user?.id);
  });

  test('An OAuth 2.0 provider requires its endpoints, which the service must be allowed to call', async () => {
    const issuer = provider.issuer;
    await refused({ type: 'oauth2', issuer }, '/token_endpoint');
    const inside = { userinfo_endpoint: 'http://169.254.169.254/latest' };
    await refused({ ...settings(), issuer, ...inside }, '/userinfo_endpoint');
    await refused({ ...settings(), type: 'oidc', issuer }, '/authorization_endpoint');
    await refused({ type: 'oidc' }, '/issuer');
  });

  test('An OAuth 2.0 provider with another endpoint requires its secret again', async () => {
    const { id } = await add(settings());
    const options = {
      token: await tenant.adminToken(),
      body: { token_endpoint: `${provider.issuer}/other` },
    };
    const answer = await tenant.request('PATCH', `/identity-providers/${id}`, options);
    const errors = answer.body['errors'] as { path: string }[];
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['/client_secret'],
    );
  });
});
