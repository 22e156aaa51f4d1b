import { httpRequest, type Script, type Traffic } from '../measure/traffic.ts';
import type { FloorName } from '../floor/floor.ts';
import type { PeerName, PeerTraffic } from '../measure/party.ts';
import type { BenchDatabase } from '../target/database.ts';
import type { Person, Seed } from '../target/seed.ts';

/** The bar of a row: ratios within one run. Costs are CPU time of the service and the database together. */
export interface Bar {
  /** The cost is at most so many times the floor. */
  readonly floorTimes?: number;
  /** The best peer costs at least so many times as much. */
  readonly peerTimes?: number;
  /** At least so many requests per operation of the floor, in the same time. */
  readonly floorShare?: number;
  /** During the row, the p99 of other routes is at most this multiple of that of plain node:http, next to the floor. */
  readonly probesTimes?: number;
  /** The median latency is at most so many milliseconds. */
  readonly p50Ms?: number;
}

export interface Scene {
  readonly seed: Seed;
  /** Of the running service. */
  readonly url: string;
  readonly connections: number;
  /** The maximum number of requests until `traffic` is called again. */
  readonly requests: number;
  /** The settings of the installation. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs SQL as the superuser; not available on the embedded database. */
  readonly query: BenchDatabase['query'];
}

/** One measured operation. */
export interface Row {
  readonly name: string;
  readonly floor: FloorName;
  readonly bar?: Bar;
  /** Default: as on the command line. */
  readonly connections?: number;
  /** Additional settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds of load before the first round; default 2. */
  readonly warmUpSeconds?: number;
  /** How long after its response a request can still cause work, which is also measured; default 0. */
  readonly worksForMs?: number;
  /** Whether each round gets new traffic, because requests cannot be repeated. */
  readonly isFresh?: boolean;
  /** Its traffic is prepared by SQL: it is not measured on the embedded database. */
  readonly needsSql?: boolean;
  readonly traffic: (scene: Scene) => Traffic | Promise<Traffic>;
  /** Peers that do the same work. */
  readonly peers?: Readonly<Partial<Record<PeerName, PeerTraffic>>>;
  /** Other routes, requested a few times a second during the row. */
  readonly probes?: (scene: Scene) => Readonly<Record<string, Traffic>>;
}

export const API = '/api/sso/v1';

export function tenantHeaders(tenantId: string): Record<string, string> {
  return { 'x-tenant-id': tenantId };
}

export function bearer({ tenantId, accessToken }: Person): Record<string, string> {
  return bearerOf(tenantId, accessToken);
}

export function bearerOf(tenantId: string, credential: string): Record<string, string> {
  return { ...tenantHeaders(tenantId), authorization: `Bearer ${credential}` };
}

/** Logs an administrator of the tenant in. @returns their access token */
export async function logIn({ tenantId, people, password }: Seed, url: string): Promise<string> {
  const answer = await fetch(`${url}${API}/auth/login`, {
    method: 'POST',
    headers: { ...tenantHeaders(tenantId), 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: people[0]?.identifier, secret: password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return token;
}

export function meRequest(person: Person): string {
  return httpRequest('GET', `${API}/me`, bearer(person));
}

/** GET /me of these people, round-robin. */
export function getMe(people: readonly Person[]): Script {
  return { kind: 'cycle', requests: people.map(meRequest) };
}
