import { dealt, httpHead } from '../measure/traffic.ts';
import { API, type Row, tenantHeaders } from './row.ts';

const SESSIONS = 1024;

/** Rotation of many sessions at once: each connection has its own, and goes through them in turn. */
export const refresh: Row = {
  name: 'refresh',
  calibration: 'sign',
  bar: { kind: 'split', serverMicros: 165, databaseMicros: 60 },
  traffic(scene) {
    const head = httpHead('POST', `${API}/auth/refresh`, tenantHeaders(scene));
    const tokens = scene.seed.people.slice(0, SESSIONS).map((person) => person.refreshToken);
    return {
      scripts: dealt(tokens, scene.connections).map((mine) => ({
        kind: 'refresh',
        head,
        tokens: mine,
      })),
      expected: { status: 200, contains: '"refresh_token":"' },
    };
  },
};
