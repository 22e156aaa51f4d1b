import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { OAuthClientId, TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import {
  newClientSecretId,
  newConsentId,
  newOAuthClientId,
} from '@keywright/server/platform/crypto/ids';
import { sha256 } from '@keywright/server/platform/crypto/sealed';
import { cookieName } from '@keywright/server/platform/http/pages/cookies';
import { pooled } from '@keywright/tests/harness/parallel';
import { type CodeLogin, formRequest, httpHead, httpRequest } from '../measure/traffic.ts';
import { API, type Scene, tenantHeaders } from '../rows/row.ts';
import { type BrowserLogin, insertBrowsers, NEW_LOGIN } from './browsers.ts';
import type { Person } from './seed.ts';

/** The base URL of the installation, for the rows of applications: pages are served only at the issuer's address. */
export const BASE_URL = 'https://id.example.com';
export const CALLBACK = 'https://app.example.com/callback';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const AT_ONCE = 8;
export const OPEN_ID: readonly string[] = ['openid', 'email'];

/** A client of a tenant. */
export interface Client {
  readonly tenantId: TenantId;
  readonly id: OAuthClientId;
  readonly secret: string;
}

/** A client of the tenant, and logged-in users with separate browsers, who have consented to its requests. */
interface Application extends Client {
  /** Requests for a code, one for each browser. */
  readonly authorizations: readonly string[];
}

/** @param algorithm of the client's ID tokens */
export async function insertApplication(
  { seed: { tenantId }, query }: Scene,
  people: readonly Person[],
  algorithm: KeyAlgorithm,
  {
    scopes = OPEN_ID,
    login,
  }: { readonly scopes?: readonly string[]; readonly login?: BrowserLogin } = {},
): Promise<Application> {
  const [client] = await insertClients(query, [tenantId], algorithm, scopes);
  if (!client) throw new Error('There is no client.');
  const allowing = people.map((person) => ({ person, client }));
  return { ...client, authorizations: await insertVisitors(query, allowing, { scopes, login }) };
}

/** A client of each of these tenants. @param algorithm of its ID tokens */
export async function insertClients(
  query: Scene['query'],
  tenantIds: readonly TenantId[],
  algorithm: KeyAlgorithm,
  scopes = OPEN_ID,
): Promise<Client[]> {
  const now = new Date();
  const clients = tenantIds.map((tenantId) => {
    return { tenantId, id: newOAuthClientId(now), secret: randomBytes(32).toString('base64url') };
  });
  const ids = clients.map(({ id }) => id);
  await query(
    `INSERT INTO oauth_clients (
       tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris, post_logout_redirect_uris,
       grant_types, scopes, id_token_signed_response_alg, created_at)
     SELECT c.tenant, c.id, 'Invoices', 'web', false, 'client_secret_post', $1, '{}', $2, $3, $4, $5
       FROM unnest($6::text[], $7::text[]) AS c (tenant, id)`,
    [[CALLBACK], ['authorization_code', 'refresh_token'], scopes, algorithm, now, tenantIds, ids],
  );
  await query(
    `INSERT INTO oauth_client_secrets (tenant_id, id, client_id, secret_hash, created_at)
     SELECT c.tenant, c.id, c.client, c.hash, $1
       FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) AS c (tenant, id, client, hash)`,
    [
      now,
      tenantIds,
      clients.map(() => newClientSecretId(now)),
      ids,
      clients.map(({ secret }) => sha256(secret)),
    ],
  );
  return clients;
}

/** A user who has consented to the requests of a client of their tenant. */
interface Allowing {
  readonly person: Person;
  readonly client: Client;
}

/** Consents of these users, each logged in with a separate browser. @returns their requests for a code */
export async function insertVisitors(
  query: Scene['query'],
  allowing: readonly Allowing[],
  {
    scopes = OPEN_ID,
    login = NEW_LOGIN,
  }: { readonly scopes?: readonly string[]; readonly login?: BrowserLogin | undefined } = {},
): Promise<string[]> {
  const now = new Date();
  await query(
    `INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, redirect_origins, created_at, updated_at)
     SELECT c.tenant, c.id, c.owner, c.client, $1, $2, $3, $3
       FROM unnest($4::text[], $5::text[], $6::text[], $7::text[]) AS c (tenant, id, owner, client)`,
    [
      scopes,
      [new URL(CALLBACK).origin],
      now,
      allowing.map(({ client }) => client.tenantId),
      allowing.map(() => newConsentId(now)),
      allowing.map(({ person }) => person.userId),
      allowing.map(({ client }) => client.id),
    ],
  );
  const cookies = await insertBrowsers(
    query,
    allowing.map(({ person }) => person),
    { ...login, issuer: BASE_URL },
  );
  await query('VACUUM ANALYZE sessions, consents, oauth_clients, oauth_client_secrets');
  return allowing.map(({ client }, index) =>
    authorizationRequest(client, scopes, { cookie: cookies[index] ?? '' }),
  );
}

/** The parameters of a request for a code. */
export function authorizationOf(id: string, scopes: readonly string[]): Record<string, string> {
  return {
    client_id: id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: scopes.join(' '),
    state: 'af0ifjsldkj',
    nonce: 'n-0S6_WzA2Mj',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  };
}

/** An authorization request; without a cookie, its user has not logged in. */
export function authorizationRequest(
  { tenantId, id }: Pick<Client, 'tenantId' | 'id'>,
  scopes = OPEN_ID,
  headers: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams(authorizationOf(id, scopes)).toString();
  return httpRequest('GET', `/t/${tenantId}/oauth/authorize?${parameters}`, headers);
}

/** A login in two requests: for a code, and for its tokens. */
export function codeLoginOf(client: Client, authorize: string): CodeLogin {
  const head = httpHead('POST', `${API}/auth/token`, tenantHeaders(client.tenantId));
  return { authorize, head, form: new URLSearchParams(exchangeOf(client)).toString() };
}

/** The fields of the exchange, without the code. */
function exchangeOf({ id, secret }: Client): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  };
}

/** Requests for the login page from this many browsers, whose requests for a code the running service has processed. */
export async function loginPagesOf(
  { seed: { tenantId }, query, url }: Scene,
  count: number,
): Promise<string[]> {
  const clients = await insertClients(query, [tenantId], 'EdDSA');
  const name = cookieName('flow', { id: tenantId, issuer: BASE_URL });
  const browsers = Array.from({ length: count }, () => clients).flat();
  return pooled(AT_ONCE, browsers, async (client) => {
    const cookie = `${name}=${randomBytes(16).toString('base64url')}`;
    const location = await send(url, authorizationRequest(client, OPEN_ID, { cookie }), 'location');
    const { pathname, search } = new URL(location, BASE_URL);
    return httpRequest('GET', `${pathname}${search}`, { cookie });
  });
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** Exchanges each browser's code for tokens at the running service. */
export function tokensOf(
  scene: Scene,
  application: Application,
  prove?: () => string,
): Promise<Tokens[]> {
  return pooled(AT_ONCE, application.authorizations, async (authorization) => {
    const location = await send(scene.url, authorization, 'location');
    const code = new URL(location).searchParams.get('code') ?? '';
    const headers = { ...tenantHeaders(scene.seed.tenantId), ...(prove && { dpop: prove() }) };
    const form = { ...exchangeOf(application), code };
    const body = await send(scene.url, formRequest(`${API}/auth/token`, headers, form), 'body');
    return JSON.parse(body) as Tokens;
  });
}

/** Sends a request as the load does. */
function send(url: string, text: string, part: 'location' | 'body'): Promise<string> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      answer.on('end', () => resolve(part === 'body' ? received : (answer.headers.location ?? '')));
    });
    outgoing.on('error', reject).end(body);
  });
}
