import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import {
  newClientSecretId,
  newConsentId,
  newOAuthClientId,
  newSessionId,
} from '@keywright/server/platform/crypto/ids';
import { sha256 } from '@keywright/server/platform/crypto/sealed';
import { cookieName } from '@keywright/server/platform/http/pages/cookies';
import { SessionCookie } from '@keywright/server/tenancy/session-cookie';
import { pooled } from '@keywright/tests/harness/parallel';
import { formRequest, httpRequest } from '../measure/traffic.ts';
import { API, type Scene, tenantHeaders } from '../rows/row.ts';
import type { Person } from './seed.ts';

/** Of the installation, for the rows of applications: pages are served at the address of the issuer only. */
export const BASE_URL = 'https://id.example.com';
const CALLBACK = 'https://app.example.com/callback';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const AT_ONCE = 8;
const DAY_MS = 86_400_000;

/** A client of the tenant, and people who are logged in, in a browser each, and have allowed it what it asks for. */
export interface Application {
  readonly id: OAuthClientId;
  readonly secret: string;
  /** Requests for a code, one for each browser. */
  readonly authorizations: readonly string[];
}

/** @param algorithm of its ID tokens */
export async function insertApplication(
  { seed, query }: Scene,
  people: readonly Person[],
  algorithm: KeyAlgorithm,
  scopes = ['openid', 'email'],
): Promise<Application> {
  const { tenantId } = seed;
  const now = new Date();
  const { id, secret } = await insertClient({ seed, query }, algorithm, scopes);
  await query(
    `INSERT INTO consents (tenant_id, id, user_id, client_id, scopes, created_at, updated_at)
     SELECT $1, c.id, c.owner, $2, $3, $4, $4 FROM unnest($5::text[], $6::text[]) AS c (id, owner)`,
    [
      tenantId,
      id,
      scopes,
      now,
      people.map(() => newConsentId(now)),
      people.map((one) => one.userId),
    ],
  );
  const cookies = await insertBrowsers({ seed, query }, people);
  await query('VACUUM ANALYZE sessions, consents, oauth_clients, oauth_client_secrets');
  const path = authorizationPath(tenantId, id, scopes);
  const authorizations = cookies.map((cookie) => httpRequest('GET', path, { cookie }));
  return { id, secret, authorizations };
}

/** A client of each of these tenants. @returns a request for a code for each, of somebody who has not logged in */
export async function insertClients(
  { query }: Pick<Scene, 'query'>,
  tenantIds: readonly string[],
): Promise<string[]> {
  const now = new Date();
  const ids = tenantIds.map(() => newOAuthClientId(now));
  await query(
    `INSERT INTO oauth_clients (
       tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris, post_logout_redirect_uris,
       grant_types, scopes, id_token_signed_response_alg, created_at)
     SELECT c.tenant, c.id, 'Invoices', 'spa', false, 'none', $1, '{}', '{authorization_code}', '{openid,email}',
            'EdDSA', $2
       FROM unnest($3::text[], $4::text[]) AS c (tenant, id)`,
    [[CALLBACK], now, tenantIds, ids],
  );
  return tenantIds.map((tenantId, place) =>
    httpRequest('GET', authorizationPath(tenantId, ids[place] ?? '', ['openid', 'email'])),
  );
}

type Installed = Pick<Scene, 'seed' | 'query'>;

async function insertClient(
  { seed: { tenantId }, query }: Installed,
  algorithm: KeyAlgorithm,
  scopes: readonly string[],
): Promise<Pick<Application, 'id' | 'secret'>> {
  const now = new Date();
  const id = newOAuthClientId(now);
  const secret = randomBytes(32).toString('base64url');
  await query(
    `INSERT INTO oauth_clients (
       tenant_id, id, name, kind, first_party, token_endpoint_auth_method, redirect_uris, post_logout_redirect_uris,
       grant_types, scopes, id_token_signed_response_alg, created_at)
     VALUES ($1, $2, 'Invoices', 'web', false, 'client_secret_post', $3, '{}', $4, $5, $6, $7)`,
    [tenantId, id, [CALLBACK], ['authorization_code', 'refresh_token'], scopes, algorithm, now],
  );
  await query(
    `INSERT INTO oauth_client_secrets (tenant_id, id, client_id, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [tenantId, newClientSecretId(now), id, sha256(secret), now],
  );
  return { id, secret };
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

function authorizationPath(tenantId: string, id: string, scopes: readonly string[]): string {
  const asked = new URLSearchParams(authorizationOf(id, scopes));
  return `/t/${tenantId}/oauth/authorize?${asked.toString()}`;
}

/** @returns the header Cookie of each browser */
async function insertBrowsers(
  { seed: { tenantId }, query }: Installed,
  people: readonly Person[],
): Promise<string[]> {
  const now = new Date();
  const name = cookieName('session', { tenantId, issuer: BASE_URL });
  const browsers = people.map(({ userId }) => {
    const cookie = new SessionCookie();
    const id = newSessionId(now);
    cookie.opened(id);
    return { userId, id, cookie };
  });
  await query(
    `INSERT INTO sessions (
       tenant_id, id, user_id, workspace_id, kind, auth_time, acr, amr, ip_address, created_at, expires_at,
       absolute_expires_at, refresh_hash, refresh_issued_at)
     SELECT $1, b.id, b.owner, 'ws_default', 'browser', $2, 'aal1', '{pwd}', '127.0.0.1', $2, $3, $3, b.hash, $2
       FROM unnest($4::text[], $5::text[], $6::bytea[]) AS b (id, owner, hash)`,
    [
      tenantId,
      now,
      new Date(now.getTime() + DAY_MS),
      browsers.map(({ id }) => id),
      browsers.map(({ userId }) => userId),
      browsers.map(({ cookie }) => cookie.secretHash),
    ],
  );
  return browsers.map(({ cookie }) => `${name}=${cookie.value ?? ''}`);
}

/** The fields of the exchange, without the code. */
export function exchangeOf({ id, secret }: Application): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
  };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** The tokens that each browser's code is exchanged for, by the running service. */
export function tokensOf(scene: Scene, application: Application): Promise<Tokens[]> {
  return pooled(AT_ONCE, application.authorizations, async (authorization) => {
    const location = await send(scene.url, authorization, 'location');
    const code = new URL(location).searchParams.get('code') ?? '';
    const headers = tenantHeaders(scene.seed.tenantId);
    const form = { ...exchangeOf(application), code };
    const body = await send(scene.url, formRequest(`${API}/auth/token`, headers, form), 'body');
    return JSON.parse(body) as Tokens;
  });
}

/** Sends a request as the load does. */
function send(url: string, text: string, wanted: 'location' | 'body'): Promise<string> {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({ hostname, port, method, path, headers }, (answer) => {
      let received = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      answer.on('end', () =>
        resolve(wanted === 'body' ? received : (answer.headers.location ?? '')),
      );
    });
    outgoing.on('error', reject).end(body);
  });
}
