import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const BYTES = 32;
const STATE_MS = 10 * 60 * 1000;
const HANDOFF_MS = 60 * 1000;

/** The `state` of a new login: 256 bits. Only its hash is stored. */
export function newState(now: Date) {
  const state = randomBytes(BYTES).toString('base64url');
  return { state, hash: stateHash(state), expiresAt: new Date(now.getTime() + STATE_MS) };
}

export function stateHash(state: string): Buffer {
  return sha256(`upstream state ${state}`);
}

/** What the browser takes from the callback to whoever began the flow. */
export function newHandoff(now: Date) {
  const handoff = `hnd_${randomBytes(BYTES).toString('base64url')}`;
  return { handoff, hash: handoffHash(handoff), expiresAt: new Date(now.getTime() + HANDOFF_MS) };
}

export function handoffHash(handoff: string): Buffer {
  return sha256(`upstream handoff ${handoff}`);
}

/** Derived and not stored. The browser knows the state, so the key is a secret of the tenant. */
export function derivedOf(dataKey: Buffer, state: string) {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright upstream login', BYTES));
  const of = (what: string) =>
    createHmac('sha256', key).update(`${what} ${state}`).digest('base64url');
  return { nonce: of('nonce'), verifier: of('verifier') };
}

/** RFC 7636 §4.2. */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
