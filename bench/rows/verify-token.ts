import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { API, bearer, type Row, type Scene } from './row.ts';

const TOKENS = 500;

/** One caller, such as an API behind the service, asks about the tokens of many people, again and again. */
export const verifyTokenCached: Row = {
  name: 'verify-token-cached',
  calibration: 'verify',
  bar: { kind: 'total', micros: 50 },
  traffic: (scene) =>
    questions(
      scene,
      'cycle',
      scene.seed.people.slice(0, TOKENS).map((person) => person.accessToken),
    ),
};

/** The same about tokens that the service has never seen. */
export const verifyTokenNew: Row = {
  name: 'verify-token-new',
  calibration: 'verify',
  bar: { kind: 'total', micros: 170 },
  isFresh: true,
  traffic: (scene) => questions(scene, 'once', scene.seed.mint(scene.requests)),
};

function questions(
  { seed, connections }: Scene,
  kind: 'cycle' | 'once',
  tokens: readonly string[],
) {
  const caller = seed.people.at(-1) as Person;
  const requests = tokens.map((token) =>
    httpRequest('POST', `${API}/auth/verify-token`, bearer(caller), { token }),
  );
  return {
    scripts: dealt(requests, connections).map((mine) => ({ kind, requests: mine })),
    expected: { status: 200, contains: '"active":true' },
  } satisfies Traffic;
}
