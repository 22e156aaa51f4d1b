// The drill of docs/guide/backup.md, with PostgreSQL's own programs: a backup is taken while the service runs;
// sessions are refreshed and ended and keys retired after it; the backup is restored; and every issued token is
// presented.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { systemClock } from '@keywright/server/platform/clock';
import { account } from '../harness/account.ts';
import { runCommand } from '../harness/command-line.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus, type HttpClient } from '../harness/http.ts';
import { settledEvents } from '../harness/journal.ts';
import { parallel } from '../harness/parallel.ts';
import { startPostgres } from '../harness/postgres.ts';
import { findSystemBinaries } from '../harness/postgres-binaries.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { databaseDirectory, handOver } from '../harness/temporary.ts';
import { TestTenant } from '../harness/tenant.ts';
import { sessionOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { refusalOf } from './refusal.ts';

const run = promisify(execFile);
const binaries = findSystemBinaries();
const USERS = 40;
const ADMIN = { identifier: 'root@example.com', password: newPassword() };
const MASTER_KEY = randomBytes(32).toString('base64');

function environmentOf({ url }: Pick<TestDatabase, 'url'>) {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    // Each request comes from another network, since rate limits are not under test.
    KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
    KEYWRIGHT_ADMIN_SECRET: ADMIN.password,
  };
}

/** Users of a service, and every token issued to them. */
class Drill {
  readonly access: string[] = [];
  /** Each list is a session, from its first refresh token to its last. */
  readonly sessions: string[][] = [];
  #service: ServerProcess | undefined;

  get #http(): HttpClient {
    assert.ok(this.#service);
    return this.#service.http;
  }

  /** Replaced at each start, so that its administrator logs in again. */
  tenant = this.#newTenant();

  async start(database: Pick<TestDatabase, 'url'>): Promise<void> {
    this.#service = await startServerProcess({ env: environmentOf(database) });
    this.tenant = this.#newTenant();
  }

  async stop(): Promise<void> {
    await this.#service?.interrupt();
  }

  async kill(): Promise<void> {
    await this.#service?.kill9();
  }

  async logIn(count: number): Promise<void> {
    await parallel(count, async () => {
      const answer = await this.tenant.login(newIdentifier(), newPassword(), {
        extra: { register: true },
      });
      this.#note(answer, []);
    });
  }

  /** Refreshes a third of the sessions, twice; ends a third; and leaves a third as it is. */
  async change(): Promise<void> {
    const earlier = [...this.sessions];
    for (const [index, session] of earlier.entries()) {
      if (index % 3 === 0) continue;
      const answer = await this.#refresh(session);
      if (index % 3 === 1) await this.#refresh(session);
      else if (index % 2 === 0) await this.#asAdmin('DELETE', `/sessions/${sessionOf(answer)}`);
      else expectStatus(200, await this.#logOut(answer));
    }
    await this.#replaceKey();
    await this.logIn(5);
    for (const session of earlier.slice(0, 2)) await this.#refresh(session);
  }

  /** Presents every token; those of half of the sessions from newest to oldest. @returns the accepted tokens */
  async presentAll(): Promise<string[]> {
    const accepted: string[] = [];
    for (const token of this.access) {
      const { status } = await this.tenant.request('GET', '/me', { token });
      if (status !== 401) accepted.push(`access token ${status}`);
    }
    for (const [index, session] of this.sessions.entries()) {
      for (const token of index % 2 === 0 ? session : session.toReversed()) {
        const { status, body } = await this.#present(token);
        const { code } = body as { readonly code?: string };
        if (code !== 'TOKEN_INVALID') accepted.push(`refresh token ${status} ${code}`);
      }
    }
    return accepted;
  }

  #newTenant(): TestTenant {
    return new TestTenant({
      id: DEFAULT_TENANT,
      domains: ['localhost'],
      clock: systemClock,
      request: (method, path, options) => {
        const [a = 0, b = 0] = randomBytes(2);
        const headers = { 'x-forwarded-for': `${20 + (a % 80)}.${b}.1.1` };
        return this.#http.request(method, path, { ...options, headers });
      },
      findAdmin: () => Promise.resolve(ADMIN),
    });
  }

  #note(answer: TokenAnswer, session: string[]): string {
    this.access.push(answer.access_token);
    if (session.length === 0) this.sessions.push(session);
    session.push(answer.refresh_token);
    return answer.access_token;
  }

  #present(token: string) {
    const body = { refresh_token: token };
    return this.tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
  }

  async #refresh(session: string[]): Promise<string> {
    return this.#note(expectStatus(200, await this.#present(session.at(-1) ?? '')), session);
  }

  #logOut(token: string) {
    return this.tenant.request('POST', '/auth/logout', { token });
  }

  async #asAdmin<Body>(method: string, path: string, status = 200): Promise<Body> {
    const token = await this.tenant.adminToken();
    return expectStatus(status, await this.tenant.request<Body>(method, path, { token }));
  }

  /** As in an emergency. */
  async #replaceKey(): Promise<void> {
    const { id } = await this.#asAdmin<SigningKeyRecord>(
      'POST',
      '/keys/rotate?immediately=true',
      201,
    );
    const { items } = await this.#asAdmin<{ items: SigningKeyRecord[] }>('GET', '/keys');
    for (const key of items) if (key.id !== id) await this.#asAdmin('DELETE', `/keys/${key.id}`);
  }
}

/** Recovers the database with the command that the failed start prints, and presents every token. */
async function recover(drill: Drill, database: TestDatabase, takenAt: string, why: RegExp) {
  const env = environmentOf(database);
  assert.match(await refusalOf(env), why);
  const { code, stderr } = await runCommand(['after-restore', `--taken-at=${takenAt}`], { env });
  assert.equal(code, 0, stderr);
  await drill.start(database);
  assert.deepEqual(await drill.presentAll(), []);
  const events = await settledEvents(drill.tenant);
  const reasons = events.flatMap(({ type, data }) =>
    type === 'session.revoked' ? [(data as Record<string, unknown>)['reason']] : [],
  );
  assert.ok(reasons.length >= USERS);
  assert.deepEqual([...new Set(reasons)], ['restored']);
  await drill.logIn(1);
  await drill.stop();
}

test('A restored dump accepts nothing issued before, and no session ends as stolen', async (context) => {
  if (!binaries) return context.diagnostic('PostgreSQL is not installed: nothing was dumped');
  const server = await startPostgres({ superuser: 'postgres', binaries });
  const [database, restored] = [await createDatabase(server), await createDatabase(server)];
  const drill = new Drill();
  await drill.start(database);
  await drill.logIn(USERS);
  const takenAt = new Date().toISOString();
  const dump = join(await databaseDirectory('dump'), 'keywright.dump');
  await run(join(binaries, 'pg_dump'), ['-Fc', `--file=${dump}`, database.superuserUrl]);
  await drill.change();
  await drill.stop();
  const options = ['--no-owner', '--exit-on-error', `--dbname=${restored.url}`];
  await run(join(binaries, 'pg_restore'), [...options, dump]);
  await recover(drill, restored, takenAt, /it is another database on the same server/);
  await server.close();
});

test('A recovery to a point in time, right after the service was killed, accepts nothing issued before, and no session ends as stolen', async (context) => {
  if (!binaries) return context.diagnostic('PostgreSQL is not installed: nothing was backed up');
  const folder = await databaseDirectory('base');
  await handOver(folder);
  const archive = join(folder, 'archive');
  const settings = {
    archive_mode: 'on',
    archive_command: `mkdir -p ${archive} && cp %p ${archive}/%f`,
    wal_level: 'replica',
  };
  const server = await startPostgres({ superuser: 'postgres', binaries, settings });
  const database = await createDatabase(server);
  const drill = new Drill();
  await drill.start(database);
  const base = join(folder, 'base');
  const target = [`--dbname=${server.url}`, `--pgdata=${base}`, '--checkpoint=fast'];
  await run(join(binaries, 'pg_basebackup'), target, { ...account });
  await drill.logIn(USERS);
  const [point] = await database.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
  const takenAt = new Date().toISOString();
  await drill.change();
  await drill.kill();
  await database.query('SELECT pg_switch_wal()');
  const [data] = await database.query<{ path: string }>(
    `SELECT current_setting('data_directory') AS path`,
  );
  assert.ok(point && data);
  await server.stop();
  await rm(data.path, { recursive: true });
  await rename(base, data.path);
  await writeFile(join(data.path, 'recovery.signal'), '');
  await appendFile(
    join(data.path, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${point.at}'\n` +
      `recovery_target_action = 'promote'\n`,
  );
  await handOver(data.path);
  await server.restart();
  await until('it is recovered', async () => {
    const [row] = await database
      .query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
      .catch(() => []);
    return row?.standby === false;
  });
  await recover(
    drill,
    database,
    takenAt,
    /its timeline was 1 and is 2, and the server has a recovery target/,
  );
  await server.close();
});
