import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** A new Ed25519 key pair (RFC 8037): the public part as JWK `x`, the private part as PKCS#8 DER. */
export function newSignatureKey(): { readonly publicKey: string; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x as string,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

export function importPublicKey(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

export function importPrivateKey(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
