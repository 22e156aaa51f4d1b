import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus, httpClient } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { freePort } from '../harness/postgres.ts';
import { type ServerProcess, spawnServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const WORKERS = 2;
const LONGEST_EXIT_MS = 15_000;
/** Connections are dealt to the workers in turn. */
const CONNECTIONS = 4 * WORKERS;

interface Line {
  readonly msg: string;
  readonly worker?: number;
  readonly signal?: string;
  readonly pauseMs?: number;
}

const user = { identifier: newIdentifier(), secret: newPassword() };
let database: TestDatabase;
let env: Record<string, string>;
let service: ServerProcess;

before(async () => {
  database = await createDatabase();
  env = {
    KEYWRIGHT_WORKERS: String(WORKERS),
    KEYWRIGHT_METRICS_PORT: String(await freePort()),
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: user.identifier,
    KEYWRIGHT_ADMIN_SECRET: user.secret,
  };
  service = await startServerProcess({ env });
  await until('all workers listen', () => pids().length === WORKERS);
});

after(async () => {
  if (!service.hasExited) await service.sigterm();
  await database.drop();
});

function lines(): Line[] {
  return service.stdout
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);
}

/** Returns the ids of the worker processes, or none until all workers have logged that they listen. */
function pids(): number[] {
  return workerPids(service.pid).filter(() => listening() >= WORKERS);
}

function listening(): number {
  return lines().filter(({ msg, worker }) => msg === 'listening' && worker !== undefined).length;
}

/** Processes that the service has started. Linux only. */
function workerPids(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** The same request over connections of their own: some for each worker. */
async function overEveryWorker(method: string, path: string, token: string): Promise<number[]> {
  const clients = Array.from({ length: CONNECTIONS }, () => httpClient(service.url));
  const answers = await Promise.all(
    clients.map((client) => client.request(method, path, { token })),
  );
  for (const client of clients) client.close();
  return answers.map(({ status }) => status);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function logIn(): Promise<TokenAnswer> {
  return expectStatus(200, await service.http.request('POST', '/auth/login', { body: user }));
}

describe('a service with two workers', () => {
  test('Two workers share the requests of one port, and log lines name the worker', async () => {
    const { access_token: token } = await logIn();
    const statuses = await overEveryWorker('GET', '/me', token);
    assert.deepEqual(new Set(statuses), new Set([200]));
    await until('both are seen in the log', () => {
      const workers = lines().flatMap(({ msg, worker }) => (msg === 'request' ? [worker] : []));
      return (
        new Set(workers).size === WORKERS && workers.every((worker) => worker === 1 || worker === 2)
      );
    });
  });

  test('A session revoked on one worker is rejected on every worker from the next request on', async () => {
    const { access_token: token } = await logIn();
    const earlier = await overEveryWorker('GET', '/me', token);
    assert.deepEqual(new Set(earlier), new Set([200]));
    expectStatus(200, await service.http.request('POST', '/auth/logout', { token }));
    const afterwards = await overEveryWorker('GET', '/me', token);
    assert.deepEqual(new Set(afterwards), new Set([401]));
  });

  test('A service with two workers performs the first start once', async () => {
    const rows = await database.query('SELECT FROM user_identifiers WHERE identifier = $1', [
      user.identifier,
    ]);
    assert.equal(rows.length, 1);
  });

  test('A service with two workers adds up the metrics of all workers', async () => {
    const address = `http://127.0.0.1:${env['KEYWRIGHT_METRICS_PORT']}/metrics`;
    const { access_token: token } = await logIn();
    await overEveryWorker('GET', '/me', token);
    const count = async () => {
      const text = await (await fetch(address)).text();
      const found =
        /^keywright_http_request_duration_seconds_count\{route="me\.get",status="200"\} (\d+)/m;
      return Number(found.exec(text)?.[1] ?? 0);
    };
    const counted = await count();
    assert.ok(counted >= CONNECTIONS, `${counted} counted`);
    await overEveryWorker('GET', '/me', token);
    assert.equal((await count()) - counted, CONNECTIONS);
  });

  test('A service continues when a worker is killed, and replaces it, with increasing delays', async () => {
    const { access_token: token } = await logIn();
    let [victim = assert.fail()] = pids();
    for (let death = 0; death < 2; death += 1) {
      const were = new Set(pids());
      const listened = listening();
      process.kill(victim, 'SIGKILL');
      await until('another one listens', () => listening() > listened);
      assert.equal(pids().length, WORKERS);
      assert.ok(!pids().includes(victim));
      const statuses = await overEveryWorker('GET', '/me', token);
      assert.deepEqual(new Set(statuses), new Set([200]));
      victim = pids().find((pid) => !were.has(pid)) ?? assert.fail();
    }
    const replaced = lines().filter(({ msg }) => msg === 'a worker exited and is being replaced');
    assert.deepEqual(
      replaced.map(({ worker, signal }) => ({ worker, signal })),
      [replaced[0], replaced[0]].map(() => ({ worker: replaced[0]?.worker, signal: 'SIGKILL' })),
    );
    const [first = 0, second = 0] = replaced.map(({ pauseMs = 0 }) => pauseMs);
    assert.ok(second > first, `${first} ms, then ${second} ms`);
  });

  test('A service with two workers answers all requests in progress on SIGTERM, and every worker exits within 15 seconds', async () => {
    const workers = pids();
    let rounds = 0;
    const over = new AbortController();
    const load = parallel(CONNECTIONS, async () => {
      const client = httpClient(service.url);
      while (!over.signal.aborted) {
        const { access_token: token } = expectStatus(
          200,
          await client.request<TokenAnswer>('POST', '/auth/login', { body: user }),
        );
        // Requests in progress are answered; later ones may find no listener.
        if (over.signal.aborted) break;
        expectStatus(200, await client.request('GET', '/me', { token }));
        rounds += 1;
      }
      client.close();
    });
    await until('the load is on', () => rounds > CONNECTIONS);
    const ended = service.sigterm(LONGEST_EXIT_MS);
    await until('readiness fails', async () => {
      const answer = await service.http.request('GET', '/health');
      return answer.status === 503;
    });
    over.abort();
    await load;
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.ok(!workers.some(isThere), 'no worker is left');
  });
});

test('The death of the supervisor ends the workers too', async () => {
  const other = await startServerProcess({ env: { ...env, KEYWRIGHT_METRICS_PORT: '0' } });
  const workers = await until('all workers are there', () => {
    const found = workerPids(other.pid);
    return found.length === WORKERS && found;
  });
  await other.kill9();
  await until('no worker is left', () => !workers.some(isThere));
});

describe('workers that cannot start', () => {
  test('Two workers with the embedded database are rejected in one message', async () => {
    const refused = spawnServerProcess({ env: { KEYWRIGHT_WORKERS: '2' } });
    assert.equal((await refused.exit()).code, 1);
    assert.match(
      refused.stderr,
      /KEYWRIGHT_WORKERS is above 1, which requires a PostgreSQL server/,
    );
  });

  test('Workers that cannot start report the reason once', async () => {
    const refused = spawnServerProcess({
      env: {
        ...env,
        KEYWRIGHT_METRICS_PORT: '0',
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      },
    });
    assert.equal((await refused.exit()).code, 1);
    assert.equal(refused.stderr.match(/is not the master key of this database/g)?.length, 1);
  });
});
