// Applications that authenticate with keys which they publish at their `jwks_uri`.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { registerClient } from '@keywright/tests/harness/application';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  answerJson,
  type OutsideIssuer,
  startOutsideIssuer,
} from '@keywright/tests/harness/outside-issuer';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;
let key: StatementKey;
let application: OutsideIssuer;
let clientId: string;
let paths = 0;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('published');
  key = await newStatementKey('ES256');
  application = await startOutsideIssuer([key]);
});
after(async () => {
  await application.close();
  await keywright.close();
});

beforeEach(async () => {
  application.keys = [key];
  application.jwks = undefined;
  clientId = await register(tenant);
  // Earlier failures no longer count.
  keywright.clock.advance(61);
});

/** A client whose key set has not been fetched yet. */
function register(at: TestTenant): Promise<string> {
  const jwks_uri = `${application.url}/keys-${(paths += 1)}`;
  return registerClient(at, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri });
}

interface Introspection {
  readonly of?: TestTenant;
  readonly by?: StatementKey;
  readonly id?: string;
  readonly claims?: object;
}

/** Introspects an invalid token, which requires client authentication. */
async function introspect({
  of = tenant,
  by = key,
  id = clientId,
  claims = {},
}: Introspection = {}): Promise<Answer<JsonBody>> {
  const iat = Math.floor(keywright.clock.now().getTime() / 1000);
  const aud = `https://id.example.com/t/${of.id}`;
  const stated = { iss: id, sub: id, aud, jti: randomUUID(), iat, exp: iat + 60, ...claims };
  const form = new URLSearchParams({
    token: 'none',
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: await by.sign(stated),
  });
  const contentType = 'application/x-www-form-urlencoded';
  return of.request('POST', '/oauth/introspect', { rawBody: form.toString(), contentType });
}

async function statusOf(introspection: Introspection = {}): Promise<number> {
  return (await introspect(introspection)).status;
}

/** How often its keys are fetched meanwhile. */
async function fetchesDuring(work: () => Promise<unknown>): Promise<number> {
  const { requestCount } = application;
  await work();
  return application.requestCount - requestCount;
}

describe('an application with a jwks_uri', () => {
  test('An application with a jwks_uri authenticates with a key that it publishes, which is fetched once', async () => {
    const fetches = await fetchesDuring(async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        assert.deepEqual(expectStatus(200, await introspect()), { active: false });
      }
    });
    assert.equal(fetches, 1);
  });

  test('An application with a jwks_uri rotates its key by publishing another one, and the previous one is rejected', async () => {
    assert.equal(await statusOf(), 200);
    const next = await newStatementKey('EdDSA');
    application.keys = [next];
    keywright.clock.advance(30);
    assert.equal(await statusOf({ by: next }), 200);
    assert.equal(await statusOf(), 401);
  });

  test('The published keys are fetched once despite a flood of assertions with unknown kids', async () => {
    assert.equal(await statusOf(), 200);
    const fetches = await fetchesDuring(async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        assert.equal(await statusOf({ by: await newStatementKey('EdDSA') }), 401);
      }
    });
    assert.equal(fetches, 0);
  });

  test('The published keys are not fetched for an assertion that no key could make valid', async () => {
    const admin = { token: await tenant.adminToken(), body: { is_active: false } };
    const inactive = await register(tenant);
    expectStatus(200, await tenant.request('PATCH', `/clients/${inactive}`, admin));
    const other = await keywright.tenant(`published-${paths}`);
    const answers: Answer<JsonBody>[] = [];
    const fetches = await fetchesDuring(async () => {
      answers.push(
        await introspect({ id: inactive }),
        await introspect({ of: other }),
        await introspect({ claims: { exp: 1 } }),
        await introspect({ claims: { aud: 'https://other.example.com' } }),
        await introspect({ claims: { jti: undefined } }),
        await introspect({ claims: { iss: 'another' } }),
      );
    });
    assert.equal(fetches, 0);
    const unknown = await introspect({ id: clientId.replace(/.{4}$/, '0000') });
    for (const { status, text } of answers) {
      assert.deepEqual([status, text], [401, unknown.text]);
    }
  });

  test('An application whose published keys cannot be fetched gets the answer of an unknown one, and the log says why', async () => {
    const unknown = await introspect({ id: clientId.replace(/.{4}$/, '0000') });
    application.jwks = (_request, response) =>
      response.writeHead(302, { location: application.url }).end();
    const { status, text } = await introspect();
    assert.deepEqual([status, text], [401, unknown.text]);
    const noted = async () => {
      const token = await tenant.adminToken();
      const answer = await tenant.request('GET', '/audit', {
        token,
      });
      return JSON.stringify(expectStatus(200, answer)).includes('jwks: redirected');
    };
    await until('it is in the log', noted);
  });

  test('An application whose jwks_uri does not respond delays neither another tenant nor another application', async () => {
    const other = await keywright.tenant(`published-${paths}`);
    const [theirs, ours] = [await register(other), await register(tenant)];
    const pending: ServerResponse[] = [];
    application.jwks = (_request, response) => pending.push(response);
    const waiting = statusOf();
    await until('it is asked', () => pending.length === 1);
    application.jwks = undefined;
    assert.equal(await statusOf({ of: other, id: theirs }), 200);
    assert.equal(await statusOf({ id: ours }), 200);
    for (const response of pending) answerJson(response, { keys: [key.publicJwk] });
    assert.equal(await waiting, 200);
  });

  test('An application that changes its jwks_uri is immediately known by the keys at its present address', async () => {
    assert.equal(await statusOf(), 200);
    const next = await newStatementKey('EdDSA');
    const change = async (body: object) => {
      const options = { token: await tenant.adminToken(), body };
      expectStatus(200, await tenant.request('PATCH', `/clients/${clientId}`, options));
    };
    application.keys = [next];
    await change({ jwks_uri: `${application.url}/keys-${(paths += 1)}` });
    assert.deepEqual([await statusOf(), await statusOf({ by: next })], [401, 200]);
    await change({ jwks_uri: null, jwks: { keys: [key.publicJwk] } });
    assert.deepEqual([await statusOf(), await statusOf({ by: next })], [200, 401]);
  });
});
