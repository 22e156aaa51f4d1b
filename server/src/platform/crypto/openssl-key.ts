import { createPublicKey, generateKeyPair } from 'node:crypto';

/** Algorithms of OpenSSL (RFC 7518 §3.3, §3.4). For Ed25519 there is libsodium. */
export type OpensslAlgorithm = 'RS256' | 'ES256';

const RSA_BITS = 2048;

interface KeyPair {
  /** SubjectPublicKeyInfo (DER) in base64url. */
  readonly publicKey: string;
  /** PKCS#8 (DER). */
  readonly privateKey: Buffer;
}

/** Generates a key pair in a thread of the pool: RSA takes as long as a hundred signatures. */
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
  const { kty, crv, x, y, n, e } = createPublicKey({
    key: Buffer.from(publicKey, 'base64url'),
    format: 'der',
    type: 'spki',
  }).export({ format: 'jwk' });
  return kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
}
