// Logs a user in to applications on the pages, by codes, as browsers without scripts do it.

import assert from 'node:assert/strict';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { expectStatus } from './http.ts';
import type { Keywright } from './keywright.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { postToken } from './token-endpoint.ts';
import { until } from './until.ts';
import { newPkce, type Seen, Visitor } from './visitor.ts';

export const CALLBACK = 'https://app.example.com/callback';

type Parameters = Readonly<Record<string, string>>;

/** Registers a confidential client with the refresh grant. */
export async function newClient(
  tenant: TestTenant,
  fields: object = {},
): Promise<CreatedOAuthClient> {
  const body = {
    name: 'Invoices',
    kind: 'web',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...fields,
  };
  const token = await tenant.adminToken();
  return expectStatus(
    201,
    await tenant.request<CreatedOAuthClient>('POST', '/clients', { token, body }),
  );
}

/** The parameters with which a client authenticates. */
export function proofOf({ id, client_secret: secret }: CreatedOAuthClient): Record<string, string> {
  return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
}

const pkce = newPkce();

/** A valid authorization request. */
export function requestOf({ id }: { readonly id: string }, more: Parameters = {}): Parameters {
  return {
    client_id: id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...more,
  };
}

/** Waits until the last use of a login at the clock's current time is written, which happens in the background. */
export async function browserUseIsWritten({ clock, database }: Keywright): Promise<void> {
  const find = `SELECT FROM sessions WHERE kind = 'browser' AND refresh_issued_at = $1`;
  await until('the use of the login is written', async () => {
    const found = await database.query(find, [clock.now()]);
    return found.length > 0;
  });
}

/** The browser of a user, who logs in and grants every consent. */
export class UserBrowser extends Visitor {
  readonly #user: TestUser;
  readonly #tenant: TestTenant;

  constructor(tenant: TestTenant, issuer: string, user: TestUser, headers: Parameters = {}) {
    super(tenant, issuer, headers);
    this.#tenant = tenant;
    this.#user = user;
  }

  /** Follows the pages up to the redirect. @returns the redirect to the client */
  async goThrough(parameters: Parameters): Promise<Seen> {
    let seen = await this.authorize(parameters);
    if (seen.actions.includes('login')) {
      const { identifier, password: secret } = this.#user;
      seen = await this.press('login', { identifier, secret });
    }
    if (seen.actions.includes('select')) seen = await this.press('select');
    return seen.actions.includes('allow') ? this.press('allow') : seen;
  }

  async codeFor(client: { readonly id: string }, more: Parameters = {}): Promise<string> {
    const seen = await this.goThrough(requestOf(client, more));
    const code = seen.redirectsTo?.searchParams.get('code');
    assert.ok(code, `${seen.status} ${seen.title} ${String(seen.redirectsTo)}`);
    return code;
  }

  async tokensFor(
    client: CreatedOAuthClient,
    more: Parameters = {},
    atToken: Parameters = {},
  ): Promise<ClientTokenAnswer> {
    const code = await this.codeFor(client, more);
    return expectStatus(200, await redeem(this.#tenant, client, code, atToken));
  }
}

/** Exchanges a code for tokens. */
export function redeem(
  tenant: TestTenant,
  client: CreatedOAuthClient,
  code: string,
  more: Parameters = {},
) {
  return postToken(tenant, { ...exchangeOf(code), ...proofOf(client), ...more });
}

/** The parameters of a code exchange, except for the client's authentication. */
export function exchangeOf(code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: pkce.verifier,
  };
}

export function refreshWith(
  tenant: TestTenant,
  client: CreatedOAuthClient,
  token: string | undefined,
  more: Parameters = {},
) {
  const defaults = { grant_type: 'refresh_token', ...proofOf(client), refresh_token: token ?? '' };
  return postToken(tenant, { ...defaults, ...more });
}
