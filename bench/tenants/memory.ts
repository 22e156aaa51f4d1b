import { Connection } from '../measure/connection.ts';
import { residentBytes } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import { httpHead, withJson } from '../measure/traffic.ts';
import type { RequestSource } from '../measure/request-source.ts';
import { keyRequest } from '../rows/api-key.ts';
import { keySetRequest } from '../rows/key-set.ts';
import { API, meRequest, tenantHeaders } from '../rows/row.ts';
import { type Service, startService } from '../target/service.ts';
import type { Installation } from './installation.ts';

const CONNECTIONS = 32;
const BYTES_PER_MB = 1024 * 1024;

export interface MemoryFigures {
  readonly tenants: number;
  /** After as many requests of each kind as there are people, each of another person. */
  readonly resident_mb: number;
  /** The same figure of each round. */
  readonly rounds_mb: readonly number[];
}

/**
 * Memory of a new process after a fixed number of requests that reach every tenant: GET /me verifies with each
 * one's key, a refresh signs with it, and the key set is asked of each.
 */
export async function measureMemory(
  installations: readonly Installation[],
): Promise<MemoryFigures[]> {
  const found: number[][] = installations.map(() => []);
  const rounds = installations[0]?.bench.options.rounds ?? 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, installation] of installations.entries()) {
      found[place]?.push(await residentMbAfterAll(installation));
    }
  }
  return installations.map(({ tenants }, place) => ({
    tenants,
    resident_mb: median(found[place] ?? []),
    rounds_mb: found[place] ?? [],
  }));
}

async function residentMbAfterAll(installation: Installation): Promise<number> {
  const service = await startService(installation.bench.env);
  try {
    await loadEveryTenant(installation, service);
    return residentBytes(service.pid) / BYTES_PER_MB;
  } finally {
    await service.stop();
  }
}

/** Has a service of the installation answer everybody, so that it has met every tenant in every way. */
export async function loadEveryTenant(installation: Installation, service: Service): Promise<void> {
  const { people, keys } = installation;
  const tenantIds = people.map((person) => person.tenantId);
  await askAll(service, each(people.map(meRequest)), '"identifiers"');
  await askAll(service, refreshEach(installation), '"refresh_token":"');
  await askAll(service, each(tenantIds.map(keySetRequest)), '"keys"');
  await askAll(service, each(keys.map(keyRequest)), '"id":"service:');
}

/** Sends what the sources give, on so many connections, until there is no more. */
async function askAll(
  { port }: Service,
  sourceOf: () => RequestSource,
  contains: string,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = new Connection(port, sourceOf(), { status: 200, contains });
      while (await connection.ask());
      connection.close();
    }),
  );
}

/** Several sources that share the requests among them. */
function each(requests: readonly string[]): () => RequestSource {
  const left = requests.values();
  return () => ({ next: () => left.next().value, learn() {} });
}

const TOKEN = /"refresh_token":"([^"]+)"/;

/** Trades everybody's refresh token once, and keeps the one that came for it. */
function refreshEach({ people }: Installation): () => RequestSource {
  const left = people.entries();
  return () => {
    let at = 0;
    return {
      next() {
        const { value } = left.next();
        if (!value) return undefined;
        const [index, { tenantId, refreshToken }] = value;
        at = index;
        const head = httpHead('POST', `${API}/auth/refresh`, tenantHeaders(tenantId));
        return withJson(head, JSON.stringify({ refresh_token: refreshToken }));
      },
      learn(answer) {
        const refreshToken = TOKEN.exec(answer)?.[1];
        const person = people[at];
        if (refreshToken && person) people[at] = { ...person, refreshToken };
      },
    };
  };
}
