import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { API, getMe, type Row, type Scene, tenantHeaders } from './row.ts';

const PROBE_EVERY_MS = 25;
const PROBE_TOKENS = 20;

/**
 * Password logins of many people from many addresses, as fast as they are answered: a flood, but one within
 * the line of waiting hashes. Meanwhile two other routes are asked 40 times a second each.
 */
export const login: Row = {
  name: 'login',
  calibration: 'hash',
  bar: { kind: 'share', atLeast: 0.85, probesP99Ms: 10 },
  // So that the people come from different addresses: the attempts of one address are counted in one row.
  env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  traffic: (scene): Traffic => ({
    scripts: dealt(scene.seed.people, scene.connections).map((people) => ({
      kind: 'cycle',
      requests: people.map((person) => loginOf(scene, person)),
    })),
    expected: { status: 200, contains: '"refresh_token":"' },
  }),
  probes: (scene) => ({
    livez: {
      scripts: [{ kind: 'cycle', requests: [httpRequest('GET', '/livez')] }],
      expected: { status: 200, contains: '"ok"' },
      everyMs: PROBE_EVERY_MS,
    },
    me: {
      scripts: [getMe(scene, tokensOfSome(scene))],
      expected: { status: 200, contains: '"identifiers"' },
      everyMs: PROBE_EVERY_MS,
    },
  }),
};

function loginOf(scene: Scene, { identifier }: Person): string {
  const index = Number(/\d+/.exec(identifier)?.[0]);
  const address = `10.1.${index >> 8}.${index & 255}`;
  const headers = { ...tenantHeaders(scene), 'x-forwarded-for': address };
  const body = { identifier, secret: scene.seed.password };
  return httpRequest('POST', `${API}/auth/login`, headers, body);
}

function tokensOfSome({ seed }: Scene): string[] {
  return seed.people.slice(0, PROBE_TOKENS).map((person) => person.accessToken);
}
