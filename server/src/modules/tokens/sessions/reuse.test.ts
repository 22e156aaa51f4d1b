// A used refresh token is recognized, even if its signing key is gone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { importPrivateKey, newSignatureKey, signToken } from '../../../platform/crypto/jws.ts';

const DAY_SECONDS = 86_400;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`reuse-${tenants}`);
}

function logIn(tenant: TestTenant): Promise<TokenAnswer> {
  return tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

function refresh(tenant: TestTenant, token: string): Promise<Answer<TokenAnswer & ErrorBody>> {
  return tenant.request('POST', '/auth/refresh', { body: { refresh_token: token } });
}

async function refreshed(tenant: TestTenant, token: string): Promise<TokenAnswer> {
  return expectStatus(200, await refresh(tenant, token));
}

async function says(tenant: TestTenant, token: string): Promise<string> {
  const answer = await refresh(tenant, token);
  return `${answer.status} ${answer.body.code}`;
}

async function asAdmin<Body>(tenant: TestTenant, method: string, path: string) {
  return tenant.request<Body>(method, path, { token: await tenant.adminToken() });
}

/** Rotates the signing key immediately. */
async function rotate(tenant: TestTenant): Promise<void> {
  keywright.clock.advance(1);
  expectStatus(201, await asAdmin(tenant, 'POST', '/keys/rotate?immediately=true'));
}

/** The ways to remove a key from the key set. */
const departures = {
  'by a scheduled rotation': async (tenant: TestTenant) => {
    expectStatus(201, await asAdmin(tenant, 'POST', '/keys/rotate'));
    keywright.clock.advance(310 + DAY_SECONDS + 60);
  },
  'by being deleted': async (tenant: TestTenant, kid: string) => {
    await rotate(tenant);
    // Later requests need a token of the new key.
    const { token } = await tenant.createUser({ roles: ['admin'] });
    expectStatus(200, await tenant.request('DELETE', `/keys/${kid}`, { token }));
  },
};

async function assertGone(tenant: TestTenant, kid: string): Promise<void> {
  const answer = await tenant.request<{ keys: { kid: string }[] }>('GET', '/.well-known/jwks.json');
  assert.ok(expectStatus(200, answer).keys.every((key) => key.kid !== kid));
}

/** Both tokens are revoked, the reason is stored, and there is an event. */
async function assertEndedForReuse(tenant: TestTenant, last: TokenAnswer): Promise<void> {
  const token = last.access_token;
  assert.equal((await tenant.request('GET', '/me', { token })).status, 401);
  assert.equal(await says(tenant, last.refresh_token), '401 TOKEN_INVALID');
  const { sid } = claimsOf(token);
  const rows = await keywright.database.query<{ reason: string }>(
    `SELECT data ->> 'reason' AS reason FROM events
      WHERE tenant_id = $1 AND type = 'session.revoked' AND data ->> 'session_id' = $2`,
    [tenant.id, sid],
  );
  assert.deepEqual(rows, [{ reason: 'refresh_token_reused' }]);
}

for (const [how, removeKey] of Object.entries(departures)) {
  describe(`a used refresh token whose key left the key set ${how}`, () => {
    test('A used refresh token whose key left the key set ends the session if its successor is the current one', async () => {
      const tenant = await freshTenant();
      const login = await logIn(tenant);
      const next = await refreshed(tenant, login.refresh_token);
      const { kid } = headerOf(login.refresh_token);
      await removeKey(tenant, kid);
      await assertGone(tenant, kid);
      keywright.clock.advance(31);
      assert.equal(await says(tenant, login.refresh_token), '401 REFRESH_TOKEN_REUSED');
      await assertEndedForReuse(tenant, next);
    });

    test('A used refresh token whose key left the key set ends the session however many tokens have followed it', async () => {
      const tenant = await freshTenant();
      const login = await logIn(tenant);
      const thief = await refreshed(tenant, login.refresh_token);
      const { kid } = headerOf(login.refresh_token);
      await removeKey(tenant, kid);
      await assertGone(tenant, kid);
      const newer = await refreshed(tenant, thief.refresh_token);
      assert.notEqual(headerOf(newer.refresh_token).kid, kid);
      const newest = await refreshed(tenant, newer.refresh_token);
      assert.equal(await says(tenant, login.refresh_token), '401 REFRESH_TOKEN_REUSED');
      await assertEndedForReuse(tenant, newest);
    });
  });
}

describe('deleting a signing key', () => {
  test('The deletion of a signing key ends sessions that retry for a successor that it signed', async () => {
    const tenant = await freshTenant();
    const login = await logIn(tenant);
    const next = await refreshed(tenant, login.refresh_token);
    await departures['by being deleted'](tenant, headerOf(login.refresh_token).kid);
    assert.equal(await says(tenant, login.refresh_token), '401 REFRESH_TOKEN_REUSED');
    await assertEndedForReuse(tenant, next);
  });

  test('The deletion of a signing key leaves its public key and no private key', async () => {
    const tenant = await freshTenant();
    const { kid } = headerOf((await logIn(tenant)).refresh_token);
    await departures['by being deleted'](tenant, kid);
    const rows = await keywright.database.query(
      'SELECT private_key, length(public_key) AS length FROM signing_keys WHERE tenant_id = $1 AND id = $2',
      [tenant.id, kid],
    );
    assert.deepEqual(rows, [{ private_key: null, length: 43 }]);
  });

  test('A rotation deletes the private key of an expired signing key', async () => {
    const tenant = await freshTenant();
    const { kid } = headerOf((await logIn(tenant)).refresh_token);
    await departures['by a scheduled rotation'](tenant);
    await rotate(tenant);
    const rows = await keywright.database.query(
      'SELECT id FROM signing_keys WHERE tenant_id = $1 AND private_key IS NULL',
      [tenant.id],
    );
    assert.deepEqual(rows, [{ id: kid }]);
  });
});

describe('the holder of a deleted private key', () => {
  const HOUR_MS = 3_600_000;

  /** A key that was used for one hour, an hour ago, and deleted afterward. */
  async function stolenKey(tenant: TestTenant) {
    const { publicKey, privateKey } = newSignatureKey();
    const kid = 'key_01jdq3xaaaaaaaaaaaaaaaaaaa';
    const now = keywright.clock.now().getTime();
    const [from, until] = [new Date(now - 2 * HOUR_MS), new Date(now - HOUR_MS)];
    await keywright.database.query(
      `INSERT INTO signing_keys (tenant_id, id, algorithm, public_key, created_at, signs_from, retired_at)
       VALUES ($1, $2, 'EdDSA', $3, $4, $4, $5)`,
      [tenant.id, kid, publicKey, from, until],
    );
    const key = { kid, privateKey: importPrivateKey(privateKey) };
    return (claims: object) => signToken(key, 'rt+jwt', claims);
  }

  const forgeries = {
    'with the times of the real token': (claims: object) => claims,
    'dated back to when the key signed': (claims: object) => ({
      ...claims,
      iat: Math.floor(keywright.clock.now().getTime() / 1000) - 5400,
    }),
    'without a time': (claims: object) => ({ ...claims, iat: undefined }),
  };
  for (const [how, forge] of Object.entries(forgeries)) {
    test(`The holder of a deleted private key cannot end a session that started later, with a token ${how}`, async () => {
      const tenant = await freshTenant();
      const sign = await stolenKey(tenant);
      const login = await logIn(tenant);
      const token = sign(
        forge({ ...claimsOf(login.refresh_token), jti: 'AAAAAAAAAAAAAAAAAAAAAA' }),
      );
      assert.equal(await says(tenant, token), '401 TOKEN_INVALID');
      await refreshed(tenant, login.refresh_token);
    });
  }

  test('The holder of a deleted private key cannot end a session by knowing only its id', async () => {
    const tenant = await freshTenant();
    const login = await logIn(tenant);
    const kid = 'key_01jdq3xaaaaaaaaaaaaaaaaaab';
    const { publicKey, privateKey } = newSignatureKey();
    keywright.clock.advance(60);
    await keywright.database.query(
      `INSERT INTO signing_keys (tenant_id, id, algorithm, public_key, created_at, signs_from, retired_at)
       SELECT tenant_id, $2, 'EdDSA', $3, created_at, signs_from - interval '1 second', $4
         FROM signing_keys WHERE tenant_id = $1`,
      [tenant.id, kid, publicKey, keywright.clock.now()],
    );
    const key = { kid, privateKey: importPrivateKey(privateKey) };
    const claims = claimsOf(login.refresh_token);
    const other = (await logIn(tenant)).user.id;
    for (const wrong of [{ sub: other }, { session_exp: Number(Object(claims).session_exp) + 1 }]) {
      const token = signToken(key, 'rt+jwt', { ...claims, ...wrong });
      assert.equal(await says(tenant, token), '401 TOKEN_INVALID');
    }
    await refreshed(tenant, login.refresh_token);
  });
});
