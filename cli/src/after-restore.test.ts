// A database is restored from a backup after its sessions, keys and tokens were used, replaced or revoked.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { type RunningKeywright, startKeywright } from '@keywright/server/app';
import { systemClock } from '@keywright/server/platform/clock';
import { readConfig } from '@keywright/server/platform/config';
import { newClient, redeem, refreshWith, UserBrowser } from '@keywright/tests/harness/code-login';
import { runCommand } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { startDevice, type Device, deviceClient } from '@keywright/tests/harness/device';
import { expectStatus, type HttpClient, httpClient } from '@keywright/tests/harness/http';
import { settledEvents } from '@keywright/tests/harness/journal';
import { TestTenant, type TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf, sessionOf } from '@keywright/tests/harness/token';
import { oauthError } from '@keywright/tests/harness/token-endpoint';
import { refusalOf } from '../../tests/e2e/refusal.ts';

const ISSUER = 'https://id.example.com';
const ADMIN = { identifier: 'root@example.com', password: newPassword() };
const MASTER_KEY = randomBytes(32).toString('base64');
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

interface Report {
  readonly taken_at: string | null;
  readonly tenants: number;
  readonly keys_retired: number;
  readonly sessions_ended: number;
  readonly deleted: Readonly<Record<string, number>>;
  readonly as_of_backup: Readonly<Record<string, number>> | null;
}

let node: RunningKeywright | undefined;
let http: HttpClient;

/** The default tenant on the running node, with an administrator who has not signed in. */
function tenantThere(): TestTenant {
  return new TestTenant({
    id: DEFAULT_TENANT,
    domains: ['localhost'],
    clock: systemClock,
    request: (method, path, options = {}) => http.request(method, path, options),
    findAdmin: () => Promise.resolve(ADMIN),
  });
}
const tenant = tenantThere();

function environmentOf({ url }: TestDatabase) {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    KEYWRIGHT_BASE_URL: ISSUER,
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
    KEYWRIGHT_ADMIN_SECRET: ADMIN.password,
  };
}

async function startOn(database: TestDatabase): Promise<void> {
  const config = readConfig(environmentOf(database));
  node = await startKeywright({ config, passwordCost: CHEAP });
  http = httpClient(node.url);
}

async function stop(): Promise<void> {
  http?.close();
  await node?.close();
  node = undefined;
}

/** The status list bit of a token, counted over all lists of its tenant. */
function bitOf(token: string): number {
  const { idx = 0, uri = '' } = claimsOf(token).status?.status_list ?? {};
  return Number(uri.split('/').at(-1)) * 131_072 + idx;
}

/** A copy of a database, restored from its dump on the same server. */
function copyOf(database: TestDatabase): Promise<TestDatabase> {
  const url = Object.assign(new URL(database.superuserUrl), { pathname: '/postgres' }).href;
  return createDatabase({ url }, database);
}

function afterRestore(database: TestDatabase, ...args: readonly string[]) {
  return runCommand<Report>(['after-restore', ...args, '--json'], { env: environmentOf(database) });
}

const refresh = (token: string) =>
  tenant.request<TokenAnswer>('POST', '/auth/refresh', { body: { refresh_token: token } });
const refreshed = async (token: string) => expectStatus(200, await refresh(token));
const me = (token: string) => tenant.request('GET', '/me', { token });

async function asAdmin<Body>(method: string, path: string, status = 200): Promise<Body> {
  const token = await tenant.adminToken();
  return expectStatus(status, await tenant.request<Body>(method, path, { token }));
}

async function newUser(): Promise<TestUser> {
  const [identifier, password] = [newIdentifier(), newPassword()];
  const login = await tenant.login(identifier, password, { extra: { register: true } });
  const { user, access_token: token, refresh_token: refreshToken } = login;
  return { user: user as TestUser['user'], identifier, password, token, refreshToken };
}

/** Tokens, by what happened to them later. */
const access = new Map<string, string>();
const refreshTokens = new Map<string, string>();

let live: TestDatabase;
let backup: TestDatabase;
let moved: TestDatabase;
let takenAt: string;
let idle: TestUser;
let agent: AgentRecord;
let apiKey: string;
let application: CreatedOAuthClient;
let browser: UserBrowser;
let applicationToken: string;
let code: string;
let device: Device;
let lastBit: number;
let retiredKey: string;
let report: Report;

async function beforeBackup(): Promise<void> {
  idle = await newUser();
  for (const name of ['refreshed later', 'signed out later', 'ended later', 'of the retired key']) {
    const user = await newUser();
    access.set(name, user.token);
    refreshTokens.set(name, user.refreshToken);
  }
  access.set('unused since', idle.token);
  refreshTokens.set('unused since', idle.refreshToken);
  ({ agent, key: apiKey } = await tenant.createAgent());
  const { id: client_id } = agent;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret: apiKey };
  const answer = await tenant.request<TokenAnswer>('POST', '/auth/token', { body: credentials });
  access.set('of an agent', expectStatus(200, answer).access_token);
  application = await newClient(tenant);
  browser = new UserBrowser(tenant, ISSUER, await newUser());
  const scope = { scope: 'openid offline_access' };
  ({ refresh_token: applicationToken = '' } = await browser.tokensFor(application, scope));
  code = await browser.codeFor(application);
  device = await startDevice(tenant, await deviceClient(tenant));
}

/** Rotates the signing key as in an emergency. */
async function replaceKey(): Promise<void> {
  const { id } = await asAdmin<SigningKeyRecord>('POST', '/keys/rotate?immediately=true', 201);
  const { items } = await asAdmin<{ items: SigningKeyRecord[] }>('GET', '/keys');
  retiredKey = items.find((key) => key.id !== id && key.algorithm === 'EdDSA')?.id ?? '';
  await asAdmin('DELETE', `/keys/${retiredKey}`);
}

async function afterBackup(): Promise<void> {
  const token = (of: Map<string, string>, name: string) => of.get(name) ?? '';
  const successor = await refreshed(token(refreshTokens, 'refreshed later'));
  access.set('of a refresh after the backup', successor.access_token);
  refreshTokens.set('the successor after the backup', successor.refresh_token);
  const loggedOut = token(access, 'signed out later');
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: loggedOut }));
  await asAdmin('DELETE', `/sessions/${sessionOf(token(access, 'ended later'))}`);
  expectStatus(200, await redeem(tenant, application, code));
  await replaceKey();
  const newcomer = await newUser();
  access.set('of a user who registered after the backup', newcomer.token);
  refreshTokens.set('of a session opened after the backup', newcomer.refreshToken);
  lastBit = bitOf(newcomer.token);
}

before(async () => {
  live = await createDatabase();
  await startOn(live);
  await beforeBackup();
  await stop();
  takenAt = new Date().toISOString();
  [backup, moved] = [await copyOf(live), await copyOf(live)];
  await startOn(live);
  await afterBackup();
  await stop();
});

after(async () => {
  await stop();
  for (const database of [live, backup, moved]) await database.drop();
});

describe('a restored database', () => {
  test('A restored database is refused with a message that names the commands to run', async () => {
    const message = await refusalOf(environmentOf(backup));
    assert.match(message, /it is another database on the same server/);
    assert.match(message, /^  keywright after-restore --taken-at <time of the backup>$/m);
    assert.match(message, /^  keywright after-restore --nothing-lost$/m);
  });

  test('A restored database is a finding of the doctor', async () => {
    const env = environmentOf(backup);
    const { code: exit, stdout } = await runCommand(['doctor'], { env });
    assert.equal(exit, 3);
    assert.match(
      stdout,
      /^FINDING +place +it was restored or moved[^]*→ Stop every node, and run/m,
    );
  });

  test('A restored database is not recovered if the time of the backup is missing or cannot be right', async () => {
    const wrong = [
      [],
      ['--taken-at=yesterday'],
      ['--taken-at=2026-01-31T23:30:00'],
      ['--taken-at=2999-01-01T00:00:00Z'],
      [`--taken-at=${takenAt}`, '--nothing-lost'],
    ];
    for (const args of wrong) {
      const { code: exit, answer } = await afterRestore(backup, ...args);
      assert.deepEqual([exit, answer.code], [2, 'USAGE'], args.join(' '));
    }
    const [row] = await backup.query('SELECT FROM sessions WHERE NOT is_active');
    assert.equal(row, undefined, 'nothing was changed');
  });

  test('A restored database is recovered by one command, which reports its changes and what it cannot know', async () => {
    // As on another server that has counted fewer transactions.
    await backup.query('UPDATE events SET xid = xid + 1000000000');
    const { code: exit, answer, stderr } = await afterRestore(backup, `--taken-at=${takenAt}`);
    assert.equal(exit, 0, stderr);
    report = answer.result;
    assert.equal(report.taken_at, takenAt);
    assert.equal(report.tenants, 1);
    assert.ok(report.sessions_ended >= refreshTokens.size);
    assert.equal(report.deleted['device_grants'], 1);
    assert.ok((report.as_of_backup?.['passwords'] ?? 0) > 5);
    await startOn(backup);
  });
});

describe('after the command', () => {
  test('No access token from before a restore is accepted after the command', async () => {
    for (const [name, token] of access) {
      const { status, body } = await me(token);
      assert.deepEqual([status, body['code']], [401, 'TOKEN_INVALID'], name);
    }
  });

  test('No refresh token is accepted after a restore, and no session ends as stolen', async () => {
    for (const [name, token] of [...refreshTokens, ...refreshTokens]) {
      const { status, body } = await refresh(token);
      assert.deepEqual([status, (body as { code?: string }).code], [401, 'TOKEN_INVALID'], name);
    }
    const answer = await refreshWith(tenant, application, applicationToken);
    assert.equal(oauthError(answer), '400 invalid_grant GRANT_INVALID');
    const reasons = await backup.query<{ end_reason: string; n: number }>(
      'SELECT end_reason, count(*)::integer AS n FROM sessions WHERE NOT is_active GROUP BY 1',
    );
    assert.deepEqual(reasons, [{ end_reason: 'restored', n: report.sessions_ended }]);
  });

  test('Each session that a restore ends is one event with the reason restored', async () => {
    const events = await settledEvents(tenantThere());
    const ended = events.filter(({ type }) => type === 'session.revoked');
    assert.equal(ended.length, report.sessions_ended);
    for (const { data } of ended)
      assert.equal((data as Record<string, unknown>)['reason'], 'restored');
    const place = events.findIndex(({ type }) => type === 'session.revoked');
    const logins = events.slice(0, place).filter(({ type }) => type === 'user.login');
    assert.ok(logins.length > 0, 'behind the events of the backup');
  });

  test('No earlier key signs or is published after a restore, not even one in use at the time of the backup', async () => {
    const { body } = await tenant.request<{ keys: { kid: string }[] }>(
      'GET',
      '/.well-known/jwks.json',
    );
    const published = body.keys.map(({ kid }) => kid);
    const { access_token: token } = await tenant.login(idle.identifier, idle.password);
    assert.deepEqual(published, [headerOf(token).kid]);
    assert.ok(![...access.values()].some((old) => published.includes(headerOf(old).kid)));
    const rows = await backup.query<{ id: string }>(
      'SELECT id FROM signing_keys WHERE private_key IS NOT NULL',
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      published,
    );
  });

  test('No status list bit that was assigned after the backup is assigned again', async () => {
    const { access_token: token } = await tenant.login(idle.identifier, idle.password);
    assert.ok(bitOf(token) > lastBit + 1_000_000, `${bitOf(token)} after ${lastBit}`);
  });

  test('No earlier authorization code, device code or login cookie is accepted after a restore', async () => {
    assert.equal(
      oauthError(await redeem(tenant, application, code)),
      '400 invalid_grant GRANT_INVALID',
    );
    assert.equal(oauthError(await device.poll()), '400 invalid_grant GRANT_INVALID');
    const { actions } = await browser.open('/account');
    assert.ok(!actions.includes('logout'), 'the browser is not signed in');
  });

  test('API keys are as they were, and counted in the report', async () => {
    assert.equal(report.as_of_backup?.['api_keys'], 1);
    assert.equal((await me(apiKey)).status, 200);
  });

  test('The users can sign in again after a restore, and the next start succeeds', async () => {
    const { access_token: token } = await tenant.login(idle.identifier, idle.password);
    await stop();
    await startOn(backup);
    assert.equal((await me(token)).status, 200);
  });

  test('A database in use is not changed by the command for restored databases', async () => {
    const { code: exit, answer } = await afterRestore(backup, `--taken-at=${takenAt}`);
    assert.deepEqual([exit, answer.code], [1, 'SERVICE_RUNNING']);
    await stop();
  });
});

describe('a database that was moved without losing a change', () => {
  test('A database that was moved without losing a change is served unchanged after --nothing-lost', async () => {
    const { code: exit, answer } = await afterRestore(moved, '--nothing-lost');
    assert.equal(exit, 0);
    assert.equal(answer.result.taken_at, null);
    await startOn(moved);
    assert.equal((await me(idle.token)).status, 200);
    assert.equal((await refresh(idle.refreshToken)).status, 200);
  });
});
