// better-auth on PostgreSQL: login by email and password, tokens for users and machines from its OAuth provider, API
// keys, key set, and its administrators' list of users.

import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { apiKey } from '@better-auth/api-key';
import { oauthProvider } from '@better-auth/oauth-provider';
import { hash, verify } from '@node-rs/argon2';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { admin, jwt } from 'better-auth/plugins';
import pg from 'pg';

const PASSWORD = 'correct horse battery staple';
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RESOURCE = 'https://api.example.com';
const SCOPES = ['read:users', 'read:roles', 'write:invoices'];
const CALLBACK = 'https://app.example.com/callback';
const AT_A_TIME = 50_000;

const { DATABASE_URL, PORT, EXTRA_USERS, EMPTY } = process.env;
// Nothing is seeded when the startup is measured.
const [PEOPLE, MACHINES] = EMPTY === 'yes' ? [0, 0] : [200, 50];
const baseURL = 'https://id.example.com';
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

const options = {
  baseURL,
  secret: randomBytes(32).toString('base64url'),
  database: pool,
  telemetry: { enabled: false },
  logger: { level: 'error' },
  rateLimit: { enabled: false },
  emailAndPassword: {
    enabled: true,
    password: {
      hash: (password) => hash(password, ARGON2ID),
      verify: ({ hash: stored, password }) => verify(stored, password),
    },
  },
  plugins: [
    admin(),
    jwt({ jwks: { keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' } } }),
    apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      scopes: ['openid', 'profile', 'email', 'offline_access', ...SCOPES],
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
      resources: [
        { identifier: RESOURCE, allowedScopes: ['openid', 'email', 'offline_access', ...SCOPES] },
      ],
      enforcePerClientResources: false,
      clientPrivileges: () => true,
      rateLimit: { token: false, authorize: false },
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);

/** @param {string} path @param {object} [options] */
async function send(path, { cookie, json, form } = {}) {
  const headers = { origin: baseURL, ...(cookie ? { cookie } : {}) };
  if (json) headers['content-type'] = 'application/json';
  if (form) headers['content-type'] = 'application/x-www-form-urlencoded';
  const body = json ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
  const method = body ? 'POST' : 'GET';
  return auth.handler(new Request(`${baseURL}/api/auth${path}`, { method, headers, body }));
}

async function ok(answer) {
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

function cookieOf(answer) {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

// The users: one hash for all, because otherwise hashing would dominate the setup.
const hashed = await hash(PASSWORD, ARGON2ID);
const emails = Array.from({ length: PEOPLE }, (_, number) => `person-${number}@example.com`);
const context = await auth.$context;
const userIds = [];
for (const email of emails) {
  const role = userIds.length === 0 ? 'admin' : 'user';
  const user = await context.internalAdapter.createUser({
    email,
    name: email,
    emailVerified: true,
    role,
  });
  const account = {
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password: hashed,
  };
  await context.internalAdapter.linkAccount(account);
  userIds.push(user.id);
}
const cookies = [];
for (const email of emails) {
  const answer = await send('/sign-in/email', { json: { email, password: PASSWORD } });
  if (answer.status !== 200) throw new Error(`A login returned ${answer.status}.`);
  cookies.push(cookieOf(answer));
}
const adminHeaders = new Headers({ cookie: cookies[0] ?? '' });

const createClient = (body) => auth.api.adminCreateOAuthClient({ headers: adminHeaders, body });
const app =
  PEOPLE > 0 &&
  (await createClient({
    client_name: 'app',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: ['openid', 'offline_access', ...SCOPES].join(' '),
    skip_consent: true,
  }));
/** What users consent to, as the clients of the rows about applications need it. */
const OPEN_ID_SCOPE = 'openid email offline_access';
const openIdApp =
  PEOPLE > 0 &&
  (await createClient({
    client_name: 'OpenID app',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: OPEN_ID_SCOPE,
  }));
const machines = [];
for (let number = 0; number < MACHINES; number += 1) {
  const machine = await createClient({
    client_name: `robot ${number}`,
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_post',
    scope: SCOPES.join(' '),
    client_credentials_scopes: SCOPES,
  });
  machines.push(machine);
}

const verifier = randomBytes(32).toString('base64url');

function authorizationOf(client, scope) {
  return new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope,
    state: 'state',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
}

async function locationOf(answer) {
  return new URL(answer.headers.get('location') ?? (await answer.json()).url, baseURL);
}

/** Accepts the consent page, after which the client needs no further consent of this user. */
async function consent(cookie) {
  const page = await locationOf(
    await send(`/oauth2/authorize?${authorizationOf(openIdApp, OPEN_ID_SCOPE)}`, { cookie }),
  );
  if (page.pathname !== '/consent') throw new Error(`There is no consent page at ${page}.`);
  const json = { accept: true, oauth_query: page.search.slice(1) };
  await ok(await send('/oauth2/consent', { cookie, json }));
}

/** Runs the whole authorization code flow with PKCE. */
async function tokensOf(client, scope, cookie) {
  const answer = await send(`/oauth2/authorize?${authorizationOf(client, scope)}`, { cookie });
  const location = await locationOf(answer);
  const code = location.searchParams.get('code');
  if (!code) throw new Error(`There is no code in ${location}.`);
  const form = {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    client_secret: client.client_secret,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    resource: RESOURCE,
    code,
  };
  return ok(await send('/oauth2/token', { form }));
}

const APP_SCOPE = ['openid', 'offline_access', ...SCOPES].join(' ');
const refreshTokens = [];
const openIdTokens = [];
for (const cookie of cookies) {
  refreshTokens.push((await tokensOf(app, APP_SCOPE, cookie)).refresh_token);
  await consent(cookie);
  openIdTokens.push(await tokensOf(openIdApp, OPEN_ID_SCOPE, cookie));
}
const apiKeys = [];
for (const userId of userIds)
  apiKeys.push((await auth.api.createApiKey({ body: { userId, name: 'key' } })).key);

for (let from = 0; from < Number(EXTRA_USERS); from += AT_A_TIME) {
  await pool.query(
    `WITH loaded AS (
       INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", role)
       SELECT 'extra' || n, 'Person ' || n, 'person.' || n || '@mail.example.com', true,
              now() - n * interval '1 s', now(), 'user'
         FROM generate_series($1::integer, $2::integer) AS n
       RETURNING id)
     INSERT INTO account (id, "userId", "providerId", "accountId", password, "createdAt", "updatedAt")
     SELECT 'account' || id, id, 'credential', id, $3, now(), now() FROM loaded`,
    [from + 1, from + AT_A_TIME, hashed],
  );
}
if (PEOPLE > 0) await pool.query('VACUUM ANALYZE');

const handler = toNodeHandler(auth);
createServer(
  { keepAliveTimeout: 65_000 },
  (request, response) => void handler(request, response),
).listen(Number(PORT), '127.0.0.1', () => {
  process.send?.({
    emails,
    password: [PASSWORD],
    cookies,
    app: [app.client_id, app.client_secret],
    openIdApp: [openIdApp.client_id, openIdApp.client_secret],
    refreshTokens,
    appRefreshTokens: openIdTokens.map((tokens) => tokens.refresh_token),
    accessTokens: openIdTokens.map((tokens) => tokens.access_token),
    clientIds: machines.map((machine) => machine.client_id),
    clientSecrets: machines.map((machine) => machine.client_secret),
    apiKeys,
  });
});
