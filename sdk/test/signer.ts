import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

let made = 0;

/** A signing key pair with its key ID. */
export class Signer {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** The public key as in a key set. */
  readonly jwk: Readonly<Record<string, unknown>>;

  constructor(kid = `key_${(made += 1)}`) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { kty, crv, x } = publicKey.export({ format: 'jwk' });
    this.kid = kid;
    this.privateKey = privateKey;
    this.jwk = { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
  }
}

/** Signs a compact JWS with any header and payload. */
export function signJws(
  { kid, privateKey }: Signer,
  header: Readonly<Record<string, unknown>>,
  payload: object,
): string {
  const input = `${base64url({ alg: 'EdDSA', kid, ...header })}.${base64url(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKey).toString('base64url')}`;
}

export function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
