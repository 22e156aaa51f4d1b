// oidc-provider on PostgreSQL: refresh with rotation, client credentials, key set. It keeps no passwords, no API
// keys and no users, so it has no part in the rows about those.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { createTable, PostgresAdapter } from './postgres-adapter.mjs';

const CLIENTS = 50;
const RESOURCE = 'https://api.example.com';
const SCOPE = 'read:users read:roles write:invoices';

const { PORT, EMPTY } = process.env;
// Nobody where it is to show how it starts.
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

const signing = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
await createTable();
const provider = new Provider(issuer, {
  adapter: PostgresAdapter,
  clients: [...clients, app],
  jwks: { keys: [{ ...signing, use: 'sig', alg: 'EdDSA', kid: 'one' }] },
  enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
  scopes: ['openid', 'offline_access', ...SCOPE.split(' ')],
  claims: { openid: ['sub', 'email', 'roles'] },
  rotateRefreshToken: true,
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.com`, roles: ['member'] }),
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
    IdToken: 3600,
    Grant: 2_592_000,
    Session: 2_592_000,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
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

/** What the authorization code flow leaves behind: a grant and a refresh token. */
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

const refreshTokens = [];
for (let number = 0; number < SESSIONS; number += 1) refreshTokens.push(await session(number));
provider.on('server_error', (_, error) => console.error(error));
provider.listen(Number(PORT), '127.0.0.1', () => {
  process.send?.({
    refreshTokens,
    app: [app.client_id, app.client_secret],
    clientIds: clients.map((client) => client.client_id),
    clientSecrets: clients.map((client) => client.client_secret),
  });
});
