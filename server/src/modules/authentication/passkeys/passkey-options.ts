import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import type {
  AcceptedPasskeys,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@keywright/contract/records/passkey';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { RelyingParty, Tenant } from '../../../tenancy/tenant.ts';
import type { RegisteredPasskey } from '../../identity/users/index.ts';
import { ALGORITHMS } from './webauthn.ts';

const BYTES = 32;
const TIME_BYTES = 6;
const NONCE_BYTES = 16;
const UNSTORED_MS = 10 * 60 * 1000;
export const LOGIN_MS = 5 * 60 * 1000;

/** How long browsers wait, in milliseconds. */
const TIMEOUT_MS = LOGIN_MS;

/** The challenge of a login. Only its hash is stored. */
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

/** The registration that a challenge is bound to. */
export interface RegistrationOf {
  readonly userId: UserId;
  /** Adding a passkey increments it, so that a challenge can be used only once. */
  readonly authVersion: number;
  readonly rpId: string;
  /** The flow of the registration; undefined if it takes place in a session. */
  readonly within: LoginFlowId | undefined;
}

/** Creates the challenge of a registration, which is not stored. */
export function registrationChallenge(dataKey: Buffer, of: RegistrationOf, now: Date): string {
  return unstoredChallenge(dataKey, registration(of), now);
}

export function isRegistrationChallenge(
  dataKey: Buffer,
  of: RegistrationOf,
  challenge: string,
  now: Date,
): boolean {
  return isUnstoredChallenge(dataKey, registration(of), challenge, now);
}

/** The undo that a challenge is bound to. */
interface UndoOf {
  /** The secret of the message. A successful undo invalidates it, so that its challenges can be used only once. */
  readonly undoToken: string;
  readonly rpId: string;
}

/** Creates the challenge of an undo, which is not stored. */
export function undoChallenge(dataKey: Buffer, of: UndoOf, now: Date): string {
  return unstoredChallenge(dataKey, undo(of), now);
}

export function isUndoChallenge(
  dataKey: Buffer,
  of: UndoOf,
  challenge: string,
  now: Date,
): boolean {
  return isUnstoredChallenge(dataKey, undo(of), challenge, now);
}

interface Use {
  readonly kind: 'registration' | 'undo';
  readonly context: readonly unknown[];
}

function registration({ userId, authVersion, rpId, within }: RegistrationOf): Use {
  return { kind: 'registration', context: [userId, authVersion, rpId, within] };
}

function undo({ undoToken, rpId }: UndoOf): Use {
  return { kind: 'undo', context: [undoToken, rpId] };
}

/** Creates a challenge that contains its expiry, and a MAC over its use. */
function unstoredChallenge(dataKey: Buffer, use: Use, now: Date): string {
  const head = Buffer.alloc(TIME_BYTES + NONCE_BYTES);
  head.writeUIntBE(now.getTime() + UNSTORED_MS, 0, TIME_BYTES);
  randomBytes(NONCE_BYTES).copy(head, TIME_BYTES);
  return Buffer.concat([head, macOf(dataKey, use, head)]).toString('base64url');
}

function isUnstoredChallenge(dataKey: Buffer, use: Use, challenge: string, now: Date): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== TIME_BYTES + NONCE_BYTES + BYTES) return false;
  const head = bytes.subarray(0, TIME_BYTES + NONCE_BYTES);
  const isIssued = timingSafeEqual(bytes.subarray(head.length), macOf(dataKey, use, head));
  return isIssued && head.readUIntBE(0, TIME_BYTES) > now.getTime();
}

function macOf(dataKey: Buffer, { kind, context }: Use, head: Buffer) {
  const key = Buffer.from(hkdfSync('sha256', dataKey, '', `keywright passkey ${kind}`, BYTES));
  return createHmac('sha256', key).update(head).update(JSON.stringify(context)).digest();
}

/**
 * Returns the handle that authenticators identify a user by. Tenants can share a domain, and authenticators store one
 * passkey per user handle of a domain, so the handle must be unpredictable for other tenants.
 */
export function userHandleOf(dataKey: Buffer, userId: UserId): Buffer {
  return Buffer.from(hkdfSync('sha256', dataKey, '', `keywright passkey user ${userId}`, BYTES));
}

export function requestOptions(
  { id: rpId }: RelyingParty,
  challenge: string,
  allowed: readonly RegisteredPasskey[],
): PasskeyRequestOptions {
  return {
    challenge,
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(descriptorOf),
  };
}

export function creationOptions(
  { name, config }: Tenant,
  { id }: RelyingParty,
  newPasskey: {
    readonly challenge: string;
    readonly userHandle: Buffer;
    readonly account: string;
    readonly existing: readonly RegisteredPasskey[];
  },
): PasskeyCreationOptions {
  const { challenge, userHandle, account, existing } = newPasskey;
  return {
    challenge,
    rp: { id, name },
    user: { id: userHandle.toString('base64url'), name: account, displayName: account },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: config.passkey_attestation,
  };
}

/** The passkeys that authenticators can continue to offer. */
export function acceptedPasskeys(
  { id: rpId }: RelyingParty,
  userHandle: Buffer,
  credentialIds: readonly Buffer[],
): AcceptedPasskeys {
  return {
    rpId,
    userId: userHandle.toString('base64url'),
    allAcceptedCredentialIds: credentialIds.map((id) => id.toString('base64url')),
  };
}

function descriptorOf({ credentialId, transports }: RegisteredPasskey) {
  const id = credentialId.toString('base64url');
  return { id, type: 'public-key' as const, transports: [...transports] };
}
