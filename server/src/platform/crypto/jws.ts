import { sodium } from './sodium.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: PrivateKey;
}

/** A parsed token whose signature has not been verified. */
export interface ParsedToken {
  readonly kid: string;
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signingInput: string;
  readonly signature: Buffer;
}

const SIGNATURE_BYTES = 64;
/** Header fields that would let the sender choose a key or a rule (RFC 8725 §3.10; RFC 7515 §4.1.11). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip'];

/**
 * Signs a compact JWS with Ed25519 (RFC 7515, RFC 8037). The same claims in the same order under the same key produce
 * the same bytes, which retried refreshes rely on.
 */
export function signToken(key: SigningKey, typ: string, claims: object): string {
  const input = unsignedToken({ alg: 'EdDSA', typ, kid: key.kid }, claims);
  return `${input}.${sign(Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** Header and claims, as they are signed. */
export function unsignedToken(header: object, claims: object): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Parses a compact JWS. @returns undefined unless this service could have created it */
export function parseToken(token: string): ParsedToken | undefined {
  const [header, payload, signature, ...rest] = token.split('.');
  if (!header || !payload || !signature || rest.length > 0) return undefined;
  const fields = parseJsonObject(header);
  const claims = parseJsonObject(payload);
  const signatureBytes = decodeBase64url(signature);
  if (!fields || !claims || signatureBytes?.length !== SIGNATURE_BYTES) return undefined;
  const { alg, typ, kid } = fields;
  if (alg !== 'EdDSA' || typeof typ !== 'string' || typeof kid !== 'string') return undefined;
  if (REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name))) return undefined;
  return { kid, typ, claims, signingInput: `${header}.${payload}`, signature: signatureBytes };
}

export function signatureIsValid(token: ParsedToken, publicKey: PublicKey): boolean {
  return verify(Buffer.from(token.signingInput), token.signature, publicKey);
}

/** The JSON object in a part of a token. */
export function parseJsonObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decodeBase64url(part)?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes canonical base64url: no padding, no other characters, no stray bits (RFC 4648 §3.5). */
export function decodeBase64url(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return part !== '' && bytes.toString('base64url') === part ? bytes : undefined;
}

declare const kind: unique symbol;

/** An Ed25519 public key: 32 bytes. */
export type PublicKey = Buffer & { readonly [kind]: 'public' };

/** The PKCS#8 prefix of an Ed25519 seed (RFC 8410 §7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;
const PUBLIC_BYTES = 32;
const PRIVATE_BYTES = 64;

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
function sign(message: Buffer, privateKey: PrivateKey): Buffer {
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
