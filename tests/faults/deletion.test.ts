import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { TENANT_TABLES } from '@keywright/server/modules/operations/tenants/deletion-store';
import pg from 'pg';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { eventLoopIterations } from '../harness/parallel.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { seededRandom } from '../harness/random.ts';
import { until } from '../harness/until.ts';

/** Users; each has an identifier, a role and a session: four rows. */
const USERS = 5000;
const ROOT = { identifier: 'root@example.com', secret: newPassword() };

let server: PostgresServer;
let database: TestDatabase;
let env: Record<string, string>;
let service: ServerProcess;

before(async () => {
  server = await startPostgres({ fsync: true });
  database = await createDatabase(server);
  env = {
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: ROOT.identifier,
    KEYWRIGHT_ADMIN_SECRET: ROOT.secret,
  };
  service = await startServerProcess({ env });
});

after(async () => {
  await service.interrupt();
  await database.drop();
  await server.close();
});

type AnswerPromise<Body> = Promise<Answer<Body & ErrorBody>>;

function request<Body = JsonBody>(
  tenant: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): AnswerPromise<Body> {
  return service.http.request(method, path, { tenant, ...options });
}

let rootToken: string | undefined;

/** Sends a request as root. The token remains valid after a crash, but deleting a tenant requires a recent login. */
async function asRoot<Body = JsonBody>(
  method: string,
  path: string,
  options: RequestOptions = {},
): AnswerPromise<Body> {
  if (rootToken === undefined || method === 'DELETE') {
    const login = await request<TokenAnswer>('org_default', 'POST', '/auth/login', { body: ROOT });
    rootToken = expectStatus(200, login).access_token;
  }
  return request('org_default', method, path, { token: rootToken, ...options });
}

interface Doomed {
  readonly id: string;
  readonly domain: string;
  readonly user: { readonly identifier: string; readonly secret: string };
  readonly tokens: TokenAnswer;
  /** A token of a system administrator who entered the tenant. */
  readonly impersonator: string;
}

async function createTenant(slug: string): Promise<Doomed> {
  const domain = `${slug}.example.com`;
  const body = { name: slug, slug, domains: [domain], messaging: { sms: { auth_token: 'hush' } } };
  const { id } = expectStatus(201, await asRoot<TenantRecord>('POST', '/tenants', { body }));
  const user = { identifier: newIdentifier(), secret: newPassword() };
  const login = { body: { ...user, register: true } };
  const tokens = expectStatus(200, await request<TokenAnswer>(id, 'POST', '/auth/login', login));
  const impersonation = { body: { tenant_id: id, reason: 'a test' } };
  const answer = await asRoot<{ access_token: string }>('POST', '/auth/impersonate', impersonation);
  const { access_token: impersonator } = expectStatus(200, answer);
  return { id, domain, user, tokens, impersonator };
}

/** 20,000 rows. */
async function fill({ id }: Doomed): Promise<void> {
  const statements = [
    `INSERT INTO users (tenant_id, id, created_at)
     SELECT $1, 'user:' || lpad(n::text, 26, '0'), now() FROM generate_series(1, $2::int) AS n`,
    `INSERT INTO user_identifiers (tenant_id, user_id, identifier, type, position)
     SELECT $1, 'user:' || lpad(n::text, 26, '0'), 'u' || n || '@example.com', 'email', 0
       FROM generate_series(1, $2::int) AS n`,
    `INSERT INTO user_roles (tenant_id, user_id, role)
     SELECT $1, 'user:' || lpad(n::text, 26, '0'), 'member' FROM generate_series(1, $2::int) AS n`,
    `INSERT INTO sessions (tenant_id, id, user_id, workspace_id, ip_address, created_at, expires_at,
       absolute_expires_at, refresh_hash, refresh_kid, refresh_issued_at, kind, auth_time, acr, amr)
     SELECT $1, 'session:' || lpad(n::text, 26, '0'), 'user:' || lpad(n::text, 26, '0'), 'ws_default',
       '203.0.113.1', now(), now() + interval '1 day', now() + interval '1 day',
       sha256(n::text::bytea), 'key_1', now(), 'api', now(), 'aal1', '{pwd}' FROM generate_series(1, $2::int) AS n`,
  ];
  for (const statement of statements) await database.query(statement, [id, USERS]);
}

async function countRows(id: string): Promise<number> {
  const union = TENANT_TABLES.map((table) => `SELECT FROM ${table} WHERE tenant_id = $1`);
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM (${union.join(' UNION ALL ')}) AS every`,
    [id],
  );
  return row?.n ?? -1;
}

/** From the next request on, no credential can log in or read anything. */
async function assertDead({ id, user, tokens, impersonator }: Doomed): Promise<void> {
  const { access_token: token } = tokens;
  const refused = [
    request(id, 'GET', '/me', { token }),
    request(id, 'GET', '/users', { token: impersonator }),
    request(id, 'POST', '/auth/login', { body: user }),
  ];
  for (const { status } of await Promise.all(refused)) assert.match(`${status}`, /^40[01]$/);
  const impersonation = { body: { tenant_id: id, reason: 'a test' } };
  expectStatus(404, await asRoot('GET', `/tenants/${id}`));
  expectStatus(404, await asRoot('PATCH', `/tenants/${id}`, { body: { is_active: true } }));
  expectStatus(404, await asRoot('GET', `/users?tenant_id=${id}`));
  const list = await asRoot<{ items: TenantRecord[] }>('GET', '/tenants?limit=100');
  assert.ok(expectStatus(200, list).items.every((item) => item.id !== id));
  const keys = await database.query('SELECT FROM tenant_data_keys WHERE tenant_id = $1', [id]);
  assert.equal(keys.length, 0, 'what is sealed cannot be opened any more');
  const isRefused = async () =>
    (await asRoot('POST', '/auth/impersonate', impersonation)).status === 404;
  await until('no one can enter it', isRefused, 1000);
}

/** The tenant is gone, and its domains are unknown. */
async function assertGone(doomed: Doomed): Promise<void> {
  await assertDead(doomed);
  const { id, domain, user, tokens } = doomed;
  const { access_token: token, refresh_token } = tokens;
  const refused = [
    request(id, 'POST', '/auth/login', { body: user }),
    request(id, 'POST', '/auth/login', { body: { ...user, register: true } }),
    request(id, 'POST', '/auth/refresh', { body: { refresh_token } }),
    request(id, 'GET', '/me', { token }),
    request(id, 'GET', '/users', { token: doomed.impersonator }),
    request(id, 'GET', '/.well-known/jwks.json'),
    request(id, 'GET', `/t/${id}/.well-known/jwks.json`),
    service.http.request<ErrorBody>('GET', '/.well-known/jwks.json', { host: domain }),
  ];
  for (const answer of await Promise.all(refused)) {
    assert.equal(`${answer.status} ${answer.body.code}`, '400 TENANT_NOT_FOUND');
  }
}

/** Runs `work` while the rows cannot be deleted, as when a long transaction locks them. */
async function whileLocked({ id }: Doomed, work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client(database.superuserUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM user_roles WHERE tenant_id = $1 FOR UPDATE', [id]);
    await work();
  } finally {
    await holder.end();
  }
}

async function isClearing(): Promise<boolean> {
  const waiting = await database.query(
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM%'`,
  );
  return waiting.length > 0;
}

describe('SIGKILL of the service while it deletes a tenant', () => {
  test('A tenant with 20,000 rows is unreadable after the response despite SIGKILL, and the next start deletes the rest', async () => {
    const doomed = await createTenant('large');
    const bystander = await createTenant('bystander');
    await fill(doomed);
    const rows = await countRows(doomed.id);
    assert.ok(rows > 4 * USERS);

    await whileLocked(doomed, async () => {
      expectStatus(200, await asRoot('DELETE', `/tenants/${doomed.id}`));
      await assertGone(doomed);
      await until('it is in the middle of it', isClearing);
      await service.kill9();
    });
    await until('what it had begun is rolled back', async () => !(await isClearing()));
    const left = await countRows(doomed.id);
    assert.ok(left > 0 && left < rows, `${left} of ${rows} rows are left`);

    await whileLocked(doomed, async () => {
      service = await startServerProcess({ env });
      await until('it continues', isClearing);
      await assertGone(doomed);
      assert.ok((await countRows(doomed.id)) > 0);
    });
    await until('no row is left', async () => (await countRows(doomed.id)) === 0);
    await assertGone(doomed);

    const { access_token: token } = bystander.tokens;
    expectStatus(200, await request(bystander.id, 'GET', '/me', { token }));
    // Its id is not reused; its domain is available.
    const same = { name: 'Large', slug: 'large' };
    expectStatus(400, await asRoot('POST', '/tenants', { body: same }));
    const body = { name: 'Larger', slug: 'larger', domains: [doomed.domain] };
    const next = expectStatus(201, await asRoot<{ id: string }>('POST', '/tenants', { body })).id;
    const again = { body: { ...doomed.user, register: true } };
    expectStatus(200, await request(next, 'POST', '/auth/login', again));
    expectStatus(401, await request(next, 'GET', '/me', { token: doomed.tokens.access_token }));
  });

  test('A tenant is complete, or gone permanently, after SIGKILL at any moment of its deletion', async () => {
    const random = seededRandom();
    for (let round = 0; round < 5; round += 1) {
      const doomed = await createTenant(`moment-${round}`);
      const answer = asRoot('DELETE', `/tenants/${doomed.id}`).then(
        ({ status }) => status,
        () => undefined,
      );
      await eventLoopIterations(random.between(0, 120));
      await service.kill9();
      const status = await answer;
      service = await startServerProcess({ env });
      const read = await asRoot('GET', `/tenants/${doomed.id}`);
      if (read.status === 200) {
        assert.equal(status, undefined, `what was answered is done, seed ${random.seed}`);
        const { access_token: token } = doomed.tokens;
        expectStatus(200, await request(doomed.id, 'GET', '/me', { token }));
        const login = await request(doomed.id, 'POST', '/auth/login', { body: doomed.user });
        expectStatus(200, login);
      } else {
        assert.ok(status === 200 || status === undefined);
        await assertGone(doomed);
        await until('no row is left', async () => (await countRows(doomed.id)) === 0);
      }
    }
  });
});
