import { randomBytes } from 'node:crypto';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { expectStatus } from '../harness/http.ts';
import { type PostgresServer } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { bitsSetIn, followStatus, type StatusStream } from '../harness/status.ts';

const STREAM = '/status/stream';

interface Admin {
  readonly identifier: string;
  readonly secret: string;
}

/** Nodes on one database, each its own process, and their streams of the default tenant. */
export class StatusProcesses {
  readonly database: TestDatabase;
  readonly #env: Readonly<Record<string, string>>;
  readonly #admin: Admin;
  readonly #processes: ServerProcess[] = [];
  readonly #streams: StatusStream[] = [];

  private constructor(database: TestDatabase, admin: Admin) {
    this.database = database;
    this.#admin = admin;
    this.#env = {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_BASE_URL: 'https://id.example.com',
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
      KEYWRIGHT_ADMIN_SECRET: admin.secret,
    };
  }

  static async create(server?: PostgresServer): Promise<StatusProcesses> {
    const admin = { identifier: 'root@example.com', secret: newPassword() };
    return new StatusProcesses(await createDatabase(server), admin);
  }

  async start(): Promise<ServerProcess> {
    const node = await startServerProcess({ env: this.#env });
    this.#processes.push(node);
    return node;
  }

  /** @returns an access token */
  async logIn({ http }: ServerProcess): Promise<string> {
    const answer = await http.request<TokenAnswer>('POST', '/auth/login', { body: this.#admin });
    return expectStatus(200, answer).access_token;
  }

  async logOut({ http }: ServerProcess, token: string): Promise<void> {
    expectStatus(200, await http.request('POST', '/auth/logout', { token }));
  }

  /** Opens a stream, and waits for its first event. @param since the version to start from; default: the current one */
  async follow({ url }: ServerProcess, since?: number): Promise<StatusStream> {
    const headers = since === undefined ? {} : { 'last-event-id': String(since) };
    const stream = await followStatus(url, STREAM, headers);
    this.#streams.push(stream);
    await stream.find('the first event', () => true);
    return stream;
  }

  /** The bits that are set, according to a node. */
  async setBits({ http }: ServerProcess): Promise<Set<number>> {
    const answer = await http.request('GET', '/status/0');
    expectStatus(200, answer);
    return new Set(bitsSetIn(answer.text));
  }

  /** The lines of its log that a node has written about requests for the stream. */
  streamLines({ stdout }: ServerProcess): { readonly status: number; readonly ms: number }[] {
    const lines = stdout.split('\n').filter((line) => line.includes(`"path":"${STREAM}"`));
    return lines.map((line) => JSON.parse(line) as { status: number; ms: number });
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    const left = this.#processes.filter((node) => !node.hasExited);
    await Promise.all(left.map((node) => node.kill9()));
    await this.database.drop();
  }
}

export function lastVersion({ events }: StatusStream): number {
  return events.at(-1)?.claims.version ?? 0;
}
