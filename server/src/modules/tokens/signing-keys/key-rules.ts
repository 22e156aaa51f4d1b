import type { SigningKeyId } from '@keywright/contract/ids';
import type { KeyAlgorithm, SigningKeyRecord } from '@keywright/contract/records/signing-key';

/** How long a verifier may cache the key set, in seconds, as in its Cache-Control. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** A new key signs this long after its publication, when every cached key set has expired. */
export const PUBLICATION_LEAD_SECONDS = KEY_SET_MAX_AGE_SECONDS + 10;
/** The maximum lifetime of access tokens in any tenant, plus clock skew. */
const LONGEST_TOKEN_SECONDS = 86_400 + 60;

export interface KeyTimes {
  readonly id: SigningKeyId;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
}

/** A key of one of several algorithms. Each algorithm has its own current signing key. */
interface KeyOfAlgorithm extends KeyTimes {
  readonly algorithm: KeyAlgorithm;
}

export type KeyState = SigningKeyRecord['state'];

/** The state of each key at a moment, separately by algorithm. `keys` are sorted as below. */
export function keyStates(
  keys: readonly KeyOfAlgorithm[],
  now: Date,
): ReadonlyMap<SigningKeyId, KeyState> {
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  const states = new Map<SigningKeyId, KeyState>();
  for (const one of algorithms) {
    const ofAlgorithm = keys.filter(({ algorithm }) => algorithm === one);
    statesOfAlgorithm(ofAlgorithm, now).forEach((state, id) => states.set(id, state));
  }
  return states;
}

/**
 * Returns the state of each key of one algorithm. `keys` are sorted by the time when they start to sign, newest
 * first. A superseded key remains published until its last token has expired.
 */
export function statesOfAlgorithm(
  keys: readonly KeyTimes[],
  now: Date,
): ReadonlyMap<SigningKeyId, KeyState> {
  const states = new Map<SigningKeyId, KeyState>();
  let takenOverAt: Date | undefined;
  for (const key of keys) {
    if (key.retired_at) {
      states.set(key.id, 'retired');
      // Keys older than one that signed remain superseded; otherwise an expired key would be published again.
      if (hasSigned(key)) takenOverAt = key.signs_from;
    } else if (key.signs_from > now) {
      states.set(key.id, 'next');
    } else {
      states.set(key.id, stateOfSigner(takenOverAt, now));
      takenOverAt = key.signs_from;
    }
  }
  return states;
}

/** Whether a key ever signed. A key that is retired before its start did not. */
function hasSigned({ signs_from: from, retired_at: until }: KeyTimes): boolean {
  return until === null || from < until;
}

/** The signing period of a key; `until` is undefined while it signs. */
export interface SigningPeriod {
  readonly from: Date;
  readonly until: Date | undefined;
}

/** Returns when a key signed or can still sign. @param keys of its algorithm, sorted as above, including `key` */
export function signingPeriod(keys: readonly KeyTimes[], key: KeyTimes): SigningPeriod {
  const from = key.signs_from;
  const ends = keys
    .filter((one) => one.signs_from > from && hasSigned(one))
    .map((one) => one.signs_from);
  const until = [...ends, ...(key.retired_at ? [key.retired_at] : [])].map(Number);
  return { from, until: until.length > 0 ? new Date(Math.min(...until)) : undefined };
}

/**
 * Returns until when access tokens of a key are accepted; undefined while no other key is scheduled to replace it.
 * @param keys of its algorithm, sorted as above, including `key`
 */
export function tokensUntil(keys: readonly KeyTimes[], key: KeyTimes): Date | undefined {
  const { until } = signingPeriod(keys, key);
  if (until === undefined) return undefined;
  const ends = [lastTokenExpiresAt(until), ...(key.retired_at ? [key.retired_at.getTime()] : [])];
  return new Date(Math.min(...ends));
}

function stateOfSigner(takenOverAt: Date | undefined, now: Date): KeyState {
  if (takenOverAt === undefined) return 'current';
  return lastTokenExpiresAt(takenOverAt) > now.getTime() ? 'previous' : 'retired';
}

function lastTokenExpiresAt(takenOverAt: Date): number {
  return takenOverAt.getTime() + LONGEST_TOKEN_SECONDS * 1000;
}

/**
 * Returns when the states of these keys change next, in milliseconds since the epoch: a key starts to sign, or a
 * key's last token expires. Infinity: never.
 */
export function nextChangeOf(keys: readonly KeyTimes[], now: Date): number {
  const moments = keys
    .filter(hasSigned)
    .flatMap(({ signs_from: signsFrom }) => [signsFrom.getTime(), lastTokenExpiresAt(signsFrom)]);
  return Math.min(...moments.filter((moment) => moment > now.getTime()));
}
