import { createHash, createPublicKey, verify, type webcrypto } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '@keywright/contract/records/passkey';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { RelyingParty } from '../../../tenancy/tenant.ts';
import type { Asserted, NewPasskey } from '../../identity/users/index.ts';

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

/** The expected values of an assertion. */
interface Expected {
  /** The caller has compared its challenge. */
  readonly clientData: ClientData;
  readonly party: RelyingParty;
  readonly passkey: StoredPasskey;
  /** The user is already known, so authenticators can omit the user handle. */
  readonly isUserProven: boolean;
}

/**
 * Verifies an assertion (WebAuthn Level 3 §7.2). The database compares its challenge and its counter.
 * @returns undefined if the assertion is invalid
 */
export function verifyAssertion(
  { id, rawId, response }: PasskeyAssertion,
  { clientData, party, passkey, isUserProven }: Expected,
): Asserted | undefined {
  if (id !== rawId) return undefined;
  if (!isHandle(response.userHandle ?? undefined, passkey, isUserProven)) return undefined;
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

function isHandle(handle: string | undefined, passkey: StoredPasskey, isUserProven: boolean) {
  if (handle === undefined || handle === '') return isUserProven;
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
    throw new Error('The RSA key has an unsupported size.');
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
  throw new Error('The key type is not supported.');
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

/**
 * Common authenticators by name, with their AAGUIDs (WebAuthn Level 3 §6.5.1), as their makers publish them: Yubico's
 * list of hardware, Microsoft's list for Entra ID, the FIDO Metadata Service, and the list of providers at
 * github.com/passkeydeveloper/passkey-authenticator-aaguids (7 August 2026).
 */
const AUTHENTICATORS: Readonly<Record<string, readonly string[]>> = {
  'Apple Passwords': [
    'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    'dd4ec289-e01d-41c9-bb89-70fa845d4bf2',
  ],
  'Google Password Manager': ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  'Chrome on Mac': ['adce0002-35bc-c60a-648b-0b25f1f05503'],
  'Edge on Mac': ['771b48fd-d3d4-4f74-9232-fc157ab0507a'],
  'Windows Hello': [
    '08987058-cadc-4b81-b6e1-30de50dcbe96',
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
  ],
  'Microsoft Authenticator': [
    'de1e552d-db1d-4423-a619-566b625cdc84',
    '90a3ccdf-635c-4729-a248-9b709135078f',
  ],
  'Microsoft Password Manager': ['d3452668-01fd-4c12-926c-83a4204853aa'],
  'Samsung Pass': ['53414d53-554e-4700-0000-000000000000'],
  '1Password': ['bada5566-a7aa-401f-bd96-45619a55120d'],
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  Dashlane: ['531126d6-e717-415c-9320-3d9aa6981239'],
  Enpass: ['f3809540-7f14-49c1-a8b3-8f813b225541'],
  KeePassDX: ['eaecdef2-1c31-5634-8639-f1cbd9c00a08'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
  Keeper: ['0ea242b4-43c4-4a1b-8b17-dd6d0b6baec6'],
  LastPass: ['b78a0a55-6ef8-d246-a042-ba0f6d55050c'],
  NordPass: ['b84e4048-15dc-4dd0-8640-f4f60813c8af'],
  'Proton Pass': ['50726f74-6f6e-5061-7373-50726f746f6e'],
  'Google Titan Security Key': ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  'YubiKey 5': [
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ee882879-721c-4913-9775-3dfcce97072a',
    '19083c3d-8383-4b18-bc03-8f1c9ab2fd1b',
    'ff4dac45-ede8-4ec2-aced-cf66103f4335',
  ],
  'YubiKey 5 NFC': [
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    'a25342c0-3cdc-4414-8e46-f4807fca511c',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
  ],
  'YubiKey 5Ci': [
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    '24673149-6c86-42e7-98d9-433fb5b73296',
  ],
  'YubiKey 5 FIPS': [
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd',
    '85203421-48f9-4355-9bc8-8a53846e5083',
  ],
  'YubiKey Bio': [
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    '7409272d-1ff9-4e10-9fc9-ac0019c124fd',
    '7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3',
    '90636e1f-ef82-43bf-bdcf-5255f139d12f',
    '34744913-4f57-4e6e-a527-e9ec3c4b94e6',
  ],
  'Security Key by Yubico': [
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
    'b92c3f9a-c014-4056-887f-140a2501163b',
    '6d44ba9b-f6ec-2e49-b930-0c8fe920cb73',
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
  ],
};

/** The names of authenticators by AAGUID, in lowercase. */
export const AUTHENTICATOR_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(AUTHENTICATORS).flatMap(([name, ids]) => ids.map((id) => [id, name] as const)),
);

/** The name of a known authenticator. The AAGUID is not attested, so it must be used only for a name. */
export function authenticatorName(aaguid: string): string | undefined {
  return AUTHENTICATOR_NAMES.get(aaguid);
}
