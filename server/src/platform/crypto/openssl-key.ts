import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  type SigningOptions,
  verify,
} from 'node:crypto';

/** The algorithms that OpenSSL signs with, in a pool thread (RFC 7518 §3.3, §3.4). Ed25519 uses libsodium. */
export type OpensslAlgorithm = 'RS256' | 'ES256';

const RSA_BITS = 2048;

const OPTIONS: Readonly<Record<OpensslAlgorithm, SigningOptions>> = {
  RS256: { padding: constants.RSA_PKCS1_PADDING },
  ES256: { dsaEncoding: 'ieee-p1363' },
};

interface KeyPair {
  /** SubjectPublicKeyInfo (DER) in base64url. */
  readonly publicKey: string;
  /** PKCS#8 (DER). */
  readonly privateKey: Buffer;
}

/** Generates a key pair in a pool thread, since an RSA key takes as long as a hundred signatures. */
export function newOpensslKey(algorithm: OpensslAlgorithm): Promise<KeyPair> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, publicKey: Buffer, privateKey: Buffer): void => {
      if (error) reject(error);
      else resolve({ publicKey: publicKey.toString('base64url'), privateKey });
    };
    const encodings = {
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    } as const;
    if (algorithm === 'RS256')
      generateKeyPair('rsa', { modulusLength: RSA_BITS, ...encodings }, done);
    else generateKeyPair('ec', { namedCurve: 'P-256', ...encodings }, done);
  });
}

/** The members of the public JWK that depend on the type of the key (RFC 7518 §6.2, §6.3). */
export function jwkOf(publicKey: string) {
  const { kty, crv, x, y, n, e } = importSpki(publicKey).export({ format: 'jwk' });
  return kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
}

function importSpki(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
}

/** Imports a private key, which OpenSSL wipes when its last reference is gone. */
export function importPkcs8(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** Signs in a pool thread, since an RSA signature would block the event loop for a third of a millisecond. */
export function signByOpenssl(
  algorithm: OpensslAlgorithm,
  key: KeyObject,
  message: Buffer,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', message, { key, ...OPTIONS[algorithm] }, (error, signature) => {
      if (error) reject(error);
      else resolve(signature);
    });
  });
}

/** @param publicKey a key of this algorithm */
export function verifyByOpenssl(
  algorithm: OpensslAlgorithm,
  publicKey: string,
  message: Buffer,
  signature: Buffer,
): boolean {
  return verify(
    'sha256',
    message,
    { key: importSpki(publicKey), ...OPTIONS[algorithm] },
    signature,
  );
}
