import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { cycles, formRequest } from '../measure/traffic.ts';
import { createMachines } from '../target/machines.ts';
import { betterAuth, keycloak, oidcProvider } from './peers.ts';
import { API, type Row, tenantHeaders } from './row.ts';

const KEYS = 500;

/** Access tokens for the API keys of many agents: looks up a key and signs a token. */
export const clientCredentials: Row = {
  name: 'client-credentials',
  floor: 'sign',
  bar: { floorTimes: 2.5, peerTimes: 2.5 },
  peers: {
    'better-auth': betterAuth.clientCredentials,
    'oidc-provider': oidcProvider.clientCredentials,
    keycloak: keycloak.clientCredentials,
  },
  async traffic(scene) {
    const machines = await createMachines(scene, KEYS);
    const requests = machines.map(({ agentId, key }) =>
      formRequest(`${API}/auth/token`, tenantHeaders(scene.seed.tenantId), {
        grant_type: GRANT_TYPE.clientCredentials,
        client_id: agentId,
        client_secret: key,
      }),
    );
    return {
      scripts: cycles(requests, scene.connections),
      expected: { status: 200, contains: '"token_type":"Bearer"' },
    };
  },
};
