import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { statement } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { createDatabase } from '../harness/database.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { eventLoopTurns, parallel } from '../harness/parallel.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { type Random, seededRandom } from '../harness/random.ts';
import { temporaryDirectory } from '../harness/temporary.ts';

const CLIENTS = 10;
const ROTATIONS = 1000;
const SESSIONS = 'SELECT user_id, generation, is_active FROM sessions';

/** The address that tokens are issued under stays the same although each process gets a port of its own. */
const ENVIRONMENT = { KEYWRIGHT_BASE_URL: 'https://id.example.com' };

interface SessionRow {
  readonly user_id: string;
  readonly generation: number;
  readonly is_active: boolean;
}

/** The service in a process that is killed at random points and started again. */
class CrashingService {
  readonly random: Random;
  readonly #env: Readonly<Record<string, string>>;
  readonly #requestsBetweenCrashes: number;
  #running: Promise<ServerProcess>;
  #requestsLeft: number;
  crashes = 0;

  constructor(env: Readonly<Record<string, string>>, random: Random, wantedCrashes: number) {
    this.random = random;
    this.#env = env;
    // Some requests are the second of a pair or a repetition: about half as many again as rotations.
    this.#requestsBetweenCrashes = Math.round((2 * 1.5 * ROTATIONS) / wantedCrashes);
    this.#requestsLeft = this.#untilNextCrash();
    this.#running = startServerProcess({ env: this.#env });
  }

  /** The process that runs, or the one that is just coming up. */
  running(): Promise<ServerProcess> {
    return this.#running;
  }

  /** Sends a refresh; answers nothing when the process died before it did. */
  async refresh(token: string): Promise<Answer<TokenAnswer & ErrorBody> | undefined> {
    const { http } = await this.#running;
    this.#requestsLeft -= 1;
    if (this.#requestsLeft === 0) void this.#crash();
    try {
      return await http.request('POST', '/auth/refresh', { body: { refresh_token: token } });
    } catch {
      return undefined;
    }
  }

  async #crash(): Promise<void> {
    const victim = await this.#running;
    await eventLoopTurns(this.random.between(0, 100));
    this.crashes += 1;
    this.#requestsLeft = this.#untilNextCrash();
    this.#running = victim.kill9().then(() => startServerProcess({ env: this.#env }));
  }

  #untilNextCrash(): number {
    return this.random.between(1, this.#requestsBetweenCrashes);
  }
}

/** A client that refreshes again and again, and after a crash goes on with the token it holds. */
class Client {
  readonly #service: CrashingService;
  tokens: TokenAnswer;
  rotations = 0;

  constructor(service: CrashingService, login: TokenAnswer) {
    this.#service = service;
    this.tokens = login;
  }

  async rotate(): Promise<void> {
    const successors = new Map<string, TokenAnswer>();
    while (successors.size === 0) {
      // Now and then it asks twice at once, as a client with two windows does.
      const twins = this.#service.random.between(0, 4) === 0 ? 2 : 1;
      const answers = await parallel(twins, () => this.#service.refresh(this.tokens.refresh_token));
      for (const answer of answers) {
        if (answer === undefined) continue;
        const tokens = expectStatus(200, answer);
        successors.set(tokens.refresh_token, tokens);
      }
    }
    assert.equal(successors.size, 1, 'one token has one successor');
    for (const tokens of successors.values()) this.tokens = tokens;
    this.rotations += 1;
  }
}

async function survive(
  env: Readonly<Record<string, string>>,
  wantedCrashes: number,
  readSessions: () => Promise<SessionRow[]>,
): Promise<void> {
  const random = seededRandom();
  const service = new CrashingService(env, random, wantedCrashes);
  const clients: Client[] = [];
  const first = await service.running();
  for (let client = 0; client < CLIENTS; client += 1) {
    const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const login = await first.http.request<TokenAnswer>('POST', '/auth/login', { body });
    clients.push(new Client(service, expectStatus(200, login)));
  }
  try {
    await Promise.all(
      clients.map(async (client) => {
        while (client.rotations < ROTATIONS / CLIENTS) await client.rotate();
      }),
    );
  } catch (error) {
    throw new Error(`seed ${random.seed}, after ${service.crashes} crashes`, { cause: error });
  }
  const last = await service.running();
  for (const { tokens } of clients) {
    expectStatus(200, await last.http.request('GET', '/me', { token: tokens.access_token }));
  }
  assert.equal((await last.interrupt()).code, 0);
  assert.ok(service.crashes > wantedCrashes / 3, `${service.crashes} crashes`);

  // A rotation that no client knows of would be a second successor of some token.
  const sessions = new Map((await readSessions()).map((row) => [row.user_id, row]));
  for (const { tokens, rotations } of clients) {
    const { generation, is_active } = sessions.get(tokens.user.id) ?? {};
    assert.deepEqual({ generation, is_active }, { generation: rotations, is_active: true });
  }
}

describe('SIGKILL of the service during 1,000 rotations', () => {
  let server: PostgresServer | undefined;

  after(() => server?.close());

  test('on PostgreSQL: no double successor, every client goes on with the token it holds', async () => {
    server = await startPostgres({ fsync: true });
    const database = await createDatabase(server);
    const env = {
      ...ENVIRONMENT,
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    await survive(env, 16, () => database.query<SessionRow & Record<string, unknown>>(SESSIONS));
    await database.drop();
  });

  test('on PGlite: no double successor, every client goes on with the token it holds', async () => {
    const dataDir = await temporaryDirectory('data');
    await survive({ ...ENVIRONMENT, KEYWRIGHT_DATA_DIR: dataDir }, 8, async () => {
      const database = await openEmbedded(dataDir);
      const rows = await database.run<SessionRow>(statement('sessions', SESSIONS), []);
      await database.close();
      return rows;
    });
  });
});
