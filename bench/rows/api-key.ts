import { dealt, httpRequest } from '../measure/traffic.ts';
import { createMachines } from '../target/machines.ts';
import { betterAuth } from './peers.ts';
import { API, bearerOf, type Row } from './row.ts';

const KEYS = 500;

/** GET /me with the API keys of many agents: to look a key up is all that it takes. */
export const apiKey: Row = {
  name: 'api-key',
  calibration: 'bare-http',
  bar: { kind: 'split', serverMicros: 45, databaseMicros: 10 },
  peers: { 'better-auth': betterAuth.apiKey },
  async traffic(scene) {
    const machines = await createMachines(scene, KEYS);
    const requests = machines.map(({ key }) =>
      httpRequest('GET', `${API}/me`, bearerOf(scene.seed.tenantId, key)),
    );
    return {
      scripts: dealt(requests, scene.connections).map((mine) => ({
        kind: 'cycle',
        requests: mine,
      })),
      expected: { status: 200, contains: '"id":"service:' },
    };
  },
};
