import { createHash, createPublicKey, verify, type webcrypto } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@keywright/contract/records/passkey';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { RelyingParty } from '../../../tenancy/login-methods.ts';

/** The length of the hash of the domain, the flags and the counter (WebAuthn Level 3 §6.1). */
const FIXED_BYTES = 37;

/** The bits of the flags, and the offset of their byte. */
const FLAGS = {
  at: 32,
  present: 0x01,
  verified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attested: 0x40,
  extensions: 0x80,
} as const;

/** The client data that a browser signed (WebAuthn Level 3 §5.8.1). */
interface ClientData {
  readonly challenge: string;
  readonly bytes: Buffer;
}

/**
 * @param ceremony `webauthn.get` or `webauthn.create`
 * @returns undefined if the text is not client data, or belongs to another ceremony, page or app
 */
export function readClientData(
  text: string,
  ceremony: 'webauthn.get' | 'webauthn.create',
  { origins }: Pick<RelyingParty, 'origins'>,
): ClientData | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const data = parseObject(bytes);
  if (!data) return undefined;
  const { type, challenge, origin, crossOrigin, topOrigin, tokenBinding } = data;
  if (type !== ceremony || typeof challenge !== 'string') return undefined;
  if (typeof origin !== 'string' || !origins.includes(origin)) return undefined;
  // Frames are rejected, because the embedding site decides what the user sees.
  if (topOrigin !== undefined || (crossOrigin !== undefined && crossOrigin !== false)) {
    return undefined;
  }
  return isTokenBinding(tokenBinding) ? { challenge, bytes } : undefined;
}

function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Token binding is reserved since WebAuthn Level 3, but earlier browsers send it. */
function isTokenBinding(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  const { status } = value as { readonly status?: unknown };
  return status === 'present' || status === 'supported' || status === 'not-supported';
}

/** COSE algorithms (IANA) in order of preference: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257] as const;
const EDDSA = -8;
const KEY_TYPE: Readonly<Record<number, string>> = { [-8]: 'ed25519', [-7]: 'ec', [-257]: 'rsa' };

/** A passkey as it was registered. */
interface StoredPasskey {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly isBackupEligible: boolean;
  readonly userHandle: Buffer;
}

/** What the authenticator reports together with the signature. */
export interface Asserted {
  /** The number of signatures; 0 if the authenticator does not count them. */
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** The expected values of an assertion. */
interface Expected {
  /** The caller has compared its challenge. */
  readonly clientData: ClientData;
  readonly party: RelyingParty;
  readonly passkey: StoredPasskey;
  /** The user is already known, so authenticators can omit the user handle. */
  readonly isUserKnown: boolean;
}

/**
 * Verifies an assertion (WebAuthn Level 3 §7.2). The database compares its challenge and its counter.
 * @returns undefined if the assertion is invalid
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
  // Extensions are signed, but not used.
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

function isHandle(handle: string | undefined, passkey: StoredPasskey, isUserKnown: boolean) {
  if (handle === undefined || handle === '') return isUserKnown;
  return Buffer.from(handle, 'base64url').equals(passkey.userHandle);
}

function isSigned({ publicKey, algorithm }: StoredPasskey, signed: Buffer, signature: Buffer) {
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== KEY_TYPE[algorithm]) return false;
  return verify(algorithm === EDDSA ? null : 'sha256', signed, key, signature);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** A passkey that was just created. */
export interface NewPasskey {
  readonly credentialId: Buffer;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly coseKey: Buffer;
  readonly counter: number;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  readonly aaguid: string;
  readonly transports: readonly string[];
}

interface RegistrationRules {
  readonly party: RelyingParty;
  readonly isChallenge: (challenge: string) => boolean;
  readonly config: Pick<TenantConfig, 'passkey_attestation' | 'passkey_aaguids'>;
}

/** Longer credential IDs are invalid (WebAuthn Level 3 §4). */
const MAX_ID_BYTES = 1023;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;
const RSA_EXPONENT = 65_537n;

/** Verifies the creation of a passkey (WebAuthn Level 3 §7.1). @returns undefined if the registration is invalid */
export async function verifyRegistration(
  credential: PasskeyRegistration,
  { party, isChallenge, config }: RegistrationRules,
): Promise<NewPasskey | undefined> {
  const { clientDataJSON, attestationObject, transports = [] } = credential.response;
  const clientData = readClientData(clientDataJSON, 'webauthn.create', party);
  if (!clientData || !isChallenge(clientData.challenge)) return undefined;
  const library = await loadLibrary();
  try {
    const attested = library.decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
    if (!isAttestedAs(config.passkey_attestation, attested)) return undefined;
    const { verified, registrationInfo: info } = await library.verifyRegistrationResponse({
      response: {
        id: credential.id,
        rawId: credential.rawId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified) return undefined;
    const id = Buffer.from(info.credential.id, 'base64url');
    const isListed =
      config.passkey_aaguids.length === 0 || config.passkey_aaguids.includes(info.aaguid);
    if (info.credential.id !== credential.id || id.length > MAX_ID_BYTES || !isListed) {
      return undefined;
    }
    const key = library.decodeCredentialPublicKey(info.credential.publicKey);
    return {
      credentialId: id,
      ...publicKeyOf(key),
      coseKey: Buffer.from(info.credential.publicKey),
      counter: info.credential.counter,
      isBackupEligible: info.credentialDeviceType === 'multiDevice',
      isBackedUp: info.credentialBackedUp,
      aaguid: info.aaguid,
      transports: [...new Set(transports)],
    };
  } catch {
    // The library and the parsers for CBOR and keys throw on any input that they do not accept.
    return undefined;
  }
}

interface Attested {
  get(key: 'fmt'): string;
  get(key: 'attStmt'): { get(key: 'x5c'): unknown };
}

/**
 * With `none`, browsers omit the attestation statement, or authenticators sign it with the new key itself (WebAuthn
 * Level 3 §5.1.3). With `direct`, it must contain a certificate.
 */
function isAttestedAs(
  attestation: TenantConfig['passkey_attestation'],
  attested: Attested,
): boolean {
  const format = attested.get('fmt');
  const hasCertificate = attested.get('attStmt').get('x5c') !== undefined;
  if (attestation === 'direct') return format !== 'none' && hasCertificate;
  return format === 'none' || (format === 'packed' && !hasCertificate);
}

/** A key in the format of RFC 9052 §7, with the labels of RFC 9053. */
interface CoseKey {
  get(label: number): unknown;
}

/** @throws if the key has another type or size */
function publicKeyOf(cose: CoseKey): Pick<NewPasskey, 'publicKey' | 'algorithm'> {
  const algorithm = cose.get(3) as number;
  const key = createPublicKey({ key: jwkOf(cose, algorithm), format: 'jwk' });
  const { modulusLength: bits = MIN_RSA_BITS, publicExponent = RSA_EXPONENT } =
    key.asymmetricKeyDetails ?? {};
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS || publicExponent !== RSA_EXPONENT) {
    throw new Error('An RSA key of another size.');
  }
  return { publicKey: key.export({ format: 'der', type: 'spki' }), algorithm };
}

function jwkOf(cose: CoseKey, algorithm: number): webcrypto.JsonWebKey {
  const [kty, curve] = [cose.get(1), cose.get(-1)];
  const text = (label: number) => Buffer.from(cose.get(label) as Uint8Array).toString('base64url');
  if (algorithm === -7 && kty === 2 && curve === 1) {
    return { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) };
  }
  if (algorithm === -8 && kty === 1 && curve === 6) {
    return { kty: 'OKP', crv: 'Ed25519', x: text(-2) };
  }
  if (algorithm === -257 && kty === 3) return { kty: 'RSA', n: text(-1), e: text(-2) };
  throw new Error('A key of another kind.');
}

/** Loads the library on first use, without its root certificates: with them it downloads revocation lists. */
async function loadLibrary() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  for (const identifier of ['android-key', 'android-safetynet', 'apple', 'mds'] as const) {
    server.SettingsService.setRootCertificates({ identifier, certificates: [] });
  }
  return {
    verifyRegistrationResponse: server.verifyRegistrationResponse,
    decodeAttestationObject: helpers.decodeAttestationObject,
    decodeCredentialPublicKey: helpers.decodeCredentialPublicKey,
  };
}
