import { createRequire } from 'node:module';
import type * as Sodium from 'sodium-native';
import { lazy } from '../lazy.ts';

// A CommonJS package, loaded on first use: it locates its binding relative to itself, which takes 10 ms.
const sodium = lazy(() => createRequire(import.meta.url)('sodium-native') as typeof Sodium);

declare const kind: unique symbol;

/** An Ed25519 public key: 32 bytes. */
export type PublicKey = Buffer & { readonly [kind]: 'public' };

/** The PKCS#8 prefix of an Ed25519 seed (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const PUBLIC_BYTES = 32;
const PRIVATE_BYTES = 64;
const SIGNATURE_BYTES = 64;

/** Holds the private key during a signature, and zeros otherwise. */
const secret = Buffer.alloc(PRIVATE_BYTES);

/** An Ed25519 private key, ready to sign: the 32 bytes of the seed, then those of the public key. */
export class PrivateKey {
  readonly #bytes: Buffer;
  readonly #reopen: (() => PrivateKey) | undefined;
  #isWiped = false;

  /**
   * @param bytes taken over, and wiped with the key
   * @param reopen opens the key again for its holders after it was wiped; without it they cannot sign
   */
  constructor(bytes: Buffer, reopen?: () => PrivateKey) {
    this.#bytes = bytes;
    this.#reopen = reopen;
  }

  get isWiped(): boolean {
    return this.#isWiped;
  }

  /**
   * Calls `work` with a copy of the bytes, which is wiped when it returns.
   * @throws Error if the key was wiped and cannot be reopened
   */
  use<T>(work: (bytes: Buffer) => T): T {
    if (this.#isWiped) return this.#useAgain(work);
    this.#bytes.copy(secret);
    try {
      return work(secret);
    } finally {
      secret.fill(0);
    }
  }

  /** Wipes the key: fills its bytes with zeros. */
  wipe(): void {
    this.#isWiped = true;
    this.#bytes.fill(0);
  }

  #useAgain<T>(work: (bytes: Buffer) => T): T {
    const again = this.#reopen?.();
    if (!again) throw new Error('This private key has been wiped.');
    try {
      return again.use(work);
    } finally {
      again.wipe();
    }
  }
}

/** A new Ed25519 key pair (RFC 8037): the public key as JWK `x`, the private key as PKCS#8 DER. */
export function newSignatureKey(): { readonly publicKey: string; readonly privateKey: Buffer } {
  const seed = Buffer.alloc(SEED_BYTES);
  sodium().randombytes_buf(seed);
  const privateKey = Buffer.concat([PKCS8_PREFIX, seed]);
  return { publicKey: publicPartOf(importPrivateKey(privateKey)), privateKey };
}

/** @throws Error unless it is 32 bytes in base64url */
export function importPublicKey(x: string): PublicKey {
  const key = Buffer.from(x, 'base64url');
  if (key.length !== PUBLIC_BYTES) throw new Error('This is not an Ed25519 public key.');
  return key as PublicKey;
}

/** @param reopen as for PrivateKey @throws Error unless it is the PKCS#8 DER of an Ed25519 key */
export function importPrivateKey(der: Buffer, reopen?: () => PrivateKey): PrivateKey {
  const isOurs =
    der.length === PKCS8_PREFIX.length + SEED_BYTES &&
    der.subarray(0, PKCS8_PREFIX.length).equals(PKCS8_PREFIX);
  if (!isOurs) throw new Error('This is not an Ed25519 private key.');
  const seed = der.subarray(PKCS8_PREFIX.length);
  // Allocated separately: a slice would keep a whole block of small buffers from being freed.
  const bytes = Buffer.alloc(PRIVATE_BYTES);
  sodium().crypto_sign_seed_keypair(Buffer.alloc(PUBLIC_BYTES), bytes, seed);
  return new PrivateKey(bytes, reopen);
}

/** The public key of a private key, as JWK `x`. */
function publicPartOf(privateKey: PrivateKey): string {
  return privateKey.use((bytes) => bytes.toString('base64url', SEED_BYTES));
}

/** Signs with Ed25519 (RFC 8032). The same message under the same key produces the same 64 bytes. */
export function sign(message: Buffer, privateKey: PrivateKey): Buffer {
  const signature = Buffer.allocUnsafe(SIGNATURE_BYTES);
  privateKey.use((bytes) => sodium().crypto_sign_detached(signature, message, bytes));
  return signature;
}

export function verify(message: Buffer, signature: Buffer, publicKey: PublicKey): boolean {
  return (
    signature.length === SIGNATURE_BYTES &&
    sodium().crypto_sign_verify_detached(signature, message, publicKey)
  );
}
