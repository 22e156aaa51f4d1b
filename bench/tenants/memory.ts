import { Connection } from '../measure/connection.ts';
import { codeLogins } from '../measure/code-source.ts';
import { residentKib } from '../measure/cpu.ts';
import { median } from '../measure/statistics.ts';
import { type Expected, httpHead, type RequestSource, withJson } from '../measure/traffic.ts';
import { keyRequest } from '../rows/api-key.ts';
import { keySetRequest } from '../rows/key-set.ts';
import { verificationRequest } from '../rows/verify-token.ts';
import { discoveryRequest } from '../rows/oauth.ts';
import { API, meRequest, tenantHeaders } from '../rows/row.ts';
import { type Service, startService } from '../target/service.ts';
import type { Installation } from './installation.ts';
import { methodsRequest } from './operations.ts';

/** Few, because on a busy machine more connections would wait for the database longer than the service allows. */
const CONNECTIONS = 12;

export interface MemoryFigures {
  readonly tenants: number;
  /** The median of the rounds. */
  readonly resident_mb: number;
  readonly rounds_mb: readonly number[];
}

/** What a new process does before its memory is read. */
export const MEMORY_ROWS = {
  'tenants-rss-look-ups': lookUpEveryTenant,
  'tenants-rss': loadEveryTenant,
} as const;

/** Memory of a new process after these requests of every user. */
export async function measureMemory(
  installations: readonly Installation[],
  sendRequests: typeof loadEveryTenant,
): Promise<MemoryFigures[]> {
  const found: number[][] = installations.map(() => []);
  const rounds = installations[0]?.bench.options.rounds ?? 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, installation] of installations.entries()) {
      found[place]?.push(await residentMbAfter(installation, sendRequests));
    }
  }
  return installations.map(({ tenants }, place) => ({
    tenants,
    resident_mb: median(found[place] ?? []),
    rounds_mb: found[place] ?? [],
  }));
}

async function residentMbAfter(
  installation: Installation,
  sendRequests: typeof loadEveryTenant,
): Promise<number> {
  const service = await startService(installation.bench.env);
  try {
    await sendRequests(installation, service);
    return residentKib(service.pid) / 1024;
  } finally {
    await service.stop();
  }
}

/** Sends once for every user what only looks something up. */
async function lookUpEveryTenant({ people, keys }: Installation, service: Service): Promise<void> {
  const tenantIds = people.map((person) => person.tenantId);
  await sendAll(service, each(people.map(meRequest)), '"identifiers"');
  await sendAll(service, each(people.map(verificationRequest)), '"active":true');
  await sendAll(service, each(keys.map(keyRequest)), '"id":"service:');
  await sendAll(service, each(tenantIds.map(keySetRequest)), '"keys"');
  await sendAll(service, each(tenantIds.map(discoveryRequest)), '"authorization_endpoint"');
  await sendAll(service, each(people.map(methodsRequest)), '"Corporate"');
}

/** Sends every kind of request once for every user. */
export async function loadEveryTenant(installation: Installation, service: Service): Promise<void> {
  const { people, browserRequests, bench } = installation;
  await lookUpEveryTenant(installation, service);
  await sendAll(service, refreshEach(installation), '"refresh_token":"');
  await sendAll(service, each(browserRequests.authorizations), '/oauth/continue?request=', 303);
  const codes = browserRequests.codes.values();
  await sendAll(service, () => codeLogins(codes), '', [303, 200]);
  // A flow begins twenty.
  await bench.database.query('TRUNCATE upstream_logins');
  await sendAll(
    service,
    each(browserRequests.providerLogins.slice(0, people.length)),
    '"authorize_url":"',
  );
}

/** Sends all requests of the sources, one source per connection. */
async function sendAll(
  { port }: Service,
  sourceOf: () => RequestSource,
  contains: string,
  status: Expected['status'] = 200,
): Promise<void> {
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = new Connection(port, sourceOf(), { status, contains });
      while (await connection.sendNext());
      connection.close();
    }),
  );
}

/** Request sources that share these requests. */
function each(requests: readonly string[]): () => RequestSource {
  const left = requests.values();
  return () => ({ next: () => left.next().value, learn() {} });
}

const TOKEN = /"refresh_token":"([^"]+)"/;

/** Refreshes each session once and stores the new token. */
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
