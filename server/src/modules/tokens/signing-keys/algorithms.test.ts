import assert from 'node:assert/strict';
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { KeyAlgorithm, SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';
import { compactVerify, importJWK, type JWK, SignJWT } from 'jose';
import { unseal } from '../../../platform/crypto/sealed.ts';
import { MasterKeys } from '../../../tenancy/data-keys.ts';
import { sealedPlace } from './key-ring.ts';

const MASTER_KEY = randomBytes(32);
const NODES = [0, 1];
const OTHERS = ['RS256', 'ES256'] as const;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({
    nodes: NODES.length,
    clock: 'fake',
    env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY.toString('base64') },
  });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  const config = { login_attempts_limit: 10_000 };
  return keywright.tenant(`algorithms-${tenants}`, { config });
}

async function requestAsAdmin<Body>(
  tenant: TestTenant,
  method: string,
  path: string,
  node = 0,
): Promise<Answer<Body & ErrorBody>> {
  return tenant.request(method, path, { node, token: await tenant.adminToken() });
}

async function rotate(tenant: TestTenant, query: string): Promise<SigningKeyRecord> {
  keywright.clock.advance(1);
  const answer = await requestAsAdmin<SigningKeyRecord>(tenant, 'POST', `/keys/rotate?${query}`);
  return expectStatus(201, answer);
}

async function keysOf(tenant: TestTenant): Promise<readonly SigningKeyRecord[]> {
  const answer = await requestAsAdmin<{ items: SigningKeyRecord[] }>(tenant, 'GET', '/keys');
  return expectStatus(200, answer).items;
}

async function statesOf(tenant: TestTenant, algorithm: KeyAlgorithm): Promise<string[]> {
  const keys = await keysOf(tenant);
  return keys.filter((key) => key.algorithm === algorithm).map(({ state }) => state);
}

async function published(tenant: TestTenant, node = 0): Promise<readonly JWK[]> {
  const path = '/.well-known/jwks.json';
  return expectStatus(200, await tenant.request<{ keys: JWK[] }>('GET', path, { node })).keys;
}

/** The private half of a key, decrypted as the service does. */
async function privateKeyOf(tenant: TestTenant, kid: string): Promise<KeyObject> {
  const [row] = await keywright.database.query<{
    private_key: Buffer;
    wrapped_key: Buffer;
    master_key_id: string;
  }>(
    `SELECT k.private_key, d.wrapped_key, d.master_key_id
       FROM signing_keys k JOIN tenant_data_keys d ON d.tenant_id = k.tenant_id WHERE k.id = $1`,
    [kid],
  );
  assert.ok(row);
  const dataKey = new MasterKeys([MASTER_KEY]).unwrap(tenant.id, row);
  const der = unseal(dataKey, row.private_key, sealedPlace(tenant.id, kid));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function logIn(tenant: TestTenant): Promise<TokenAnswer> {
  return tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

describe('the key set of one algorithm', () => {
  const KEY_TYPES = { EdDSA: 'OKP', RS256: 'RSA', ES256: 'EC' } as const;
  let tenant: TestTenant;
  const get = (query: string, base = '', headers = {}) =>
    tenant.request<{ keys: JWK[] } & ErrorBody>('GET', `${base}/.well-known/jwks.json${query}`, {
      headers,
      ...(base && { tenant: [] }),
    });

  before(async () => {
    tenant = await freshTenant();
    for (const algorithm of OTHERS) await rotate(tenant, `algorithm=${algorithm}&immediately=true`);
  });

  test('The key set of one algorithm contains only its keys, and is cached apart from the others, at both addresses', async () => {
    const tags = new Set<string>();
    for (const base of ['', `/t/${tenant.id}`]) {
      const all = expectStatus(200, await get('', base)).keys;
      for (const [alg, kty] of Object.entries(KEY_TYPES)) {
        const answer = await get(`?alg=${alg}`, base);
        const { keys } = expectStatus(200, answer);
        assert.deepEqual(
          keys,
          all.filter((key) => key.alg === alg),
        );
        assert.deepEqual([keys.length, keys[0]?.kty], [1, kty]);
        const { etag, vary, 'cache-control': cached } = answer.headers;
        assert.match(String(cached), /^public, max-age=300$/);
        if (base === '') assert.match(String(vary), /X-Tenant-ID, Host/);
        const again = await get(`?alg=${alg}`, base, { 'if-none-match': String(etag) });
        const others = await get('', base, { 'if-none-match': String(etag) });
        assert.deepEqual([again.status, others.status], [304, 200]);
        tags.add(String(etag));
      }
    }
    assert.equal(tags.size, 3);
  });

  test('The key set of one algorithm is empty until its first key exists', async () => {
    const fresh = await freshTenant();
    const path = '/.well-known/jwks.json?alg=ES256';
    assert.deepEqual(expectStatus(200, await fresh.request('GET', path)), { keys: [] });
  });

  test('The key set returns 400 for an algorithm that is unknown, empty or given twice, and ignores other parameters', async () => {
    for (const query of ['?alg=HS256', '?alg=', '?alg=RS256&alg=ES256', '?alg=__proto__']) {
      const { code, errors } = expectStatus(400, await get(query));
      assert.deepEqual([code, errors?.[0]?.path], ['VALIDATION_FAILED', '/alg'], query);
    }
    assert.equal((await get('?v=1')).text, (await get('')).text);
  });
});

describe('keys of RS256 and ES256', () => {
  for (const algorithm of OTHERS) {
    test(`A published key has alg, kid and use, and verifies what its private half signs: ${algorithm}`, async () => {
      const tenant = await freshTenant();
      const { id, state } = await rotate(tenant, `algorithm=${algorithm}&immediately=true`);
      assert.equal(state, 'current');
      for (const node of NODES) {
        const jwk = await until('the key is published', async () =>
          (await published(tenant, node)).find(({ kid }) => kid === id),
        );
        const { kty, alg, use, d } = jwk;
        const type = algorithm === 'RS256' ? 'RSA' : 'EC';
        assert.deepEqual([kty, alg, use, d], [type, algorithm, 'sig', undefined]);
        if (type === 'RSA') assert.equal(Buffer.from(jwk.n ?? '', 'base64url').length * 8, 2048);
        const signed = await new SignJWT({}).setProtectedHeader({ alg: algorithm }).sign(
          // The private key is read from the row, to check that both halves form a pair.
          await privateKeyOf(tenant, id),
        );
        await compactVerify(signed, await importJWK(jwk, algorithm), { algorithms: [algorithm] });
      }
    });

    test(`The keys of one algorithm are rotated and retired apart from those of other algorithms: ${algorithm}`, async () => {
      const tenant = await freshTenant();
      const first = await rotate(tenant, `algorithm=${algorithm}&immediately=true`);
      const next = await rotate(tenant, `algorithm=${algorithm}`);
      assert.deepEqual(await statesOf(tenant, algorithm), ['next', 'current']);
      assert.deepEqual(await statesOf(tenant, 'EdDSA'), ['current']);
      const again = await requestAsAdmin(tenant, 'POST', `/keys/rotate?algorithm=${algorithm}`);
      assert.equal(expectStatus(400, again).code, 'ROTATION_IN_PROGRESS');
      const edDsaKey = await rotate(tenant, 'algorithm=EdDSA');
      assert.equal(edDsaKey.state, 'next');
      const used = await requestAsAdmin(tenant, 'DELETE', `/keys/${first.id}`);
      assert.equal(expectStatus(400, used).code, 'KEY_IN_USE');
      keywright.clock.advance(310);
      assert.deepEqual(await statesOf(tenant, algorithm), ['current', 'previous']);
      expectStatus(200, await requestAsAdmin(tenant, 'DELETE', `/keys/${first.id}`));
      for (const node of NODES) {
        await until('the retired key is gone', async () => {
          const kids = (await published(tenant, node)).map(({ kid }) => kid);
          return kids.includes(next.id) && kids.includes(edDsaKey.id) && !kids.includes(first.id);
        });
      }
      keywright.clock.advance(86_400 + 60);
      assert.deepEqual(
        (await published(tenant)).map(({ alg }) => alg),
        ['EdDSA', algorithm],
      );
    });
  }

  test('The RS256 and ES256 keys of a tenant sign none of the tokens of the service itself', async () => {
    const tenant = await freshTenant();
    const earlier = headerOf((await logIn(tenant)).access_token);
    for (const algorithm of OTHERS) await rotate(tenant, `algorithm=${algorithm}&immediately=true`);
    const { access_token, refresh_token } = await logIn(tenant);
    for (const token of [access_token, refresh_token]) {
      const { alg, kid } = headerOf(token);
      assert.deepEqual([alg, kid], ['EdDSA', earlier.kid]);
    }
  });

  test('Ten concurrent rotations create one RS256 key', async () => {
    const tenant = await freshTenant();
    await tenant.adminToken();
    const answers = await parallel(10, (index) =>
      requestAsAdmin(tenant, 'POST', '/keys/rotate?algorithm=RS256', index % NODES.length),
    );
    const codes = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(codes, [201, ...Array<number>(9).fill(400)]);
    assert.deepEqual(await statesOf(tenant, 'RS256'), ['next']);
  });
});

describe('a token that the tenant itself signed with RS256 or ES256', () => {
  for (const algorithm of OTHERS) {
    test(`A token that the tenant signed with ${algorithm} is neither an access token nor a refresh token, whatever it says`, async () => {
      const tenant = await freshTenant();
      const { id: kid } = await rotate(tenant, `algorithm=${algorithm}&immediately=true`);
      const key = await privateKeyOf(tenant, kid);
      const login = await logIn(tenant);
      const forge = async (token: string, alg: string) => {
        const { typ } = headerOf(token);
        const claims = { ...claimsOf(token) };
        const signed = await new SignJWT(claims)
          .setProtectedHeader({ alg: algorithm, typ, kid })
          .sign(key);
        const [, payload, signature] = signed.split('.');
        const header = Buffer.from(JSON.stringify({ alg, typ, kid })).toString('base64url');
        return alg === algorithm ? signed : `${header}.${payload}.${signature}`;
      };
      for (const alg of [algorithm, 'EdDSA']) {
        const token = await forge(login.access_token, alg);
        const refused = await tenant.request<ErrorBody>('GET', '/me', { token });
        assert.equal(expectStatus(401, refused).code, 'TOKEN_INVALID', alg);
        const options = { token: login.access_token, body: { token } };
        const verification = await tenant.request('POST', '/auth/verify-token', options);
        assert.equal(verification.text, '{"active":false}');
        const body = { refresh_token: await forge(login.refresh_token, alg) };
        expectStatus(401, await tenant.request('POST', '/auth/refresh', { body }));
      }
      const body = { refresh_token: login.refresh_token };
      expectStatus(200, await tenant.request('POST', '/auth/refresh', { body }));
    });
  }
});
