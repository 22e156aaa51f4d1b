import { randomBytes } from 'node:crypto';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { parallel } from '../harness/parallel.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type Exit, type ServerProcess, startServerProcess } from '../harness/process.ts';
import { type Relay, relayTo } from '../harness/relay.ts';
import { until } from '../harness/until.ts';

interface FleetOptions {
  readonly nodes: number;
  /** Settings in addition to those shared by all nodes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default false: without a relay before the database. */
  readonly isRelayed?: boolean;
}

/** Nodes of the service as processes that can be killed at any time, on one PostgreSQL with durable commits. */
export class Fleet {
  readonly server: PostgresServer;
  readonly database: TestDatabase;
  readonly size: number;
  readonly #env: Readonly<Record<string, string>>;
  readonly #relay: Relay | undefined;
  readonly #nodes: Promise<ServerProcess>[];
  readonly #admin = { identifier: newIdentifier(), secret: newPassword() };
  #adminToken = '';
  #isClosed = false;

  private constructor(
    server: PostgresServer,
    database: TestDatabase,
    options: FleetOptions,
    through?: { readonly relay: Relay; readonly url: string },
  ) {
    this.server = server;
    this.database = database;
    this.size = options.nodes;
    this.#relay = through?.relay;
    this.#env = {
      // The port of a process changes with each start, so the issuer must not depend on it.
      KEYWRIGHT_BASE_URL: 'https://id.example.com',
      KEYWRIGHT_DATABASE_URL: through?.url ?? database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_ADMIN_IDENTIFIER: this.#admin.identifier,
      KEYWRIGHT_ADMIN_SECRET: this.#admin.secret,
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
      ...options.env,
    };
    this.#nodes = Array.from({ length: options.nodes }, () => this.#start());
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const server = await startPostgres({ fsync: true });
    const database = await createDatabase(server);
    const through = options.isRelayed ? await relayTo(database.url) : undefined;
    const fleet = new Fleet(server, database, options, through);
    try {
      await fleet.#prepare();
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  /** From now on nothing responds. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The relay between the nodes and the database. */
  get relay(): Relay {
    if (!this.#relay) throw new Error('There is no relay.');
    return this.#relay;
  }

  get adminToken(): string {
    return this.#adminToken;
  }

  /** The process at this index, once it serves requests. */
  node(index: number): Promise<ServerProcess> {
    const node = this.#nodes[index % this.size];
    if (!node) throw new Error('There is no node.');
    return node;
  }

  /** Undefined if the process died before it responded. */
  async request<Body = JsonBody>(
    node: number,
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<Body> | undefined> {
    const { http } = await this.node(node);
    return http.request<Body>(method, path, options).catch(() => undefined);
  }

  /** Sends a request while no process is killed. @throws unless the status is 200 or 201 */
  async requestOk<Body = JsonBody>(
    node: number,
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Body> {
    const { http } = await this.node(node);
    const answer = await http.request<Body>(method, path, options);
    return expectStatus(answer.status === 201 ? 201 : 200, answer);
  }

  asAdmin<Body = JsonBody>(method: string, path: string, body?: object): Promise<Body> {
    const options = { token: this.#adminToken, ...(body ? { body } : {}) };
    return this.requestOk<Body>(0, method, path, options);
  }

  /** Creates a user who logs in from a unique address. */
  register(node: number): Promise<TokenAnswer> {
    const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const headers = { 'x-forwarded-for': newAddress() };
    return this.requestOk<TokenAnswer>(node, 'POST', '/auth/login', { body, headers });
  }

  /** Kills a node with SIGKILL and starts a new process. Resolves when the new one serves requests. */
  async kill(index: number): Promise<void> {
    const at = index % this.size;
    const victim = await this.node(at);
    const next = victim.kill9().then(() => this.#start());
    this.#nodes[at] = next;
    await next;
  }

  /** Stops a node with SIGTERM and starts a new process after its exit. Resolves when the new one serves requests. */
  async restart(index: number): Promise<{ readonly exit: Exit; readonly exitMs: number }> {
    const at = index % this.size;
    const startedAt = performance.now();
    const node = await this.node(at);
    const exit = await node.sigterm();
    const exitMs = performance.now() - startedAt;
    this.#nodes[at] = this.#start();
    await this.#nodes[at];
    return { exit, exitMs };
  }

  /** Sends SIGKILL to PostgreSQL and all its backends. @returns the time from its return until every node served */
  async killDatabase(): Promise<number> {
    await this.server.kill9();
    await this.server.restart();
    const backAt = performance.now();
    await parallel(this.size, (node) =>
      until('a node serves again', async () => {
        const answer = await this.request(node, 'GET', '/roles', { token: this.#adminToken });
        return answer?.status === 200;
      }),
    );
    return performance.now() - backAt;
  }

  /** Cuts every connection between service and database. */
  async cutConnections(): Promise<void> {
    await this.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'keywright%'`,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const nodes = await Promise.allSettled(this.#nodes);
    const running = nodes.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []));
    await Promise.all(running.filter((node) => !node.hasExited).map((node) => node.kill9()));
    await this.#relay?.close();
    await this.database.drop().catch(() => undefined);
    await this.server.close();
  }

  async #prepare(): Promise<void> {
    await Promise.all(this.#nodes);
    const login = await this.requestOk<TokenAnswer>(0, 'POST', '/auth/login', {
      body: this.#admin,
    });
    this.#adminToken = login.access_token;
    const config = {
      login_attempts_limit: 10_000,
      registrations_limit: 100_000,
      registrations_address_limit: 100_000,
    };
    await this.asAdmin('PATCH', '/tenants/org_default', { config });
  }

  #start(): Promise<ServerProcess> {
    const started = startServerProcess({ env: this.#env });
    // Callers that await the start get the failure.
    started.catch(() => undefined);
    return started;
  }
}

/** One of the 16 million addresses in 10.0.0.0/8, which is for private use (RFC 1918). */
export function newAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}
