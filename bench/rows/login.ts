import { cycles, httpRequest, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { betterAuth } from './peers.ts';
import { API, getMe, type Row, tenantHeaders } from './row.ts';

const PROBE_EVERY_MS = 25;
const PROBE_PEOPLE = 20;

/**
 * Password logins of many people from many addresses, as fast as responses come, without exceeding the queue of
 * hashes. Meanwhile two other routes are requested 40 times a second each.
 */
export const login: Row = {
  name: 'login',
  floor: 'hash',
  bar: { floorShare: 0.85, probesTimes: 1.5 },
  // Allows different client addresses: the attempts of one address are counted in one row.
  env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  // There are few logins per second, and V8 optimizes what runs often.
  warmUpSeconds: 8,
  traffic: ({ seed, connections }) => loginsOf(seed.people, seed.password, connections),
  peers: { 'better-auth': betterAuth.login },
  probes: ({ seed }) => ({
    livez: {
      scripts: [{ kind: 'cycle', requests: [httpRequest('GET', '/livez')] }],
      expected: { status: 200, contains: '"ok"' },
      everyMs: PROBE_EVERY_MS,
    },
    me: {
      scripts: [getMe(seed.people.slice(0, PROBE_PEOPLE))],
      expected: { status: 200, contains: '"identifiers"' },
      everyMs: PROBE_EVERY_MS,
    },
  }),
};

/** Logins of these people round-robin, each from a different address. */
export function loginsOf(
  people: readonly Person[],
  password: string,
  connections: number,
): Traffic {
  return {
    scripts: cycles(
      people.map((person) => loginOf(person, password)),
      connections,
    ),
    expected: { status: 200, contains: '"refresh_token":"' },
  };
}

function loginOf({ tenantId, identifier }: Person, secret: string): string {
  const index = Number(/\d+/.exec(identifier)?.[0]);
  const address = `10.1.${index >> 8}.${index & 255}`;
  const headers = { ...tenantHeaders(tenantId), 'x-forwarded-for': address };
  return httpRequest('POST', `${API}/auth/login`, headers, { identifier, secret });
}
