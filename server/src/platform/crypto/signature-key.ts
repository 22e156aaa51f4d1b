import { createRequire } from 'node:module';
import type * as Sodium from 'sodium-native';

// A CommonJS package whose binding is found relative to itself.
const sodium = createRequire(import.meta.url)('sodium-native') as typeof Sodium;

declare const kind: unique symbol;

/** The public half: 32 bytes. */
export type PublicKey = Buffer & { readonly [kind]: 'public' };

/** What PKCS#8 has before the seed of an Ed25519 key (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const PUBLIC_BYTES = 32;
const PRIVATE_BYTES = 64;
const SIGNATURE_BYTES = 64;

/** Where the private key is that signs at this moment, and zeros otherwise. */
const secret = Buffer.alloc(PRIVATE_BYTES);

/**
 * The private half of an Ed25519 key, ready to sign: the 32 bytes of the seed, then those of the public half. They are
 * kept as text, a character each: a block of memory of its own takes six times as much.
 */
export class PrivateKey {
  readonly #text: string;

  /** @param bytes of which a copy is kept */
  constructor(bytes: Buffer) {
    this.#text = bytes.toString('latin1');
  }

  /** Does work with the bytes, which are there until it returns. */
  use<T>(work: (bytes: Buffer) => T): T {
    secret.write(this.#text, 'latin1');
    try {
      return work(secret);
    } finally {
      secret.fill(0);
    }
  }
}

/** A new Ed25519 key pair (RFC 8037): the public part as JWK `x`, the private part as PKCS#8 DER. */
export function newSignatureKey(): { readonly publicKey: string; readonly privateKey: Buffer } {
  const seed = Buffer.alloc(SEED_BYTES);
  sodium.randombytes_buf(seed);
  const privateKey = Buffer.concat([PKCS8_PREFIX, seed]);
  return { publicKey: publicPartOf(importPrivateKey(privateKey)), privateKey };
}

/** @throws when it isn't 32 bytes in base64url */
export function importPublicKey(x: string): PublicKey {
  const key = Buffer.from(x, 'base64url');
  if (key.length !== PUBLIC_BYTES) throw new Error('This is not an Ed25519 public key.');
  return key as PublicKey;
}

/** @throws when it isn't the PKCS#8 DER of an Ed25519 key */
export function importPrivateKey(der: Buffer): PrivateKey {
  const isOurs =
    der.length === PKCS8_PREFIX.length + SEED_BYTES &&
    der.subarray(0, PKCS8_PREFIX.length).equals(PKCS8_PREFIX);
  if (!isOurs) throw new Error('This is not an Ed25519 private key.');
  const seed = der.subarray(PKCS8_PREFIX.length);
  sodium.crypto_sign_seed_keypair(Buffer.alloc(PUBLIC_BYTES), secret, seed);
  const privateKey = new PrivateKey(secret);
  secret.fill(0);
  return privateKey;
}

/** The public half of a private key, as JWK `x`. */
function publicPartOf(privateKey: PrivateKey): string {
  return privateKey.use((bytes) => bytes.toString('base64url', SEED_BYTES));
}

/** Ed25519 (RFC 8032): the same message under the same key gives the same 64 bytes. */
export function sign(message: Buffer, privateKey: PrivateKey): Buffer {
  const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
  privateKey.use((bytes) => sodium.crypto_sign_detached(signature, message, bytes));
  return signature;
}

export function verify(message: Buffer, signature: Buffer, publicKey: PublicKey): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    sodium.crypto_sign_verify_detached(signature, message, publicKey)
  );
}
