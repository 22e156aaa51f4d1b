import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const NODES = [0, 1];
const ISSUER = 'https://login.acme.test';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake' });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`issuer-${tenants}`);
}

function logIn(tenant: TestTenant, node = 0): Promise<TokenAnswer> {
  return tenant.login(newIdentifier(), newPassword(), { node, extra: { register: true } });
}

function refresh(
  tenant: TestTenant,
  token: string,
  node = 0,
): Promise<Answer<TokenAnswer & ErrorBody>> {
  return tenant.request('POST', '/auth/refresh', { node, body: { refresh_token: token } });
}

/** Sets the issuer of a tenant, and waits until every node issues under it. */
async function setIssuer(tenant: TestTenant, issuer: string | null): Promise<void> {
  const token = await keywright.adminToken();
  const options = { token, body: { issuer } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
  const expected = issuer ?? `https://id.example.com/t/${tenant.id}`;
  for (const node of NODES) {
    await until(
      'the issuer is in force',
      async () => claimsOf((await logIn(tenant, node)).access_token).iss === expected,
      1000,
    );
  }
}

describe("a tenant's own issuer", () => {
  test('The tokens of a tenant name its new issuer; tokens of the previous one are rejected, and refreshing gives new ones', async () => {
    const tenant = await freshTenant();
    const login = await logIn(tenant);
    await setIssuer(tenant, ISSUER);
    for (const node of NODES) {
      const old = { node, token: login.access_token };
      assert.equal((await tenant.request('GET', '/me', old)).status, 401);
    }
    const next = expectStatus(200, await refresh(tenant, login.refresh_token));
    const { iss, aud } = claimsOf(next.access_token);
    assert.deepEqual([iss, aud], [ISSUER, ISSUER]);
    for (const node of NODES) {
      const me = { node, token: next.access_token };
      expectStatus(200, await tenant.request('GET', '/me', me));
    }
    expectStatus(200, await refresh(tenant, next.refresh_token));
  });
});

describe('an issuer that changes between a rotation and its retry', () => {
  const CHANGES = [
    ['is set', null, ISSUER],
    ['is replaced', ISSUER, 'https://other.acme.test/t'],
    ['is taken back', ISSUER, null],
  ] as const;
  for (const [what, first, second] of CHANGES) {
    test(`${what}: the retry gets the same successor, byte for byte, and it works`, async () => {
      const tenant = await freshTenant();
      if (first !== null) await setIssuer(tenant, first);
      const login = await logIn(tenant);
      const successor = expectStatus(200, await refresh(tenant, login.refresh_token));
      await setIssuer(tenant, second);
      keywright.clock.advance(29);
      for (const node of NODES) {
        const again = expectStatus(200, await refresh(tenant, login.refresh_token, node));
        assert.equal(again.refresh_token, successor.refresh_token);
        const me = { node, token: again.access_token };
        expectStatus(200, await tenant.request('GET', '/me', me));
      }
      const next = expectStatus(200, await refresh(tenant, successor.refresh_token, 1));
      expectStatus(200, await tenant.request('GET', '/me', { token: next.access_token }));
      const reused = await refresh(tenant, login.refresh_token);
      assert.equal(expectStatus(401, reused).code, 'REFRESH_TOKEN_REUSED');
    });
  }

  test('A refresh token of an earlier issuer that was used under the current one can be retried under the current one', async () => {
    const tenant = await freshTenant();
    const login = await logIn(tenant);
    await setIssuer(tenant, ISSUER);
    const successor = expectStatus(200, await refresh(tenant, login.refresh_token));
    const again = expectStatus(200, await refresh(tenant, login.refresh_token, 1));
    assert.equal(again.refresh_token, successor.refresh_token);
    expectStatus(200, await refresh(tenant, again.refresh_token));
  });
});
