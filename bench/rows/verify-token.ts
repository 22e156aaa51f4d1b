import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import { createMachines } from '../target/machines.ts';
import type { Person } from '../target/seed.ts';
import { API, bearer, bearerOf, type Row, type Scene } from './row.ts';

const TOKENS = 500;

/** One caller, such as an API, verifies the tokens of many people, repeatedly. */
export const verifyTokenCached: Row = {
  name: 'verify-token-cached',
  calibration: 'verify',
  bar: { kind: 'total', micros: 50 },
  traffic: (scene) =>
    verifications(
      scene,
      callerOf(scene),
      'cycle',
      scene.seed.people.slice(0, TOKENS).map((person) => person.accessToken),
    ),
};

/** The same for tokens that are new to the service. */
export const verifyTokenNew: Row = {
  name: 'verify-token-new',
  calibration: 'verify',
  bar: { kind: 'total', micros: 170 },
  isFresh: true,
  traffic: (scene) =>
    verifications(scene, callerOf(scene), 'once', scene.seed.mint(scene.requests)),
};

/** The same for API keys, called with an API key. */
export const verifyTokenApiKey: Row = {
  name: 'verify-token-api-key',
  calibration: 'verify',
  bar: { kind: 'total', micros: 50 },
  async traffic(scene) {
    const machines = await createMachines(scene, TOKENS);
    const caller = bearerOf(scene.seed.tenantId, machines.at(-1)?.key ?? '');
    return verifications(
      scene,
      caller,
      'cycle',
      machines.map(({ key }) => key),
    );
  },
};

function callerOf({ seed }: Scene): Readonly<Record<string, string>> {
  return bearer(seed.people.at(-1) as Person);
}

function verifications(
  { connections }: Scene,
  caller: Readonly<Record<string, string>>,
  kind: 'cycle' | 'once',
  tokens: readonly string[],
) {
  const requests = tokens.map((token) =>
    httpRequest('POST', `${API}/auth/verify-token`, caller, { token }),
  );
  return {
    scripts: dealt(requests, connections).map((mine) => ({ kind, requests: mine })),
    expected: { status: 200, contains: '"active":true' },
  } satisfies Traffic;
}
