import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { newClient } from '@keywright/tests/harness/code-login';
import { createUserWith, delegate, exchange as byAgent } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  ORDERS,
  PRICES,
  SCOPES,
  type Services,
  startServices,
  STOCK,
} from '@keywright/tests/harness/services';
import { claimsOf } from '@keywright/tests/harness/token';
import { getToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const REFUSED = '400 invalid_request EXCHANGE_REFUSED';
const INVALID = '400 invalid_request VALIDATION_FAILED';
const NO_TARGET = '400 invalid_target TARGET_INVALID';
const TOO_WIDE = '400 invalid_scope SCOPE_INVALID';

let services: Services;

before(async () => {
  services = await startServices();
});
after(() => services.keywright.close());

describe('a service exchanges the token that it was called with', () => {
  test('A service exchanges a token for one for the service behind it, which names both actors (RFC 8693 §4.1)', async () => {
    const { tenant, issuer, user, orders, shop } = services;
    const token = await services.tokenOf();
    const answer = expectStatus(200, await services.exchange(orders, token));
    const { access_token: next, ...rest } = answer;
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'goods:count read:orders',
      issued_token_type: TOKEN_TYPE.accessToken,
    });
    const [first, { jti, exp, iat, ...claims }] = [claimsOf(token), claimsOf(next)];
    assert.notEqual(jti, first.jti);
    assert.equal(exp - iat, 900);
    assert.deepEqual(claims, {
      token_type: 'access',
      iss: issuer,
      sub: user.user.id,
      aud: STOCK,
      tenant_id: tenant.id,
      workspace_id: 'ws_default',
      roles: [],
      scopes: ['goods:count', 'read:orders'],
      scope: 'goods:count read:orders',
      sid: first.sid,
      ver: first.ver,
      client_id: orders.id,
      act: { sub: orders.id, act: { sub: shop.id } },
      auth_time: first.auth_time,
      acr: 'aal1',
      amr: ['pwd'],
      status: first.status,
    });
  });

  test('An exchanged token can be exchanged for the next service, as long as the chain is short enough', async () => {
    const { orders, stock, prices, shop } = services;
    const first = await services.exchanged(orders, await services.tokenOf());
    const second = await services.exchanged(stock, first, { resource: PRICES });
    const chain = { sub: stock.id, act: { sub: orders.id, act: { sub: shop.id } } };
    assert.deepEqual(claimsOf(second).act, chain);
    assert.equal((await services.introspect(second, prices))['active'], true);
    const third = await services.exchange(prices, second, { resource: ORDERS });
    assert.equal(oauthError(third), REFUSED);
    assert.equal(third.body.detail, 'A delegation chain has at most 3 actors.');
  });

  test('A token exchange accepts an audience or a resource, for exactly one resource of the tenant', async () => {
    const { orders, issuer } = services;
    const token = await services.tokenOf();
    const both = await services.exchange(orders, token, { resource: STOCK, audience: STOCK });
    assert.equal(claimsOf(expectStatus(200, both).access_token).aud, STOCK);
    for (const more of [
      { resource: '' },
      { resource: 'https://unknown.example.com/' },
      { resource: issuer },
      { audience: issuer },
      { audience: PRICES },
    ]) {
      const refused = await services.exchange(orders, token, more);
      assert.equal(oauthError(refused), NO_TARGET, JSON.stringify(more));
    }
  });

  test('A token exchange gives only the scopes common to the token, the service, the resource and the user', async () => {
    const { orders, user } = services;
    const token = await services.tokenOf(user, { scope: 'goods:count' });
    assert.deepEqual(claimsOf(await services.exchanged(orders, token)).scopes, ['goods:count']);
    const wide = await services.tokenOf();
    for (const scope of ['read:orders', 'goods:count read:orders']) {
      assert.equal(oauthError(await services.exchange(orders, token, { scope })), TOO_WIDE, scope);
      assert.equal(claimsOf(await services.exchanged(orders, wide, { scope })).scope, scope);
    }
    // Scopes of another resource, or that the user does not hold.
    for (const scope of ['write:orders', '*:orders', 'goods:sell', 'openid']) {
      assert.equal(oauthError(await services.exchange(orders, wide, { scope })), TOO_WIDE, scope);
    }
    const served = 'https://limited.example.com/';
    const limited = await services.add(served, ['openid', 'write:orders']);
    const subjectToken = await services.tokenOf(user, { resource: served });
    assert.equal(oauthError(await services.exchange(limited, subjectToken)), TOO_WIDE);
  });

  test('A wildcard of the service covers no scope that the resource itself names in a token exchange', async () => {
    const served = 'https://wild.example.com/';
    const wild = await services.add(served, ['openid', '*:count']);
    const subjectToken = await services.tokenOf(services.user, { resource: served });
    assert.ok(claimsOf(subjectToken).scopes.includes('goods:count'));
    assert.equal(oauthError(await services.exchange(wild, subjectToken)), TOO_WIDE);
  });

  test('An exchanged token lives no longer than the first token', async () => {
    const { orders, keywright } = services;
    const token = await services.tokenOf();
    const { exp } = claimsOf(token);
    keywright.clock.advance(3600 - 60);
    const next = expectStatus(200, await services.exchange(orders, token));
    assert.deepEqual([claimsOf(next.access_token).exp, next.expires_in], [exp, 60]);
    keywright.clock.advance(60);
    // Elsewhere ten seconds of skew are tolerated.
    assert.equal(oauthError(await services.exchange(orders, token)), REFUSED);
  });
});

test('An application exchanges its own token for a narrower one, in which no one else acts', async () => {
  const { shop } = services;
  const token = await services.tokenOf();
  const next = claimsOf(await services.exchanged(shop, token, { scope: 'goods:count' }));
  assert.deepEqual(
    [next.client_id, next.aud, next.scopes, next.act],
    [shop.id, STOCK, ['goods:count'], undefined],
  );
  assert.equal(next.sid, claimsOf(token).sid);
});

describe('an exchange is refused', () => {
  test('A token exchange is refused to a client that the token was neither issued nor sent to', async () => {
    const { stock, prices, orders, user, issuer } = services;
    for (const by of [stock, prices]) {
      const refused = await services.exchange(by, await services.tokenOf());
      assert.equal(oauthError(refused), REFUSED, by.name);
    }
    const tenantToken = await services.tokenOf(user, { resource: issuer });
    assert.equal(
      oauthError(await services.exchange(orders, tenantToken)),
      REFUSED,
      'for the tenant',
    );
  });

  test('A token exchange is refused to a client without the grant, and to one that does not authenticate', async () => {
    const { tenant, orders } = services;
    const token = await services.tokenOf();
    const web = await newClient(tenant, { scopes: SCOPES });
    const answer = await services.exchange(web, token);
    assert.equal(oauthError(answer), '400 unauthorized_client CLIENT_UNAUTHORIZED');
    const { client_secret: _, ...nameless } = orders;
    for (const by of [nameless, { ...orders, client_secret: 'wrong' }]) {
      const refused = await services.exchange(by, token);
      assert.equal(oauthError(refused), '401 invalid_client CLIENT_INVALID');
    }
    const body = {
      name: 'x',
      kind: 'spa',
      redirect_uris: ['https://app.example.com/'],
      grant_types: ['authorization_code', GRANT_TYPE.tokenExchange],
    };
    const options = { token: await tenant.adminToken(), body };
    const registered = await tenant.request<ErrorBody>('POST', '/clients', options);
    const paths = expectStatus(400, registered).errors?.map(({ path }) => path);
    assert.deepEqual(paths, ['/grant_types']);
  });

  test('A token exchange is refused for anything except an access token of an application for a user', async () => {
    const { tenant, shop, orders, keywright } = services;
    const by = await createUserWith(tenant, ['read:orders']);
    const { id_token: idToken, refresh_token: refresh } = await services.tokensOf(by);
    const robot = await tenant.createAgent({ scopes: SCOPES.slice(0, 2) });
    await delegate(tenant, by, robot, ['read:orders']);
    const delegated = expectStatus(200, await byAgent(tenant, robot, by.token));
    const credentials = { grant_type: GRANT_TYPE.clientCredentials, client_id: robot.agent.id };
    const ofAgent = await getToken(tenant, { ...credentials, client_secret: robot.key });
    const other = await keywright.tenant('services-2');
    for (const [what, token] of Object.entries({
      'an ID token': idToken,
      'a refresh token': refresh,
      'a direct login': by.token,
      'an agent that acts for the user': delegated.access_token,
      'an agent': ofAgent,
      'a key': robot.key,
      'another tenant': (await other.createUser()).token,
      nothing: 'x',
    })) {
      for (const client of [shop, orders]) {
        assert.equal(oauthError(await services.exchange(client, token ?? '')), REFUSED, what);
      }
    }
    const token = await services.tokenOf();
    for (const type of [TOKEN_TYPE.jwt, TOKEN_TYPE.idToken, TOKEN_TYPE.delegation]) {
      const typed = await services.exchange(shop, token, { subject_token_type: type });
      assert.equal(oauthError(typed), INVALID, type);
    }
  });

  test('A token exchange is refused with an actor token, since the client is the actor, and for other kinds of tokens', async () => {
    const token = await services.tokenOf();
    const actor = { actor_token: token, actor_token_type: TOKEN_TYPE.accessToken };
    const requestedType = { requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' };
    for (const more of [actor, requestedType]) {
      assert.equal(oauthError(await services.exchange(services.orders, token, more)), INVALID);
    }
  });
});
