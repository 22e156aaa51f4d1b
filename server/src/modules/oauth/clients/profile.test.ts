import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { OkOf } from '@keywright/contract/route';
import type { getServerMetadata } from '@keywright/contract/routes/discovery';
import { Fapi2Party, errorOf, responseOf } from '@keywright/tests/harness/fapi2-party';
import { newClient, redeem, requestOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startOutsideIssuer } from '@keywright/tests/harness/outside-issuer';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SIGNING = { token_endpoint_auth_method: 'private_key_jwt' };
const CODE = ['authorization_code'];
const BOTH = ['authorization_code', 'refresh_token'];

let keywright: Keywright;
let plain: TestTenant;
let strict: TestTenant;
let user: TestUser;
let key: StatementKey;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  plain = await keywright.tenant('plain');
  strict = await keywright.tenant('strict', { config: { oauth_profile: 'fapi2' } });
  user = await plain.createUser();
  key = await newStatementKey('ES256');
});
after(() => keywright.close());

async function asAdmin(of: TestTenant, method: string, path: string, body: object) {
  const token = await of.adminToken();
  return of.request<ErrorBody & { id: string }>(method, path, { token, body });
}

async function setProfile(of: TestTenant, profile: string | null): Promise<void> {
  const token = await keywright.adminToken();
  const body = { config: { oauth_profile: profile } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${of.id}`, { token, body }));
}

const GOOD = () => ({
  name: 'Bank',
  kind: 'web',
  redirect_uris: ['https://app.example.com/callback'],
  grant_types: BOTH,
  jwks: { keys: [key.publicJwk] },
});

/** Fields that the profile refuses, and where. */
const REFUSED: Readonly<Record<string, readonly [fields: object, path: string]>> = {
  'a secret': [
    { token_endpoint_auth_method: 'client_secret_basic' },
    '/token_endpoint_auth_method',
  ],
  'a public client': [
    {
      kind: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: CODE,
      refresh_token_policy: 'rotate',
      jwks: null,
    },
    '/token_endpoint_auth_method',
  ],
  'ID tokens of RS256': [
    { id_token_signed_response_alg: 'RS256' },
    '/id_token_signed_response_alg',
  ],
  'userinfo of RS256': [{ userinfo_signed_response_alg: 'RS256' }, '/userinfo_signed_response_alg'],
  'logins on devices': [{ grant_types: [...CODE, DEVICE] }, '/grant_types'],
  rotation: [{ refresh_token_policy: 'rotate' }, '/refresh_token_policy'],
  'an address without TLS': [{ redirect_uris: ['http://localhost:3000/cb'] }, '/redirect_uris/0'],
};

async function pathsOf(answer: Promise<{ status: number; body: ErrorBody }>): Promise<string[]> {
  const { status, body } = await answer;
  assert.equal(status, 400, JSON.stringify(body));
  return (body.errors ?? []).map(({ path }) => path);
}

describe('oauth_profile: fapi2', () => {
  test('A client registered under the fapi2 profile gets the values of the profile by default', async () => {
    const answer = await asAdmin(strict, 'POST', '/clients', GOOD());
    const client: Record<string, unknown> = { ...expectStatus(201, answer) };
    assert.equal(client['token_endpoint_auth_method'], 'private_key_jwt');
    assert.equal(client['id_token_signed_response_alg'], 'ES256');
    assert.equal(client['refresh_token_policy'], 'fixed');
    assert.equal(client['client_secret'], undefined);
  });

  for (const [what, [fields, path]] of Object.entries(REFUSED)) {
    test(`The fapi2 profile refuses to register a client with ${what}, whether set by its tenant or by the client`, async () => {
      const body = { ...GOOD(), ...fields };
      assert.deepEqual(await pathsOf(asAdmin(strict, 'POST', '/clients', body)), [path]);
      const withProfile = { ...body, profile: 'fapi2' };
      assert.deepEqual(await pathsOf(asAdmin(plain, 'POST', '/clients', withProfile)), [path]);
    });
  }

  test('The fapi2 profile refuses client keys that could sign nothing under it', async () => {
    const { publicJwk } = await newStatementKey('PS256');
    const jwks = (alg: string) => ({ ...GOOD(), jwks: { keys: [{ ...publicJwk, alg }] } });
    const path = ['/jwks/keys/0/alg'];
    assert.deepEqual(await pathsOf(asAdmin(strict, 'POST', '/clients', jwks('RS256'))), path);
    expectStatus(201, await asAdmin(strict, 'POST', '/clients', jwks('PS256')));
  });

  test('The fapi2 profile refuses to change a client into one that it would not register', async () => {
    const { id } = expectStatus(201, await asAdmin(strict, 'POST', '/clients', GOOD()));
    const change = { id_token_signed_response_alg: 'RS256', refresh_token_policy: 'rotate' };
    assert.deepEqual(await pathsOf(asAdmin(strict, 'PATCH', `/clients/${id}`, change)), [
      '/id_token_signed_response_alg',
      '/refresh_token_policy',
    ]);
    const other = await newClient(plain);
    const paths = await pathsOf(
      asAdmin(plain, 'PATCH', `/clients/${other.id}`, { profile: 'fapi2' }),
    );
    assert.deepEqual(paths, [
      '/token_endpoint_auth_method',
      '/id_token_signed_response_alg',
      '/refresh_token_policy',
    ]);
  });

  test('The fapi2 profile refuses resources with RS256 access tokens, and tokens for existing ones', async () => {
    const of = await keywright.tenant('resources', {});
    const uri = 'https://api.example.com';
    const body = { uri, name: 'Accounts', access_token_signing_alg: 'RS256' };
    const { id } = expectStatus(201, await asAdmin(of, 'POST', '/resources', body));
    await setProfile(of, 'fapi2');
    const path = ['/access_token_signing_alg'];
    const another = { ...body, uri: `${uri}/2` };
    await until('the profile holds', async () => {
      const { status } = await asAdmin(of, 'POST', '/resources', another);
      return status === 400;
    });
    assert.deepEqual(await pathsOf(asAdmin(of, 'POST', '/resources', another)), path);
    assert.deepEqual(
      await pathsOf(asAdmin(of, 'PATCH', `/resources/${id}`, { name: 'Other' })),
      path,
    );
    const party = await Fapi2Party.register({ keywright, tenant: of });
    const browser = party.browser(await of.createUser());
    const code = await party.code(browser, { resource: uri });
    assert.equal(errorOf(await party.redeem(code)), '400 invalid_target');
    const change = { access_token_signing_alg: 'ES256' };
    expectStatus(200, await asAdmin(of, 'PATCH', `/resources/${id}`, change));
    expectStatus(200, await party.redeem(await party.code(browser, { resource: uri })));
  });

  test('The fapi2 profile, when turned on, refuses clients that do not meet it, logs why, and admits them again when it is off', async () => {
    const of = await keywright.tenant('turning', {});
    const person = await of.createUser();
    const jwks = { keys: [key.publicJwk] };
    const signing = { token_endpoint_auth_method: 'private_key_jwt', jwks };
    const clients = {
      '/token_endpoint_auth_method': await newClient(of),
      '/id_token_signed_response_alg': await newClient(of, signing),
      '/refresh_token_policy': await newClient(of, {
        ...signing,
        id_token_signed_response_alg: 'ES256',
      }),
    };
    const browser = new UserBrowser(of, `https://id.example.com/t/${of.id}`, person);
    const [secretive] = Object.values(clients);
    assert.ok(secretive);
    const code = await browser.codeFor(secretive);
    await setProfile(of, 'fapi2');
    const party = await Fapi2Party.register({ keywright, tenant: of });
    await party.tokens(party.browser(person));

    const answer = await browser.goThrough(requestOf(secretive));
    assert.equal(responseOf(answer)['error'], 'unauthorized_client');
    for (const [path, client] of Object.entries(clients)) {
      const { id, client_secret: secret } = client;
      const asParty = { iss: id, sub: id };
      const signed = party.key === key ? {} : { proof: await assertionOf(party, asParty) };
      const pushed = secret
        ? party.push({ ...requestOf(client), client_secret: secret }, { proof: null })
        : party.push(requestOf(client), signed);
      const refused = await pushed;
      assert.equal(errorOf(refused), '401 invalid_client', path);
      assert.match(refused.body.error_description ?? '', new RegExp(`^${path} must be`), path);
    }
    const reasons = await until('the log tells', async () => {
      const rows = await keywright.database.query<{ reason: string }>(
        `SELECT details->>'reason' AS reason FROM audit_entries
          WHERE tenant_id = $1 AND action = 'auth.token_refused'`,
        [of.id],
      );
      return rows.length >= 3 && rows;
    });
    assert.deepEqual(
      new Set(reasons.map(({ reason }) => reason)),
      new Set(Object.keys(clients).map((path) => `fapi2: ${path}`)),
    );
    await setProfile(of, null);
    await until('it is off', async () => (await redeem(of, secretive, code)).status === 200);
  });

  async function assertionOf(party: Fapi2Party, claims: object): Promise<string> {
    const now = party.seconds;
    const usual = { aud: party.issuer, jti: randomUUID(), iat: now, exp: now + 60 };
    return key.sign({ ...usual, ...claims });
  }

  test('The fapi2 profile binds the tokens of agents, too, which sign their assertions', async () => {
    const { agent } = await strict.createAgent({ scopes: ['read:users'] });
    const agentKey = await newStatementKey('EdDSA');
    const jwks = { keys: [agentKey.publicJwk] };
    expectStatus(200, await asAdmin(strict, 'PATCH', `/agents/${agent.id}`, { jwks }));
    const party = await Fapi2Party.register({ keywright, tenant: strict });
    const fields = { grant_type: 'client_credentials' };
    const proofFor = async (aud: unknown) => {
      const now = party.seconds;
      const about = { iss: agent.id, sub: agent.id, jti: randomUUID() };
      return agentKey.sign({ ...about, aud, iat: now, exp: now + 60 });
    };
    const proof = await proofFor(party.issuer);
    const unbound = await party.postToken(fields, { proof, dpop: null });
    assert.equal(errorOf(unbound), '400 invalid_dpop_proof');
    const asArray = await party.postToken(fields, { proof: await proofFor([party.issuer]) });
    assert.equal(errorOf(asArray), '401 invalid_client');
    const tokens = expectStatus(200, await party.postToken(fields, { proof }));
    assert.equal(tokens.token_type, 'DPoP');
  });

  test('The fapi2 profile accepts no token of an outside issuer for a client', async () => {
    const issuer = await startOutsideIssuer([key]);
    const trust = { issuer: issuer.url, audience: 'jobs', subject: 'job' };
    const requestToken = async (of: TestTenant) => {
      const { agent } = await of.createAgent({ scopes: ['read:users'] });
      const trusts = { trusts: [trust] };
      expectStatus(200, await asAdmin(of, 'PATCH', `/agents/${agent.id}`, trusts));
      const party = await Fapi2Party.register({ keywright, tenant: of }, SIGNING);
      const [iat, exp] = [party.seconds, party.seconds + 60];
      const claims = { iss: issuer.url, aud: 'jobs', sub: 'job', iat, exp };
      const assertion = await key.sign({ ...claims, jti: randomUUID() });
      const fields = { grant_type: JWT_BEARER, client_id: agent.id, assertion };
      return party.postToken(fields, { proof: null });
    };
    expectStatus(200, await requestToken(plain));
    assert.equal(errorOf(await requestToken(strict)), '400 invalid_grant');
    await issuer.close();
  });

  test('The fapi2 profile has no logins on devices, and the metadata does not mention them', async () => {
    const party = await Fapi2Party.register({ keywright, tenant: strict });
    const path = `/t/${strict.id}/oauth/device_authorization`;
    const fields = { client_assertion: await party.assertion(), client_assertion_type: TYPE };
    const answer = await strict.request<ErrorBody>('POST', path, {
      rawBody: new URLSearchParams(fields).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    assert.deepEqual([answer.status, answer.body.code], [400, 'CLIENT_UNAUTHORIZED']);
    const at = `/t/${strict.id}/.well-known/oauth-authorization-server`;
    const metadata = expectStatus(
      200,
      await strict.request<OkOf<typeof getServerMetadata>>('GET', at),
    );
    assert.ok(!JSON.stringify(metadata).includes('device'));
  });
});

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

describe('profile: fapi2, of one client', () => {
  let party: Fapi2Party;
  let browser: UserBrowser;
  before(async () => {
    party = await Fapi2Party.register({ keywright, tenant: plain }, { profile: 'fapi2' });
    browser = party.browser(user);
  });

  test('A client with profile fapi2 must push its requests and use PKCE, and its tokens must be bound', async () => {
    assert.equal(responseOf(await browser.goThrough(party.request()))['error'], 'invalid_request');
    const tokens = await party.tokens(browser, { scope: 'openid offline_access' });
    assert.equal(tokens.token_type, 'DPoP');
    const code = await party.code(browser, {}, { dpop: null });
    const unbound = await party.redeem(code, {}, { dpop: null });
    assert.equal(errorOf(unbound), '400 invalid_dpop_proof');
    const next = expectStatus(200, await party.refresh(tokens.refresh_token));
    assert.equal(next.refresh_token, tokens.refresh_token);
  });

  test('A client with profile fapi2 that is otherwise exempt from PKCE and sends a nonce must use PKCE', async () => {
    const exempted = await Fapi2Party.register(
      { keywright, tenant: plain },
      { profile: 'fapi2', require_pkce: false },
    );
    const none = { code_challenge: undefined, code_challenge_method: undefined, nonce: 'n-1' };
    const refused = await exempted.push(exempted.request(none));
    assert.equal(errorOf(refused), '400 invalid_request');
    expectStatus(201, await exempted.push(exempted.request()));
  });

  test('A client assertion under profile fapi2 must have the issuer as its only audience, and no RS256', async () => {
    for (const aud of [[party.issuer], `${party.issuer}/oauth/par`]) {
      const answer = await party.push(party.request(), { assertion: { aud } });
      assert.equal(errorOf(answer), '401 invalid_client');
    }
  });

  test('A code of a client with profile fapi2 that is used twice in quick succession ends its session', async () => {
    const code = await party.code(browser);
    const tokens = expectStatus(200, await party.redeem(code));
    assert.equal(errorOf(await party.redeem(code)), '400 invalid_grant');
    assert.equal((await party.userinfo(tokens.access_token)).status, 401);
  });

  test('A request object of a client with profile fapi2 must have nbf', async () => {
    const pushSigned = async (claims: object) =>
      party.push({ request: await party.signed(party.request(), { ...claims }) });
    assert.equal(errorOf(await pushSigned({ nbf: undefined })), '400 invalid_request_object');
    expectStatus(201, await pushSigned({}));
  });

  test('The profile fapi2 of one client changes nothing for other clients', async () => {
    const other = await newClient(plain, { first_party: true });
    const code = await browser.codeFor(other);
    assert.equal(expectStatus(200, await redeem(plain, other, code)).token_type, 'Bearer');
    assert.equal(oauthError(await redeem(plain, other, code)), '400 invalid_grant GRANT_INVALID');
    const answer = await postToken(plain, {
      grant_type: 'client_credentials',
      client_id: other.id,
    });
    assert.equal(answer.status, 401);
  });
});
