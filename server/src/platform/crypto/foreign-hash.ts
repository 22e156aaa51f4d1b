import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The algorithms of other products' hashes that can be verified. */
export type ForeignAlgorithm = 'argon2' | 'bcrypt' | 'pbkdf2' | 'scrypt';

/** How another product hashed a password. `foreignHashFlaw` checks the bounds. */
export type ForeignHash =
  | { readonly kind: 'encoded'; readonly encoded: string }
  | {
      readonly kind: 'pbkdf2';
      readonly digest: 'sha1' | 'sha256' | 'sha512';
      readonly iterations: number;
      readonly salt: Buffer;
      readonly hash: Buffer;
    }
  | (ScryptParameters & {
      readonly kind: 'scrypt' | 'firebase-scrypt';
      /** For Firebase, followed by the salt separator. */
      readonly salt: Buffer;
      /** For Firebase, the key stream that encrypts the signer key, so that the signer key need not be stored. */
      readonly hash: Buffer;
      /** Whether the password was normalized before it was hashed. */
      readonly isNormalized: boolean;
    });

interface ScryptParameters {
  readonly log2Cost: number;
  readonly blockSize: number;
  readonly parallelism: number;
}

const KIB = 1024;
const MAX_MEMORY_BYTES = 64 * KIB * KIB;
const MAX_BCRYPT_COST = 13;
/** Maximum iterations times digests per hash: half a second each. SHA-512 takes twice as long. */
const MAX_PBKDF2_WORK = { sha1: 1_000_000, sha256: 1_000_000, sha512: 500_000 } as const;
const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
/** Memory times parallelism: half a second. */
const MAX_SCRYPT_WORK_BYTES = 128 * KIB * KIB;
/** Memory times passes: half a second. Logto's hashes have 256 passes over 4 MiB. */
const MAX_ARGON2_WORK_BYTES = 1024 * KIB * KIB;
const MAX_LANES = 16;
const MAX_PARALLELISM = 4;
const MAX_SALT_BYTES = 256;
const [MIN_HASH_BYTES, MAX_HASH_BYTES] = [16, 128];

const BCRYPT = /^\$2[aby]\$([0-9]{2})\$[./A-Za-z0-9]{53}$/;
const ARGON2 =
  /^\$argon2(?:i|id)\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$[A-Za-z0-9+/]{11,342}\$[A-Za-z0-9+/]{22,171}$/;
const PBKDF2 = /^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d+),l=\d+\$([^$]*)\$([^$]*)$/;
const SCRYPT = /^\$((?:firebase-)?scrypt)\$ln=(\d+),r=(\d+),p=(\d+)(,nfkc)?\$([^$]*)\$([^$]*)$/;

const UNKNOWN_FORM = 'A stored hash has an unknown form.';

/** Returns why a hash cannot be imported: it is malformed, or verifying it would cost too much. */
export function foreignHashFlaw(hash: ForeignHash): string | undefined {
  if (hash.kind === 'encoded') return encodedFlaw(hash.encoded);
  if (hash.salt.length > MAX_SALT_BYTES) return `has a salt of more than ${MAX_SALT_BYTES} bytes`;
  if (hash.hash.length < MIN_HASH_BYTES || hash.hash.length > MAX_HASH_BYTES) {
    return `has a hash of less than ${MIN_HASH_BYTES} or more than ${MAX_HASH_BYTES} bytes`;
  }
  if (hash.kind === 'pbkdf2') {
    const digests = Math.ceil(hash.hash.length / DIGEST_BYTES[hash.digest]);
    const most = Math.floor(MAX_PBKDF2_WORK[hash.digest] / digests);
    const isPossible = hash.iterations >= 1 && hash.iterations <= most;
    if (isPossible) return undefined;
    return `has no iterations, or more than ${most} for ${hash.hash.length} bytes of ${hash.digest}`;
  }
  if (hash.parallelism > MAX_PARALLELISM)
    return `has a parallelism of more than ${MAX_PARALLELISM}`;
  const isPossible = hash.log2Cost >= 1 && hash.blockSize >= 1 && hash.parallelism >= 1;
  if (!isPossible) return 'has impossible parameters';
  if (memoryOf(hash) > MAX_MEMORY_BYTES) return 'needs more than 64 MiB';
  return memoryOf(hash) * hash.parallelism > MAX_SCRYPT_WORK_BYTES
    ? 'processes more than 128 MiB in all of its parallel parts'
    : undefined;
}

/** Whether a stored hash is within the bounds of an import. Hashes of a tenant that was moved here may exceed them. */
export function isAffordable(encoded: string): boolean {
  if (!['argon2', 'bcrypt'].includes(algorithmOf(encoded))) {
    return foreignHashFlaw(decode(encoded)) === undefined;
  }
  if (!BCRYPT.test(encoded) && !ARGON2.test(encoded)) throw new Error(UNKNOWN_FORM);
  return encodedFlaw(encoded) === undefined;
}

function encodedFlaw(encoded: string): string | undefined {
  const [, cost] = BCRYPT.exec(encoded) ?? [];
  if (cost !== undefined) {
    if (Number(cost) < 4) return 'has a cost of less than 4';
    return Number(cost) > MAX_BCRYPT_COST
      ? `has a cost of more than ${MAX_BCRYPT_COST}`
      : undefined;
  }
  const [, memory, passes, lanes] = ARGON2.exec(encoded) ?? [];
  if (memory === undefined) return 'is not bcrypt (2a, 2b, 2y), Argon2i or Argon2id (v=19)';
  if (Number(memory) * KIB > MAX_MEMORY_BYTES) return 'needs more than 64 MiB';
  if (Number(passes) < 1 || Number(memory) * KIB * Number(passes) > MAX_ARGON2_WORK_BYTES) {
    return 'has no passes, or processes more than 1 GiB in all of them';
  }
  const isPossible = Number(lanes) >= 1 && Number(memory) >= 8 * Number(lanes);
  return isPossible && Number(lanes) <= MAX_LANES ? undefined : 'has an impossible parallelism';
}

/** Encodes a hash for storage: the algorithm and its parameters precede the salt, as in the PHC string format. */
export function encodeForeignHash(hash: ForeignHash): string {
  if (hash.kind === 'encoded') return hash.encoded;
  const end = `${hash.salt.toString('base64')}$${hash.hash.toString('base64')}`;
  if (hash.kind === 'pbkdf2') {
    return `$pbkdf2-${hash.digest}$i=${hash.iterations},l=${hash.hash.length}$${end}`;
  }
  const form = hash.isNormalized ? ',nfkc' : '';
  return `$${hash.kind}$ln=${hash.log2Cost},r=${hash.blockSize},p=${hash.parallelism}${form}$${end}`;
}

/** The algorithm of a stored hash. */
export function algorithmOf(encoded: string): ForeignAlgorithm {
  if (encoded.startsWith('$2')) return 'bcrypt';
  if (encoded.startsWith('$pbkdf2-')) return 'pbkdf2';
  return encoded.startsWith('$scrypt$') || encoded.startsWith('$firebase-scrypt$')
    ? 'scrypt'
    : 'argon2';
}

/** Returns what determines the cost of verification: the hash's part before the salt, as in the column `scheme`. */
export function schemeOf(encoded: string): string {
  const [found = ''] = /^\$2.\$..\$|^\$[^$]+(\$v=[0-9]+)?\$[^$]+(?=\$)/.exec(encoded) ?? [];
  return found;
}

/** Returns a hash of this scheme that takes as long to verify, but matches no password. */
export function decoyOf(scheme: string): string {
  if (scheme.startsWith('$2')) return `${scheme}${'.'.repeat(53)}`;
  const length = Number(/,l=(\d+)$/.exec(scheme)?.[1] ?? DECOY_BYTES);
  return `${scheme}$${zeros(DECOY_SALT_BYTES)}$${zeros(length)}`;
}

const DECOY_SALT_BYTES = 16;
const DECOY_BYTES = 32;

function zeros(length: number): string {
  return Buffer.alloc(length).toString('base64').replaceAll('=', '');
}

/** Verifies a password against another product's non-Argon2 hash. It is normalized only if that product did so. */
export async function verifyForeign(encoded: string, secret: string): Promise<boolean> {
  if (encoded.startsWith('$2')) {
    // Loaded on first use.
    const { verify } = await import('@node-rs/bcrypt');
    return verify(secret, encoded);
  }
  const hash = decode(encoded);
  if (hash.kind === 'pbkdf2') {
    const { salt, iterations, digest } = hash;
    return isEqual(hash.hash, await pbkdf2Of(secret, salt, iterations, hash.hash.length, digest));
  }
  const password = hash.isNormalized ? secret.normalize('NFKC') : secret;
  const isFirebase = hash.kind === 'firebase-scrypt';
  const length = isFirebase ? FIREBASE_KEY_BYTES : hash.hash.length;
  const key = await scryptOf(password, hash.salt, length, {
    N: 2 ** hash.log2Cost,
    r: hash.blockSize,
    p: hash.parallelism,
    maxmem: 2 * MAX_MEMORY_BYTES,
  });
  return isEqual(hash.hash, isFirebase ? keyStreamOf(key, hash.hash.length) : key);
}

const pbkdf2Of = promisify(pbkdf2);
const scryptOf = promisify<
  string,
  Buffer,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

function decode(encoded: string): Exclude<ForeignHash, { kind: 'encoded' }> {
  const [, digest, iterations, salt = '', hash = ''] = PBKDF2.exec(encoded) ?? [];
  if (digest !== undefined) {
    return {
      kind: 'pbkdf2',
      digest: digest as 'sha256',
      iterations: Number(iterations),
      salt: Buffer.from(salt, 'base64'),
      hash: Buffer.from(hash, 'base64'),
    };
  }
  const [, kind, cost, size, lanes, form, salted = '', key = ''] = SCRYPT.exec(encoded) ?? [];
  if (kind === undefined) throw new Error(UNKNOWN_FORM);
  return {
    kind: kind as 'scrypt',
    log2Cost: Number(cost),
    blockSize: Number(size),
    parallelism: Number(lanes),
    isNormalized: form !== undefined,
    salt: Buffer.from(salted, 'base64'),
    hash: Buffer.from(key, 'base64'),
  };
}

const FIREBASE_KEY_BYTES = 64;
const AES_KEY_BYTES = 32;

/**
 * Returns the key stream with which Firebase encrypts a project's signer key: AES-256 in counter mode, under the key
 * derived from the password. It is the difference between the ciphertext and the signer key.
 */
export function firebaseKeyStream(ciphertext: Buffer, signerKey: Buffer): Buffer {
  return Buffer.from(ciphertext.map((byte, index) => byte ^ (signerKey[index] ?? 0)));
}

function keyStreamOf(key: Buffer, length: number): Buffer {
  const cipher = createCipheriv('aes-256-ctr', key.subarray(0, AES_KEY_BYTES), Buffer.alloc(16));
  return cipher.update(Buffer.alloc(length));
}

/** RFC 7914 §2. */
function memoryOf({ log2Cost, blockSize }: ScryptParameters): number {
  return 128 * blockSize * 2 ** log2Cost;
}

function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
