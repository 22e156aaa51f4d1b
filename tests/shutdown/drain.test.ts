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
import { holdHead, holdRequest } from './held-request.ts';

const LONGEST_EXIT_MS = 15_000;
/** The time for load balancers to notice the shutdown. Until it ends, everything works as before. */
const NOTICE_MS = 2000;
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

/** Does what clients do repeatedly: log in, read, refresh. Throws unless each response is a 200. */
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
  test('A service under load first fails readiness on SIGTERM, answers all requests in progress, and exits with 0 within 15 seconds', async (t) => {
    const server = await start(t);
    let rounds = 0;
    let signalledAt = Infinity;
    // A slow machine can do little during the notice. Requests after it can be rejected.
    const isNoticeOver = () => performance.now() - signalledAt >= NOTICE_MS;
    const use = () =>
      useService(server).catch((error: unknown) => assert.ok(isNoticeOver(), String(error)));
    const drain = new AbortController();
    const load = parallel(WORKERS, async () => {
      while (!drain.signal.aborted) {
        await use();
        rounds += 1;
      }
      await use();
    });
    await until('the load is on', () => rounds > 2 * WORKERS);
    const pendingRequests = await parallel(4, () => holdRequest(server.url, '/auth/login', user));
    const health = await holdHead(server.url, '/health');
    const live = await holdHead(server.url, '/livez');
    const keySets = await parallel(2, () => holdHead(server.url, '/.well-known/jwks.json'));
    const stream = await followStatus(server.url, '/status/stream');
    signalledAt = performance.now();
    const ended = server.sigterm(LONGEST_EXIT_MS);
    await until('the drain has begun', () => server.stdout.includes('"draining"'));
    const { status, text } = await health.finish();
    const body = JSON.parse(text);
    assert.deepEqual([status, body.status, body.database], [503, 'draining', 'ok']);
    // The second response comes from memory.
    for (const keySet of keySets) {
      assert.equal((await keySet.finish()).headers['connection'], 'close');
    }
    const { status: isLive, headers } = await live.finish();
    const liveReply = [isLive, headers['connection']];
    assert.deepEqual(liveReply, [200, 'close'], 'clients are asked to go elsewhere');
    assert.ok(!stream.isOver || isNoticeOver(), 'who comes back would be led here again');
    // A supervisor signals all processes of a service, and a process in between can forward the signal.
    process.kill(server.pid, 'SIGTERM');
    process.kill(server.pid, 'SIGINT');
    drain.abort();
    await load;

    await until('no further connection is taken', () => isRefused(server));
    assert.equal(server.hasExited, false, 'requests are still under way');
    await until('who reads a stream is sent away', () => stream.isOver);
    assert.equal(server.hasExited, false, 'the node does not wait for streams');
    for (const request of pendingRequests) {
      assert.deepEqual(await request.finish(), { status: 200, connection: 'close' });
    }
    assert.deepEqual(await ended, { code: 0, signal: null });
  });

  test('A service that gets SIGTERM exits with 0 within 15 seconds even if a request never ends', async (t) => {
    const server = await start(t);
    const pendingRequest = await holdRequest(server.url, '/auth/login', user);
    const ended = server.sigterm(LONGEST_EXIT_MS);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.equal(((await pendingRequest.broken()) as NodeJS.ErrnoException).code, 'ECONNRESET');
  });
});
