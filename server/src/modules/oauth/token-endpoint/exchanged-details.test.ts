// Authorization details (RFC 9396) in tokens that were not issued for a code.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import {
  ACCOUNTS,
  PAY,
  PAYMENT,
  detailsParameter,
  TYPES,
} from '@keywright/tests/harness/authorization-details';
import { newClient, proofOf } from '@keywright/tests/harness/code-login';
import { requestDeviceCode, deviceClient } from '@keywright/tests/harness/device';
import { Fapi2Party } from '@keywright/tests/harness/fapi2-party';
import { expectStatus } from '@keywright/tests/harness/http';
import { ORDERS, type Services, startServices, STOCK } from '@keywright/tests/harness/services';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const INVALID = '400 invalid_authorization_details AUTHORIZATION_DETAILS_INVALID';
const SEE = { type: ACCOUNTS.type };

let services: Services;
/** A token of the orders service, with details of both of its types. */
let token: string;

before(async () => {
  services = await startServices();
  const { tenant, shop, orders } = services;
  const { items } = await get<{ items: { id: string; uri: string }[] }>('/resources');
  const resource = items.find(({ uri }) => uri === ORDERS);
  await change(`/resources/${resource?.id}`, [PAYMENT, ACCOUNTS]);
  for (const { id } of [shop, orders]) await change(`/clients/${id}`, TYPES);
  token = await services.tokenOf(undefined, detailsParameter([PAY, SEE]));
  assert.deepEqual(claimsOf(token).authorization_details, [PAY, SEE]);
  assert.equal(claimsOf(token)['tenant_id'], tenant.id);
});
after(() => services.keywright.close());

async function get<T>(path: string): Promise<T> {
  const { tenant } = services;
  return expectStatus(
    200,
    await tenant.request<T>('GET', path, { token: await tenant.adminToken() }),
  );
}

async function change(path: string, types: readonly unknown[]): Promise<void> {
  const { tenant } = services;
  const body = { authorization_details_types: types };
  const options = { token: await tenant.adminToken(), body };
  expectStatus(200, await tenant.request('PATCH', path, options));
}

const here = { resource: ORDERS };

describe('an exchange of a token with authorization details', () => {
  test('A token exchange keeps some or all authorization details for the same resource, in token, response and introspection', async () => {
    const { orders } = services;
    for (const [more, granted] of [
      [{}, [PAY, SEE]],
      [detailsParameter([SEE]), [SEE]],
      [detailsParameter([SEE, PAY]), [SEE, PAY]],
    ] as const) {
      const tokens = expectStatus(
        200,
        await services.exchange(orders, token, { ...here, ...more }),
      );
      assert.deepEqual(tokens.authorization_details, granted);
      assert.deepEqual(claimsOf(tokens.access_token).authorization_details, granted);
      const introspected = await services.introspect(tokens.access_token, orders);
      assert.deepEqual(introspected['authorization_details'], granted);
    }
  });

  test('A token exchange gains no authorization details', async () => {
    const { orders } = services;
    const more = [
      [{ ...PAY, amount: { value: '99', currency: 'EUR' } }],
      [PAY, PAY],
      [SEE, SEE],
      [{ type: 'unknown' }],
      [],
    ];
    for (const details of more) {
      const parameters = { ...here, ...detailsParameter(details) };
      assert.equal(oauthError(await services.exchange(orders, token, parameters)), INVALID);
    }
    const plain = await services.tokenOf();
    const parameters = { ...here, ...detailsParameter([PAY]) };
    assert.equal(oauthError(await services.exchange(orders, plain, parameters)), INVALID);
    const first = await services.exchanged(orders, token, { ...here, ...detailsParameter([SEE]) });
    assert.equal(oauthError(await services.exchange(orders, first, parameters)), INVALID);
  });

  test('A token exchange drops the authorization details of a resource that the new token is not for', async () => {
    const { orders, stock } = services;
    const tokens = expectStatus(200, await services.exchange(orders, token));
    assert.equal(claimsOf(tokens.access_token).aud, STOCK);
    assert.equal(tokens.authorization_details, undefined);
    assert.equal(claimsOf(tokens.access_token).authorization_details, undefined);
    assert.equal(
      oauthError(await services.exchange(orders, token, detailsParameter([PAY]))),
      INVALID,
    );
    const back = await services.exchange(stock, tokens.access_token, here);
    assert.equal(expectStatus(200, back).authorization_details, undefined);
  });

  test('A token exchange keeps only authorization details of types that the exchanging client is allowed', async () => {
    const { orders } = services;
    await change(`/clients/${orders.id}`, [SEE.type]);
    const tokens = expectStatus(200, await services.exchange(orders, token, here));
    assert.deepEqual(tokens.authorization_details, [SEE]);
    const parameters = { ...here, ...detailsParameter([PAY]) };
    assert.equal(oauthError(await services.exchange(orders, token, parameters)), INVALID);
    await change(`/clients/${orders.id}`, TYPES);
  });

  test('A token exchange is recorded with its authorization details', async () => {
    const { orders } = services;
    await services.exchanged(orders, token, { ...here, ...detailsParameter([SEE]) });
    const { items } = await get<{ items: readonly AuditEntry[] }>(
      '/audit?action=auth.token_exchanged&limit=1',
    );
    assert.deepEqual(items[0]?.details?.['authorization_details'], [SEE]);
  });
});

describe('authorization details are refused', () => {
  const lists = { authorization_details_types: TYPES };

  test('Authorization details are refused for the token of an agent that acts for a user, or for itself', async () => {
    const { tenant, user } = services;
    const { agent, key } = await tenant.createAgent({ scopes: ['read:orders'] });
    const credentials = { client_id: agent.id, client_secret: key, ...detailsParameter([PAY]) };
    const exchanging = {
      grant_type: GRANT_TYPE.tokenExchange,
      subject_token: user.token,
      subject_token_type: TOKEN_TYPE.accessToken,
    };
    for (const grant of [exchanging, { grant_type: GRANT_TYPE.clientCredentials }]) {
      assert.equal(oauthError(await postToken(tenant, { ...credentials, ...grant })), INVALID);
    }
  });

  test('Authorization details are refused with an identity assertion, and in a request for one', async () => {
    const { tenant, shop } = services;
    const credentials = { ...proofOf(shop), ...detailsParameter([PAY]) };
    const redeeming = { grant_type: GRANT_TYPE.jwtBearer, assertion: 'x' };
    const asserting = {
      grant_type: GRANT_TYPE.tokenExchange,
      requested_token_type: TOKEN_TYPE.idJag,
      subject_token: token,
    };
    for (const grant of [redeeming, asserting]) {
      assert.equal(oauthError(await postToken(tenant, { ...credentials, ...grant })), INVALID);
    }
  });

  test('Authorization details are refused on devices, since the user who types a code could be talked into it', async () => {
    const { tenant } = services;
    const device: CreatedOAuthClient = await deviceClient(tenant, lists);
    const parameters = { ...proofOf(device), scope: 'openid', ...detailsParameter([PAY]) };
    const { status, body } = await requestDeviceCode(tenant, parameters);
    assert.equal(`${status} ${body.error} ${body.code}`, INVALID);
    const polled = {
      grant_type: GRANT_TYPE.deviceCode,
      device_code: 'x',
      ...proofOf(device),
      ...detailsParameter([PAY]),
    };
    assert.equal(oauthError(await postToken(tenant, polled)), INVALID);
  });

  test('Authorization details are refused for a client that names no type, which is the default', async () => {
    const { tenant } = services;
    const { authorization_details_types: types } = await newClient(tenant);
    assert.deepEqual(types, []);
  });
});

test('A fixed refresh token keeps its authorization details, and a refresh narrows them for one access token', async () => {
  const { keywright, tenant, user } = services;
  const party = await Fapi2Party.register(
    { keywright, tenant },
    {
      token_endpoint_auth_method: 'private_key_jwt',
      refresh_token_policy: 'fixed',
      dpop_bound_access_tokens: true,
      authorization_details_types: TYPES,
    },
  );
  const scope = 'openid offline_access';
  const first = await party.tokens(party.browser(user), { scope, ...detailsParameter([PAY, SEE]) });
  const narrowed = expectStatus(
    200,
    await party.refresh(first.refresh_token, detailsParameter([SEE])),
  );
  assert.deepEqual(narrowed.authorization_details, [SEE]);
  assert.equal(narrowed.refresh_token, first.refresh_token);
  const more = await party.refresh(first.refresh_token, detailsParameter([PAY, PAY]));
  assert.equal(oauthError(more), INVALID);
  const all = expectStatus(200, await party.refresh(first.refresh_token));
  assert.deepEqual(all.authorization_details, [PAY, SEE]);
  assert.deepEqual(claimsOf(all.access_token).authorization_details, [PAY, SEE]);
});
