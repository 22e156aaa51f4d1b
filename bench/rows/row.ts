import { httpRequest, type Script, type Traffic } from '../measure/traffic.ts';
import type { CalibrationName } from '../calibrate/calibration.ts';
import type { PeerName, PeerTraffic } from '../measure/party.ts';
import type { Person, Seed } from '../target/seed.ts';

/** What a row is held to. */
export type Bar =
  /** CPU microseconds of a request, each of the two by itself. */
  | { readonly kind: 'split'; readonly serverMicros: number; readonly databaseMicros: number }
  /** CPU microseconds of a request, both together. */
  | { readonly kind: 'total'; readonly micros: number }
  /** Requests for each operation of the calibration, and how long other routes take meanwhile. */
  | { readonly kind: 'share'; readonly atLeast: number; readonly probesP99Ms: number }
  /** How long a request takes. */
  | { readonly kind: 'latency'; readonly p99Ms: number };

export interface Scene {
  readonly seed: Seed;
  /** Of the running service. */
  readonly url: string;
  readonly connections: number;
  /** How many requests will be sent until `traffic` is asked for again, at most. */
  readonly requests: number;
}

/** One measured operation. */
export interface Row {
  readonly name: string;
  /** What it is measured beside. */
  readonly calibration: CalibrationName;
  /** Absent: measured to be known, not held to anything. */
  readonly bar?: Bar;
  /** Requests under way at once; default: as the command line says. */
  readonly connections?: number;
  /** Settings of the service beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Load before the first round; default 2. */
  readonly warmUpSeconds?: number;
  /** Each round gets traffic of its own, because no request may be sent twice. */
  readonly isFresh?: boolean;
  readonly traffic: (scene: Scene) => Traffic | Promise<Traffic>;
  /** Others that do the same work, and take turns with the service in each round. */
  readonly peers?: Readonly<Partial<Record<PeerName, PeerTraffic>>>;
  /** Other routes, asked a few times a second meanwhile. */
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

export function meRequest(person: Person): string {
  return httpRequest('GET', `${API}/me`, bearer(person));
}

/** GET /me of these people in turn. */
export function getMe(people: readonly Person[]): Script {
  return { kind: 'cycle', requests: people.map(meRequest) };
}
