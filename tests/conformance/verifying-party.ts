// A client as described in OpenID Connect Core: it trusts nothing that it has not verified.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { OkOf } from '@keywright/contract/route';
import type { getServerMetadata } from '@keywright/contract/routes/discovery';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { type Answer, expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { RequestToNode, TestTenant, TestUser } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';
import { type Seen, Visitor } from '../harness/visitor.ts';

/** All metadata is present, as for any OpenID provider. */
export type Metadata = Required<OkOf<typeof getServerMetadata>>;
export type Parameters = Readonly<Record<string, string>>;
export type ResponseMode = 'query' | 'form_post';

/** The response of the authorization endpoint, and the nonce of the request. */
export interface Returned {
  readonly parameters: Parameters;
  readonly nonce: string | undefined;
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token: string;
  /** Of the ID token. */
  readonly claims: JWTPayload;
}

interface Place {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly mode: ResponseMode;
}

/** The tenant's metadata, discovered from its issuer. */
export async function discover(keywright: Keywright, tenant: TestTenant): Promise<Metadata> {
  const issuer = issuerOf(keywright, tenant);
  const path = `${issuer.pathname}/.well-known/openid-configuration`;
  return expectStatus(200, await tenant.request<Metadata>('GET', path, { host: issuer.host }));
}

export function issuerOf(keywright: Keywright, tenant: TestTenant): URL {
  return new URL(`${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`);
}

export class VerifyingParty {
  readonly client: CreatedOAuthClient;
  readonly #place: Place;

  private constructor(client: CreatedOAuthClient, place: Place) {
    this.client = client;
    this.#place = place;
  }

  static async register(place: Place, fields: object = {}): Promise<VerifyingParty> {
    const { tenant } = place;
    const token = await tenant.adminToken();
    const body = {
      name: 'Application',
      kind: 'web',
      first_party: true,
      redirect_uris: ['https://app.example.com/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'profile', 'email', 'phone', 'offline_access'],
      id_token_claims: false,
      ...fields,
    };
    const answer = await tenant.request<CreatedOAuthClient>('POST', '/clients', { token, body });
    return new VerifyingParty(expectStatus(201, answer), place);
  }

  get callback(): string {
    return this.client.redirect_uris[0] ?? '';
  }

  /** A browser without a login. */
  browser(): Visitor {
    const { keywright, tenant } = this.#place;
    return new Visitor(tenant, issuerOf(keywright, tenant).href);
  }

  /** A request of this client with changes; an undefined parameter is omitted. */
  request(more: Readonly<Record<string, string | undefined>> = {}): Parameters {
    const all = {
      client_id: this.client.id,
      redirect_uri: this.callback,
      response_type: 'code',
      scope: 'openid',
      state: randomBytes(16).toString('base64url'),
      nonce: randomBytes(16).toString('base64url'),
      response_mode: this.#place.mode === 'query' ? undefined : this.#place.mode,
      ...more,
    };
    const entries = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]);
    return Object.fromEntries(entries);
  }

  /** Sends a request and checks the response, for a browser that shows no page. */
  async authorize(browser: Visitor, more: Readonly<Record<string, string | undefined>> = {}) {
    const request = this.request(more);
    return this.returned(await browser.authorize(request), request);
  }

  /** Sends a request, and logs the user in on the page that must follow. */
  async logIn(
    browser: Visitor,
    user: TestUser,
    more: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Returned> {
    const request = this.request(more);
    const page = await browser.authorize(request);
    assert.ok(page.actions.includes('login'), `${page.title}: the user is asked to log in`);
    const { identifier, password: secret } = user;
    return this.returned(await browser.press('login', { identifier, secret }), request);
  }

  /** The parameters of a response, after checking that it has the requested mode and redirect URI. */
  returned(seen: Seen, { state, nonce, redirect_uri: to }: Parameters): Returned {
    const { keywright, tenant, mode } = this.#place;
    const at = mode === 'query' ? seen.redirectsTo : seen.formTarget;
    assert.ok(at, `${seen.status} ${seen.title}: no response`);
    const added = mode === 'query' ? Object.fromEntries(at.searchParams) : seen.hidden;
    const registered = Object.fromEntries(new URL(to ?? '').searchParams);
    const responseEntries = Object.entries(added).filter(
      ([name]) => !Object.hasOwn(registered, name),
    );
    const address = new URL(at);
    if (mode === 'query') for (const [name] of responseEntries) address.searchParams.delete(name);
    assert.equal(address.href, new URL(to ?? '').href);
    const parameters = Object.fromEntries(responseEntries);
    assert.equal(parameters['state'], state);
    assert.equal(parameters['iss'], issuerOf(keywright, tenant).href);
    return { parameters, nonce };
  }

  /** Sends a logout request from the browser. */
  logOut(browser: Visitor, parameters: Parameters): Promise<Seen> {
    const { keywright, tenant } = this.#place;
    const { pathname } = issuerOf(keywright, tenant);
    return browser.open(`${pathname}/oauth/logout?${new URLSearchParams(parameters).toString()}`);
  }

  /** Whether the browser is logged out. */
  async isLoggedOut(browser: Visitor): Promise<boolean> {
    const { parameters } = await this.authorize(browser, { prompt: 'none' });
    return parameters['error'] === 'login_required';
  }

  /** The token endpoint's response to a code, authenticated by `client_secret_basic`. */
  redeem(code: string, more: Parameters = {}): Promise<Answer<Record<string, unknown>>> {
    return this.postToken({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.callback,
      ...more,
    });
  }

  /** Authenticates with the client's secret as registered. */
  postToken(parameters: Parameters): Promise<Answer<Record<string, unknown>>> {
    const { id, client_secret: secret = '', token_endpoint_auth_method: method } = this.client;
    if (method === 'client_secret_post') {
      const credentials = { client_id: id, client_secret: secret };
      return this.#send({ ...parameters, ...credentials });
    }
    const both = [id, secret].map((part) => encodeURIComponent(part)).join(':');
    return this.#send(parameters, `Basic ${Buffer.from(both).toString('base64')}`);
  }

  async #send(parameters: Parameters, authorization?: string) {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await postToken(this.#place.tenant, parameters, { headers });
    return answer as Answer<Record<string, unknown>>;
  }

  /** The tokens for an authorization response, after verification. */
  async tokensFor({ parameters, nonce }: Returned, more: Parameters = {}): Promise<Tokens> {
    assert.ok(parameters['code'], `no code: ${JSON.stringify(parameters)}`);
    const answer = await this.redeem(parameters['code'], more);
    const body = expectStatus(200, answer) as Omit<Tokens, 'claims'>;
    return { ...body, claims: await this.verify(body.id_token, nonce) };
  }

  /** OpenID Connect Core §3.1.3.7, with the key set as discovered. */
  async verify(idToken: string, nonce?: string, keySet?: JSONWebKeySet): Promise<JWTPayload> {
    const { keywright, tenant } = this.#place;
    const keys = keySet ?? (await this.keys());
    const { payload, protectedHeader } = await jwtVerify(idToken, createLocalJWKSet(keys), {
      issuer: issuerOf(keywright, tenant).href,
      audience: this.client.id,
      algorithms: [this.client.id_token_signed_response_alg],
      requiredClaims: ['sub', 'iat', 'exp'],
      currentDate: keywright.clock.now(),
    });
    assert.ok(
      keys.keys.some(({ kid }) => kid === protectedHeader.kid),
      'names a published key',
    );
    assert.equal(payload['nonce'], nonce);
    return payload;
  }

  async keys(): Promise<JSONWebKeySet> {
    const { keywright, tenant } = this.#place;
    const { jwks_uri: at } = await discover(keywright, tenant);
    const { pathname, host } = new URL(at);
    return expectStatus(200, await tenant.request<JSONWebKeySet>('GET', pathname, { host }));
  }

  /** The userinfo endpoint's response to an access token. */
  async userinfo(token: string): Promise<Record<string, unknown>> {
    return expectStatus(200, await this.requestUserinfo({ token }));
  }

  requestUserinfo(
    options: RequestToNode,
    method: 'GET' | 'POST' = 'GET',
  ): Promise<Answer<Record<string, unknown>>> {
    const { keywright, tenant } = this.#place;
    const { pathname, host } = issuerOf(keywright, tenant);
    return tenant.request(method, `${pathname}/oauth/userinfo`, { host, ...options });
  }
}
