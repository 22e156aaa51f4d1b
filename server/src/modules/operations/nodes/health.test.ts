import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { login as logIn } from '@keywright/contract/routes/auth';
import { getMe } from '@keywright/contract/routes/me';
import { health as healthRoute } from '@keywright/contract/routes/service';
import { listSessions } from '@keywright/contract/routes/sessions';
import { ApiDocument } from '@keywright/tests/conformance/document';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';

interface Health {
  readonly status: string;
  readonly database: string;
  readonly cache: string;
  readonly timestamp: string;
  readonly problems?: readonly { readonly code: string; readonly detail: string }[];
}

let server: PostgresServer;
let keywright: Keywright;
/** The database problems that the service logged. */
const logged: string[] = [];

before(async () => {
  server = await startPostgres();
  const env = { KEYWRIGHT_LOG_LEVEL: 'info' };
  keywright = await startKeywright({ server, env, log: keepProblems });
});

function keepProblems(line: string): void {
  for (const entry of line.trimEnd().split('\n')) {
    const { problem, msg } = JSON.parse(entry) as { problem?: string; msg: string };
    if (problem) logged.push(problem);
    if (msg === 'the database is usable again') logged.push('usable');
  }
}

after(async () => {
  await keywright.close();
  await server.close();
});

function health(node = 0, of = keywright): Promise<Answer<Health>> {
  return of.request<Health>('GET', '/health', { node });
}

const codesIn = ({ body }: Answer<Health>) => body.problems?.map(({ code }) => code) ?? [];

/** Waits until `/health` has this status and names this problem; undefined: none. */
function healthIs(status: number, problem?: string): Promise<Answer<Health>> {
  return until(`/health is ${status}, ${problem}`, async () => {
    const answer = await health();
    return answer.status === status && codesIn(answer)[0] === problem && answer;
  });
}

describe('/health', () => {
  test('GET /health returns status, database, cache and timestamp to anyone, whatever the tenant (SPEC endpoints health 1)', async () => {
    for (const options of [{}, { tenant: 'org_nowhere' }, { host: 'nowhere.example.com' }]) {
      const answer = await keywright.request<Health>('GET', '/health', options);
      const { timestamp, cache: _cache, ...others } = expectStatus(200, answer);
      assert.deepEqual(others, { status: 'ok', database: 'ok' });
      assert.equal(new Date(timestamp).toISOString(), timestamp);
      assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    }
  });

  test('GET /health returns 503 while the database is unavailable, while /livez returns 200, and both recover with it', async () => {
    const login = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const { access_token: token } = await keywright.login(login.identifier, login.secret, {
      extra: { register: true },
    });
    const openapi = await keywright.request('GET', '/openapi.json');
    const document = await ApiDocument.read(expectStatus(200, openapi));
    await server.stop();
    const sick = await healthIs(503, 'database_unreachable');
    const { timestamp: _timestamp, problems: _problems, ...others } = sick.body;
    document.assertDescribes(healthRoute, sick);
    assert.deepEqual(others, { status: 'degraded', database: 'unavailable', cache: 'degraded' });
    // The endpoint is public.
    assert.doesNotMatch(sick.text, /127\.0\.0\.1|ECONN|kw_service/);
    const live = await keywright.request('GET', '/livez');
    assert.deepEqual(expectStatus(200, live), { status: 'ok' });

    for (const [route, call] of [
      [getMe, keywright.home.request<ErrorBody>('GET', '/me', { token })],
      [logIn, keywright.home.request<ErrorBody>('POST', '/auth/login', { body: login })],
      [listSessions, keywright.home.request<ErrorBody>('GET', '/sessions', { token })],
    ] as const) {
      const answer = await call;
      assert.equal(expectStatus(503, answer).code, 'UNAVAILABLE');
      document.assertDescribes(route, answer);
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }

    await server.restart();
    await healthIs(200);
    expectStatus(200, await keywright.home.request('GET', '/me', { token }));
    expectStatus(200, await keywright.home.request('POST', '/auth/login', { body: login }));
    expectStatus(200, await keywright.home.request('GET', '/sessions', { token }));
  });
});

describe('/health returns 503 and names the problem, and 200 afterwards,', () => {
  const superuser = (statement: string) => keywright.database.query(statement);

  test('GET /health returns 503 and names the problem while the database server is a standby, and 200 afterwards', async () => {
    await server.restartAsStandby();
    await healthIs(503, 'database_read_only');
    await superuser('SELECT pg_promote()');
    await healthIs(200);
  });

  test('GET /health returns 503 while commits wait for an unavailable synchronous standby, and 200 afterwards', async () => {
    await superuser(`ALTER SYSTEM SET synchronous_standby_names = 'away'`);
    await superuser('SELECT pg_reload_conf()');
    await healthIs(503, 'write_unconfirmed');
    await superuser('ALTER SYSTEM RESET synchronous_standby_names');
    await superuser('SELECT pg_reload_conf()');
    await healthIs(200);
  });

  test('GET /health returns 503 while the sessions of the node cannot find its functions, and 200 afterwards', async () => {
    await superuser('CREATE SCHEMA elsewhere');
    await superuser('ALTER FUNCTION kw_enter(text) SET SCHEMA elsewhere');
    await healthIs(503, 'settings');
    await superuser('ALTER FUNCTION elsewhere.kw_enter(text) SET SCHEMA public');
    await healthIs(200);
  });

  test('GET /health returns 503 while the role of the service lacks a privilege, and 200 afterwards', async () => {
    await superuser('REVOKE keywright_tenant FROM kw_service');
    await healthIs(503, 'database_rejects');
    await superuser('GRANT keywright_tenant TO kw_service');
    await healthIs(200);
  });

  test('GET /health logs when the problem starts and ends, however often it is called', async () => {
    logged.length = 0;
    await superuser('REVOKE keywright_tenant FROM kw_service');
    await healthIs(503, 'database_rejects');
    const writes = new Set<unknown>();
    await until('it has checked three times', async () => {
      await health();
      const seen = await superuser(`SELECT max(seen_at)::text AS at FROM nodes`);
      return writes.add(seen[0]?.['at']).size > 3;
    });
    await superuser('GRANT keywright_tenant TO kw_service');
    await healthIs(200);
    assert.deepEqual(logged, ['database_rejects', 'usable']);
  });
});

describe('/health while another transaction locks tables', () => {
  const login = { identifier: newIdentifier(), secret: newPassword() };
  let nodes: Keywright;
  let tenant: TestTenant;
  let locker: pg.Client;

  before(async () => {
    nodes = await startKeywright({ nodes: 2 });
    tenant = await nodes.tenant('locks', { config: { login_attempts_limit: 1000 } });
    await tenant.login(login.identifier, login.secret, { extra: { register: true } });
    locker = new pg.Client(nodes.database.superuserUrl);
    await locker.connect();
  });
  after(async () => {
    await locker.end();
    await nodes.close();
  });

  test('GET /health returns 200 on every node and names the locked table, even while logins wait for the lock', async () => {
    await locker.query('BEGIN; LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
    const waiting = [0, 1].flatMap((node) =>
      Array.from({ length: 10 }, () =>
        tenant.request('POST', '/auth/login', { node, body: login }),
      ),
    );
    const codes = new Set<string>();
    for (const node of [0, 1]) {
      await until('it names the lock', async () => {
        const answer = await health(node, nodes);
        assert.equal(answer.status, 200, answer.text);
        for (const code of codesIn(answer)) codes.add(code);
        return /sessions/.test(answer.body.problems?.[0]?.detail ?? '');
      });
    }
    assert.deepEqual([...codes], ['tables_locked']);
    await locker.query('ROLLBACK');
    for (const answer of await Promise.all(waiting)) expectStatus(200, answer);
    await until('it is ok again', async () => (await health(0, nodes)).body.status === 'ok');
  });

  test('GET /health names each table that a login needs: with all others locked, users can log in', async () => {
    // The other node has not loaded it yet.
    const unknown = await nodes.tenant('unknown');
    await unknown.login(login.identifier, login.secret, { extra: { register: true } });
    const tables = await nodes.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    );
    const all = tables.map(({ name }) => name);
    await locker.query(`BEGIN; LOCK TABLE ${all.join(', ')} IN SHARE MODE`);
    const { detail } = await until('it names the locks', async () => {
      const { body } = await health(0, nodes);
      return body.problems?.find(({ detail: text }) => /sessions/.test(text));
    });
    await locker.query('ROLLBACK');
    const named = all.filter((name) => new RegExp(`\\b${name}\\b`).test(detail));
    const others = all.filter((name) => !named.includes(name));
    await locker.query(`BEGIN; LOCK TABLE ${others.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    expectStatus(200, await unknown.request('POST', '/auth/login', { node: 1, body: login }));
    await locker.query('ROLLBACK');
  });
});

test('/health reports with 200 that changes by other nodes are not announced, until they are again', async () => {
  const cacheIs = (cache: string) =>
    until(`the cache is ${cache}`, async () => (await health()).body.cache === cache);
  await cacheIs('ok');
  const pids = await keywright.database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'keywright watch of keywright_changes'`,
  );
  assert.ok(pids.length > 0);
  await cacheIs('degraded');
  const { status, database } = expectStatus(200, await health());
  assert.deepEqual([status, database], ['ok', 'ok']);
  await cacheIs('ok');
});

describe('/health behind a proxy that is not trusted', () => {
  const through = { headers: { 'x-forwarded-for': '192.0.2.1' } };
  const getHealth = (instance: Keywright, options = {}) =>
    instance.request<Health>('GET', '/health', options);

  test('GET /health names an untrusted proxy and what to configure, with 200, for as long as the proxy is in use', async () => {
    const exposed = await startKeywright({ clock: 'fake' });
    try {
      assert.equal((await getHealth(exposed)).body.status, 'ok');
      const answer = await getHealth(exposed, through);
      const openapi = await exposed.request('GET', '/openapi.json');
      const document = await ApiDocument.read(expectStatus(200, openapi));
      document.assertDescribes(healthRoute, answer);
      const { status, database, problems } = expectStatus(200, answer);
      assert.deepEqual([status, database], ['degraded', 'ok']);
      assert.deepEqual(
        problems?.map(({ code }) => code),
        ['untrusted_proxy'],
      );
      assert.match(problems?.[0]?.detail ?? '', /KEYWRIGHT_TRUSTED_PROXIES/);
      // Anyone can read the response, so the address of the proxy is only in the log.
      assert.doesNotMatch(answer.text, /127\.0\.0\.1|192\.0\.2\.1/);
      exposed.clock.advance(14 * 60);
      assert.equal((await getHealth(exposed)).body.status, 'degraded');
      exposed.clock.advance(60);
      assert.equal((await getHealth(exposed)).body.status, 'ok');
    } finally {
      await exposed.close();
    }
  });
});
