// An application, and the browsers of the users who log in to it.

import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from './http.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { claimsOf } from './token.ts';
import { postToken } from './token-endpoint.ts';
import { newPkce, type Seen, Visitor } from './visitor.ts';

const CALLBACK = 'https://app.example.com/callback';

interface Options {
  /** Fields of the client, in addition to the defaults. */
  readonly fields?: object;
  /** The tenant's issuer, where its pages are. */
  readonly issuer?: string;
}

/** The application's data about a login. */
export interface AppLogin {
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** The ID token's `sid`. */
  readonly sid: string;
}

/** A first-party application of the tenant, without a consent page. */
export class RelyingParty {
  readonly client: CreatedOAuthClient;
  readonly issuer: string;
  readonly #tenant: TestTenant;
  readonly #pkce = newPkce();

  private constructor(tenant: TestTenant, client: CreatedOAuthClient, issuer: string) {
    this.#tenant = tenant;
    this.client = client;
    this.issuer = issuer;
  }

  static async register(
    tenant: TestTenant,
    { fields = {}, issuer = `https://id.example.com/t/${tenant.id}` }: Options = {},
  ): Promise<RelyingParty> {
    const body = {
      name: 'Invoices',
      kind: 'web',
      first_party: true,
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: ['https://app.example.com/bye'],
      grant_types: ['authorization_code', 'refresh_token'],
      scopes: ['openid', 'email', 'offline_access'],
      id_token_signed_response_alg: 'EdDSA',
      ...fields,
    };
    const answer = await tenant.request<CreatedOAuthClient>('POST', '/clients', {
      token: await tenant.adminToken(),
      body,
    });
    return new RelyingParty(tenant, expectStatus(201, answer), issuer);
  }

  /** A browser that has not opened a page yet. */
  browser(): Visitor {
    return new Visitor(this.#tenant, this.issuer);
  }

  /** Requests a code. @returns the page that is shown, or the redirect */
  authorize(browser: Visitor, more: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return browser.authorize({
      client_id: this.client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      code_challenge: this.#pkce.challenge,
      code_challenge_method: 'S256',
      ...more,
    });
  }

  /** An authorization code. The user logs in unless already logged in in the browser. */
  async code(
    browser: Visitor,
    user: TestUser,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const first = await this.authorize(browser, more);
    const { identifier, password: secret } = user;
    const seen = first.redirectsTo ? first : await browser.press('login', { identifier, secret });
    const code = seen.redirectsTo?.searchParams.get('code');
    if (!code) throw new Error(`No code: ${seen.status} ${seen.title} ${String(seen.redirectsTo)}`);
    return code;
  }

  /** Exchanges a code at a node. */
  redeem(code: string, node = 0) {
    const { id, client_secret: secret } = this.client;
    const parameters = {
      grant_type: 'authorization_code',
      client_id: id,
      ...(secret !== undefined && { client_secret: secret }),
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.#pkce.verifier,
    };
    return postToken(this.#tenant, parameters, { node });
  }

  refresh(refreshToken: string) {
    const { id, client_secret: secret } = this.client;
    return postToken(this.#tenant, {
      grant_type: 'refresh_token',
      client_id: id,
      ...(secret !== undefined && { client_secret: secret }),
      refresh_token: refreshToken,
    });
  }

  async logIn(
    browser: Visitor,
    user: TestUser,
    more: Readonly<Record<string, string>> = {},
  ): Promise<AppLogin> {
    const answer = await this.redeem(await this.code(browser, user, more));
    const { id_token: idToken = '', access_token, refresh_token } = expectStatus(200, answer);
    return {
      idToken,
      accessToken: access_token,
      refreshToken: refresh_token,
      sid: String(claimsOf(idToken)['sid']),
    };
  }

  /** Sends the browser's logout request to a node, without following the redirect. */
  logOutAt(browser: Visitor, parameters: Readonly<Record<string, string>>, node: number) {
    const { pathname, hostname: host } = new URL(this.issuer);
    const query = new URLSearchParams(parameters).toString();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const path = `${pathname}/oauth/logout?${query}`;
    return this.#tenant.request<unknown>('GET', path, { host, headers: { cookie }, node });
  }

  /** Sends the browser to log out. */
  logOut(browser: Visitor, parameters: Readonly<Record<string, string>>): Promise<Seen> {
    const query = new URLSearchParams(parameters).toString();
    return browser.open(`${new URL(this.issuer).pathname}/oauth/logout?${query}`);
  }
}
