// Services that call each other for the user of an application, each with a resource and a client of its own.

import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { newClient, proofOf, UserBrowser } from './code-login.ts';
import { createUserWith } from './delegation.ts';
import type { DpopKey } from './dpop.ts';
import { type Answer, type JsonBody, expectStatus } from './http.ts';
import { type Keywright, startKeywright } from './keywright.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { postToken, type TokenParameters } from './token-endpoint.ts';

export const ORDERS = 'https://orders.example.com/';
export const STOCK = 'https://stock.example.com/';
export const PRICES = 'https://prices.example.com/';
/** The scopes that each service can request at most. */
export const SCOPES = ['read:orders', 'write:orders', 'goods:count', 'goods:sell'];

const OPENID = ['openid', 'offline_access'];
const GRANTS = ['authorization_code', 'refresh_token', GRANT_TYPE.tokenExchange];

interface Sending {
  readonly key?: DpopKey;
  readonly node?: number;
}

interface Parts {
  /** Two nodes with a stopped clock. */
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly issuer: string;
  /** A user with `read:orders` and `write:orders`. */
  readonly user: TestUser;
  /** Where users log in. */
  readonly shop: CreatedOAuthClient;
  readonly orders: CreatedOAuthClient;
  readonly stock: CreatedOAuthClient;
  readonly prices: CreatedOAuthClient;
}

export interface Services extends Parts {
  /** Adds a service, with a resource at this URI. */
  add(uri: string, scopes: readonly string[]): Promise<CreatedOAuthClient>;
  /** The tokens with which the shop calls the order service. */
  tokensOf(by?: TestUser, more?: TokenParameters): ReturnType<UserBrowser['tokensFor']>;
  tokenOf(by?: TestUser, more?: TokenParameters): Promise<string>;
  /** Exchanges a token, by default for the stock service. */
  exchange(
    by: CreatedOAuthClient,
    token: string,
    more?: TokenParameters,
    sending?: Sending,
  ): ReturnType<typeof postToken>;
  exchanged(by: CreatedOAuthClient, token: string, more?: TokenParameters): Promise<string>;
  /** Introspects a token as a client. */
  introspect(token: string, by: CreatedOAuthClient, node?: number): Promise<Introspection>;
  revoke(token: string, by: CreatedOAuthClient): Promise<Answer<JsonBody>>;
}

type Introspection = Readonly<Record<string, unknown>>;

export async function startServices(): Promise<Services> {
  const parts = await registerAll();
  const { tenant, issuer, user, shop } = parts;

  const tokensOf: Services['tokensOf'] = (by = user, more = {}) => {
    const scope = [...OPENID, ...SCOPES].join(' ');
    return new UserBrowser(tenant, issuer, by).tokensFor(shop, {
      scope,
      resource: ORDERS,
      ...more,
    });
  };

  const exchange: Services['exchange'] = async (by, token, more = {}, { key, node = 0 } = {}) => {
    const parameters = {
      grant_type: GRANT_TYPE.tokenExchange,
      ...proofOf(by),
      subject_token: token,
      subject_token_type: TOKEN_TYPE.accessToken,
      resource: STOCK,
      ...more,
    };
    const headers = key ? { dpop: await key.prove() } : {};
    return postToken(tenant, parameters, { headers, node });
  };

  return {
    ...parts,
    tokensOf,
    exchange,
    add: async (uri, scopes) => newService(tenant, uri, await register(tenant, uri), scopes),
    tokenOf: async (by, more) => (await tokensOf(by, more)).access_token,
    exchanged: async (by, token, more) =>
      expectStatus(200, await exchange(by, token, more)).access_token,
    introspect: async (token, by, node = 0) => {
      const body = { token, ...proofOf(by) };
      return expectStatus(200, await tenant.request('POST', '/oauth/introspect', { body, node }));
    },
    revoke: (token, by) =>
      tenant.request('POST', '/oauth/revoke', { body: { token, ...proofOf(by) } }),
  };
}

async function registerAll(): Promise<Parts> {
  const keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  const tenant = await keywright.tenant('services');
  const user = await createUserWith(tenant, ['read:orders', 'write:orders']);
  // Clients can request only scopes that exist, and services are clients.
  const [ofOrders, ofStock, ofPrices] = await Promise.all([
    register(tenant, ORDERS),
    register(tenant, STOCK, ['read:orders', 'goods:count', 'goods:sell']),
    register(tenant, PRICES, ['read:orders']),
  ]);
  const [shop, orders, stock, prices] = await Promise.all([
    newClient(tenant, { grant_types: GRANTS, scopes: [...OPENID, ...SCOPES] }),
    newService(tenant, 'Orders', ofOrders),
    newService(tenant, 'Stock', ofStock),
    newService(tenant, 'Prices', ofPrices),
  ]);
  const issuer = `https://id.example.com/t/${tenant.id}`;
  return { keywright, tenant, issuer, user, shop, orders, stock, prices };
}

/** @returns its id */
async function register(
  tenant: TestTenant,
  uri: string,
  scopes: readonly string[] = SCOPES,
): Promise<string> {
  const body = {
    uri,
    name: uri,
    scopes: scopes.map((name) => ({
      name,
      description: name,
      requires: null,
      // No user holds it.
      ...(name === 'goods:sell' && uri === STOCK && { requires: 'write:goods' }),
    })),
  };
  const token = await tenant.adminToken();
  const answer = await tenant.request('POST', '/resources', { token, body });
  return String(expectStatus(201, answer)['id']);
}

/** The client that serves a resource, and logs no users in. */
async function newService(
  tenant: TestTenant,
  name: string,
  resourceId: string,
  scopes: readonly string[] = SCOPES,
): Promise<CreatedOAuthClient> {
  const grants = { grant_types: [GRANT_TYPE.tokenExchange], redirect_uris: [] };
  const client = await newClient(tenant, { name, ...grants, scopes });
  const options = { token: await tenant.adminToken(), body: { served_by: [client.id] } };
  expectStatus(200, await tenant.request('PATCH', `/resources/${resourceId}`, options));
  return client;
}
