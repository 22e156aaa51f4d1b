import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { exchangeOf, proofOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import {
  ORDERS,
  PRICES,
  SCOPES,
  type Services,
  startServices,
  STOCK,
} from '@keywright/tests/harness/services';
import type { TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';
import { createVerifier, VerificationError } from '../../../../../sdk/src/sdk.ts';

const REFUSED = '400 invalid_request EXCHANGE_REFUSED';

let services: Services;

before(async () => {
  services = await startServices();
});
after(() => services.keywright.close());

async function isActive(token: string, by: CreatedOAuthClient, node = 0): Promise<unknown> {
  return (await services.introspect(token, by, node))['active'];
}

async function assertEnded(token: string, by: CreatedOAuthClient): Promise<void> {
  for (const node of [0, 1]) assert.equal(await isActive(token, by, node), false, `node ${node}`);
}

interface Listed<Item> {
  readonly items: readonly Item[];
}

async function change({ user: { id } }: TestUser, body: object): Promise<Answer<unknown>> {
  const { tenant } = services;
  return tenant.request('PATCH', `/users/${id}`, { token: await tenant.adminToken(), body });
}

describe('an exchanged token', () => {
  test('An exchanged token is not accepted by the service itself', async () => {
    const { tenant, orders } = services;
    const token = await services.exchanged(orders, await services.tokenOf());
    for (const path of ['/me', '/users', '/oauth/userinfo']) {
      expectStatus(401, await tenant.request('GET', path, { token }));
    }
  });

  test('An exchanged token is known only to the client that received it and to the service of its resource', async () => {
    const { orders, stock, shop, prices } = services;
    const token = await services.exchanged(orders, await services.tokenOf());
    const results: unknown[] = [];
    for (const by of [orders, stock, shop, prices]) results.push(await isActive(token, by));
    assert.deepEqual(results, [true, true, false, false]);
    const { act } = await services.introspect(token, stock);
    assert.deepEqual(act, { sub: orders.id, act: { sub: shop.id } });
  });

  type End = (token: string, of: TestUser) => Promise<Answer<unknown>>;
  const ends: Readonly<Record<string, End>> = {
    'the session of the application ends': (token) => services.revoke(token, services.shop),
    'the user is deactivated': (_, of) => change(of, { is_active: false }),
    'the permissions of the user change': (_, of) => change(of, { roles: ['member'] }),
    'the user withdraws their consent': async (_, { token }) => {
      const { tenant, shop } = services;
      type Consents = Listed<{ readonly id: string; readonly client_id: string }>;
      const answer = await tenant.request<Consents>('GET', '/me/consents', { token });
      const { items } = expectStatus(200, answer);
      const consent = items.find((item) => item.client_id === shop.id);
      return tenant.request('DELETE', `/me/consents/${consent?.id}`, { token });
    },
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`An exchanged token and its chain end immediately, on every node, when ${what}`, async () => {
      const { tenant, orders, stock, prices } = services;
      const by = await createUserWith(tenant, ['read:orders']);
      const token = await services.tokenOf(by);
      const first = await services.exchanged(orders, token);
      const second = await services.exchanged(stock, first, { resource: PRICES });
      const both = [await isActive(first, stock), await isActive(second, prices)];
      assert.deepEqual(both, [true, true]);
      expectStatus(200, await end(token, by));
      await assertEnded(first, stock);
      await assertEnded(second, prices);
      for (const node of [0, 1]) {
        const again = await services.exchange(stock, first, { resource: PRICES }, { node });
        assert.equal(oauthError(again), REFUSED);
      }
    });
  }

  test('An exchanged token is refused by offline verifiers within two seconds of the end of the session', async (t) => {
    const { orders, shop, issuer, keywright } = services;
    const token = await services.tokenOf();
    const next = await services.exchanged(orders, token);
    const verifier = createVerifier({
      issuer,
      audience: STOCK,
      fetch: (address, init) =>
        fetch(address.replace('https://id.example.com', keywright.url), init),
      now: () => keywright.clock.now().getTime(),
    });
    t.after(() => verifier.close());
    const { act } = await verifier.verify(next);
    assert.deepEqual(act, { sub: orders.id, act: { sub: shop.id } });
    await until('it follows the list', () => verifier.state().revocations?.isConnected);
    expectStatus(200, await services.revoke(token, shop));
    const reasonNow = () =>
      verifier.verify(next).then(
        () => undefined,
        (error: unknown) => (error instanceof VerificationError ? error.reason : String(error)),
      );
    assert.equal(await until('the token is rejected', reasonNow, 2000), 'revoked');
  });

  test('The client that received an exchanged token cannot use it to log the user out of another client', async () => {
    const { orders, stock, shop } = services;
    const next = await services.exchanged(orders, await services.tokenOf());
    const refused = await services.revoke(next, orders);
    assert.equal(expectStatus(400, refused)['code'], 'CLIENT_UNAUTHORIZED');
    assert.equal(await isActive(next, stock), true);
    expectStatus(200, await services.revoke(next, shop));
    await assertEnded(next, stock);
  });
});

test('A token that is bound to a key is exchanged by its client with that key only, and remains bound (RFC 9449)', async () => {
  const { tenant, issuer, user, shop, orders, keywright } = services;
  const now = () => keywright.clock.now();
  const [key, other] = [await newDpopKey(now), await newDpopKey(now)];
  const request = { scope: SCOPES.join(' '), resource: ORDERS };
  const code = await new UserBrowser(tenant, issuer, user).codeFor(shop, request);
  const parameters = { ...exchangeOf(code), ...proofOf(shop) };
  const sent = await postToken(tenant, parameters, { headers: { dpop: await key.prove() } });
  const { access_token: token } = expectStatus(200, sent);
  for (const by of [undefined, other]) {
    const refused = await services.exchange(shop, token, {}, by ? { key: by } : {});
    assert.equal(oauthError(refused), REFUSED);
  }
  const answer = expectStatus(200, await services.exchange(shop, token, {}, { key }));
  assert.equal(answer.token_type, 'DPoP');
  assert.deepEqual(claimsOf(answer.access_token).cnf, { jkt: key.jkt });
  // A service must bind the new token to its own key and cannot turn it into a bearer token.
  const bearer = await services.exchange(orders, token);
  assert.equal(oauthError(bearer), '400 invalid_dpop_proof DPOP_INVALID');
  const bound = expectStatus(200, await services.exchange(orders, token, {}, { key: other }));
  assert.deepEqual(claimsOf(bound.access_token).cnf, { jkt: other.jkt });
});

test('The audit log records each exchange with both clients, and each refusal', async () => {
  const { tenant, shop, orders, prices } = services;
  const by = await createUserWith(tenant, ['read:orders']);
  const token = await services.tokenOf(by);
  await services.exchanged(orders, token);
  await services.exchange(prices, token);
  const entriesOf = async (id: string) => {
    const path = `/audit?action=auth.token_exchanged&target=${encodeURIComponent(id)}`;
    const options = { token: await tenant.adminToken() };
    return expectStatus(200, await tenant.request<Listed<AuditEntry>>('GET', path, options)).items;
  };
  const [entry] = await entriesOf(by.user.id);
  const { sid: credential } = claimsOf(token);
  const actor = { kind: 'app', id: orders.id, on_behalf_of: by.user.id, credential };
  assert.deepEqual([entry?.actor, entry?.outcome], [actor, 'success']);
  assert.deepEqual(entry?.details, {
    subject_client_id: shop.id,
    resource: STOCK,
    scopes: ['goods:count', 'read:orders'],
  });
  const [denied] = await until('the refusal', async () => {
    const found = await entriesOf(prices.id);
    return found.length > 0 && found;
  });
  assert.deepEqual(
    [denied?.outcome, denied?.details],
    ['denied', { code: 'EXCHANGE_REFUSED', reason: 'subject_token_of_another' }],
  );
});
