// oidc-provider on PostgreSQL: codes, refresh with rotation, client credentials, device codes, userinfo, introspection,
// discovery, key set. It stores no passwords, API keys or users, so it has no part in the rows about those.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { createTable, PostgresAdapter } from './postgres-adapter.mjs';

const CLIENTS = 50;
const RESOURCE = 'https://api.example.com';
const SCOPE = 'read:users read:roles write:invoices';

const { PORT, EMPTY } = process.env;
// Empty when the startup is measured.
const SESSIONS = EMPTY === 'yes' ? 0 : 512;
const issuer = 'https://id.example.com';

function secret() {
  return randomBytes(32).toString('base64url');
}

const clients = Array.from({ length: CLIENTS }, (_, number) => ({
  client_id: `robot-${number}`,
  client_secret: secret(),
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['client_credentials'],
  id_token_signed_response_alg: 'EdDSA',
  response_types: [],
  redirect_uris: [],
}));
const app = {
  client_id: 'app',
  client_secret: secret(),
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['https://app.example.com/callback'],
  id_token_signed_response_alg: 'EdDSA',
};

const deviceApp = {
  client_id: 'device',
  client_secret: secret(),
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
  id_token_signed_response_alg: 'EdDSA',
  response_types: [],
  redirect_uris: [],
};

/** Clients that exchange codes, by the algorithm of their ID tokens. */
const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'];
const apps = ALGORITHMS.map((algorithm) => ({
  client_id: `app-${algorithm}`,
  client_secret: secret(),
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code'],
  redirect_uris: ['https://app.example.com/callback'],
  id_token_signed_response_alg: algorithm,
}));

const jwkOf = ({ privateKey }, alg) => ({
  ...privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg,
  kid: alg,
});
const keys = [
  jwkOf(generateKeyPairSync('ed25519'), 'EdDSA'),
  jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'),
  jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256'),
];
await createTable();
// In the database, as clients registered at run time are. oidc-provider then reads the client of each request from its
// adapter, and reuses the validated client of an unchanged row: it caches a hundred of those, and there are fewer.
const registered = new PostgresAdapter('Client');
for (const client of [...clients, app, deviceApp, ...apps]) {
  await registered.upsert(client.client_id, client);
}
const provider = new Provider(issuer, {
  adapter: PostgresAdapter,
  jwks: { keys },
  enabledJWA: { idTokenSigningAlgValues: ALGORITHMS },
  scopes: ['openid', 'email', 'offline_access', ...SCOPE.split(' ')],
  claims: { openid: ['sub', 'roles'], email: ['email', 'email_verified'] },
  rotateRefreshToken: true,
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      email: `${id}@example.com`,
      email_verified: true,
      roles: ['member'],
    }),
  }),
  // About as many claims as an access token of the service has.
  extraTokenClaims: () => ({
    tenant_id: 'org_bench',
    workspace_id: 'ws_default',
    roles: ['member'],
    token_type: 'access',
  }),
  ttl: {
    AccessToken: 3600,
    ClientCredentials: 3600,
    RefreshToken: 2_592_000,
    DeviceCode: 86_400,
    IdToken: 3600,
    Grant: 2_592_000,
    Session: 2_592_000,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: SCOPE,
        audience: RESOURCE,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'EdDSA' } },
      }),
    },
  },
});
provider.proxy = true;

/** Creates what the authorization code flow stores: a grant and a refresh token. */
async function session(number) {
  const client = await provider.Client.find(app.client_id);
  const accountId = `person-${number}`;
  const grant = new provider.Grant({ clientId: app.client_id, accountId });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(RESOURCE, SCOPE);
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    accountId,
    client,
    grantId,
    claims: {},
    authTime: Math.floor(Date.now() / 1000),
    expiresWithSession: false,
    gty: 'authorization_code',
    scope: `openid offline_access ${SCOPE}`,
    resource: RESOURCE,
    rotations: 0,
    iiat: Math.floor(Date.now() / 1000),
  });
  return token.save();
}

/** Creates the state after a login and consent, in a browser with all of these applications. @returns its cookie */
async function browser(number) {
  const accountId = `person-${number}`;
  const authorizations = {};
  for (const { client_id: clientId } of apps) {
    const grant = new provider.Grant({ clientId, accountId });
    grant.addOIDCScope('openid email');
    grant.addResourceScope(RESOURCE, SCOPE);
    authorizations[clientId] = { sid: secret(), grantId: await grant.save() };
  }
  const loginTs = Math.floor(Date.now() / 1000);
  const opened = new provider.Session({ accountId, loginTs, authorizations });
  await opened.save(2_592_000);
  const { grantId } = authorizations[apps[0].client_id];
  const client = await provider.Client.find(apps[0].client_id);
  // Without a resource, because its own endpoints neither store nor accept a JWT.
  const token = new provider.AccessToken({
    accountId,
    client,
    grantId,
    claims: {},
    gty: 'authorization_code',
    scope: 'openid email',
    expiresWithSession: false,
  });
  return { cookie: `${provider.cookieName('session')}=${opened.jti}`, token: await token.save() };
}

/** @returns the code of a device whose user has not decided */
async function device(number) {
  const client = await provider.Client.find(deviceApp.client_id);
  const code = new provider.DeviceCode({
    client,
    deviceInfo: { ip: '127.0.0.1' },
    params: { client_id: deviceApp.client_id, scope: 'openid email' },
    userCode: `USER-${number}`,
  });
  return code.save();
}

/** The rows that rotate refresh tokens. Each has its own sessions, because a token is accepted once. */
const REFRESHING = ['refreshTokens', 'appRefreshTokens'];
const refreshTokens = Object.fromEntries(REFRESHING.map((row) => [row, []]));
const browsers = [];
const deviceCodes = [];
for (let number = 0; number < SESSIONS; number += 1) {
  browsers.push(await browser(number));
  deviceCodes.push(await device(number));
}
for (const tokens of Object.values(refreshTokens)) {
  for (let number = 0; number < SESSIONS; number += 1) tokens.push(await session(number));
}
provider.on('server_error', (_, error) => console.error(error));
const server = provider.listen(Number(PORT), '127.0.0.1', () => {
  process.send?.({
    ...refreshTokens,
    app: [app.client_id, app.client_secret],
    device: [deviceApp.client_id, deviceApp.client_secret],
    deviceCodes,
    ...Object.fromEntries(
      apps.map((application, place) => [
        `app ${ALGORITHMS[place]}`,
        [application.client_id, application.client_secret],
      ]),
    ),
    cookies: browsers.map(({ cookie }) => cookie),
    accessTokens: browsers.map(({ token }) => token),
    clientIds: clients.map((client) => client.client_id),
    clientSecrets: clients.map((client) => client.client_secret),
  });
});
server.keepAliveTimeout = 65_000;
