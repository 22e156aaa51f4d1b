import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const BYTES = 32;
const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const REGISTRATION_MS = 10 * 60 * 1000;
const LOGIN_MS = 5 * 60 * 1000;
/** Challenges of one flow. */
export const MAX_CHALLENGES = 20;

/** How long browsers wait, in milliseconds. */
export const TIMEOUT_MS = LOGIN_MS;

/** Of a login. Only its hash is stored. */
export function newChallenge(now: Date) {
  const challenge = randomBytes(BYTES).toString('base64url');
  return {
    challenge,
    hash: challengeHash(challenge),
    expiresAt: new Date(now.getTime() + LOGIN_MS),
  };
}

export function challengeHash(challenge: string): Buffer {
  return sha256(`passkey challenge ${challenge}`);
}

/** What the challenge of a registration is for. */
export interface RegistrationOf {
  readonly userId: UserId;
  /** Adding a passkey raises it: a challenge is used once. */
  readonly authVersion: number;
  readonly rpId: string;
  /** The flow that asked, if it was one. */
  readonly within: LoginFlowId | undefined;
}

/** That of a registration is stored nowhere: it says itself how long it is valid, and a MAC for what. */
export function registrationChallenge(dataKey: Buffer, of: RegistrationOf, now: Date): string {
  const head = Buffer.alloc(TIME_BYTES + NONCE_BYTES);
  head.writeUIntBE(now.getTime() + REGISTRATION_MS, 0, TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(head, TIME_BYTES);
  return Buffer.concat([head, macOf(dataKey, of, head)]).toString('base64url');
}

export function isRegistrationChallenge(
  dataKey: Buffer,
  of: RegistrationOf,
  challenge: string,
  now: Date,
): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== TIME_BYTES + NONCE_BYTES + BYTES) return false;
  const head = bytes.subarray(0, TIME_BYTES + NONCE_BYTES);
  const isMine = timingSafeEqual(bytes.subarray(head.length), macOf(dataKey, of, head));
  return isMine && head.readUIntBE(0, TIME_BYTES) > now.getTime();
}

function macOf(
  dataKey: Buffer,
  { userId, authVersion, rpId, within }: RegistrationOf,
  head: Buffer,
) {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', 'keywright passkey registration', BYTES));
  const context = JSON.stringify([userId, authVersion, rpId, within]);
  return createHmac('sha256', key).update(head).update(context).digest();
}

/**
 * What authenticators know a user by. Tenants may share a domain, and authenticators hold one passkey for each user of
 * a domain: so it is no id, and unpredictable for other tenants.
 */
export function userHandleOf(dataKey: Buffer, userId: UserId): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `keywright passkey user ${userId}`, BYTES));
}
