import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { type Answer, expectStatus } from './http.ts';
import { answerJson } from './outside-issuer.ts';
import { newStatementKey, type StatementKey } from './statement-key.ts';
import type { TestTenant } from './tenant.ts';

export const RETURN_URL = 'https://app.example.com/login/back?from=provider';
/** Settings of a tenant whose users log in at providers. */
export const UPSTREAM_CONFIG = { return_urls: [RETURN_URL], login_attempts_limit: 10_000 };
export const CLIENT_ID = 'keywright';

/** A user with an account at a provider. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean | string;
  readonly [claim: string]: unknown;
}

interface Grant {
  readonly person: Person;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An OpenID Connect provider on loopback, which can send false responses. */
export class FakeProvider {
  readonly issuer: string;
  readonly clientSecret = randomBytes(24).toString('base64url');
  keys: readonly StatementKey[];
  /** Signs ID tokens. */
  signer: StatementKey;
  /** Replaces or extends the metadata. */
  metadata: Readonly<Record<string, unknown>> = {};
  /** Replaces the claims of ID tokens. */
  claims: (usual: Record<string, unknown>) => Record<string, unknown> = (usual) => usual;
  /** Replaces the ID token. */
  idToken: ((claims: Record<string, unknown>) => Promise<string | undefined>) | undefined;
  /** Replaces an endpoint, by its path. */
  readonly instead = new Map<string, Respond>();
  /** The requested paths. */
  readonly requestedPaths: string[] = [];
  /** The bodies that the token endpoint got. */
  readonly exchanges: URLSearchParams[] = [];
  tokenPath = '/token';
  /** Whether the token endpoint accepts the client's credentials. */
  isClient: (body: URLSearchParams, basic: string) => boolean = (_body, basic) =>
    basic === `${CLIENT_ID}:${this.clientSecret}`;
  now: () => number = () => Date.now();
  readonly #grants = new Map<string, Grant>();
  readonly #close: () => Promise<void>;

  constructor(issuer: string, key: StatementKey, close: () => Promise<void>) {
    this.issuer = issuer;
    this.keys = [key];
    this.signer = key;
    this.#close = close;
  }

  /** Logs the browser in as this person. @returns the redirect URL */
  authorize(authorizeUrl: string, person: Person, { iss }: { readonly iss?: string } = {}): URL {
    const { searchParams: query } = new URL(authorizeUrl);
    const code = randomBytes(16).toString('base64url');
    this.#grants.set(code, {
      person,
      nonce: query.get('nonce'),
      challenge: query.get('code_challenge'),
      redirectUri: query.get('redirect_uri'),
    });
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    back.searchParams.set('code', code);
    if (iss !== undefined) back.searchParams.set('iss', iss);
    return back;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0] ?? '';
    this.requestedPaths.push(path);
    const instead = this.instead.get(path);
    if (instead) return instead(request, response);
    if (path.endsWith('/.well-known/openid-configuration')) {
      return answerJson(response, {
        issuer: this.issuer + path.replace('/.well-known/openid-configuration', ''),
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        jwks_uri: `${this.issuer}/keys`,
        ...this.metadata,
      });
    }
    if (path === '/keys') {
      return answerJson(response, { keys: this.keys.map(({ publicJwk }) => publicJwk) });
    }
    if (path !== this.tokenPath) return void response.writeHead(404).end();
    const body = new URLSearchParams((await request.setEncoding('utf8').toArray()).join(''));
    this.exchanges.push(body);
    const tokens = await this.#exchange(body, request.headers.authorization);
    if (tokens) return answerJson(response, tokens);
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('{"error":"invalid_grant"}');
  }

  async #exchange(body: URLSearchParams, authorization: string | undefined) {
    const code = body.get('code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    // RFC 6749 §2.3.1: both are form-encoded.
    const basic = Buffer.from((authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const pair = decodeURIComponent(basic);
    const verifier = createHash('sha256').update(body.get('code_verifier') ?? '');
    const isGood =
      this.isClient(body, pair) &&
      grant?.redirectUri === body.get('redirect_uri') &&
      grant.challenge === verifier.digest('base64url');
    if (!isGood) return undefined;
    const seconds = Math.floor(this.now() / 1000);
    const usual = { iss: this.issuer, aud: CLIENT_ID, iat: seconds, exp: seconds + 300 };
    const claims = this.claims({ ...usual, nonce: grant.nonce, ...grant.person });
    const idToken = this.idToken ? await this.idToken(claims) : await this.signer.sign(claims);
    const rest = { access_token: 'at-the-provider', token_type: 'Bearer' };
    return { ...rest, ...(idToken !== undefined && { id_token: idToken }) };
  }

  close(): Promise<void> {
    return this.#close();
  }
}

export async function startFakeProvider(host = '127.0.0.1'): Promise<FakeProvider> {
  const key = await newStatementKey('RS256');
  const server = createServer((request, response) => {
    void provider.answer(request, response);
  });
  // A test that fails before closing this must not keep the process alive.
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  const provider = new FakeProvider(issuer, key, async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return provider;
}

/** Adds an active provider to a tenant, without testing it. */
export async function addProvider(
  tenant: TestTenant,
  { issuer, clientSecret }: Pick<FakeProvider, 'issuer' | 'clientSecret'>,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<IdentityProviderRecord> {
  const usual = { type: 'oidc', name: 'Corporate', issuer, client_id: CLIENT_ID };
  const state = { is_active: true, skip_test: true };
  const body = { ...usual, ...state, client_secret: clientSecret, ...fields };
  const token = await tenant.adminToken();
  const answer = await tenant.request<IdentityProviderRecord>('POST', '/identity-providers', {
    token,
    body,
  });
  return expectStatus(201, answer);
}

export type UpstreamAnswer = Answer<FlowAnswer & ErrorBody & { authorize_url?: string }>;

/** Starts a flow that allows logins at a provider. */
export async function startUpstreamFlow(
  tenant: TestTenant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<OfferedFlow> {
  const options = { body: { register: true, ...body } };
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', options);
  const { flow, flow_token } = expectStatus(201, answer);
  return { ...flow, flow_token };
}

export function flowStep(
  tenant: TestTenant,
  { id, flow_token }: OfferedFlow,
  step: string,
  body: Readonly<Record<string, unknown>> = {},
  node = 0,
): Promise<UpstreamAnswer> {
  const options = { body: { flow_token, ...body }, node };
  return tenant.request('POST', `/auth/flows/${id}/${step}`, options);
}

/** Starts a login at a provider within a flow. @returns the URL that the browser opens */
export async function goToProvider(
  tenant: TestTenant,
  flow: OfferedFlow,
  { id }: Pick<IdentityProviderRecord, 'id'>,
): Promise<string> {
  const body = { provider: id, return_url: RETURN_URL };
  return expectStatus(200, await flowStep(tenant, flow, 'oauth', body)).authorize_url ?? '';
}

/** Follows the provider's redirect back to the service. @returns the next redirect URL */
export async function comeBack(tenant: TestTenant, back: URL, node = 0): Promise<URL> {
  const path = `${back.pathname}${back.search}`;
  const { location } = expectRedirect(
    await tenant.request('GET', path, { headers: {}, node }),
  ).headers;
  return new URL(location ?? '');
}

function expectRedirect<Body>(answer: Answer<Body>): Answer<Body> {
  if (answer.status !== 303) throw new Error(`Not 303 but ${answer.status}: ${answer.text}`);
  return answer;
}

export function handoffOf(at: URL): string {
  const handoff = at.searchParams.get('handoff');
  if (handoff === null) throw new Error(`No handoff: ${at.href}`);
  return handoff;
}

/** All of a login at a provider, in a flow. */
export async function proveUpstream(
  tenant: TestTenant,
  flow: OfferedFlow,
  {
    provider,
    record,
  }: { readonly provider: FakeProvider; readonly record: IdentityProviderRecord },
  person: Person,
): Promise<UpstreamAnswer> {
  const at = await goToProvider(tenant, flow, record);
  const back = await comeBack(tenant, provider.authorize(at, person));
  return flowStep(tenant, flow, 'oauth/finish', { handoff: handoffOf(back) });
}
