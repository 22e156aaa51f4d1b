// Which requests for an in-app login are rejected, and with which error.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { newClient } from '@keywright/tests/harness/code-login';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  type ChallengeAnswer,
  InApp,
  newInAppClient,
  nextOf,
} from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { newStatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const NOT_LET = '400 unauthorized_client CLIENT_UNAUTHORIZED';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { oauth_registration: 'open' } as const;
  tenant = await keywright.tenant('in-app-requests', { config });
  user = await tenant.createUser();
  client = await newInAppClient(tenant);
});
after(() => keywright.close());

const app = (by = client, of = tenant) => new InApp(of, by);
const newKey = () => newDpopKey(() => keywright.clock.now());
const outcomeOf = ({ status, body }: ChallengeAnswer) => `${status} ${body.error} ${body.code}`;

async function change(id: string, body: object, of = tenant) {
  const token = await of.adminToken();
  return of.request<ErrorBody>('PATCH', `/clients/${id}`, { token, body });
}

async function startedLogin(login = app()): Promise<InApp> {
  assert.match(nextOf(await login.start({ login_hint: user.identifier })), /password/);
  return login;
}

describe('the authorization challenge endpoint', () => {
  test('The endpoint is only for clients that an administrator allows to use it', async () => {
    const plain = await newInAppClient(tenant, { in_app_login: false });
    const web = await newClient(tenant, { first_party: true });
    const login = app(plain);
    assert.equal(outcomeOf(await login.start({ login_hint: user.identifier })), NOT_LET);
    const more = { client_secret: web.client_secret ?? '' };
    assert.equal(outcomeOf(await app(web).start(more)), NOT_LET);
    expectStatus(200, await change(plain.id, { in_app_login: true }));
    await startedLogin(login);
    expectStatus(200, await change(plain.id, { in_app_login: false }));
    assert.equal(outcomeOf(await login.go({ password: user.password })), NOT_LET);
  });

  test('A code is refused once the client can no longer use the endpoint', async () => {
    const taken = await newInAppClient(tenant);
    const login = await startedLogin(app(taken));
    const { authorization_code: code } = expectStatus(
      200,
      await login.go({ password: user.password }),
    );
    expectStatus(200, await change(taken.id, { in_app_login: false }));
    assert.equal((await login.redeem(code)).body.error, 'invalid_grant');
  });

  test('The endpoint authenticates clients that have a key, and requires PKCE of them even if they are exempted elsewhere', async () => {
    const key = await newStatementKey('ES256');
    const fields = {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.publicJwk] },
      require_pkce: false,
    };
    const proving = await newInAppClient(tenant, fields);
    const login = app(proving);
    const parameters = { login_hint: user.identifier, password: user.password };
    assert.equal(outcomeOf(await login.start(parameters)), '401 invalid_client CLIENT_INVALID');
    const now = Math.floor(keywright.clock.now().getTime() / 1000);
    const aud = `https://id.example.com/t/${tenant.id}/oauth/authorize-challenge`;
    const claims = { iss: proving.id, sub: proving.id, aud, jti: 'j-1', iat: now, exp: now + 60 };
    const proof = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await key.sign(claims),
    };
    const unbound = { code_challenge: '', code_challenge_method: '', nonce: 'n-1' };
    const another = { ...proof, client_assertion: await key.sign({ ...claims, jti: 'j-0' }) };
    const refused = await login.start({ ...parameters, ...another, ...unbound });
    assert.match(refused.body.detail, /PKCE/);
    expectStatus(200, await login.start({ ...parameters, ...proof }));
    assert.equal(
      outcomeOf(await login.start({ ...parameters, ...proof })),
      '401 invalid_client CLIENT_INVALID',
    );
  });

  test('The endpoint accepts a DPoP proof once', async () => {
    const key = await newKey();
    const login = await startedLogin(new InApp(tenant, client, { key }));
    const path = `/t/${tenant.id}/oauth/authorize-challenge`;
    const dpop = await key.prove({ htu: `https://id.example.com${path}` });
    const plain = app();
    plain.session = login.session;
    const go = () => plain.go({ password: 'wrong' }, { headers: { dpop } });
    assert.equal(
      outcomeOf(await go()),
      '400 insufficient_authorization INSUFFICIENT_AUTHORIZATION',
    );
    assert.equal(outcomeOf(await go()), '400 invalid_dpop_proof DPOP_INVALID');
  });

  for (const [what, more, expected] of [
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['without a response_type', { response_type: '' }, 'invalid_request'],
    ['for a scope that the client has not', { scope: 'delete:users' }, 'invalid_scope'],
    ['for an unknown resource', { resource: 'https://api.example' }, 'invalid_target'],
    ['with an unregistered address', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['that may show no login', { prompt: 'none' }, 'invalid_request'],
    ['with id_token_hint', { id_token_hint: 'a.b.c' }, 'invalid_request'],
    ['by reference', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
    ['with an unsigned request object', { request: 'e30.e30.' }, 'invalid_request_object'],
    ['with another key for the code', { dpop_jkt: 'short' }, 'invalid_request'],
    ['with a login hint that no account can have', { login_hint: 'unknown' }, 'invalid_request'],
    ['with a long state', { state: 'x'.repeat(3000) }, 'invalid_request'],
    ['with two proofs', { password: 'x', totp_code: '123456' }, 'invalid_request'],
  ] as const) {
    test(`The endpoint refuses a request ${what}, as the authorization endpoint does, before it checks any proof`, async () => {
      const hashes = keywright.nodes[0]?.passwords.computed;
      const parameters = { login_hint: user.identifier, password: user.password, ...more };
      const { status, body } = await app().start(parameters);
      assert.deepEqual([status, body.error], [400, expected], JSON.stringify(body));
      assert.equal(keywright.nodes[0]?.passwords.computed, hashes);
    });
  }

  test('The endpoint refuses a request longer than a sealed login can be', async () => {
    const { status, body } = await app().start({ prompt: ' '.repeat(8192) });
    assert.deepEqual([status, body.detail], [400, 'The request is longer than 8 KiB.']);
  });

  test('The endpoint counts wrong passwords with those of every login', async () => {
    const config = { login_attempts_limit: 3 };
    const narrow = await keywright.tenant('in-app-narrow', { config });
    const member = await narrow.createUser();
    const login = app(await newInAppClient(narrow), narrow);
    await login.start({ login_hint: member.identifier });
    const body = { identifier: member.identifier, secret: 'wrong' };
    await narrow.request('POST', '/auth/login', { body });
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await login.go({ password: 'wrong' })).body.refused, 'INVALID_CREDENTIALS');
    }
    const refused = await login.go({ password: member.password });
    assert.equal(outcomeOf(refused), '429 temporarily_unavailable TOO_MANY_ATTEMPTS');
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });
});
