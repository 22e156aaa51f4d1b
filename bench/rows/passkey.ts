import { type PasskeyLogin, dealt, httpHead, httpRequest } from '../measure/traffic.ts';
import { insertPasskeyFlows } from '../target/passkeys.ts';
import { API, type Row, tenantHeaders } from './row.ts';

const HOST = 'id.example.com';

/** A login with only a passkey, on a device from which the user has logged in. Figures are of one request. */
export const passkeyLogin: Row = {
  name: 'passkey-login',
  floor: 'sign',
  env: { KEYWRIGHT_BASE_URL: `https://${HOST}` },
  isFresh: true,
  needsSql: true,
  async traffic(scene) {
    const headers = tenantHeaders(scene.seed.tenantId);
    const flows = await insertPasskeyFlows(scene, Math.ceil(scene.requests / 2), HOST);
    const logins = flows.map(({ id, token, deviceToken, passkey }): PasskeyLogin => {
      const path = `${API}/auth/flows/${id}/passkey`;
      const fields = { flow_token: token, device_token: deviceToken };
      return {
        options: httpRequest('POST', `${path}/options`, headers, { flow_token: token }),
        head: httpHead('POST', path, headers),
        fields,
        passkey,
      };
    });
    const scripts = dealt(logins, scene.connections).map((mine) => {
      return { kind: 'passkey', logins: mine } as const;
    });
    return { scripts, expected: { status: 200, contains: '"flow"' } };
  },
};
