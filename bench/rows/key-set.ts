import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import { betterAuth, keycloak, oidcProvider } from './peers.ts';
import { type Row, tenantHeaders } from './row.ts';

const PATH = '/.well-known/jwks.json';

/** The key set of a tenant. */
export const keySet: Row = {
  name: 'key-set',
  floor: 'bare-http',
  bar: { floorTimes: 2, peerTimes: 2.5 },
  peers: {
    'better-auth': betterAuth.keySet,
    'oidc-provider': oidcProvider.keySet,
    keycloak: keycloak.keySet,
  },
  traffic: ({ seed, connections }) => keySetsOf([seed.tenantId], connections),
};

/** The same with its `ETag`. */
export const keySetUnchanged: Row = {
  name: 'key-set-304',
  floor: 'bare-http',
  bar: { floorTimes: 2 },
  async traffic({ seed, url, connections }) {
    const headers = tenantHeaders(seed.tenantId);
    const etag = (await fetch(`${url}${PATH}`, { headers })).headers.get('etag');
    if (etag === null) throw new Error('The key set has no ETag.');
    const request = httpRequest('GET', PATH, { ...headers, 'if-none-match': etag });
    return { ...byEach([request], connections), expected: { status: 304, contains: etag } };
  },
};

/** The key sets of these tenants round-robin. */
export function keySetsOf(tenantIds: readonly string[], connections: number): Traffic {
  const requests = tenantIds.map(keySetRequest);
  return { ...byEach(requests, connections), expected: { status: 200, contains: '"keys"' } };
}

export function keySetRequest(tenantId: string): string {
  return httpRequest('GET', PATH, tenantHeaders(tenantId));
}

/** Distributed among the connections if there are enough; otherwise each sends all of them. */
function byEach(requests: readonly string[], connections: number): Pick<Traffic, 'scripts'> {
  const hands =
    requests.length < connections
      ? Array.from({ length: connections }, () => requests)
      : dealt(requests, connections);
  return { scripts: hands.map((mine) => ({ kind: 'cycle', requests: mine })) };
}
