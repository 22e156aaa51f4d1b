import { randomBytes } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type RunningKeywright, startKeywright as start } from '@keywright/server/app';
import { type Clock, systemClock } from '@keywright/server/platform/clock';
import { readConfig } from '@keywright/server/platform/config';
import type { PasswordCost } from '@keywright/server/platform/crypto/password';
import { openLog } from '@keywright/server/platform/log';
import type { Module } from '@keywright/server/tenancy/module';
import { type FakeClock, fakeClock } from './clock.ts';
import { newPassword } from './credentials.ts';
import { preparedDataFolder } from './data-folder.ts';
import { keepTransactionsFlat } from './flat-transactions.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { type Answer, type JsonBody, type HttpClient, httpClient } from './http.ts';
import type { DatabaseServer } from './postgres.ts';
import {
  type Credentials,
  installAdmin,
  type LoginOptions,
  type NewUser,
  type RequestToNode,
  type TenantOverrides,
  TestTenant,
  type TestUser,
} from './tenant.ts';

keepTransactionsFlat();

export interface KeywrightOptions {
  /** Default postgres. */
  readonly engine?: 'postgres' | 'pglite';
  /** The server on which the database is created; default: the test run's PostgreSQL. */
  readonly server?: DatabaseServer | undefined;
  /** Returns the address at which the nodes reach the database; default: the database's own. */
  readonly connectThrough?: (url: string) => Promise<string>;
  /** The number of nodes that share the database; default 1. */
  readonly nodes?: number;
  /** Default: 'system'. 'fake' is a clock that only the test advances. */
  readonly clock?: 'system' | 'fake';
  /** Settings that extend or override those of the harness. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives each log line of every node; default: no log is written. */
  readonly log?: (line: string) => void;
  /** The DNS resolver and trusted certificates of outgoing calls; default the system's. */
  readonly outside?: { readonly ca?: string; readonly dnsServers?: readonly string[] };
  /** Features of a test, in addition to those of the service. */
  readonly modules?: readonly Module[];
  /** 'real': password hashes cost as much as in production; default: next to nothing. */
  readonly passwords?: 'real';
}

const DEFAULT_TENANT = 'org_default' as TenantId;
/** A limit that exceeds the number of registrations by the tests from one address. */
const MANY = 100_000;
/** On a busy machine, a statement can exceed the default timeout. Tests of the timeout set their own. */
const PATIENT_MS = 30_000;
/** The minimum of Argon2id: otherwise hashing would take a quarter of the tests' time. */
const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/** Starts the service in this process, with a database of its own. */
export async function startKeywright(options: KeywrightOptions = {}): Promise<Keywright> {
  const { env, database } = await createStorage(options);
  const clock = options.clock === 'fake' ? fakeClock() : undefined;
  const admin = { identifier: 'root@example.com', password: newPassword() };
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
    KEYWRIGHT_ADMIN_SECRET: admin.password,
    KEYWRIGHT_STATEMENT_TIMEOUT_MS: String(PATIENT_MS),
    ...env,
    ...options.env,
  });
  const { log: write } = options;
  const log = write && { log: openLog(config.logLevel, { write }) };
  const nodes: RunningKeywright[] = [];
  const nodeOptions = {
    config,
    ...log,
    ...(clock ? { clock } : {}),
    outside: options.outside ?? {},
    modules: options.modules ?? [],
    ...(options.passwords === 'real' ? {} : { passwordCost: CHEAP }),
  };
  try {
    while (nodes.length < (options.nodes ?? 1)) nodes.push(await start(nodeOptions));
  } catch (error) {
    // A running node would keep the test process alive.
    await Promise.all(nodes.map((node) => node.close()));
    throw error;
  }
  return new Keywright({ nodes, database, admin, clock });
}

async function createStorage(options: KeywrightOptions) {
  if (options.engine === 'pglite') {
    const env = { KEYWRIGHT_DATA_DIR: await preparedDataFolder() };
    return { env, database: undefined };
  }
  const database = await createDatabase(options.server);
  const url = (await options.connectThrough?.(database.url)) ?? database.url;
  return { env: { KEYWRIGHT_DATABASE_URL: url }, database };
}

interface Parts {
  readonly nodes: RunningKeywright[];
  readonly database: TestDatabase | undefined;
  readonly admin: Credentials;
  readonly clock: FakeClock | undefined;
}

/** The service under test. */
export class Keywright {
  /** The first system administrator. */
  readonly admin: Credentials;
  /** The default tenant. */
  readonly home: TestTenant;
  /** The instances themselves. */
  readonly nodes: readonly RunningKeywright[];
  readonly #parts: Parts;
  readonly #http: readonly HttpClient[];
  readonly #running: Set<RunningKeywright>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.nodes = parts.nodes;
    this.#running = new Set(parts.nodes);
    this.admin = parts.admin;
    this.#http = parts.nodes.map((node) => httpClient(node.url));
    this.home = this.#tenant(DEFAULT_TENANT, ['localhost', '127.0.0.1'], async () => parts.admin);
  }

  /** The address of the first node. */
  get url(): string {
    return this.nodes[0]?.url ?? '';
  }

  /** Only with `clock: 'fake'`. */
  get clock(): FakeClock {
    if (!this.#parts.clock) throw new Error('This Keywright runs on the system clock.');
    return this.#parts.clock;
  }

  /** Its database, as superuser; only on PostgreSQL. */
  get database(): TestDatabase {
    if (!this.#parts.database) throw new Error('This Keywright has the embedded database.');
    return this.#parts.database;
  }

  /** Names no tenant unless the options do. The path is relative to /api/sso/v1. */
  request<Body = JsonBody>(
    method: string,
    path: string,
    options: RequestToNode = {},
  ): Promise<Answer<Body>> {
    const { node = 0, ...rest } = options;
    const http = this.#http[node];
    if (!http) throw new Error(`There is no node ${node}.`);
    return http.request<Body>(method, path, rest);
  }

  /** Logs in to the default tenant, unless the options name another. @throws if the login is rejected */
  login(identifier: string, secret: string, options?: LoginOptions): Promise<TokenAnswer> {
    return this.home.login(identifier, secret, options);
  }

  /** An access token of the first system administrator. */
  adminToken(): Promise<string> {
    return this.home.adminToken();
  }

  /** A user of the default tenant. */
  createUser(input?: NewUser): Promise<TestUser> {
    return this.home.createUser(input);
  }

  /** Creates another tenant, `org_<slug>`. */
  async tenant(slug: string, overrides: TenantOverrides = {}): Promise<TestTenant> {
    const { name = slug, domains = [`${slug}.example.com`], config = {} } = overrides;
    const [node] = this.nodes;
    if (!node) throw new Error('There is no node.');
    const limits = { registrations_limit: MANY, registrations_address_limit: MANY };
    const id = await node.createTenant('tests', {
      slug,
      name,
      domains,
      config: { ...limits, ...config },
    });
    const made: TestTenant = this.#tenant(id, domains, () => {
      admin ??= installAdmin(made, this.database);
      return admin;
    });
    let admin: Promise<Credentials> | undefined;
    return made;
  }

  /** Stops one node. The others continue to serve. */
  async stop(node: RunningKeywright): Promise<void> {
    this.#running.delete(node);
    await node.close();
  }

  async close(): Promise<void> {
    for (const http of this.#http) http.close();
    await Promise.all([...this.#running].map((node) => node.close()));
    await this.#parts.database?.drop();
    // The variables of a test file live as long as its process: a closed service would take megabytes of it.
    this.#parts.nodes.length = 0;
    this.#running.clear();
  }

  #tenant(id: TenantId, domains: readonly string[], findAdmin: () => Promise<Credentials>) {
    const clock: Clock = this.#parts.clock ?? systemClock;
    const request: Keywright['request'] = (...args) => this.request(...args);
    return new TestTenant({ id, domains, clock, request, findAdmin });
  }
}
