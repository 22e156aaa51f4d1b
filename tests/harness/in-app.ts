// Native applications of a tenant that log its users in inside themselves (draft-ietf-oauth-first-party-apps).

import assert from 'node:assert/strict';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { OkOf } from '@keywright/contract/route';
import type { authorizeChallenge } from '@keywright/contract/routes/authorize-challenge';
import { newClient, requestOf } from './code-login.ts';
import type { DpopKey } from './dpop.ts';
import { type Answer, expectStatus } from './http.ts';
import type { RequestToNode, TestTenant } from './tenant.ts';
import { postToken } from './token-endpoint.ts';
import { newPkce } from './visitor.ts';

export const APP_CALLBACK = 'com.example.app:/callback';
const ORIGIN = 'https://id.example.com';

type Parameters = Readonly<Record<string, string>>;
export type ChallengeAnswer = Answer<OkOf<typeof authorizeChallenge> & OAuthErrorBody>;

/** Registers an application that an administrator lets log users in. */
export function newInAppClient(
  tenant: TestTenant,
  fields: object = {},
): Promise<CreatedOAuthClient> {
  return newClient(tenant, {
    name: 'Pocket',
    kind: 'native',
    first_party: true,
    in_app_login: true,
    redirect_uris: [APP_CALLBACK],
    ...fields,
  });
}

/** A valid request that returns a code: a new user logs in with a password. */
export async function inAppRequest(tenant: TestTenant): Promise<Parameters> {
  const { id } = await newInAppClient(tenant);
  const { identifier: login_hint, password } = await tenant.createUser();
  return { ...requestOf({ id }), redirect_uri: APP_CALLBACK, login_hint, password };
}

interface Options {
  /** The key of the DPoP proof in each request. */
  readonly key?: DpopKey | undefined;
  readonly request?: RequestToNode;
}

/** An application on a device, during one login. */
export class InApp {
  readonly tenant: TestTenant;
  readonly client: CreatedOAuthClient;
  readonly pkce = newPkce();
  readonly #key: DpopKey | undefined;
  readonly #request: RequestToNode;
  /** Of the answer before. */
  session = '';

  constructor(tenant: TestTenant, client: CreatedOAuthClient, { key, request = {} }: Options = {}) {
    this.tenant = tenant;
    this.client = client;
    this.#key = key;
    this.#request = request;
  }

  /** @param more further parameters; empty ones are omitted */
  start(more: Parameters = {}): Promise<ChallengeAnswer> {
    return this.send({
      response_type: 'code',
      scope: 'openid',
      code_challenge: this.pkce.challenge,
      code_challenge_method: 'S256',
      ...more,
    });
  }

  go(step: Parameters, options: RequestToNode = {}): Promise<ChallengeAnswer> {
    return this.send({ auth_session: this.session, ...step }, options);
  }

  async send(parameters: Parameters, options: RequestToNode = {}): Promise<ChallengeAnswer> {
    const all = { client_id: this.client.id, ...parameters };
    const entries = Object.entries(all).filter(([, value]) => value !== '');
    const path = `/t/${this.tenant.id}/oauth/authorize-challenge`;
    const dpop = await this.#key?.prove({ htu: `${ORIGIN}${path}` });
    const answer: ChallengeAnswer = await this.tenant.request('POST', path, {
      rawBody: new URLSearchParams(entries).toString(),
      contentType: 'application/x-www-form-urlencoded',
      ...this.#request,
      ...options,
      headers: { ...this.#request.headers, ...options.headers, ...(dpop && { dpop }) },
    });
    this.session = answer.body.auth_session ?? this.session;
    return answer;
  }

  async redeem(code: string, more: Parameters = {}) {
    const dpop = await this.#key?.prove();
    const parameters = {
      grant_type: 'authorization_code',
      client_id: this.client.id,
      code,
      code_verifier: this.pkce.verifier,
      ...more,
    };
    return postToken(this.tenant, parameters, { headers: dpop === undefined ? {} : { dpop } });
  }

  /** Exchanges the code of a final response for tokens. */
  async tokensFor(answer: ChallengeAnswer): Promise<ClientTokenAnswer> {
    const { authorization_code: code } = expectStatus(200, answer);
    return expectStatus(200, await this.redeem(code));
  }
}

/** The steps that a response requires next: `insufficient_authorization: password, message`. */
export function nextOf({ status, body }: ChallengeAnswer): string {
  assert.ok(status === 200 || status === 400, JSON.stringify(body));
  const steps = body.needs?.map(({ step }) => step).join(', ');
  return steps === undefined ? body.error : `${body.error}: ${steps}`;
}
