import type { ApiKey } from '@keywright/sdk';
import type { Tone } from '../../parts/state.tsx';

interface KeyState {
  /** The API's name for the state. */
  readonly word: string;
  readonly tone: Tone;
}

/** Returns whether a key works, and if not, why. */
export function stateOfKey(
  key: Pick<ApiKey, 'revoked_at' | 'revoke_reason' | 'expires_at'>,
  now: number,
): KeyState {
  const { revoked_at: revokedAt, revoke_reason: reason, expires_at: expiresAt } = key;
  const isOver = (at: string) => Date.parse(at) <= now;
  // A rotated key works until its overlap ends.
  if (revokedAt !== null && isOver(revokedAt)) {
    return { word: reason ?? 'revoked', tone: reason === 'leaked' ? 'bad' : 'plain' };
  }
  if (isOver(expiresAt)) return { word: 'expired', tone: 'plain' };
  return { word: 'works', tone: 'ok' };
}
