import { generateKeyPairSync } from 'node:crypto';
import { proverOf } from '../measure/proof-source.ts';
import { type BoundRequest, dealt, httpHead } from '../measure/traffic.ts';
import { BASE_URL, insertApplication, tokensOf } from '../target/applications.ts';
import { API, type Row, tenantHeaders } from './row.ts';

const PEOPLE = 512;

/** Userinfo with tokens that are bound to a key, with a new proof for each request. */
export const boundUserinfo: Row = {
  env: { KEYWRIGHT_BASE_URL: BASE_URL },
  needsSql: true,
  name: 'oauth-userinfo-dpop',
  floor: 'verify',
  async traffic(scene) {
    const application = await insertApplication(scene, scene.seed.people.slice(0, PEOPLE), 'EdDSA');
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) };
    const prove = proverOf(key);
    const target = { htm: 'POST', htu: `${BASE_URL}${API}/auth/token` };
    const tokens = await tokensOf(scene, application, () => prove(target));
    const requests = tokens.map(({ access_token: accessToken }): BoundRequest => {
      const headers = {
        ...tenantHeaders(scene.seed.tenantId),
        authorization: `DPoP ${accessToken}`,
      };
      const head = httpHead('GET', '/oauth/userinfo', headers);
      return { head, accessToken, htm: 'GET', htu: `${BASE_URL}/oauth/userinfo` };
    });
    const scripts = dealt(requests, scene.connections).map((mine) => {
      return { kind: 'proof', requests: mine, key } as const;
    });
    return { scripts, expected: { status: 200, contains: '"email"' } };
  },
};
