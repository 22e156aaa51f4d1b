import { cycles, httpRequest } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { bearer, type Row, type Scene } from './row.ts';

const PEOPLE = 500;
const EVALUATIONS = 100;

/** One caller evaluates the tokens of many people, repeatedly: one per request, in a workspace. */
export const evaluation: Row = {
  name: 'evaluation',
  calibration: 'verify',
  traffic: (scene) =>
    requestsOf(scene, '/access/v1/evaluation', evaluationsOf(scene), '{"decision":true}'),
};

/** The same, a hundred per request. */
export const evaluationBatch: Row = {
  name: 'evaluations-100',
  calibration: 'verify',
  traffic: (scene) => {
    const all = evaluationsOf(scene);
    const bodies = all.map((_, index) => ({
      evaluations: Array.from({ length: EVALUATIONS }, (__, n) => all[(index + n) % all.length]),
    }));
    return requestsOf(scene, '/access/v1/evaluations', bodies, '{"evaluations":[{"decision":true}');
  },
};

function evaluationsOf({ seed }: Scene): object[] {
  return seed.people.slice(0, PEOPLE).map(({ accessToken }) => ({
    subject: { type: 'token', id: accessToken },
    action: { name: 'read' },
    resource: { type: 'users', id: '*', properties: { workspace_id: 'ws_default' } },
  }));
}

function requestsOf(
  { seed, connections }: Scene,
  path: string,
  bodies: readonly object[],
  contains: string,
) {
  const caller = seed.people.at(-1) as Person;
  const requests = bodies.map((body) => httpRequest('POST', path, bearer(caller), body));
  return {
    scripts: cycles(requests, connections),
    expected: { status: 200, contains },
  };
}
