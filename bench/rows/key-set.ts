import { httpRequest, type Traffic } from '../measure/traffic.ts';
import { type Row, type Scene, tenantHeaders } from './row.ts';

const PATH = '/.well-known/jwks.json';
const MICROS = 25;

/** The key set of a tenant. */
export const keySet: Row = {
  name: 'key-set',
  calibration: 'bare-http',
  bar: { kind: 'total', micros: MICROS },
  traffic: (scene) => ({
    ...asking(scene, {}),
    expected: { status: 200, contains: '"keys"' },
  }),
};

/** The same by a verifier that has it already, and says so. */
export const keySetUnchanged: Row = {
  name: 'key-set-304',
  calibration: 'bare-http',
  bar: { kind: 'total', micros: MICROS },
  async traffic(scene) {
    const answer = await fetch(`${scene.url}${PATH}`, { headers: tenantHeaders(scene) });
    const etag = answer.headers.get('etag');
    if (etag === null) throw new Error('The key set has no ETag.');
    return {
      ...asking(scene, { 'if-none-match': etag }),
      expected: { status: 304, contains: etag },
    };
  },
};

function asking(scene: Scene, headers: Record<string, string>): Pick<Traffic, 'scripts'> {
  const requests = [httpRequest('GET', PATH, { ...tenantHeaders(scene), ...headers })];
  return {
    scripts: Array.from({ length: scene.connections }, () => ({ kind: 'cycle', requests })),
  };
}
