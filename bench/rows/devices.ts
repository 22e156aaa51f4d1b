import { DEVICE_GRANT } from '@keywright/contract/records/client-grants';
import { cycles, formRequest } from '../measure/traffic.ts';
import { BASE_URL } from '../target/applications.ts';
import { insertDevices } from '../target/devices.ts';
import { oidcProvider } from './peers.ts';
import { API, type Row, tenantHeaders } from './row.ts';

/** Devices that wait for their user's decision, which never comes. */
const DEVICES = 4096;

/** A device polls for its user's decision. */
export const devicePolling: Row = {
  env: { KEYWRIGHT_BASE_URL: BASE_URL },
  needsSql: true,
  name: 'oauth-device-poll',
  floor: 'bare-http',
  bar: { peerTimes: 4 },
  peers: { 'oidc-provider': oidcProvider.devicePolling },
  async traffic(scene) {
    const { client, codes } = await insertDevices(scene, DEVICES);
    const headers = tenantHeaders(scene.seed.tenantId);
    const { id: client_id, secret: client_secret } = client;
    const requests = codes.map((device_code) =>
      formRequest(`${API}/auth/token`, headers, {
        grant_type: DEVICE_GRANT,
        client_id,
        client_secret,
        device_code,
      }),
    );
    return {
      scripts: cycles(requests, scene.connections),
      expected: { status: 400, contains: '"authorization_pending"' },
    };
  },
};
