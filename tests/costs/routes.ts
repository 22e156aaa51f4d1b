import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newPassword } from '../harness/credentials.ts';
import { evaluationOf } from '../harness/evaluation.ts';
import type { TestDatabase } from '../harness/database.ts';
import type { TestTenant } from '../harness/tenant.ts';
import type { Answered, HttpRequest, PersistentConnection } from './exchange.ts';

const API = '/api/sso/v1';
const KEY_SET = '/.well-known/jwks.json';
export const PERSON = { identifier: 'person@example.com', secret: newPassword() };

/** The service under test. */
export interface Scene {
  readonly tenant: TestTenant;
  /** Of the tenant. */
  readonly issuer: string;
  readonly connection: PersistentConnection;
  /** Runs SQL as the superuser. */
  readonly query: TestDatabase['query'];
}

/** Requests of one route, all of which must have the same cost. */
export interface Requests {
  /** The next request. A promise if each needs preparation. */
  readonly next: () => Promise<HttpRequest> | HttpRequest;
  /** Reads the data for the next request from this response. */
  readonly hear?: (answer: Answered) => void;
  /** Default 200. */
  readonly status?: number;
}

export type Prepare = (scene: Scene) => Promise<Requests> | Requests;

/** The routes of users and agents, by their names in the tables. */
export const DIRECT_ROUTES: Readonly<Record<string, Prepare>> = {
  login: ({ tenant }) => ({ next: () => apiRequest(tenant, 'POST', '/auth/login', PERSON) }),

  async refresh({ tenant }) {
    let { refresh_token: refreshToken } = await logIn(tenant);
    return {
      next: () => apiRequest(tenant, 'POST', '/auth/refresh', { refresh_token: refreshToken }),
      hear({ text }) {
        refreshToken = (JSON.parse(text) as TokenAnswer).refresh_token;
      },
    };
  },

  async 'me, with a token'({ tenant }) {
    const request = apiRequest(tenant, 'GET', '/me', undefined, await newToken(tenant));
    return { next: () => request };
  },

  'me, with a token never seen': ({ tenant }) => ({
    next: async () => apiRequest(tenant, 'GET', '/me', undefined, await newToken(tenant)),
  }),

  async 'me, with an API key'({ tenant }) {
    const { key } = await tenant.createAgent();
    const request = apiRequest(tenant, 'GET', '/me', undefined, key);
    return { next: () => request };
  },

  async 'verify-token, seen before'({ tenant }) {
    const caller = await newToken(tenant);
    const request = verifying(tenant, caller, await newToken(tenant));
    return { next: () => request };
  },

  async 'verify-token, never seen'({ tenant }) {
    const caller = await newToken(tenant);
    return { next: async () => verifying(tenant, caller, await newToken(tenant)) };
  },

  async 'verify-token, about an API key'({ tenant }) {
    const { key } = await tenant.createAgent();
    const request = verifying(tenant, await newToken(tenant), key);
    return { next: () => request };
  },

  async 'client credentials'({ tenant }) {
    const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
    const body = { grant_type: 'client_credentials', client_id: agent.id, client_secret: key };
    const request = apiRequest(tenant, 'POST', '/auth/token', body);
    return { next: () => request };
  },

  'key set': ({ tenant }) => {
    const request = keySetRequest(tenant);
    return { next: () => request };
  },

  async 'key set, unchanged'({ tenant, connection }) {
    const { headers, ...rest } = keySetRequest(tenant);
    const { etag = '' } = await connection.request({ headers, ...rest });
    const request = { ...rest, headers: { ...headers, 'if-none-match': etag } };
    return { next: () => request, status: 304 };
  },

  logout: ({ tenant }) => ({
    next: async () => apiRequest(tenant, 'POST', '/auth/logout', undefined, await newToken(tenant)),
  }),

  async evaluation({ tenant }) {
    const [caller, token] = [await newToken(tenant), await newToken(tenant)];
    const request = apiRequest(tenant, 'POST', '/access/v1/evaluation', checkOf(token), caller);
    return { next: () => request };
  },

  async 'evaluations, 100 in one request'({ tenant }) {
    const [caller, token] = [await newToken(tenant), await newToken(tenant)];
    const { subject, ...check } = checkOf(token);
    // One subject for all: a longer body would arrive in several reads, and the caller's grant would be looked up
    // before the last one.
    const body = { subject, evaluations: Array.from({ length: 100 }, () => check) };
    const request = apiRequest(tenant, 'POST', '/access/v1/evaluations', body, caller);
    return { next: () => request };
  },

  async 'users, first page'({ tenant }) {
    const request = apiRequest(tenant, 'GET', '/users', undefined, await tenant.adminToken());
    return { next: () => request };
  },
};

function keySetRequest(tenant: TestTenant): HttpRequest {
  return { method: 'GET', path: KEY_SET, headers: { 'x-tenant-id': tenant.id } };
}

function apiRequest(
  tenant: TestTenant,
  method: string,
  route: string,
  body?: object,
  token?: string,
): HttpRequest {
  const path = route.startsWith('/access/') ? route : `${API}${route}`;
  const headers: Record<string, string> = { 'x-tenant-id': tenant.id };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body === undefined) return { method, path, headers };
  const text = JSON.stringify(body);
  headers['content-type'] = 'application/json';
  headers['content-length'] = String(Buffer.byteLength(text));
  return { method, path, headers, body: text };
}

function verifying(tenant: TestTenant, caller: string, token: string): HttpRequest {
  return apiRequest(tenant, 'POST', '/auth/verify-token', { token }, caller);
}

function checkOf(token: string) {
  return evaluationOf({ token, scope: 'read:users', workspace_id: 'ws_default' });
}

async function newToken(tenant: TestTenant): Promise<string> {
  return (await logIn(tenant)).access_token;
}

async function logIn(tenant: TestTenant): Promise<TokenAnswer> {
  return tenant.login(PERSON.identifier, PERSON.secret);
}
