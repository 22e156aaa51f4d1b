// The peers' requests, for the rows that they support.

import { createHash, randomBytes } from 'node:crypto';
import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import type { PeerFilling, PeerTraffic } from '../measure/party.ts';
import { dealt, formRequest, httpHead, httpRequest, type Traffic } from '../measure/traffic.ts';
import { MILLION } from '../target/users.ts';

const AUTH = '/api/auth';
/** All responses with tokens contain this. */
const TOKEN_RESPONSE = { status: 200, contains: '"access_token":"' };
/** Both derive their addresses from proxy headers, and issue tokens only over https. */
const HTTPS = { 'x-forwarded-proto': 'https' };
const RESOURCE = 'https://api.example.com';
const CALLBACK = 'https://app.example.com/callback';
const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const PAGE = 20;
const SEARCHES = 400;

export const betterAuth = {
  login: ({ emails = [], password = [] }, connections) => {
    const requests = emails.map((email) =>
      httpRequest('POST', `${AUTH}/sign-in/email`, HTTPS, { email, password: password[0] }),
    );
    return cycles(requests, connections, '"token":"');
  },
  refresh: (filling, connections) =>
    refreshes(filling, connections, {
      path: `${AUTH}/oauth2/token`,
      fields: { resource: RESOURCE },
    }),
  clientCredentials: (filling, connections) =>
    credentials(filling, connections, `${AUTH}/oauth2/token`, { resource: RESOURCE }),
  apiKey: ({ apiKeys = [] }, connections) => {
    const requests = apiKeys.map((key) =>
      httpRequest('GET', `${AUTH}/get-session`, { ...HTTPS, 'x-api-key': key }),
    );
    return cycles(requests, connections, '"session":{"id"');
  },
  keySet: (_, connections) =>
    cycles([httpRequest('GET', `${AUTH}/jwks`, HTTPS)], connections, '"keys"'),
  appRefresh: (filling, connections) =>
    refreshes(filling, connections, {
      path: `${AUTH}/oauth2/token`,
      fields: { resource: RESOURCE },
      client: 'openIdApp',
      tokens: 'appRefreshTokens',
    }),
  discovery: (_, connections) =>
    cycles(
      [httpRequest('GET', `${AUTH}/.well-known/openid-configuration`, HTTPS)],
      connections,
      '"authorization_endpoint"',
    ),
  authorize: (filling, connections) => {
    const requests = authorizationsOf(filling, 'openIdApp', `${AUTH}/oauth2/authorize`);
    return {
      scripts: dealt(requests, connections).map((mine) => ({ kind: 'cycle', requests: mine })),
      expected: { status: 302, contains: 'code=' },
    };
  },
  code: (filling, connections) =>
    codeLogins(filling, connections, {
      client: 'openIdApp',
      authorize: `${AUTH}/oauth2/authorize`,
      token: `${AUTH}/oauth2/token`,
      fields: { resource: RESOURCE },
    }),
  userinfo: (filling, connections) => claims(filling, connections, `${AUTH}/oauth2/userinfo`),
  introspection: (filling, connections) =>
    introspections(filling, connections, {
      client: 'openIdApp',
      path: `${AUTH}/oauth2/introspect`,
    }),
  usersPage:
    (page: number): PeerTraffic =>
    (filling, connections) =>
      users(filling, connections, [
        `offset=${(page - 1) * PAGE}&sortBy=createdAt&sortDirection=desc`,
      ]),
  usersSearch: (filling, connections) => {
    const parts = Array.from({ length: SEARCHES }, (_, index) => {
      const number = (index * 7919) % MILLION;
      return [`person.${number}@mail.example.com`, `person.${number}@`, `${number}@mail`];
    }).flat();
    const query = (part: string) =>
      `searchField=email&searchOperator=contains&searchValue=${encodeURIComponent(part)}`;
    return users(filling, connections, parts.map(query));
  },
} satisfies Record<string, PeerTraffic | ((page: number) => PeerTraffic)>;

export const oidcProvider = {
  refresh: (filling, connections) => refreshes(filling, connections, { path: '/token' }),
  /** Uses its own sessions, because the other row has rotated the tokens of its sessions. */
  appRefresh: (filling, connections) =>
    refreshes(filling, connections, { path: '/token', tokens: 'appRefreshTokens' }),
  clientCredentials: (filling, connections) =>
    credentials(filling, connections, '/token', { scope: 'read:users read:roles write:invoices' }),
  keySet: (_, connections) => cycles([httpRequest('GET', '/jwks', HTTPS)], connections, '"keys"'),
  discovery: (_, connections) =>
    cycles(
      [httpRequest('GET', '/.well-known/openid-configuration', HTTPS)],
      connections,
      '"authorization_endpoint"',
    ),
  authorize: (filling, connections) => {
    const requests = authorizationsOf(filling, 'app EdDSA', '/auth');
    return {
      scripts: dealt(requests, connections).map((mine) => ({ kind: 'cycle', requests: mine })),
      expected: { status: 303, contains: 'code=' },
    };
  },
  code:
    (algorithm: string): PeerTraffic =>
    (filling, connections) =>
      codeLogins(filling, connections, {
        client: `app ${algorithm}`,
        authorize: '/auth',
        token: '/token',
      }),
  userinfo: (filling, connections) => claims(filling, connections, '/me'),
  pushing: (filling, connections) => {
    const [client_id = '', client_secret = ''] = filling['app EdDSA'] ?? [];
    const parameters = Object.fromEntries(authorizationOf(client_id));
    const { scripts } = cycles(
      [formRequest('/request', HTTPS, { ...parameters, client_secret })],
      connections,
      '',
    );
    return { scripts, expected: { status: 201, contains: '"request_uri":"' } };
  },
  devicePolling: ({ deviceCodes = [], ...filling }, connections) => {
    const [client_id = '', client_secret = ''] = filling['device'] ?? [];
    const requests = deviceCodes.map((device_code) =>
      formRequest('/token', HTTPS, {
        grant_type: DEVICE_GRANT,
        client_id,
        client_secret,
        device_code,
      }),
    );
    return {
      ...cycles(requests, connections, ''),
      expected: { status: 400, contains: '"authorization_pending"' },
    };
  },
  introspection: (filling, connections) =>
    introspections(filling, connections, { client: 'app EdDSA', path: '/token/introspection' }),
} satisfies Record<string, PeerTraffic | ((algorithm: string) => PeerTraffic)>;

const KEYCLOAK = '/realms/bench/protocol/openid-connect';

export const keycloak = {
  refresh: (filling, connections) => refreshes(filling, connections, { path: `${KEYCLOAK}/token` }),
  appRefresh: (filling, connections) =>
    refreshes(filling, connections, {
      path: `${KEYCLOAK}/token`,
      client: 'app EdDSA',
      tokens: 'appRefreshTokens',
    }),
  clientCredentials: (filling, connections) =>
    credentials(filling, connections, `${KEYCLOAK}/token`, {}),
  keySet: (_, connections) =>
    cycles([httpRequest('GET', `${KEYCLOAK}/certs`, HTTPS)], connections, '"keys"'),
  discovery: (_, connections) =>
    cycles(
      [httpRequest('GET', '/realms/bench/.well-known/openid-configuration', HTTPS)],
      connections,
      '"authorization_endpoint"',
    ),
  code:
    (algorithm: string): PeerTraffic =>
    (filling, connections) =>
      codeLogins(filling, connections, {
        client: `app ${algorithm}`,
        authorize: `${KEYCLOAK}/auth`,
        token: `${KEYCLOAK}/token`,
      }),
  userinfo: (filling, connections) => claims(filling, connections, `${KEYCLOAK}/userinfo`),
  introspection: (filling, connections) =>
    introspections(filling, connections, {
      client: 'app EdDSA',
      path: `${KEYCLOAK}/token/introspect`,
    }),
} satisfies Record<string, PeerTraffic | ((algorithm: string) => PeerTraffic)>;

/** Requests for a code from browsers whose users have logged in and consented. */
function authorizationsOf(filling: PeerFilling, client: string, path: string): string[] {
  const [id = ''] = filling[client] ?? [];
  const query = authorizationOf(id);
  return (filling['cookies'] ?? []).map((cookie) =>
    httpRequest('GET', `${path}?${query.toString()}`, { ...HTTPS, cookie }),
  );
}

interface CodeLogins {
  /** The name of the client in the filling. */
  readonly client: string;
  readonly authorize: string;
  readonly token: string;
  readonly fields?: Readonly<Record<string, string>>;
}

function codeLogins(
  filling: PeerFilling,
  connections: number,
  { client, authorize: path, token, fields = {} }: CodeLogins,
): Traffic {
  const [id = '', secret = ''] = filling[client] ?? [];
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: id,
    client_secret: secret,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...fields,
  }).toString();
  const head = httpHead('POST', token, HTTPS);
  const logins = authorizationsOf(filling, client, path).map((authorize) => {
    return { authorize, head, form };
  });
  return {
    scripts: dealt(logins, connections).map((mine) => ({ kind: 'code', logins: mine })),
    expected: { status: [302, 303, 200], contains: '' },
  };
}

function claims({ accessTokens = [] }: PeerFilling, connections: number, path: string): Traffic {
  const requests = accessTokens.map((token) =>
    httpRequest('GET', path, { ...HTTPS, authorization: `Bearer ${token}` }),
  );
  return cycles(requests, connections, '"email"');
}

function introspections(
  filling: PeerFilling,
  connections: number,
  { client, path }: { readonly client: string; readonly path: string },
): Traffic {
  const [client_id = '', client_secret = ''] = filling[client] ?? [];
  const requests = (filling['accessTokens'] ?? []).map((token) =>
    formRequest(path, HTTPS, { client_id, client_secret, token }),
  );
  return cycles(requests, connections, '"active":true');
}

function authorizationOf(id: string): URLSearchParams {
  return new URLSearchParams({
    client_id: id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email',
    state: 'af0ifjsldkj',
    nonce: 'n-0S6_WzA2Mj',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
}

interface Refreshes {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  /** The name of the client in the filling. */
  readonly client?: string;
  /** The name of the tokens in the filling. Each token is accepted once, so no other row can use it. */
  readonly tokens?: string;
}

function refreshes(
  filling: PeerFilling,
  connections: number,
  { path, fields = {}, client = 'app', tokens = 'refreshTokens' }: Refreshes,
): Traffic {
  const [id = '', secret = ''] = filling[client] ?? [];
  const form = { grant_type: 'refresh_token', client_id: id, client_secret: secret, ...fields };
  const head = httpHead('POST', path, HTTPS);
  const peerTokens = filling[tokens] ?? [];
  if (peerTokens.length === 0) throw new Error(`The peer has no ${tokens}.`);
  const sessions = peerTokens.map((token) => ({
    head,
    token,
    form: new URLSearchParams(form).toString(),
  }));
  return {
    scripts: dealt(sessions, connections).map((mine) => ({ kind: 'refresh', sessions: mine })),
    expected: { status: 200, contains: '"refresh_token":"' },
  };
}

function credentials(
  { clientIds = [], clientSecrets = [] }: PeerFilling,
  connections: number,
  path: string,
  fields: Readonly<Record<string, string>>,
): Traffic {
  const requests = clientIds.map((id, index) =>
    formRequest(path, HTTPS, {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: clientSecrets[index] ?? '',
      ...fields,
    }),
  );
  return cycles(requests, connections, TOKEN_RESPONSE.contains);
}

function users({ cookies = [] }: PeerFilling, connections: number, queries: readonly string[]) {
  const headers = { ...HTTPS, cookie: cookies[0] ?? '' };
  const requests = queries.map((query) =>
    httpRequest('GET', `${AUTH}/admin/list-users?limit=${PAGE}&${query}`, headers),
  );
  return cycles(requests, connections, '"total":');
}

/** Each connection starts at a different request, and repeats all of them. */
function cycles(requests: readonly string[], connections: number, contains: string): Traffic {
  return {
    scripts: Array.from({ length: connections }, (_, index) => {
      const from = Math.floor((index * requests.length) / connections);
      return { kind: 'cycle', requests: [...requests.slice(from), ...requests.slice(0, from)] };
    }),
    expected: { status: 200, contains },
  };
}
