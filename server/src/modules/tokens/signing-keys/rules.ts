import type { SigningKeyId } from '@keywright/contract/ids';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';

/** How long a verifier may keep the key set, in seconds: what the key set's answer says. */
export const KEY_SET_MAX_AGE_SECONDS = 300;
/** A new key signs this long after it was published: every kept key set has been fetched again by then. */
export const PUBLICATION_LEAD_SECONDS = KEY_SET_MAX_AGE_SECONDS + 10;
/** The longest life that any tenant can give an access token, and some skew. */
const LONGEST_TOKEN_SECONDS = 86_400 + 60;

export interface KeyTimes {
  readonly id: SigningKeyId;
  readonly signs_from: Date;
  readonly retired_at: Date | null;
}

export type KeyState = SigningKeyRecord['state'];

/**
 * What each key is for at a moment. `keys` come newest first, by the time that they sign from.
 * A key that another one has taken over from stays published until its last token has expired.
 */
export function keyStates(
  keys: readonly KeyTimes[],
  now: Date,
): ReadonlyMap<SigningKeyId, KeyState> {
  const states = new Map<SigningKeyId, KeyState>();
  let takenOverAt: Date | undefined;
  for (const key of keys) {
    if (key.retired_at) {
      states.set(key.id, 'retired');
      // The older ones stay taken over, or a key whose time is over would be published again.
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

/** Whether a key was ever used: one that is taken back before it signs never was. */
function hasSigned({ signs_from: from, retired_at: until }: KeyTimes): boolean {
  return until === null || from < until;
}

/** From when until when a key signed; `until` is open while it does. */
export interface SigningPeriod {
  readonly from: Date;
  readonly until: Date | undefined;
}

/** When a key signed, the time that it may sign in yet included. @param keys as above, `key` among them */
export function signingPeriod(keys: readonly KeyTimes[], key: KeyTimes): SigningPeriod {
  const from = key.signs_from;
  const ends = keys
    .filter((one) => one.signs_from > from && hasSigned(one))
    .map((one) => one.signs_from);
  const until = [...ends, ...(key.retired_at ? [key.retired_at] : [])].map(Number);
  return { from, until: until.length > 0 ? new Date(Math.min(...until)) : undefined };
}

function stateOfSigner(takenOverAt: Date | undefined, now: Date): KeyState {
  if (takenOverAt === undefined) return 'current';
  return lastTokenExpiresAt(takenOverAt) > now.getTime() ? 'previous' : 'retired';
}

function lastTokenExpiresAt(takenOverAt: Date): number {
  return takenOverAt.getTime() + LONGEST_TOKEN_SECONDS * 1000;
}

/**
 * When the states of these keys change by themselves the next time, in milliseconds since the epoch: one begins
 * to sign, or the last token of one expires. Infinity: never.
 */
export function nextChangeOf(keys: readonly KeyTimes[], now: Date): number {
  const moments = keys
    .filter(hasSigned)
    .flatMap(({ signs_from: signsFrom }) => [signsFrom.getTime(), lastTokenExpiresAt(signsFrom)]);
  return Math.min(...moments.filter((moment) => moment > now.getTime()));
}
