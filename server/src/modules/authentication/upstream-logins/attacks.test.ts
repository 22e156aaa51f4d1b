// Attacks by a provider, a browser or a third party.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import { newStatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  flowStep,
  goToProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;

before(async () => {
  upstream = await startUpstreamLogin({ slug: 'attacked', clock: 'fake', nodes: 2 });
  ({ keywright, tenant, provider, record } = upstream);
});
after(() => upstream.close());
beforeEach(async () => {
  await keywright.database.query('DELETE FROM login_attempts');
  provider.claims = (usual) => usual;
  provider.idToken = undefined;
  provider.instead.clear();
});

const newPerson = () => upstream.newPerson();

const startFlow = () => startUpstreamFlow(tenant);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @returns the error that the browser gets */
async function outcome(person = newPerson()): Promise<string | null> {
  const at = await goToProvider(tenant, await startFlow(), record);
  const back = await comeBack(tenant, provider.authorize(at, person));
  return back.searchParams.get('error') ?? (back.searchParams.has('handoff') ? 'handoff' : null);
}

function returnOf(back: URL, node = 0) {
  return tenant.request('GET', `${back.pathname}${back.search}`, { node });
}

describe('an ID token', () => {
  const CLAIMS: Readonly<Record<string, object>> = {
    'of another issuer': { iss: 'https://accounts.google.com' },
    'for another client': { aud: 'another' },
    'for several clients, without azp': { aud: ['keywright', 'another'] },
    'of another login': { nonce: 'another' },
    'without a nonce': { nonce: undefined },
    'that has expired': { exp: 1 },
    'without a subject': { sub: undefined },
  };
  for (const [what, claims] of Object.entries(CLAIMS)) {
    test(`${what} is refused`, async () => {
      provider.claims = (usual) => ({ ...usual, ...claims });
      assert.equal(await outcome(), 'provider_refused');
    });
  }

  test('An ID token without a signature, with a MAC of the public key, or of another key is refused', async () => {
    const other = await newStatementKey('RS256');
    const { kid } = provider.signer;
    const forgeries: FakeProvider['idToken'][] = [
      async (claims) => `${base64url({ alg: 'none' })}.${base64url(claims)}.`,
      async (claims) => {
        const input = `${base64url({ alg: 'HS256', kid })}.${base64url(claims)}`;
        const key = JSON.stringify(provider.signer.publicJwk);
        return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
      },
      (claims) => other.sign(claims, { kid }),
      (claims) => other.sign(claims, { kid: '../../keys' }),
      (claims) => other.sign(claims, { jwk: other.publicJwk }),
      async () => undefined,
    ];
    for (const forge of forgeries) {
      provider.idToken = forge;
      assert.equal(await outcome(), 'provider_refused');
    }
    provider.idToken = undefined;
    assert.equal(await outcome(), 'handoff');
  });

  test('An ID token that is signed with a rotated key is accepted', async () => {
    keywright.clock.advance(60);
    provider.signer = await newStatementKey('ES256');
    provider.keys = [...provider.keys, provider.signer];
    assert.equal(await outcome(), 'handoff');
  });
});

test('A client that makes the keys of a provider unavailable at the token endpoint does not block logins there', async () => {
  // The keys of earlier logins are no longer cached.
  keywright.clock.advance(1000);
  provider.instead.set('/keys', (_request, response) => response.writeHead(500).end());
  const trust = { issuer: provider.issuer, audience: 'keywright', subject: 'workload' };
  const agent = await tenant.request('POST', '/agents', {
    token: await tenant.adminToken(),
    body: { name: 'deployer', scopes: ['read:users'], trusts: [trust] },
  });
  const seconds = Math.floor(keywright.clock.now().getTime() / 1000);
  const claims = { iss: provider.issuer, aud: 'keywright', sub: 'workload', jti: 'first' };
  const refused = await postToken(tenant, {
    grant_type: GRANT_TYPE.jwtBearer,
    client_id: String(expectStatus(201, agent)['id']),
    assertion: await provider.signer.sign({ ...claims, iat: seconds, exp: seconds + 300 }),
  });
  assert.equal(oauthError(refused), '400 invalid_grant GRANT_INVALID');
  assert.equal(provider.requestedPaths.at(-1), '/keys');
  provider.instead.clear();
  assert.equal(await outcome(), 'handoff');
});

describe('a callback', () => {
  test('A callback is accepted once, with any result', async () => {
    const at = await goToProvider(tenant, await startFlow(), record);
    const back = provider.authorize(at, newPerson());
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => returnOf(back, n % 2)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [303, ...Array.from({ length: 63 }, () => 401)]);
    assert.equal(
      provider.exchanges.filter(
        (exchange) => exchange.get('code') === back.searchParams.get('code'),
      ).length,
      1,
    );
  });

  test('A callback requires a state of its provider that is still valid', async () => {
    const other = await addProvider(tenant, provider);
    const wrong = async (change: (back: URL) => URL | void, seconds = 0) => {
      const at = await goToProvider(tenant, await startFlow(), record);
      const back = provider.authorize(at, newPerson());
      keywright.clock.advance(seconds);
      const answer = await returnOf(change(back) ?? back);
      assert.equal(answer.status, 401);
      assert.match(answer.text, /PROVIDER_REFUSED/);
      assert.equal(answer.headers.location, undefined);
    };
    await wrong((back) => back.searchParams.delete('state'));
    await wrong((back) => back.searchParams.set('state', 'another'));
    // Mix-up attack: the response of one provider at the callback of another.
    await wrong((back) => new URL(back.href.replace(record.id, other.id)));
    await wrong((back) => new URL(back.href.replace(record.id, 'idp_unknown')));
    await wrong(() => undefined, 10 * 60);
  });

  test('A callback of another tenant is unknown', async () => {
    const elsewhere = await keywright.tenant('attacked-elsewhere', { config: UPSTREAM_CONFIG });
    const elsewhereRecord = await addProvider(elsewhere, provider);
    const at = await goToProvider(tenant, await startFlow(), record);
    const { href } = provider.authorize(at, newPerson());
    for (const id of [record.id, elsewhereRecord.id]) {
      const there = href.replace(tenant.id, elsewhere.id).replace(record.id, id);
      assert.equal((await returnOf(new URL(there))).status, 401);
    }
  });

  test('A callback must name the issuer if the provider promises to, and no other issuer (RFC 9207)', async () => {
    const strict = await startFakeProvider();
    strict.now = provider.now;
    strict.metadata = { authorization_response_iss_parameter_supported: true };
    const strictRecord = await addProvider(tenant, strict);
    for (const [iss, error] of [
      [undefined, 'provider_refused'],
      [provider.issuer, 'provider_refused'],
      [strict.issuer, null],
    ] as const) {
      const at = await goToProvider(tenant, await startFlow(), strictRecord);
      const back = strict.authorize(at, newPerson(), iss === undefined ? {} : { iss });
      assert.equal((await comeBack(tenant, back)).searchParams.get('error'), error);
    }
    await strict.close();
  });

  test('A callback without a code reports the reason', async () => {
    for (const [error, shown] of [
      ['access_denied', 'access_denied'],
      ['server_error', 'provider_refused'],
    ] as const) {
      const back = provider.authorize(
        await goToProvider(tenant, await startFlow(), record),
        newPerson(),
      );
      back.searchParams.delete('code');
      back.searchParams.set('error', error);
      const at = await comeBack(tenant, back);
      assert.equal(at.searchParams.get('error'), shown);
    }
  });

  test('A callback with the code of another login is refused', async () => {
    const [first, two] = [await startFlow(), await startFlow()];
    const [mine, theirs] = [
      provider.authorize(await goToProvider(tenant, first, record), newPerson()),
      provider.authorize(await goToProvider(tenant, two, record), newPerson()),
    ];
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    assert.equal((await comeBack(tenant, mine)).searchParams.get('error'), 'provider_refused');
  });

  test('A callback from a provider that was deleted or disabled during the login is refused, before and after the redirect', async () => {
    const token = await tenant.adminToken();
    for (const method of ['DELETE', 'PATCH']) {
      for (const isBack of [false, true]) {
        const otherRecord = await addProvider(tenant, provider);
        const flow = await startFlow();
        const there = provider.authorize(
          await goToProvider(tenant, flow, otherRecord),
          newPerson(),
        );
        const back = isBack ? await comeBack(tenant, there) : undefined;
        const body = { ...(method === 'PATCH' && { body: { is_active: false } }) };
        const path = `/identity-providers/${otherRecord.id}`;
        expectStatus(200, await tenant.request(method, path, { token, ...body }));
        if (back) {
          const fields = { handoff: handoffOf(back) };
          const answer = await flowStep(tenant, flow, 'oauth/finish', fields);
          assert.equal(answer.body.code, 'PROVIDER_REFUSED');
        } else {
          const at = await comeBack(tenant, there);
          assert.equal(at.searchParams.get('error'), 'provider_refused');
        }
      }
    }
  });

  test('A callback as a form is redirected as a GET', async () => {
    const flow = await startFlow();
    const back = provider.authorize(await goToProvider(tenant, flow, record), newPerson());
    const options = {
      rawBody: back.search.slice(1),
      contentType: 'application/x-www-form-urlencoded',
      headers: { origin: provider.issuer },
    };
    const answer = await tenant.request('POST', back.pathname, options);
    assert.equal(answer.status, 303);
    const next = new URL(answer.headers.location ?? '', 'https://id.example.com');
    assert.equal(next.href, back.href);
    handoffOf(await comeBack(tenant, next));
  });
});

describe('a handoff', () => {
  test('A handoff is accepted once, in its own flow, within 60 seconds', async () => {
    const [flow, stranger] = [await startFlow(), await startFlow()];
    const fresh = async () => {
      const back = provider.authorize(await goToProvider(tenant, flow, record), newPerson());
      return { handoff: handoffOf(await comeBack(tenant, back)) };
    };
    const stolen = await fresh();
    const theft = await flowStep(tenant, stranger, 'oauth/finish', stolen);
    assert.equal(theft.body.code, 'PROVIDER_REFUSED');
    const late = await fresh();
    keywright.clock.advance(60);
    const tooLate = await flowStep(tenant, flow, 'oauth/finish', late);
    assert.equal(tooLate.body.code, 'PROVIDER_REFUSED');
    const used = await fresh();
    const replaced = await flowStep(tenant, flow, 'oauth/finish', late);
    assert.equal(replaced.body.code, 'PROVIDER_REFUSED');
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => flowStep(tenant, flow, 'oauth/finish', used, n % 2)),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  test('A replaced login gets no handoff', async () => {
    const flow = await startFlow();
    const first = provider.authorize(await goToProvider(tenant, flow, record), newPerson());
    const second = provider.authorize(await goToProvider(tenant, flow, record), newPerson());
    assert.equal((await returnOf(first)).status, 401);
    handoffOf(await comeBack(tenant, second));
  });
});

describe('a flow', () => {
  test('A flow leads only to active providers of its tenant, at most 20 times', async () => {
    const flow = await startFlow();
    const elsewhere = await keywright.tenant('attacked-providers', { config: UPSTREAM_CONFIG });
    const theirs = await addProvider(elsewhere, provider);
    const off = await addProvider(tenant, provider, { is_active: false });
    for (const id of [theirs.id, off.id, 'idp_x', 'https://evil.example.com']) {
      const answer = await flowStep(tenant, flow, 'oauth', {
        provider: id,
        return_url: RETURN_URL,
      });
      assert.equal(answer.body.code, 'NOT_FOUND');
    }
    for (let count = 0; count < 20; count += 1) await goToProvider(tenant, flow, record);
    const body = { provider: record.id, return_url: RETURN_URL };
    assert.equal((await flowStep(tenant, flow, 'oauth', body)).body.code, 'FLOW_ENDED');
  });
});

describe('a provider', () => {
  async function refusedAt(lying: FakeProvider) {
    const lyingRecord = await addProvider(tenant, lying);
    const body = { provider: lyingRecord.id, return_url: RETURN_URL };
    const answer = await flowStep(tenant, await startFlow(), 'oauth', body);
    assert.equal(answer.body.code, 'PROVIDER_REFUSED', answer.text);
    assert.ok(!answer.text.includes(lying.issuer));
    await lying.close();
  }

  for (const [what, metadata] of Object.entries({
    'speaks for another issuer': { issuer: 'https://accounts.google.com' },
    'has no token endpoint': { token_endpoint: undefined },
    'sends users to a script': { authorization_endpoint: 'javascript:alert(1)' },
    'sends users to a file': { authorization_endpoint: 'file:///etc/passwd' },
  })) {
    test(`A provider that ${what} is refused`, async () => {
      const lying = await startFakeProvider();
      lying.metadata = metadata;
      await refusedAt(lying);
    });
  }

  test('A provider that redirects, or sends too large a response, is refused', async () => {
    const elsewhere = await startFakeProvider();
    for (const [status, body] of [
      [302, ''],
      [200, `{"issuer":"${'x'.repeat(1024 * 1024)}"}`],
    ] as const) {
      const lying = await startFakeProvider();
      lying.instead.set('/.well-known/openid-configuration', (_request, response) => {
        const location = `${elsewhere.issuer}/.well-known/openid-configuration`;
        response.writeHead(status, { location, 'content-type': 'application/json' }).end(body);
      });
      await refusedAt(lying);
    }
    assert.deepEqual(elsewhere.requestedPaths, []);
    await elsewhere.close();
  });

  test('A provider cannot make the service call addresses inside its network', async () => {
    const inside = await startFakeProvider('localhost');
    for (const endpoint of ['token_endpoint', 'jwks_uri']) {
      const lying = await startFakeProvider();
      lying.now = provider.now;
      lying.metadata = { [endpoint]: `${inside.issuer}/${endpoint}` };
      const lyingRecord = await addProvider(tenant, lying);
      const at = await goToProvider(tenant, await startFlow(), lyingRecord);
      const back = await comeBack(tenant, lying.authorize(at, newPerson()));
      assert.equal(back.searchParams.get('error'), 'provider_refused');
      await lying.close();
    }
    assert.deepEqual(inside.requestedPaths, []);
    await inside.close();
  });

  test('A provider whose token endpoint redirects cannot have the secret sent elsewhere', async () => {
    const elsewhere = await startFakeProvider();
    provider.instead.set('/token', (_request, response) => {
      response.writeHead(307, { location: `${elsewhere.issuer}/token` }).end();
    });
    assert.equal(await outcome(), 'provider_refused');
    assert.deepEqual(elsewhere.requestedPaths, []);
    await elsewhere.close();
  });

  test('A provider has its own subjects: the same subject at another provider is another user', async () => {
    const second = await startFakeProvider();
    second.now = provider.now;
    const secondRecord = await addProvider(tenant, second);
    const { sub } = newPerson();
    const login = async (at: FakeProvider, by: IdentityProviderRecord) => {
      const person = { sub, email: newIdentifier(), email_verified: true };
      const answer = await proveUpstream(
        tenant,
        await startFlow(),
        { provider: at, record: by },
        person,
      );
      return expectStatus(200, answer).user?.id;
    };
    const [first, two] = [await login(provider, record), await login(second, secondRecord)];
    assert.notEqual(first, two);
    await second.close();
  });
});
