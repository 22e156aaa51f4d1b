import { dealt } from '../measure/traffic.ts';
import { getMe, type Row } from './row.ts';

const TOKENS = 500;

/** GET /me with the access tokens of many people. */
export const me: Row = {
  name: 'me',
  calibration: 'verify',
  traffic(scene) {
    const tokens = scene.seed.people.slice(0, TOKENS).map((person) => person.accessToken);
    return {
      scripts: dealt(tokens, scene.connections).map((mine) => getMe(scene, mine)),
      expected: { status: 200, contains: '"identifiers"' },
    };
  },
};
