// An application under FAPI 2.0, as the plans of the OpenID Foundation's conformance suite are one: it authenticates with
// private_key_jwt, pushes its requests, and proves its key with a nonce of the service.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { CALLBACK, newClient, UserBrowser } from './code-login.ts';
import { type DpopKey, newDpopKey } from './dpop.ts';
import { type Answer, expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import { newStatementKey, type StatementKey } from './statement-key.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { claimsOf } from './token.ts';
import { postToken } from './token-endpoint.ts';
import { newPkce, type Seen } from './visitor.ts';

export type Fields = Readonly<Record<string, string | undefined>>;
export type Claims = Readonly<Record<string, unknown>>;
type Pushed = OAuthErrorBody & { readonly request_uri: string; readonly expires_in: number };
type Tokens = ClientTokenAnswer & OAuthErrorBody;

/** How a request differs from a valid one. */
export interface Change {
  /** Claims of the client assertion. Undefined claims are omitted. */
  readonly assertion?: Claims;
  /** Replaces the client assertion; null omits it. */
  readonly proof?: string | null;
  /** Claims of the DPoP proof; null: no proof. */
  readonly dpop?: Claims | null;
  /** Replaces the party's own key. */
  readonly dpopKey?: DpopKey;
}

interface Place {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
}

const SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'];

export class Fapi2Party {
  readonly client: CreatedOAuthClient;
  readonly key: StatementKey;
  readonly dpopKey: DpopKey;
  readonly issuer: string;
  readonly verifier: string;
  readonly #challenge: string;
  readonly #place: Place;
  /** The latest nonce from the service. */
  #nonce: string | undefined;

  private constructor(
    place: Place,
    client: CreatedOAuthClient,
    key: StatementKey,
    dpopKey: DpopKey,
  ) {
    this.client = client;
    this.key = key;
    this.dpopKey = dpopKey;
    this.issuer = `https://id.example.com/t/${place.tenant.id}`;
    ({ verifier: this.verifier, challenge: this.#challenge } = newPkce());
    this.#place = place;
  }

  static async register(place: Place, fields: object = {}): Promise<Fapi2Party> {
    const { keywright, tenant } = place;
    const key = await newStatementKey('ES256');
    const client = await newClient(tenant, {
      first_party: true,
      jwks: { keys: [key.publicJwk] },
      scopes: SCOPES,
      ...fields,
    });
    return new Fapi2Party(place, client, key, await newDpopKey(() => keywright.clock.now()));
  }

  get seconds(): number {
    return Math.floor(this.#place.keywright.clock.now().getTime() / 1000);
  }

  browser(user: TestUser): UserBrowser {
    return new UserBrowser(this.#place.tenant, this.issuer, user);
  }

  /** An authorization request with these changes. Undefined parameters are omitted. */
  request(more: Fields = {}): Record<string, string> {
    const random = () => randomBytes(24).toString('base64url');
    return present({
      client_id: this.client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      state: random(),
      nonce: random(),
      code_challenge: this.#challenge,
      code_challenge_method: 'S256',
      ...more,
    });
  }

  /** A request object of a request (FAPI 2.0 Message Signing §5.3.1), signed by the party. */
  signed(request: Claims, claims: Claims = {}, header: object = {}): Promise<string> {
    const now = this.seconds;
    const times = { iat: now, nbf: now, exp: now + 300 };
    const about = { iss: this.client.id, aud: this.issuer, ...times };
    return this.key.sign(present({ ...about, ...request, ...claims }), {
      typ: 'oauth-authz-req+jwt',
      ...header,
    });
  }

  assertion(claims: Claims = {}, header: object = {}): Promise<string> {
    const now = this.seconds;
    const { id } = this.client;
    const usual = {
      iss: id,
      sub: id,
      aud: this.issuer,
      jti: randomUUID(),
      iat: now,
      exp: now + 60,
    };
    return this.key.sign(present({ ...usual, ...claims }), header);
  }

  /** Pushes a request. */
  push(request: Fields, change: Change = {}): Promise<Answer<Pushed>> {
    const { tenant } = this.#place;
    const path = `/t/${tenant.id}/oauth/par`;
    return this.#withNonce(change, `https://id.example.com${path}`, async (headers) => {
      const fields = { ...present(request), ...(await this.#authentication(change)) };
      return tenant.request<Pushed>('POST', path, {
        rawBody: new URLSearchParams(fields).toString(),
        contentType: 'application/x-www-form-urlencoded',
        headers,
      });
    });
  }

  /** Pushes a request. @returns the parameters of the authorization request that refers to it */
  async pushed(request: Fields, change: Change = {}): Promise<Record<string, string>> {
    const { request_uri } = expectStatus(201, await this.push(request, change));
    return { client_id: this.client.id, request_uri };
  }

  /** The response to a pushed request. The user logs in if necessary. */
  async authorize(browser: UserBrowser, request = this.request(), change: Change = {}) {
    return responseOf(await browser.goThrough(await this.pushed(request, change)));
  }

  async code(browser: UserBrowser, more: Fields = {}, change: Change = {}): Promise<string> {
    const { code } = await this.authorize(browser, this.request(more), change);
    assert.ok(code);
    return code;
  }

  redeem(code: string, fields: Fields = {}, change: Change = {}): Promise<Answer<Tokens>> {
    const defaults = { code, redirect_uri: CALLBACK, code_verifier: this.verifier };
    return this.postToken({ grant_type: 'authorization_code', ...defaults, ...fields }, change);
  }

  refresh(token = '', fields: Fields = {}, change: Change = {}): Promise<Answer<Tokens>> {
    return this.postToken({ grant_type: 'refresh_token', refresh_token: token, ...fields }, change);
  }

  postToken(fields: Fields, change: Change = {}): Promise<Answer<Tokens>> {
    return this.#withNonce(change, undefined, async (headers) => {
      const all = { ...present(fields), ...(await this.#authentication(change)) };
      return postToken(this.#place.tenant, all, { headers });
    });
  }

  async tokens(browser: UserBrowser, more: Fields = {}): Promise<ClientTokenAnswer> {
    return expectStatus(200, await this.redeem(await this.code(browser, more)));
  }

  /** Requests userinfo with an access token. */
  userinfo(
    token: string,
    { dpop = {}, dpopKey = this.dpopKey }: Change = {},
    { scheme = 'DPoP', header = 'dpop' } = {},
  ): Promise<Answer<OAuthErrorBody & { readonly sub: string }>> {
    const path = `/t/${this.#place.tenant.id}/oauth/userinfo`;
    const htu = `https://id.example.com${path}`;
    return this.#repeated(async () => {
      const claims = { nonce: this.#nonce, ...dpop };
      const proof = await dpopKey.prove({ htm: 'GET', htu, accessToken: token, claims });
      const headers = { authorization: `${scheme} ${token}`, ...(dpop && { [header]: proof }) };
      return this.#place.tenant.request('GET', path, { headers });
    });
  }

  /** Requests userinfo with a given proof. */
  userinfoWith(token: string, proof: string, scheme = 'DPoP') {
    const path = `/t/${this.#place.tenant.id}/oauth/userinfo`;
    const headers = { authorization: `${scheme} ${token}`, dpop: proof };
    return this.#place.tenant.request<OAuthErrorBody>('GET', path, { headers });
  }

  /** A proof for the userinfo endpoint. */
  async userinfoProof(token: string, claims: Claims = {}, header: object = {}): Promise<string> {
    await this.userinfo(token);
    const htu = `${this.issuer}/oauth/userinfo`;
    const all = present({ nonce: this.#nonce, ...claims });
    const options = { htm: 'GET', htu, accessToken: token, claims: all, header: { ...header } };
    return this.dpopKey.prove(options);
  }

  async #authentication({ proof, assertion }: Change): Promise<Record<string, string>> {
    if (proof === null) return {};
    return {
      client_assertion_type: CLIENT_ASSERTION_TYPE,
      client_assertion: proof ?? (await this.assertion(assertion)),
    };
  }

  /** Sends a request, and repeats it with the nonce if the service requires one (RFC 9449 §8). */
  #withNonce<T extends { readonly error?: unknown }>(
    { dpop = {}, dpopKey = this.dpopKey }: Change,
    htu: string | undefined,
    send: (headers: Record<string, string>) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    return this.#repeated(async () => {
      if (dpop === null) return send({});
      const claims = { nonce: this.#nonce, ...dpop };
      return send({ dpop: await dpopKey.prove({ ...(htu !== undefined && { htu }), claims }) });
    });
  }

  async #repeated<T extends { readonly error?: unknown }>(
    send: () => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const first = await send();
    const { 'dpop-nonce': nonce, 'www-authenticate': challenge = '' } = first.headers;
    if (nonce !== undefined) this.#nonce = String(nonce);
    const isLacking =
      first.body?.error === 'use_dpop_nonce' || challenge.includes('use_dpop_nonce');
    return isLacking ? send() : first;
  }
}

function present(fields: Claims): Record<string, string> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The parameters of the redirect to the client. */
export function responseOf({ redirectsTo }: Seen): Record<string, string> {
  return Object.fromEntries(redirectsTo?.searchParams ?? []);
}

/** The claims of an ID token, not verified. */
export function idClaimsOf(token = ''): Readonly<Record<string, unknown>> {
  return claimsOf(token);
}

/** `400 invalid_client`. */
export function errorOf({ status, body }: Answer<OAuthErrorBody>): string {
  return `${status} ${body.error}`;
}
