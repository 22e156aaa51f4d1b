// Passwords, hashed like in other products.

import { createCipheriv, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto';
import type { ForeignPassword } from '@keywright/contract/records/user-import';
import { hash as argon2 } from '@node-rs/argon2';
import { hash as bcrypt } from '@node-rs/bcrypt';

const base64 = (bytes: Buffer) => bytes.toString('base64');

export async function bcryptOf(password: string, cost = 4): Promise<ForeignPassword> {
  return { scheme: 'bcrypt', hash: await bcrypt(password, { cost }) };
}

export const ARGON2I = 1;
const ARGON2ID = 2;

/** Hashes like Keycloak 25 and newer. */
export async function argon2Of(
  password: string,
  algorithm: typeof ARGON2I | typeof ARGON2ID = ARGON2ID,
): Promise<ForeignPassword> {
  const parameters = { memoryCost: 7168, timeCost: 5, parallelism: 1, algorithm };
  return { scheme: 'argon2', hash: await argon2(password, parameters) };
}

/** As earlier versions of Keycloak, with fewer iterations. */
export function pbkdf2Of(
  password: string,
  digest: 'sha1' | 'sha256' | 'sha512' = 'sha256',
  iterations = 1000,
): ForeignPassword {
  const salt = randomBytes(16);
  const hash = base64(pbkdf2Sync(password, salt, iterations, 64, digest));
  return { scheme: 'pbkdf2', hash, salt: base64(salt), digest, iterations };
}

/** As Better Auth: the salt is the text of the hexadecimal digits. */
export function scryptOf(password: string): ForeignPassword {
  const salt = Buffer.from(randomBytes(16).toString('hex'));
  const parameters = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 27 };
  const hash = scryptSync(password.normalize('NFKC'), salt, 64, parameters);
  return {
    scheme: 'scrypt',
    hash: base64(hash),
    salt: base64(salt),
    cost: 16_384,
    block_size: 16,
    parallelism: 1,
    normalization: 'nfkc',
  };
}

/** A project of Firebase. */
export const FIREBASE = {
  signer_key: base64(randomBytes(64)),
  salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 14,
} as const;

export function firebaseOf(password: string): ForeignPassword {
  const salt = randomBytes(10);
  const salted = Buffer.concat([salt, Buffer.from(FIREBASE.salt_separator, 'base64')]);
  const parameters = { N: 2 ** FIREBASE.mem_cost, r: FIREBASE.rounds, p: 1, maxmem: 2 ** 26 };
  const key = scryptSync(password, salted, 64, parameters);
  const cipher = createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16));
  const hash = base64(cipher.update(Buffer.from(FIREBASE.signer_key, 'base64')));
  return { scheme: 'firebase_scrypt', hash, salt: base64(salt), ...FIREBASE };
}
