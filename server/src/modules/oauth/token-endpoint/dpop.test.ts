import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import {
  exchangeOf,
  newClient,
  proofOf,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { type DpopKey, newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { alteredToken, claimsOf } from '@keywright/tests/harness/token';
import {
  postToken,
  oauthError,
  type TokenParameters,
} from '@keywright/tests/harness/token-endpoint';

const USERINFO = '/oauth/userinfo';
const SCOPES = 'openid email offline_access read:users';
const REFUSED = '400 invalid_grant GRANT_INVALID';
const INVALID = '400 invalid_dpop_proof DPOP_INVALID';
const challenge = (error: string) => `DPoP error="${error}", algs="EdDSA Ed25519 ES256"`;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let key: DpopKey;
let other: DpopKey;

const now = () => keywright.clock.now();

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('dpop');
  user = await tenant.createUser({ roles: ['admin'] });
  client = await newClient(tenant, { scopes: SCOPES.split(' ') });
  key = await newDpopKey(now);
  other = await newDpopKey(now, 'EdDSA');
});
after(() => keywright.close());

const browser = (of = tenant, by = user) =>
  new UserBrowser(of, `https://id.example.com/t/${of.id}`, by);

type Fields = Readonly<Record<string, string>>;

function requestToken(
  parameters: TokenParameters,
  dpop: string | undefined,
  node = 0,
  of = tenant,
) {
  const headers = dpop === undefined ? {} : { dpop };
  return postToken(of, parameters, { headers, node });
}

/** A code of the client, and the parameters of its exchange. */
async function exchange(more: Fields = {}, of = client): Promise<TokenParameters> {
  const code = await browser().codeFor(of, { scope: SCOPES, ...more });
  return { ...exchangeOf(code), ...proofOf(of) };
}

async function boundTokens(of = client, by = key): Promise<ClientTokenAnswer> {
  return expectStatus(200, await requestToken(await exchange({}, of), await by.prove()));
}

function refreshWith(token: string | undefined, dpop?: string, of = client) {
  const fields = { grant_type: 'refresh_token', refresh_token: token ?? '' };
  return requestToken({ ...fields, ...proofOf(of) }, dpop);
}

interface Use {
  readonly scheme?: string;
  readonly dpop?: string | undefined;
  readonly node?: number;
  readonly method?: string;
}

function use(
  path: string,
  token: string,
  { scheme = 'DPoP', dpop, node = 0, method = 'GET' }: Use = {},
) {
  const headers = { authorization: `${scheme} ${token}`, ...(dpop !== undefined && { dpop }) };
  return tenant.request<ErrorBody & { sub: string }>(method, path, { headers, node });
}

const USERS = '/users?limit=1';
const addressOf = (path: string) =>
  `https://id.example.com${path === USERS ? '/api/sso/v1/users' : path}`;

async function proofFor(path: string, accessToken: string, by = key, claims: object = {}) {
  const options = { htm: 'GET', htu: addressOf(path), accessToken };
  return by.prove({ ...options, claims: { ...claims } });
}

describe('tokens that came with a DPoP proof', () => {
  test('Tokens issued with a DPoP proof are bound to its key: code, refresh, agents and resources (RFC 9449 §5)', async () => {
    const tokens = await boundTokens();
    assert.equal(tokens.token_type, 'DPoP');
    assert.deepEqual(claimsOf(tokens.access_token)['cnf'], { jkt: key.jkt });

    const again = expectStatus(200, await refreshWith(tokens.refresh_token, await key.prove()));
    assert.equal(again.token_type, 'DPoP');
    assert.deepEqual(claimsOf(again.access_token)['cnf'], { jkt: key.jkt });

    const agent = await tenant.createAgent({ scopes: ['read:users'] });
    const clientCredentials = {
      grant_type: 'client_credentials',
      client_id: agent.agent.id,
      client_secret: agent.key,
    };
    const answer = expectStatus(200, await requestToken(clientCredentials, await other.prove()));
    assert.equal(answer.token_type, 'DPoP');
    assert.deepEqual(claimsOf(answer.access_token)['cnf'], { jkt: other.jkt });
  });

  test('Tokens issued without a DPoP proof are bearer tokens', async () => {
    const tokens = expectStatus(200, await requestToken(await exchange(), undefined));
    assert.equal(tokens.token_type, 'Bearer');
    assert.equal(claimsOf(tokens.access_token)['cnf'], undefined);
  });

  test('The tokens of a public client are refreshed only by their key, and another one has no effect (RFC 9449 §5)', async () => {
    const spa = await newClient(tenant, { kind: 'spa', scopes: SCOPES.split(' ') });
    const { refresh_token: token } = await boundTokens(spa);
    assert.equal(oauthError(await refreshWith(token, await other.prove(), spa)), REFUSED);
    assert.equal(oauthError(await refreshWith(token, undefined, spa)), INVALID);
    assert.equal((await refreshWith(token, await key.prove(), spa)).status, 200);
  });

  test('The tokens of a client with a secret are refreshed by any key, which binds the next access token (RFC 9449 §5)', async () => {
    const { refresh_token: first } = await boundTokens();
    assert.equal(oauthError(await refreshWith(first, undefined)), INVALID);
    const next = expectStatus(200, await refreshWith(first, await other.prove()));
    assert.deepEqual(claimsOf(next.access_token)['cnf'], { jkt: other.jkt });
    const repeated = expectStatus(200, await refreshWith(first, await key.prove()));
    assert.equal(repeated.refresh_token, next.refresh_token, 'the answer was lost');
    assert.equal(oauthError(await refreshWith(next.refresh_token, undefined)), INVALID);
    const last = expectStatus(200, await refreshWith(next.refresh_token, await key.prove()));
    assert.deepEqual(claimsOf(last.access_token)['cnf'], { jkt: key.jkt });
  });

  test('A refresh token altered to name another key is refused', async () => {
    const { refresh_token: token = '' } = await boundTokens();
    const forged = alteredToken(token, (claims) => ({ ...claims, cnf: { jkt: other.jkt } }));
    const spent = () =>
      keywright.database.query('SELECT FROM spent_assertions WHERE tenant_id = $1', [tenant.id]);
    const rows = (await spent()).length;
    assert.equal(oauthError(await refreshWith(forged, await other.prove())), REFUSED);
    assert.equal((await spent()).length, rows, 'what is forged leaves no row');
    const unbound = alteredToken(token, (claims) => ({ ...claims, cnf: undefined }));
    assert.equal(oauthError(await refreshWith(unbound)), REFUSED);
    assert.equal((await refreshWith(token, await key.prove())).status, 200, 'it is unharmed');
  });

  test('A repeated refresh with a DPoP proof returns the same refresh token if the response was lost', async () => {
    const { refresh_token: token } = await boundTokens();
    const first = expectStatus(200, await refreshWith(token, await key.prove()));
    const second = expectStatus(200, await refreshWith(token, await key.prove()));
    assert.equal(second.refresh_token, first.refresh_token);
  });
});

describe('a bound access token', () => {
  for (const path of [USERINFO, USERS]) {
    test(`A bound access token needs a proof by its key at ${path} (RFC 9449 §7)`, async () => {
      const { access_token: token } = await boundTokens();
      const dpop = await proofFor(path, token);
      assert.equal((await use(path, token, { dpop })).status, 200);
      for (const [what, usage, error] of [
        ['used as a bearer token', { scheme: 'Bearer' }, 'invalid_token'],
        [
          'the same with a proof',
          { scheme: 'bearer', dpop: await proofFor(path, token) },
          'invalid_token',
        ],
        ['no proof', {}, 'invalid_dpop_proof'],
        ['used again', { dpop }, 'invalid_dpop_proof'],
        ['used again at another node', { dpop, node: 1 }, 'invalid_dpop_proof'],
        ['a proof by another key', { dpop: await proofFor(path, token, other) }, 'invalid_token'],
        ['of another token', { dpop: await proofFor(path, `${token}x`) }, 'invalid_dpop_proof'],
        [
          'without a token',
          { dpop: await key.prove({ htm: 'GET', htu: addressOf(path) }) },
          'invalid_dpop_proof',
        ],
        [
          'of another method',
          { dpop: await key.prove({ htu: addressOf(path), accessToken: token }) },
          'invalid_dpop_proof',
        ],
        [
          'of another address',
          { dpop: await proofFor('/oauth/other', token) },
          'invalid_dpop_proof',
        ],
        [
          'too old',
          { dpop: await proofFor(path, token, key, { iat: now().getTime() / 1000 - 61 }) },
          'invalid_dpop_proof',
        ],
        [
          'two of them',
          { dpop: `${await proofFor(path, token)}, ${await proofFor(path, token)}` },
          'invalid_dpop_proof',
        ],
      ] as const) {
        const answer = await use(path, token, usage);
        assert.equal(answer.status, 401, what);
        assert.equal(answer.body.code, 'TOKEN_INVALID', what);
        assert.equal(answer.headers['www-authenticate'], challenge(error), what);
      }
    });
  }

  test('A bound access token is refused in a form, and as the credential of an exchange', async () => {
    const { access_token: token } = await boundTokens();
    const answer = await tenant.request('POST', USERINFO, {
      rawBody: `access_token=${token}`,
      contentType: 'application/x-www-form-urlencoded',
    });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['www-authenticate'], challenge('invalid_token'));

    const { agent, key: apiKey } = await tenant.createAgent({ scopes: ['read:users'] });
    const clientCredentials = {
      grant_type: 'client_credentials',
      client_id: agent.id,
      client_secret: apiKey,
    };
    const bound = expectStatus(
      200,
      await requestToken(clientCredentials, await key.prove()),
    ).access_token;
    const exchanged = await requestToken(
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: user.token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        actor_token: bound,
        actor_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      },
      undefined,
    );
    assert.equal(oauthError(exchanged), '401 invalid_client CLIENT_INVALID');
  });

  test('The introspection of a bound access token shows its binding (RFC 9449 §6.2)', async () => {
    const { access_token: token } = await boundTokens();
    const body = { token, ...proofOf(client) };
    const answer = expectStatus(200, await tenant.request('POST', '/oauth/introspect', { body }));
    assert.deepEqual([answer['active'], answer['token_type']], [true, 'DPoP']);
    assert.deepEqual(answer['cnf'], { jkt: key.jkt });
    const verified = expectStatus(
      200,
      await tenant.request('POST', '/auth/verify-token', { token: user.token, body: { token } }),
    );
    assert.deepEqual([verified['active'], verified['cnf']], [true, { jkt: key.jkt }]);
  });

  test('An unbound access token is not accepted with the DPoP scheme (RFC 9449 §7.1)', async () => {
    for (const [path, token] of [
      [USERINFO, expectStatus(200, await requestToken(await exchange(), undefined)).access_token],
      [USERS, user.token],
      [USERS, (await tenant.createAgent({ scopes: ['read:users'] })).key],
    ] as const) {
      const answer = await use(path, token, { dpop: await proofFor(path, token) });
      assert.equal(answer.status, 401);
      const bearer = await use(path, token, { scheme: 'Bearer' });
      assert.equal(bearer.status, 200, path);
    }
  });
});

describe('a proof at the token endpoint', () => {
  test('A proof at the token endpoint is used once, on any node, and a refused proof does not use up the code', async () => {
    const proof = await key.prove();
    expectStatus(200, await requestToken(await exchange(), proof));
    const parameters = await exchange();
    assert.equal(oauthError(await requestToken(parameters, proof)), INVALID);
    assert.equal(oauthError(await requestToken(parameters, proof, 1)), INVALID);
    assert.equal(oauthError(await requestToken(parameters, 'none')), INVALID);
    assert.equal((await requestToken(parameters, await key.prove())).status, 200);
  });

  test('A proof at the token endpoint must be for this endpoint, at any of its addresses', async () => {
    for (const htu of [
      'https://id.example.com/oauth/userinfo',
      'https://evil.example.com/api/sso/v1/auth/token',
    ]) {
      assert.equal(
        oauthError(await requestToken(await exchange(), await key.prove({ htu }))),
        INVALID,
      );
    }
    const path = `/t/${tenant.id}/auth/token`;
    const answer = await tenant.request<ClientTokenAnswer>('POST', path, {
      rawBody: new URLSearchParams(await exchange()).toString(),
      contentType: 'application/x-www-form-urlencoded',
      headers: { dpop: await key.prove({ htu: `https://id.example.com${path}` }) },
    });
    assert.equal(expectStatus(200, answer).token_type, 'DPoP');
  });

  test('A proof at the token endpoint is for a host only if the tenant has that host, whatever the request says', async () => {
    const [domain = ''] = tenant.domains;
    const htu = `https://${domain}/api/sso/v1/auth/token`;
    const form = async () => ({
      rawBody: new URLSearchParams(await exchange()).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    const atHost = { ...(await form()), host: domain, headers: { dpop: await key.prove({ htu }) } };
    const answer = await keywright.request('POST', '/auth/token', atHost);
    assert.equal(answer.status, 200, answer.text);
    const evil = { host: 'evil.example.com', htu: htu.replace(domain, 'evil.example.com') };
    const headers = { dpop: await key.prove({ htu: evil.htu }) };
    const named = { ...(await form()), host: evil.host, headers };
    const forged = await tenant.request('POST', '/auth/token', named);
    assert.equal(forged.body['code'], 'DPOP_INVALID', forged.text);
  });

  test('A proof at the token endpoint is required of clients and for resources that are registered to require it', async () => {
    const bound = await newClient(tenant, {
      scopes: SCOPES.split(' '),
      dpop_bound_access_tokens: true,
    });
    const parameters = await exchange({}, bound);
    assert.equal(oauthError(await requestToken(parameters, undefined)), INVALID);
    const tokens = expectStatus(200, await requestToken(parameters, await key.prove()));
    assert.equal(tokens.token_type, 'DPoP');

    const uri = 'https://files.example.com/dpop';
    const body = {
      name: 'Files',
      uri,
      scopes: [{ name: 'read:users', description: 'Read' }],
      dpop_required: true,
    };
    expectStatus(
      201,
      await tenant.request('POST', '/resources', { token: await tenant.adminToken(), body }),
    );
    const forFiles = await exchange({ resource: uri });
    assert.equal(oauthError(await requestToken(forFiles, undefined)), INVALID);
    assert.equal((await requestToken(forFiles, await key.prove())).status, 200);
    const agent = await tenant.createAgent({ scopes: ['read:users'] });
    const clientCredentials = {
      grant_type: 'client_credentials',
      client_id: agent.agent.id,
      client_secret: agent.key,
      resource: uri,
    };
    assert.equal(oauthError(await requestToken(clientCredentials, undefined)), INVALID);
    assert.equal((await requestToken(clientCredentials, await key.prove())).status, 200);
  });

  test('A proof at the token endpoint must be by the key that the code was requested with (RFC 9449 §10)', async () => {
    const parameters = await exchange({ dpop_jkt: key.jkt });
    assert.equal(oauthError(await requestToken(parameters, undefined)), REFUSED);
    assert.equal(oauthError(await requestToken(parameters, await other.prove())), REFUSED);
    assert.equal((await requestToken(parameters, await key.prove())).status, 200);
    const seen = await browser().goThrough(requestOf(client, { dpop_jkt: 'short' }));
    assert.equal(seen.redirectsTo?.searchParams.get('error'), 'invalid_request');
  });
});
