// Keycloak on PostgreSQL, in production mode: client credentials, key set, discovery, codes, refresh with rotation,
// userinfo, introspection. A realm with EdDSA keys is filled through its admin API. Its process is the JVM.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { installKeycloak } from './keycloak-install.mjs';

const CLIENTS = 50;
const PARALLEL = 16;
const DEADLINE_MS = 240_000;
const PASSWORD = 'correct horse battery staple';
const CALLBACK = 'https://app.example.com/callback';
const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'];
const LONG_SECONDS = 2_592_000;

const { PORT, EMPTY, DATABASE_URL } = process.env;
// Empty when the startup is measured.
const SESSIONS = EMPTY === 'yes' ? 0 : 512;
const address = `http://127.0.0.1:${PORT}`;
const OIDC = `${address}/realms/bench/protocol/openid-connect`;
/** The header of a proxy that terminates TLS. */
const HTTPS = { 'x-forwarded-proto': 'https' };

const secret = () => randomBytes(32).toString('base64url');
const adminPassword = secret();
const folder = installKeycloak();
const server = start();
process.on('SIGTERM', stop);
process.on('disconnect', stop);
server.on('exit', () => process.exit(1));
await listening();
const filling = SESSIONS === 0 ? {} : await fill();
process.send?.({ ...filling, pid: [String(findJvm())] });

function start() {
  const { hostname, port, pathname, username, password } = new URL(DATABASE_URL);
  const options = [
    `--db-url=jdbc:postgresql://${hostname}:${port || 5432}${pathname}`,
    `--db-username=${decodeURIComponent(username)}`,
    `--hostname=https://id.example.com`,
    '--http-enabled=true',
    '--http-host=127.0.0.1',
    `--http-port=${PORT}`,
    '--proxy-headers=xforwarded',
    '--log-level=error',
  ];
  return spawn('bash', [`${folder}/bin/kc.sh`, 'start', '--optimized', ...options], {
    stdio: ['ignore', 2, 2],
    env: {
      PATH: process.env.PATH,
      KC_DB_PASSWORD: decodeURIComponent(password),
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
    },
  });
}

/** kc.sh starts the JVM as its child. */
function findJvm() {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number).at(-1);
}

function stop() {
  server.removeAllListeners('exit');
  const jvm = server.exitCode === null ? findJvm() : undefined;
  server.kill('SIGKILL');
  if (jvm !== undefined) process.kill(jvm, 'SIGKILL');
  process.exit();
}

async function listening() {
  const end = Date.now() + DEADLINE_MS;
  while (Date.now() < end) {
    const response = await fetch(`${address}/realms/master`, { headers: HTTPS }).catch(
      () => undefined,
    );
    if (response?.ok) return;
    await pause(10);
  }
  throw new Error('Keycloak did not start.');
}

async function fill() {
  const robots = Array.from({ length: CLIENTS }, (_, number) =>
    clientOf(`robot-${number}`, 'EdDSA'),
  );
  const app = clientOf('app', 'EdDSA');
  const apps = ALGORITHMS.map((algorithm) => clientOf(`app-${algorithm}`, algorithm));
  const people = Array.from({ length: SESSIONS }, (_, number) => `person-${number}`);
  await createRealm([...robots, app, ...apps], people);
  const [openId] = apps;
  const rotated = await inParallel(people, (person) => grant(app, person, 'openid'));
  const tokens = await inParallel(people, (person) => grant(openId, person, 'openid email'));
  const cookies = await inParallel(people, (person) => logIn(openId, person));
  return {
    refreshTokens: rotated.map((found) => found.refresh_token),
    appRefreshTokens: tokens.map((found) => found.refresh_token),
    accessTokens: tokens.map((found) => found.access_token),
    cookies,
    app: [app.clientId, app.secret],
    ...Object.fromEntries(
      apps.map((found, at) => [`app ${ALGORITHMS[at]}`, [found.clientId, found.secret]]),
    ),
    clientIds: robots.map((robot) => robot.clientId),
    clientSecrets: robots.map((robot) => robot.secret),
  };
}

function clientOf(clientId, algorithm) {
  return {
    clientId,
    secret: secret(),
    protocol: 'openid-connect',
    publicClient: false,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: true,
    serviceAccountsEnabled: clientId.startsWith('robot-'),
    redirectUris: [CALLBACK],
    attributes: {
      'access.token.signed.response.alg': 'EdDSA',
      'id.token.signed.response.alg': algorithm,
    },
  };
}

async function createRealm(clients, people) {
  await administer('/admin/realms', {
    realm: 'bench',
    enabled: true,
    sslRequired: 'none',
    defaultSignatureAlgorithm: 'EdDSA',
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    accessTokenLifespan: 3600,
    ssoSessionIdleTimeout: LONG_SECONDS,
    ssoSessionMaxLifespan: LONG_SECONDS,
    // No row measures Keycloak's password hashes, so the setup does not wait for expensive ones.
    passwordPolicy: 'hashAlgorithm(pbkdf2-sha256) and hashIterations(1)',
    clients,
    users: people.map((username) => ({
      username,
      enabled: true,
      email: `${username}@example.com`,
      emailVerified: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
    })),
  });
  await createKey('eddsa-generated', { eddsaEllipticCurveKey: ['Ed25519'] });
  await createKey('ecdsa-generated', { ecdsaEllipticCurveKey: ['P-256'] });
}

function createKey(providerId, config) {
  return administer('/admin/realms/bench/components', {
    name: providerId,
    providerId,
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['200'], enabled: ['true'], active: ['true'], ...config },
  });
}

async function administer(path, body) {
  const { access_token: token } = await tokensOf(
    `${address}/realms/master/protocol/openid-connect/token`,
    {
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: adminPassword,
    },
  );
  const headers = {
    ...HTTPS,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/** Tokens of a new session. */
function grant({ clientId, secret: clientSecret }, username, scope) {
  return tokensOf(`${OIDC}/token`, {
    grant_type: 'password',
    client_id: clientId,
    client_secret: clientSecret,
    username,
    password: PASSWORD,
    scope,
  });
}

async function tokensOf(url, form) {
  const response = await fetch(url, {
    method: 'POST',
    headers: HTTPS,
    body: new URLSearchParams(form),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Logs in through the form. @returns the cookies of the browser */
async function logIn({ clientId }, username) {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email',
  });
  const page = await fetch(`${OIDC}/auth?${query}`, { headers: HTTPS });
  const action = /action="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&');
  if (action === undefined) throw new Error('Keycloak showed no login form.');
  const { pathname, search } = new URL(action);
  const entered = await fetch(`${address}${pathname}${search}`, {
    method: 'POST',
    headers: { ...HTTPS, cookie: cookiesOf(page).join('; ') },
    body: new URLSearchParams({ username, password: PASSWORD }),
    redirect: 'manual',
  });
  if (entered.status !== 302) throw new Error(`The login form returned ${entered.status}.`);
  return cookiesOf(entered).join('; ');
}

function cookiesOf(response) {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
  return cookies.filter((cookie) => !cookie.endsWith('='));
}

async function inParallel(items, work) {
  const results = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
