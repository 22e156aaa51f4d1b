import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { login as logIn } from '@keywright/contract/routes/auth';
import { getMe } from '@keywright/contract/routes/me';
import { health as healthRoute } from '@keywright/contract/routes/service';
import { listSessions } from '@keywright/contract/routes/sessions';
import { ApiDocument } from '@keywright/tests/conformance/document';
import type { Answer } from '@keywright/tests/harness/http';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import { until } from '@keywright/tests/harness/until';

interface Health {
  readonly status: string;
  readonly database: string;
  readonly cache: string;
  readonly timestamp: string;
  readonly problems?: readonly { readonly code: string; readonly detail: string }[];
}

let server: PostgresServer;
let keywright: Keywright;

before(async () => {
  server = await startPostgres();
  keywright = await startKeywright({ server });
});

after(async () => {
  await keywright.close();
  await server.close();
});

function health(): Promise<Answer<Health>> {
  return keywright.request<Health>('GET', '/health');
}

describe('/health', () => {
  test('returns status, database, cache and timestamp to anyone, whatever the tenant (SPEC endpoints health 1)', async () => {
    for (const options of [{}, { tenant: 'org_nowhere' }, { host: 'nowhere.example.com' }]) {
      const answer = await keywright.request<Health>('GET', '/health', options);
      const { timestamp, cache: _cache, ...others } = expectStatus(200, answer);
      assert.deepEqual(others, { status: 'ok', database: 'ok' });
      assert.equal(new Date(timestamp).toISOString(), timestamp);
      assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    }
  });

  test('is 503 while the database is unavailable, while /livez is 200, and both recover with it', async () => {
    const login = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const { access_token: token } = await keywright.login(login.identifier, login.secret, {
      extra: { register: true },
    });
    const openapi = await keywright.request('GET', '/openapi.json');
    const document = await ApiDocument.read(expectStatus(200, openapi));
    await server.stop();
    const sick = await health();
    const { timestamp: _timestamp, ...others } = expectStatus(503, sick);
    document.assertDescribes(healthRoute, sick);
    assert.deepEqual(others, { status: 'degraded', database: 'unavailable', cache: 'degraded' });
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
    await until('the service is well again', async () => (await health()).status === 200);
    expectStatus(200, await keywright.home.request('GET', '/me', { token }));
    expectStatus(200, await keywright.home.request('POST', '/auth/login', { body: login }));
    expectStatus(200, await keywright.home.request('GET', '/sessions', { token }));
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
  const asked = (one: Keywright, options = {}) => one.request<Health>('GET', '/health', options);

  test('names the problem and what to configure, with 200, for as long as the proxy is in use', async () => {
    const exposed = await startKeywright({ clock: 'fake' });
    try {
      assert.equal((await asked(exposed)).body.status, 'ok');
      const answer = await asked(exposed, through);
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
      // Anyone may read it: the address of the proxy is in the log only.
      assert.doesNotMatch(answer.text, /127\.0\.0\.1|192\.0\.2\.1/);
      exposed.clock.advance(14 * 60);
      assert.equal((await asked(exposed)).body.status, 'degraded');
      exposed.clock.advance(60);
      assert.equal((await asked(exposed)).body.status, 'ok');
    } finally {
      await exposed.close();
    }
  });
});
