import { dealt, httpRequest, type Traffic } from '../measure/traffic.ts';
import type { Person } from '../target/seed.ts';
import { API, bearer, type Row, type Scene } from './row.ts';

const TOKENS = 500;

/** One caller, such as an API, verifies the tokens of many people, repeatedly. */
export const verifyTokenCached: Row = {
  name: 'verify-token-cached',
  floor: 'verify',
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
  floor: 'verify',
  isFresh: true,
  traffic: (scene) =>
    verifications(scene, callerOf(scene), 'once', scene.seed.mint(scene.requests)),
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
  const requests = tokens.map((token) => requestBy(caller, token));
  return {
    scripts: dealt(requests, connections).map((mine) => ({ kind, requests: mine })),
    expected: { status: 200, contains: '"active":true' },
  } satisfies Traffic;
}

/** A person verifies their access token. */
export function verificationRequest(person: Person): string {
  return requestBy(bearer(person), person.accessToken);
}

function requestBy(caller: Readonly<Record<string, string>>, token: string): string {
  return httpRequest('POST', `${API}/auth/verify-token`, caller, { token });
}
