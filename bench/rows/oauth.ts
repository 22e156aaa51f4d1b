import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import {
  type CodeLogin,
  cycles,
  dealt,
  formRequest,
  httpHead,
  httpRequest,
  type Traffic,
} from '../measure/traffic.ts';
import {
  authorizationOf,
  authorizationRequest,
  BASE_URL,
  codeLoginOf,
  insertApplication,
  loginPagesOf,
  tokensOf,
} from '../target/applications.ts';
import { ENDING_LOGIN, insertBrowsers, NEW_LOGIN, UNUSED_LOGIN } from '../target/browsers.ts';
import type { Person } from '../target/seed.ts';
import { boundUserinfo } from './bound-tokens.ts';
import { devicePolling } from './devices.ts';
import { betterAuth, keycloak, oidcProvider } from './peers.ts';
import { API, type Bar, type Row, type Scene, tenantHeaders } from './row.ts';

const PEOPLE = 512;
const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'] as const;
const DISCOVERY = '/.well-known/openid-configuration';

/** What all of these rows need. */
const COMMON = { env: { KEYWRIGHT_BASE_URL: BASE_URL }, needsSql: true } as const;

const peopleOf = ({ seed }: Scene) => seed.people.slice(0, PEOPLE);

/** The metadata of a tenant. */
const discovery: Row = {
  ...COMMON,
  name: 'oauth-discovery',
  floor: 'bare-http',
  bar: { floorTimes: 2, peerTimes: 2.5 },
  peers: {
    'better-auth': betterAuth.discovery,
    'oidc-provider': oidcProvider.discovery,
    keycloak: keycloak.discovery,
  },
  traffic: ({ seed, connections }) => {
    const request = discoveryRequest(seed.tenantId);
    return sent(
      Array.from({ length: connections }, () => request),
      connections,
      '"authorization_endpoint"',
    );
  },
};

/** The request for the metadata of a tenant. */
export function discoveryRequest(tenantId: string): string {
  return httpRequest('GET', DISCOVERY, tenantHeaders(tenantId));
}

/** A code for users who have logged in and consented. */
function authorizing(name: string, login = NEW_LOGIN): Row {
  return {
    ...COMMON,
    name,
    floor: 'bare-http',
    bar: { peerTimes: 5 },
    peers: { 'better-auth': betterAuth.authorize, 'oidc-provider': oidcProvider.authorize },
    async traffic(scene) {
      const people = peopleOf(scene);
      const { authorizations } = await insertApplication(scene, people, 'EdDSA', { login });
      const scripts = cycles(authorizations, scene.connections);
      return { scripts, expected: { status: 303, contains: 'code=' } };
    },
  };
}

/** The same in browsers that were not used for a minute: each use is written, within a quarter of a second. */
const authorizingUnused: Row = {
  ...authorizing('oauth-authorize-unused'),
  isFresh: true,
  worksForMs: 500,
  async traffic(scene) {
    const people = peopleOf(scene);
    const client = await insertApplication(scene, people, 'EdDSA');
    const visitors = Array.from(
      { length: scene.requests },
      (_, index) => people[index % people.length] as Person,
    );
    const login = { ...UNUSED_LOGIN, issuer: BASE_URL };
    const cookies = await insertBrowsers(scene.query, visitors, login);
    // Without this, the first read of each row would also set its hint bits.
    await scene.query('VACUUM ANALYZE sessions');
    const requests = cookies.map((cookie) => authorizationRequest(client, undefined, { cookie }));
    const scripts = cycles(requests, scene.connections);
    return { scripts, expected: { status: 303, contains: 'code=' } };
  },
};

/** The login page itself. */
const loginPage: Row = {
  ...COMMON,
  name: 'oauth-login-page',
  floor: 'bare-http',
  bar: { floorTimes: 4 },
  async traffic(scene) {
    const requests = await loginPagesOf(scene, PEOPLE);
    return sent(requests, scene.connections, 'value="login"');
  },
};

/** The bar of a code exchange alone: its cost is twice that of a request of `oauth-code-…`, less an authorization. */
export const EXCHANGE_BAR: Bar = { peerTimes: 3.5 };

/** A code, and its exchange for an access token and an ID token. The figures are per request. */
function codesOf(algorithm: KeyAlgorithm): Row {
  return {
    ...COMMON,
    name: `oauth-code-${algorithm.toLowerCase()}`,
    floor: 'sign',
    peers: {
      // Its provider signs all ID tokens with one key.
      ...(algorithm === 'EdDSA' && { 'better-auth': betterAuth.code }),
      'oidc-provider': oidcProvider.code(algorithm),
      keycloak: keycloak.code(algorithm),
    },
    async traffic(scene) {
      const application = await insertApplication(scene, peopleOf(scene), algorithm);
      const logins = application.authorizations.map((authorization) =>
        codeLoginOf(application, authorization),
      );
      return exchangesOf(logins, scene.connections);
    },
    // An RSA signature on the event loop would delay it.
    probes: () => ({
      livez: {
        scripts: [{ kind: 'cycle', requests: [httpRequest('GET', '/livez')] }],
        expected: { status: 200, contains: '' },
        everyMs: 25,
      },
    }),
  };
}

/** Repeats these logins round-robin. */
export function exchangesOf(logins: readonly CodeLogin[], connections: number): Traffic {
  return {
    scripts: dealt(logins, connections).map((mine) => ({ kind: 'code', logins: mine })),
    expected: { status: [303, 200], contains: '' },
  };
}

/** Rotates the refresh tokens of a client, with an ID token signed by this algorithm, or without one. */
function refreshesOf(algorithm: KeyAlgorithm | 'none'): Row {
  const openId = algorithm === 'none' ? [] : ['openid', 'email', 'offline_access'];
  return {
    ...COMMON,
    name: `oauth-refresh-${algorithm.toLowerCase()}`,
    floor: 'sign',
    bar: { peerTimes: 4 },
    ...(algorithm === 'EdDSA' && {
      peers: {
        'better-auth': betterAuth.appRefresh,
        'oidc-provider': oidcProvider.appRefresh,
        keycloak: keycloak.appRefresh,
      },
    }),
    async traffic(scene) {
      const scopes = openId.length > 0 ? openId : ['read:users'];
      const of = algorithm === 'none' ? 'EdDSA' : algorithm;
      const application = await insertApplication(scene, peopleOf(scene), of, { scopes });
      const { id: client_id, secret: client_secret } = application;
      const fields = { grant_type: 'refresh_token', client_id, client_secret };
      const form = new URLSearchParams(fields).toString();
      const head = httpHead('POST', `${API}/auth/token`, tenantHeaders(scene.seed.tenantId));
      const sessions = (await tokensOf(scene, application)).map(({ refresh_token: token }) => {
        if (token === undefined) throw new Error('There is no refresh token.');
        return { head, token, form };
      });
      return {
        scripts: dealt(sessions, scene.connections).map((mine) => ({
          kind: 'refresh',
          sessions: mine,
        })),
        expected: { status: 200, contains: '"refresh_token":"' },
      };
    },
  };
}

/** The claims that a client receives about a user. */
const userinfo: Row = {
  ...COMMON,
  name: 'oauth-userinfo',
  floor: 'verify',
  bar: { peerTimes: 4 },
  peers: {
    'better-auth': betterAuth.userinfo,
    'oidc-provider': oidcProvider.userinfo,
    keycloak: keycloak.userinfo,
  },
  async traffic(scene) {
    const application = await insertApplication(scene, peopleOf(scene), 'EdDSA');
    const requests = (await tokensOf(scene, application)).map(({ access_token: token }) =>
      httpRequest('GET', '/oauth/userinfo', {
        ...tenantHeaders(scene.seed.tenantId),
        authorization: `Bearer ${token}`,
      }),
    );
    return sent(requests, scene.connections, '"email"');
  },
};

/** A client introspects its own token. */
const introspection: Row = {
  ...COMMON,
  name: 'oauth-introspection',
  floor: 'verify',
  bar: { peerTimes: 4 },
  peers: {
    'better-auth': betterAuth.introspection,
    'oidc-provider': oidcProvider.introspection,
    keycloak: keycloak.introspection,
  },
  async traffic(scene) {
    const application = await insertApplication(scene, peopleOf(scene), 'EdDSA');
    const { id: client_id, secret: client_secret } = application;
    const headers = tenantHeaders(scene.seed.tenantId);
    const requests = (await tokensOf(scene, application)).map(({ access_token: token }) =>
      formRequest('/oauth/introspect', headers, { client_id, client_secret, token }),
    );
    return sent(requests, scene.connections, '"active":true');
  },
};

/** A client pushes an authorization request. */
const pushing: Row = {
  ...COMMON,
  name: 'oauth-par',
  floor: 'bare-http',
  bar: { peerTimes: 4 },
  peers: { 'oidc-provider': oidcProvider.pushing },
  async traffic(scene) {
    const application = await insertApplication(scene, peopleOf(scene), 'EdDSA');
    const { id: client_id, secret: client_secret } = application;
    const form = { ...authorizationOf(client_id, ['openid', 'email']), client_secret };
    const request = formRequest('/oauth/par', tenantHeaders(scene.seed.tenantId), form);
    const requests = Array.from({ length: scene.connections }, () => request);
    return {
      scripts: cycles(requests, scene.connections),
      expected: { status: 201, contains: '"request_uri":"' },
    };
  },
};

function sent(requests: readonly string[], connections: number, contains: string): Traffic {
  return { scripts: cycles(requests, connections), expected: { status: 200, contains } };
}

export const OAUTH_ROWS: readonly Row[] = [
  discovery,
  authorizing('oauth-authorize'),
  authorizing('oauth-authorize-ending', ENDING_LOGIN),
  authorizingUnused,
  loginPage,
  ...ALGORITHMS.map(codesOf),
  ...([...ALGORITHMS, 'none'] as const).map(refreshesOf),
  userinfo,
  boundUserinfo,
  introspection,
  pushing,
  devicePolling,
];
