import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { RequestToNode, TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { importPrivateKey, newSignatureKey, signToken } from '../../../platform/crypto/jws.ts';

const SKEW_SECONDS = 10;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('verify', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

function logIn(at = tenant): Promise<TokenAnswer> {
  return at.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

async function verify(token: string, node = 0): Promise<Answer<JsonBody>> {
  const caller = await logIn();
  const options = { node, token: caller.access_token, body: { token } };
  return tenant.request('POST', '/auth/verify-token', options);
}

async function assertNotActive(token: string, node = 0): Promise<void> {
  const answer = await verify(token, node);
  assert.deepEqual([answer.status, answer.text], [200, '{"active":false}']);
}

describe('verify-token', () => {
  test('The claims of an active token are returned to any caller (SPEC endpoints auth 5)', async () => {
    const { access_token: token } = await logIn();
    for (const node of [0, 1, 0]) {
      assert.deepEqual((await verify(token, node)).body, { active: true, ...claimsOf(token) });
    }
  });

  test('A revoked session is reported on the next request, on every node', async () => {
    const { access_token: token } = await logIn();
    for (const node of [0, 1]) assert.equal((await verify(token, node)).body['active'], true);
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    for (const node of [0, 1]) await assertNotActive(token, node);
  });

  test('The expiry of a token is reported with ten seconds of clock tolerance', async () => {
    const { access_token: token } = await logIn();
    keywright.clock.advance(3600 + SKEW_SECONDS - 1);
    assert.equal((await verify(token)).body['active'], true);
    keywright.clock.advance(1);
    await assertNotActive(token);
  });

  const forgeries = {
    'a refresh token': (login: TokenAnswer) => login.refresh_token,
    'no token at all': () => 'nothing',
    'the claims of a good token under another key': ({ access_token: token }: TokenAnswer) => {
      const privateKey = importPrivateKey(newSignatureKey().privateKey);
      return signToken({ kid: headerOf(token).kid, privateKey }, 'at+jwt', claimsOf(token));
    },
    'a good token with other claims': ({ access_token: token }: TokenAnswer) => {
      const [header = '', , signature = ''] = token.split('.');
      const claims = JSON.stringify({ ...claimsOf(token), scopes: ['*:*'] });
      return `${header}.${Buffer.from(claims).toString('base64url')}.${signature}`;
    },
  };
  for (const [kind, forge] of Object.entries(forgeries)) {
    test(`The response to ${kind} is inactive, without a reason`, async () => {
      await assertNotActive(forge(await logIn()));
    });
  }

  test('A token of another tenant is reported as inactive', async () => {
    const other = await keywright.tenant('verify-2');
    await assertNotActive((await logIn(other)).access_token);
  });

  test('POST /auth/verify requires authentication, and accepts only a token', async () => {
    const { access_token: token } = await logIn();
    const path = '/auth/verify-token';
    const anonymous = await tenant.request<ErrorBody>('POST', path, { body: { token } });
    assert.equal(expectStatus(401, anonymous).code, 'TOKEN_INVALID');
    for (const body of [
      {},
      { token: '' },
      { token, hint: 'access' },
      { token: 'x'.repeat(8193) },
    ]) {
      const answer = await tenant.request<ErrorBody>('POST', path, { token, body });
      assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
    }
  });
});

describe('a caller of verify-token whose session has ended', () => {
  const path = '/auth/verify-token';

  async function assertRefused(options: RequestToNode): Promise<void> {
    const answer = await tenant.request<ErrorBody>('POST', path, options);
    const { code } = expectStatus(401, answer);
    assert.equal(code, 'TOKEN_INVALID');
    assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
  }

  test('A caller whose session has ended gets only that error, on the next request, with any body (SPEC errors 1)', async () => {
    const { access_token: caller } = await logIn();
    const { access_token: token } = await logIn();
    const { key } = await tenant.createAgent();
    expectStatus(200, await tenant.request('POST', path, { token: caller, body: { token } }));
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token: caller }));
    for (const node of [0, 1]) {
      for (const body of [{ token }, { token: caller }, { token: key }, { token, hint: 'x' }, {}]) {
        await assertRefused({ node, token: caller, body });
      }
      await assertRefused({ node, token: caller, rawBody: '{"token":' });
      await assertRefused({ node, token: caller, rawBody: 'token=x', contentType: 'text/plain' });
    }
  });
});

describe('a bearer token', () => {
  test('A bearer token is valid for an hour unless the tenant configures otherwise, with ten seconds of clock tolerance (SPEC authentication 3, SPEC limits 1)', async () => {
    const short = await keywright.tenant('verify-short', { config: { session_timeout: 60 } });
    for (const [at, seconds] of [
      [short, 60],
      [tenant, 3600],
    ] as const) {
      const { access_token: token } = await logIn(at);
      keywright.clock.advance(seconds + SKEW_SECONDS - 1);
      expectStatus(200, await at.request('GET', '/me', { token }));
      keywright.clock.advance(1);
      const late = await at.request<ErrorBody>('GET', '/me', { token });
      assert.equal(expectStatus(401, late).code, 'TOKEN_INVALID');
      assert.equal(late.headers['www-authenticate'], 'Bearer error="invalid_token"');
    }
  });
});
