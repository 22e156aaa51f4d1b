import type { Bench } from '../measure/bench.ts';
import { cpuMicros, groupCpuMicros } from '../measure/cpu.ts';
import type { Options } from '../options.ts';
import type { Scene } from '../rows/row.ts';
import { loadUsers } from '../target/users.ts';
import type { BenchDatabase, BenchServer } from '../target/database.ts';
import { BASE_URL } from '../target/applications.ts';
import { seedMachines, type TenantKey } from '../target/machines.ts';
import { Peers } from '../target/peers.ts';
import { type Person, type Seed, seed } from '../target/seed.ts';
import { type Service, startService } from '../target/service.ts';
import type { Upstream } from '../target/upstream.ts';
import { openClient } from './client.ts';
import { prepareBrowserRequests, type BrowserRequests } from './browser-requests.ts';

/** Users in all tenants together, so that only the number of tenants differs. */
const PEOPLE = 10_000;
const ADMINISTRATOR = 'admin@example.com';
const SECRET = 'a secret of the bench';

/** A database with this many tenants, and the service on it. */
export interface Installation {
  readonly tenants: number;
  readonly bench: Bench;
  readonly service: Service;
  /** Users with their current refresh tokens. */
  readonly people: Person[];
  /** One per person, in the same order; empty unless needed. */
  readonly keys: readonly TenantKey[];
  readonly browserRequests: BrowserRequests;
  /** Logs a system administrator in. @returns their access token */
  readonly logIn: () => Promise<string>;
  close(): Promise<void>;
}

export async function openInstallation(
  server: BenchServer,
  options: Options,
  tenants: number,
  { hasKeys, upstream }: { readonly hasKeys: boolean; readonly upstream: Upstream },
): Promise<Installation> {
  const database = await server.create();
  const env = {
    ...database.env,
    KEYWRIGHT_BASE_URL: BASE_URL,
    KEYWRIGHT_LOG_LEVEL: options.log,
    KEYWRIGHT_ADMIN_IDENTIFIER: ADMINISTRATOR,
    KEYWRIGHT_ADMIN_SECRET: SECRET,
    // Allows different client addresses: the attempts of one address are counted in one row.
    KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
    // The identity providers are on loopback.
    KEYWRIGHT_EGRESS_ALLOW: 'localhost',
  };
  try {
    const seeded = await seed(env, { tenants, people: PEOPLE });
    await loadMore(database, options.extraUsers, seeded);
    const peers = new Peers(database, [], { say: () => {} });
    const bench = { options, database, env, peers, seed: seeded };
    const keys = hasKeys ? await seedMachines(env, seeded.people) : [];
    const query: Scene['query'] = (text, values) => database.query(text, values);
    const browserRequests = await prepareBrowserRequests({ query, env }, seeded.people, upstream);
    await database.settle();
    const service = await startService(env);
    return {
      tenants,
      bench,
      service,
      people: [...bench.seed.people],
      keys,
      browserRequests,
      logIn: () => logIn(service),
      async close() {
        await service.stop();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function loadMore(database: BenchDatabase, count: number, { people }: Seed): Promise<void> {
  if (count === 0) return;
  const tenantIds = [...new Set(people.map((person) => person.tenantId))];
  await loadUsers(database, tenantIds, count);
}

/** CPU time of the service and of the database so far, in microseconds. */
export function costSoFar({ service, bench }: Installation): { server: number; database: number } {
  const { postmaster } = bench.database;
  return {
    server: cpuMicros(service.pid),
    database: postmaster === undefined ? Number.NaN : groupCpuMicros(postmaster),
  };
}

async function logIn(service: Service): Promise<string> {
  const client = openClient(service.port, 'org_default');
  try {
    const body = { identifier: ADMINISTRATOR, secret: SECRET };
    const answer = await client.send('POST', '/auth/login', { body });
    return (answer.body as { access_token: string }).access_token;
  } finally {
    client.close();
  }
}
