import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createDatabase } from '../harness/database.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { eventLoopIterations, parallel } from '../harness/parallel.ts';
import { startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import type { Random } from '../harness/random.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const CLIENTS = 10;
/** Rotations between two crashes, on average. */
export const CALM = 60;
export const SESSIONS = 'SELECT user_id, generation, is_active FROM sessions';

/** The issuer remains the same although each process gets its own port. */
export const ENVIRONMENT = { KEYWRIGHT_BASE_URL: 'https://id.example.com' };

export interface SessionRow {
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

  constructor(env: Readonly<Record<string, string>>, random: Random, calm: number) {
    this.random = random;
    this.#env = env;
    // Pairs and retries make requests about 1.5 times as frequent as rotations.
    this.#requestsBetweenCrashes = Math.round(2 * 1.5 * calm);
    this.#requestsLeft = this.#untilNextCrash();
    this.#running = startServerProcess({ env: this.#env });
  }

  /** The running or starting process. */
  running(): Promise<ServerProcess> {
    return this.#running;
  }

  /** Sends a refresh; undefined if the process died before responding. */
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
    await eventLoopIterations(this.random.between(0, 100));
    this.crashes += 1;
    this.#requestsLeft = this.#untilNextCrash();
    this.#running = victim.kill9().then(() => startServerProcess({ env: this.#env }));
  }

  #untilNextCrash(): number {
    return this.random.between(1, this.#requestsBetweenCrashes);
  }
}

/** A client that refreshes continuously, and continues with its current token after a crash. */
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
      // Sometimes sends two concurrent requests, like a client with two windows.
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

/** Kills the service at random points while clients refresh continuously. */
export const crashes: Scenario = {
  name: 'crashes',
  about:
    'SIGKILL of the service at random points of rotations, on PostgreSQL; a round is 100 rotations',
  rounds: 100,
  run: crashOnPostgres,
};

export async function crashOnPostgres({ random, rounds, say }: Run): Promise<Figures> {
  const server = await startPostgres({ fsync: true });
  try {
    const database = await createDatabase(server);
    const env = {
      ...ENVIRONMENT,
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    return await surviveCrashes({
      env,
      random,
      say,
      rotations: 100 * rounds,
      calm: CALM,
      readSessions: () => database.query<SessionRow & Record<string, unknown>>(SESSIONS),
    });
  } finally {
    await server.close();
  }
}

interface Crashing extends Pick<Run, 'random' | 'say'> {
  readonly env: Readonly<Record<string, string>>;
  readonly rotations: number;
  /** Rotations between two crashes, on average. */
  readonly calm: number;
  /** Once the service has ended. */
  readonly readSessions: () => Promise<SessionRow[]>;
}

export async function surviveCrashes(crashing: Crashing): Promise<Figures> {
  const { random, rotations, calm, say } = crashing;
  const service = new CrashingService(crashing.env, random, calm);
  const clients = await logInAll(service);
  let done = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (client.rotations < rotations / CLIENTS) {
        await client.rotate();
        done += 1;
        if (done % 500 === 0) say(`${done} of ${rotations} rotations, ${service.crashes} crashes`);
      }
    }),
  );
  const last = await service.running();
  for (const { tokens } of clients) {
    expectStatus(200, await last.http.request('GET', '/me', { token: tokens.access_token }));
  }
  assert.equal((await last.interrupt()).code, 0);
  assert.ok(service.crashes > rotations / calm / 3, `${service.crashes} crashes`);
  assertNoneUnknown(clients, await crashing.readSessions());
  return { rotations: done, crashes: service.crashes, clients: clients.length };
}

async function logInAll(service: CrashingService): Promise<Client[]> {
  const { http } = await service.running();
  const clients: Client[] = [];
  for (let client = 0; client < CLIENTS; client += 1) {
    const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const login = await http.request<TokenAnswer>('POST', '/auth/login', { body });
    clients.push(new Client(service, expectStatus(200, login)));
  }
  return clients;
}

/** Clients know every rotation: an unknown one would be a second successor of some token. */
function assertNoneUnknown(clients: readonly Client[], rows: readonly SessionRow[]): void {
  const sessions = new Map(rows.map((row) => [row.user_id, row]));
  for (const { tokens, rotations } of clients) {
    const { generation, is_active } = sessions.get(tokens.user.id) ?? {};
    assert.deepEqual({ generation, is_active }, { generation: rotations, is_active: true });
  }
}
