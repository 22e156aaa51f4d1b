import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { followStatus } from '../harness/status.ts';
import { until } from '../harness/until.ts';
import { holdRequest } from './held-request.ts';

const LONGEST_EXIT_MS = 15_000;
const WORKERS = 4;

let database: TestDatabase;
let env: Record<string, string>;
const user = { identifier: newIdentifier(), secret: newPassword() };

before(async () => {
  database = await createDatabase();
  env = {
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: user.identifier,
    KEYWRIGHT_ADMIN_SECRET: user.secret,
  };
});

after(() => database.drop());

async function start(t: TestContext): Promise<ServerProcess> {
  const server = await startServerProcess({ env });
  t.after(() => server.hasExited || server.kill9());
  return server;
}

/** What a client does again and again: log in, look, refresh. Throws unless each is answered with 200. */
async function useService({ http }: ServerProcess): Promise<void> {
  const login = expectStatus(
    200,
    await http.request<TokenAnswer>('POST', '/auth/login', { body: user }),
  );
  expectStatus(200, await http.request('GET', '/me', { token: login.access_token }));
  const body = { refresh_token: login.refresh_token };
  expectStatus(200, await http.request('POST', '/auth/refresh', { body }));
}

async function isRefused({ http }: ServerProcess): Promise<boolean> {
  try {
    await http.request('GET', '/livez');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  }
}

describe('SIGTERM to a service under load', { concurrency: true }, () => {
  test('fails readiness first, answers all requests in progress, and exits with 0 within 15 seconds', async (t) => {
    const server = await start(t);
    let rounds = 0;
    const drain = new AbortController();
    const load = parallel(WORKERS, async () => {
      while (!drain.signal.aborted) {
        await useService(server);
        rounds += 1;
      }
      // Load balancers notice later: until then everything works as before.
      await useService(server);
    });
    await until('the load is on', () => rounds > 2 * WORKERS);
    const held = await parallel(4, () => holdRequest(server.url, '/auth/login', user));

    const stream = await followStatus(server.url, '/status/stream');
    const ended = server.sigterm(LONGEST_EXIT_MS);
    const health = await until('readiness fails', async () => {
      const answer = await server.http.request('GET', '/health');
      return answer.status === 503 && answer.body;
    });
    assert.deepEqual([health['status'], health['database']], ['draining', 'ok']);
    const live = await server.http.request('GET', '/livez');
    expectStatus(200, live);
    assert.equal(live.headers.connection, 'close', 'clients are asked to go elsewhere');
    assert.equal(stream.isOver, false, 'who comes back would be led here again');
    // A supervisor signals all processes of a service, and one between may hand the signal on.
    process.kill(server.pid, 'SIGTERM');
    process.kill(server.pid, 'SIGINT');
    drain.abort();
    await load;

    await until('no further connection is taken', () => isRefused(server));
    assert.equal(server.hasExited, false, 'requests are still under way');
    await until('who reads a stream is sent away', () => stream.isOver);
    assert.equal(server.hasExited, false, 'nobody waits for streams');
    for (const request of held) {
      assert.deepEqual(await request.finish(), { status: 200, connection: 'close' });
    }
    assert.deepEqual(await ended, { code: 0, signal: null });
  });

  test('exits with 0 within 15 seconds even if a request never ends', async (t) => {
    const server = await start(t);
    const held = await holdRequest(server.url, '/auth/login', user);
    const ended = server.sigterm(LONGEST_EXIT_MS);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.equal(((await held.broken()) as NodeJS.ErrnoException).code, 'ECONNRESET');
  });
});
