import { cycles, httpRequest } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { API, bearer, type Row, type Scene } from './row.ts';

const PEOPLE = 500;
const CHECKS = 100;

/** One service asks about the tokens of many people, again and again: one at a time, in a workspace. */
export const authorize: Row = {
  name: 'authorize',
  calibration: 'verify',
  traffic: (scene) => questions(scene, asked(scene)),
};

/** The same, a hundred in each request. */
export const authorizeBatch: Row = {
  name: 'authorize-100',
  calibration: 'verify',
  traffic: (scene) => {
    const checks = asked(scene);
    return questions(
      scene,
      checks.map((_, index) => ({
        checks: Array.from({ length: CHECKS }, (__, n) => checks[(index + n) % checks.length]),
      })),
    );
  },
};

function asked({ seed }: Scene): object[] {
  return seed.people.slice(0, PEOPLE).map(({ accessToken }) => ({
    token: accessToken,
    scope: 'read:users',
    workspace_id: 'ws_default',
  }));
}

function questions({ seed, connections }: Scene, bodies: readonly object[]) {
  const caller = seed.people.at(-1) as Person;
  const requests = bodies.map((body) =>
    httpRequest('POST', `${API}/authorize`, bearer(caller), body),
  );
  return {
    scripts: cycles(requests, connections),
    expected: { status: 200, contains: '"allowed":true,"missing":[]' },
  };
}
