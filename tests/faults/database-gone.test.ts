import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const WRITERS = 8;
const BACK_WITHIN_MS = 5000;
const admin = { identifier: newIdentifier(), secret: newPassword() };

/** Clients that write and read in transactions, sequentially, until stopped. */
class Load {
  readonly #service: ServerProcess;
  readonly #token: string;
  readonly #ended: Promise<unknown>;
  readonly #counts = new Map<string, number>();
  #isOver = false;
  /** Slugs of workspaces whose creation returned 201. */
  readonly acknowledged: string[] = [];

  constructor(service: ServerProcess, token: string) {
    this.#service = service;
    this.#token = token;
    this.#ended = parallel(WRITERS, () => this.#work());
  }

  count(status: number): number {
    return this.#counts.get(String(status)) ?? 0;
  }

  /** The number of responses by status, and of requests without a response by error code. */
  async end(): Promise<Record<string, number>> {
    this.#isOver = true;
    await this.#ended;
    return Object.fromEntries(this.#counts);
  }

  async #work(): Promise<void> {
    while (!this.#isOver && !this.#service.hasExited) {
      const slug = randomBytes(8).toString('hex');
      const status = await this.#send('POST', '/workspaces', { name: slug, slug });
      if (status === '201') this.acknowledged.push(slug);
      await this.#send('GET', '/roles');
    }
  }

  async #send(method: string, path: string, body?: object): Promise<string> {
    const options = { token: this.#token, ...(body ? { body } : {}) };
    const answer = await this.#service.http.request(method, path, options).then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
    return answer;
  }
}

describe('a service under load, whose database becomes unreachable', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let service: ServerProcess;
  let load: Load;

  before(async () => {
    server = await startPostgres({ fsync: true });
    database = await createDatabase(server);
    service = await startServerProcess({
      env: {
        KEYWRIGHT_DATABASE_URL: database.url,
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
        KEYWRIGHT_ADMIN_SECRET: admin.secret,
      },
    });
    const login = await service.http.request<TokenAnswer>('POST', '/auth/login', { body: admin });
    load = new Load(service, expectStatus(200, login).access_token);
    await until('the load is on', () => load.acknowledged.length > WRITERS);
  });

  after(async () => {
    if (!service.hasExited) await service.kill9();
    await database.drop();
    await server.close();
  });

  test('A service under load continues when its database connections are cut in the middle of transactions', async () => {
    await until('many requests were cut off', async () => {
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'keywright%'`,
      );
      return service.hasExited || load.count(503) > 50;
    });
    assert.equal(service.hasExited, false, service.stderr);
    const were = load.acknowledged.length;
    await until('requests are answered again', () => load.acknowledged.length > were + WRITERS);
  });

  test('A service under load serves again within five seconds of the return of a database server that was killed', async () => {
    await server.kill9();
    const failed = load.count(503);
    await until('requests are refused', () => load.count(503) > failed + WRITERS);
    await server.restart();
    const were = load.acknowledged.length;
    const isBack = () => load.acknowledged.length > were + WRITERS;
    await until('requests are answered again', isBack, BACK_WITHIN_MS);
    assert.equal(service.hasExited, false, service.stderr);
  });

  test('A service under load fails only with 503 while its database is unreachable, and loses no acknowledged write', async () => {
    const answers = Object.keys(await load.end());
    assert.deepEqual(answers.toSorted(), ['200', '201', '503']);
    const rows = await database.query<{ slug: string }>('SELECT slug FROM workspaces');
    const stored = new Set(rows.map((row) => row.slug));
    assert.deepEqual(
      load.acknowledged.filter((slug) => !stored.has(slug)),
      [],
    );
  });
});
