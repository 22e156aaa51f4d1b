import { createPublicKey, type webcrypto } from 'node:crypto';
import type { PasskeyRegistration } from '@keywright/contract/records/passkey';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { ALGORITHMS } from './assertion.ts';
import { readClientData } from './client-data.ts';
import type { RelyingParty } from './relying-party.ts';

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

export interface RegistrationRules {
  readonly party: RelyingParty;
  readonly isChallenge: (challenge: string) => boolean;
  readonly config: Pick<TenantConfig, 'passkey_attestation' | 'passkey_aaguids'>;
}

/** Longer credential ids are not valid (WebAuthn Level 3 §4). */
const MAX_ID_BYTES = 1023;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 4096;
const RSA_EXPONENT = 65_537n;

/** Verifies the creation of a passkey (WebAuthn Level 3 §7.1). @returns undefined if anything is wrong */
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
    // The library, CBOR and keys throw for whatever they do not accept.
    return undefined;
  }
}

interface Attested {
  get(key: 'fmt'): string;
  get(key: 'attStmt'): { get(key: 'x5c'): unknown };
}

/**
 * With `none`, browsers leave the statement out, or authenticators sign it with the new key itself (WebAuthn Level 3
 * §5.1.3). With `direct`, a certificate has to come with it.
 */
function isAttestedAs(wanted: TenantConfig['passkey_attestation'], attested: Attested): boolean {
  const format = attested.get('fmt');
  const hasCertificate = attested.get('attStmt').get('x5c') !== undefined;
  if (wanted === 'direct') return format !== 'none' && hasCertificate;
  return format === 'none' || (format === 'packed' && !hasCertificate);
}

/** Of RFC 9052 §7, by the numbers of RFC 9053. */
interface CoseKey {
  get(label: number): unknown;
}

/** @throws for a key of another kind or size */
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

/** Loaded on first use. Its root certificates go: with them it downloads revocation lists itself. */
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
