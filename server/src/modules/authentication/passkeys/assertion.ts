import { createHash, createPublicKey, verify } from 'node:crypto';
import type { PasskeyAssertion } from '@keywright/contract/records/passkey';
import type { ClientData } from './client-data.ts';
import { FIXED_BYTES, FLAGS } from './authenticator-data.ts';
import type { RelyingParty } from './relying-party.ts';

/** COSE algorithms (IANA): EdDSA, ES256, RS256; the preferred first. */
export const ALGORITHMS = [-8, -7, -257] as const;
const EDDSA = -8;
const KEY_TYPE: Readonly<Record<number, string>> = { [-8]: 'ed25519', [-7]: 'ec', [-257]: 'rsa' };

/** A passkey, as it was registered. */
interface StoredPasskey {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly isBackupEligible: boolean;
  readonly userHandle: Buffer;
}

/** What the authenticator says beside the signature. */
export interface Asserted {
  /** Of signatures; 0: it counts none. */
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** What an assertion is checked against. */
interface Expected {
  /** Its challenge was compared. */
  readonly clientData: ClientData;
  readonly party: RelyingParty;
  readonly passkey: StoredPasskey;
  /** Whose it has to be is known: authenticators may leave the user handle out. */
  readonly isUserKnown: boolean;
}

/**
 * Verifies an assertion (WebAuthn Level 3 §7.2). Its challenge and its counter are compared by the database.
 * @returns undefined if anything is wrong
 */
export function verifyAssertion(
  { id, rawId, response }: PasskeyAssertion,
  { clientData, party, passkey, isUserKnown }: Expected,
): Asserted | undefined {
  if (id !== rawId) return undefined;
  if (!isHandle(response.userHandle ?? undefined, passkey, isUserKnown)) return undefined;
  const data = Buffer.from(response.authenticatorData, 'base64url');
  const flags = data[FLAGS.at] ?? 0;
  if (data.length < FIXED_BYTES || !data.subarray(0, FLAGS.at).equals(sha256(party.id))) {
    return undefined;
  }
  // Extensions are signed, and nothing is read from them.
  const isLengthRight = (flags & FLAGS.extensions) !== 0 || data.length === FIXED_BYTES;
  if (!isLengthRight || (flags & FLAGS.attested) !== 0) return undefined;
  if ((flags & FLAGS.present) === 0 || (flags & FLAGS.verified) === 0) return undefined;
  const isBackedUp = (flags & FLAGS.backedUp) !== 0;
  const isEligible = (flags & FLAGS.backupEligible) !== 0;
  if ((isBackedUp && !isEligible) || isEligible !== passkey.isBackupEligible) return undefined;
  const signed = Buffer.concat([data, sha256(clientData.bytes)]);
  if (!isSigned(passkey, signed, Buffer.from(response.signature, 'base64url'))) return undefined;
  return { counter: data.readUInt32BE(FLAGS.at + 1), isBackedUp };
}

function isHandle(given: string | undefined, passkey: StoredPasskey, isUserKnown: boolean) {
  if (given === undefined || given === '') return isUserKnown;
  return Buffer.from(given, 'base64url').equals(passkey.userHandle);
}

function isSigned({ publicKey, algorithm }: StoredPasskey, signed: Buffer, signature: Buffer) {
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== KEY_TYPE[algorithm]) return false;
  return verify(algorithm === EDDSA ? null : 'sha256', signed, key, signature);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
