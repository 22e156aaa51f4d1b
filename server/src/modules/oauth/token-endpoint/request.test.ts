import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const GRANT = { grant_type: 'client_credentials' };
const FORM = 'application/x-www-form-urlencoded';
const INVALID = '400 invalid_request VALIDATION_FAILED';

let keywright: Keywright;
let tenant: TestTenant;
let robot: TestAgent;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('forge');
  robot = await tenant.createAgent({ scopes: ['read:users'] });
});

after(() => keywright.close());

function credentials(agent: TestAgent = robot) {
  return { client_id: agent.agent.id, client_secret: agent.key };
}

function basic(text: string) {
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

function asForm(text: string) {
  return tenant.request<OAuthErrorBody>('POST', '/auth/token', {
    rawBody: text,
    contentType: FORM,
  });
}

describe('an accepted token request', () => {
  test('The token endpoint accepts a form, and JSON', async () => {
    expectStatus(200, await postToken(tenant, { ...GRANT, ...credentials() }));
    const body = { ...GRANT, ...credentials() };
    expectStatus(200, await tenant.request('POST', '/auth/token', { body }));
    const contentType = `${FORM}; charset=UTF-8`;
    expectStatus(200, await postToken(tenant, { ...GRANT, ...credentials() }, { contentType }));
  });

  test('The token endpoint accepts the client’s id and key by HTTP Basic, form-encoded or plain (RFC 6749 §2.3.1)', async () => {
    const { client_id: id, client_secret: key } = credentials();
    for (const text of [`${encodeURIComponent(id)}:${key}`, `${id}:${key}`]) {
      expectStatus(200, await postToken(tenant, GRANT, { headers: basic(text) }));
      const named = { ...GRANT, client_id: id };
      expectStatus(200, await postToken(tenant, named, { headers: basic(text) }));
    }
  });

  test('The token endpoint ignores unknown parameters (RFC 6749 §3.2)', async () => {
    const extra = { nonce: 'x', constructor: 'y', __proto__: 'z' };
    expectStatus(200, await postToken(tenant, { ...GRANT, ...credentials(), ...extra }));
    const body = { ...GRANT, ...credentials(), nonce: { deep: [1] } };
    expectStatus(200, await tenant.request('POST', '/auth/token', { body }));
  });

  test('The token endpoint accepts the audience of the tenant as target, and no other (RFC 8693 §2.1, RFC 8707 §2)', async () => {
    const issuer = `https://id.example.com/t/${tenant.id}`;
    for (const target of [
      { audience: issuer },
      { resource: issuer },
      { audience: issuer, resource: issuer },
    ]) {
      expectStatus(200, await postToken(tenant, { ...GRANT, ...credentials(), ...target }));
    }
    const encoded = new URLSearchParams({ ...GRANT, ...credentials() }).toString();
    expectStatus(200, await asForm(`${encoded}&audience=${issuer}&audience=${issuer}`));
    for (const other of ['https://id.example.com', 'https://api.example.com', `${issuer}/`]) {
      for (const name of ['audience', 'resource']) {
        const parameters = { ...GRANT, ...credentials(), [name]: other };
        const answer = await postToken(tenant, parameters);
        assert.equal(oauthError(answer), '400 invalid_target TARGET_INVALID');
      }
      const both = await asForm(`${encoded}&audience=${issuer}&audience=${other}`);
      assert.equal(expectStatus(400, both).error, 'invalid_target');
    }
  });
});

describe('a rejected token request', () => {
  test('The token endpoint rejects an unknown grant type', async () => {
    for (const type of ['password', 'toString', '__proto__']) {
      const answer = await postToken(tenant, { ...credentials(), grant_type: type });
      assert.equal(oauthError(answer), '400 unsupported_grant_type GRANT_TYPE_UNSUPPORTED');
    }
  });

  test('The token endpoint rejects a request without a grant type, or with a repeated parameter', async () => {
    assert.equal(oauthError(await postToken(tenant, credentials())), INVALID);
    assert.equal(
      oauthError(await postToken(tenant, { ...credentials(), grant_type: '' })),
      INVALID,
    );
    const encoded = new URLSearchParams({ ...GRANT, ...credentials() }).toString();
    for (const name of ['grant_type', 'client_id', 'client_secret', 'scope']) {
      const answer = await asForm(`${encoded}&${name}=a&${name}=a`);
      assert.equal(expectStatus(400, answer).error, 'invalid_request', name);
    }
  });

  test('The token endpoint rejects two authentication methods in one request', async () => {
    const { client_id: id, client_secret: key } = credentials();
    const headers = basic(`${id}:${key}`);
    const twice = await postToken(tenant, { ...GRANT, ...credentials() }, { headers });
    assert.equal(oauthError(twice), INVALID);
    const assertion = {
      client_assertion: 'x',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const mixed = await postToken(tenant, { ...GRANT, ...credentials(), ...assertion });
    assert.equal(oauthError(mixed), INVALID);
  });

  test('The token endpoint rejects malformed HTTP Basic credentials', async () => {
    const { client_id: id, client_secret: key } = credentials();
    for (const text of ['', ':', id, `${id}:`, `:${key}`, `service:${key}`, `${id}:${key}x`]) {
      const answer = await postToken(tenant, GRANT, { headers: basic(text) });
      assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID', text);
      assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /);
    }
    const headers = basic(`${id}:${key}`);
    const another = await postToken(tenant, { ...GRANT, client_id: 'service:x' }, { headers });
    assert.equal(oauthError(another), '401 invalid_client CLIENT_INVALID');
    for (const authorization of ['Basic %%%', `Bearer ${key}`]) {
      const answer = await postToken(tenant, GRANT, { headers: { authorization } });
      assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID');
    }
  });

  test('The token endpoint rejects an unreadable body with an OAuth error', async () => {
    const cases = [
      ['{', 'application/json', '400 invalid_request JSON_INVALID'],
      ['[]', 'application/json', INVALID],
      ['', FORM, INVALID],
      ['a=b', 'text/plain', '415 invalid_request CONTENT_TYPE_UNSUPPORTED'],
      ['a=b', 'multipart/form-data; boundary=x', '415 invalid_request CONTENT_TYPE_UNSUPPORTED'],
      ['a=b&'.repeat(20_000), FORM, '413 invalid_request BODY_TOO_LARGE'],
      [JSON.stringify({ ...GRANT, scope: ['a'] }), 'application/json', INVALID],
    ] as const;
    for (const [rawBody, contentType, expected] of cases) {
      const answer = await postToken(tenant, {}, { rawBody, contentType });
      assert.equal(oauthError(answer), expected, rawBody.slice(0, 20));
      assert.equal(answer.body.error_description, answer.body.detail);
    }
  });

  test('The token endpoint rejects an unknown tenant with an OAuth error', async () => {
    const answer = await postToken(tenant, GRANT, { tenant: 'org_nobody' });
    assert.equal(oauthError(answer), '400 invalid_request TENANT_NOT_FOUND');
  });
});

test('No other route accepts a form', async () => {
  const rawBody = new URLSearchParams({ identifier: 'a@example.com', secret: 'x' }).toString();
  const answer = await tenant.request('POST', '/auth/login', { rawBody, contentType: FORM });
  expectStatus(415, answer);
  assert.equal(answer.body['error'], 'Unsupported Media Type');
});
