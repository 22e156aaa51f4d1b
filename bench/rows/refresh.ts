import { dealt, httpHead, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { betterAuth, keycloak, oidcProvider } from './peers.ts';
import { API, type Row, tenantHeaders } from './row.ts';

const SESSIONS = 1024;

/** Rotates the refresh tokens of many sessions; each connection has its own and repeats them. */
export const refresh: Row = {
  name: 'refresh',
  floor: 'sign',
  bar: { peerTimes: 5 },
  peers: {
    'better-auth': betterAuth.refresh,
    'oidc-provider': oidcProvider.refresh,
    keycloak: keycloak.refresh,
  },
  traffic: ({ seed, connections }) => refreshesOf(seed.people.slice(0, SESSIONS), connections),
};

export function refreshesOf(people: readonly Person[], connections: number): Traffic {
  const sessions = people.map(({ tenantId, refreshToken }) => ({
    head: httpHead('POST', `${API}/auth/refresh`, tenantHeaders(tenantId)),
    token: refreshToken,
  }));
  return {
    scripts: dealt(sessions, connections).map((mine) => ({ kind: 'refresh', sessions: mine })),
    expected: { status: 200, contains: '"refresh_token":"' },
  };
}
