import { AppError, fail } from '@keywright/contract/errors';
import {
  type ForeignPassword,
  ImportedUser,
  type ImportResult,
} from '@keywright/contract/records/user-import';
import {
  encodeForeignHash,
  firebaseKeyStream,
  type ForeignHash,
  foreignHashFlaw,
} from '../../../platform/crypto/foreign-hash.ts';
import { readJson } from '../../../platform/http/json.ts';
import { validator } from '../../../platform/http/validation.ts';
import { appearanceIn, nextIdentifiers, requireGoodMetadata } from '../users/index.ts';

type LineError = NonNullable<ImportResult['error']>;

/** A user from an import, in their stored form. */
export interface CheckedUser {
  readonly identifiers: ReturnType<typeof nextIdentifiers>;
  /** Undefined: without a password. */
  readonly secretHash: string | undefined;
  /** Undefined: the default role. */
  readonly roles: readonly string[] | undefined;
  readonly name: string | null;
  readonly picture: string | null;
  readonly isActive: boolean;
  readonly metadata: Record<string, unknown>;
  readonly userMetadata: Record<string, unknown>;
}

/** Why a line cannot be imported. */
export class LineFlaw extends Error {
  readonly error: LineError;

  constructor(error: LineError) {
    super(error.message);
    this.name = 'LineFlaw';
    this.error = error;
  }
}

const validate = validator(ImportedUser, false);

/** @throws LineFlaw */
export function readLine(bytes: Buffer): CheckedUser {
  return asFlaw(() => {
    const checked = validate(readJson(bytes));
    if ('error' in checked) throw checked.error;
    const line = checked.value as ImportedUser;
    const { metadata = {}, user_metadata: userMetadata = {} } = line;
    requireGoodMetadata(metadata, '/metadata', fail);
    requireGoodMetadata(userMetadata, '/user_metadata', fail);
    return {
      name: null,
      picture: null,
      ...appearanceIn(line, {}, fail),
      identifiers: nextIdentifiers(line.identifiers, [], false, fail),
      secretHash: line.password && hashOf(line.password),
      roles: line.roles,
      isActive: line.is_active ?? true,
      metadata,
      userMetadata,
    };
  });
}

/** @throws LineFlaw, which replaces the error of a request */
function asFlaw<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw flawOf(error);
  }
}

/** Converts an error of a request to the error of a line. Other errors are returned unchanged. */
export function flawOf(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const [first] = error.options.errors ?? [];
  const { path = '', message = error.message } = first ?? {};
  return new LineFlaw({ code: error.code as LineError['code'], path, message });
}

type Field = Exclude<keyof ForeignPassword, 'scheme' | 'hash'>;

/** The fields of each scheme. Other fields are rejected, so that no parameter is silently ignored. */
const FIELDS: Readonly<
  Record<ForeignPassword['scheme'], { readonly required: Field[]; readonly optional: Field[] }>
> = {
  bcrypt: { required: [], optional: [] },
  argon2: { required: [], optional: [] },
  pbkdf2: { required: ['salt', 'digest', 'iterations'], optional: [] },
  scrypt: {
    required: ['salt', 'cost', 'block_size', 'parallelism'],
    optional: ['normalization'],
  },
  firebase_scrypt: {
    required: ['salt', 'rounds', 'mem_cost', 'signer_key'],
    optional: ['salt_separator'],
  },
};

function hashOf(password: ForeignPassword): string {
  const { required, optional } = FIELDS[password.scheme];
  for (const field of required) {
    if (password[field] === undefined) {
      refuse('VALIDATION_FAILED', field, `is required for ${password.scheme}`);
    }
  }
  const allowed: readonly string[] = ['scheme', 'hash', ...required, ...optional];
  const other = Object.keys(password).find((field) => !allowed.includes(field));
  if (other !== undefined) {
    refuse('VALIDATION_FAILED', other, `is not a parameter of ${password.scheme}`);
  }
  const hash = foreignHashOf(password);
  const message = foreignHashFlaw(hash);
  if (message !== undefined) refuse('HASH_UNSUPPORTED', 'hash', message);
  return encodeForeignHash(hash);
}

function foreignHashOf(password: ForeignPassword): ForeignHash {
  const { scheme, hash, digest = 'sha256', iterations = 0 } = password;
  if (scheme === 'bcrypt' || scheme === 'argon2') {
    const isOfScheme = hash.startsWith('$2') === (scheme === 'bcrypt');
    if (!isOfScheme) refuse('HASH_UNSUPPORTED', 'hash', `is not an encoded hash of ${scheme}`);
    return { kind: 'encoded', encoded: hash };
  }
  const salt = bytesOf('salt', password.salt ?? '');
  const stored = bytesOf('hash', hash);
  if (scheme === 'pbkdf2') return { kind: 'pbkdf2', digest, iterations, salt, hash: stored };
  return scheme === 'scrypt'
    ? scryptOf(password, salt, stored)
    : firebaseOf(password, salt, stored);
}

function scryptOf(
  { cost = 0, block_size = 0, parallelism = 0, normalization }: ForeignPassword,
  salt: Buffer,
  hash: Buffer,
): ForeignHash {
  const log2Cost = Math.log2(cost);
  if (!Number.isInteger(log2Cost)) refuse('VALIDATION_FAILED', 'cost', 'must be a power of two');
  const isNormalized = normalization === 'nfkc';
  return { kind: 'scrypt', log2Cost, blockSize: block_size, parallelism, salt, hash, isNormalized };
}

function firebaseOf(
  { rounds = 0, mem_cost: log2Cost = 0, ...rest }: ForeignPassword,
  salt: Buffer,
  ciphertext: Buffer,
): ForeignHash {
  const signerKey = bytesOf('signer_key', rest.signer_key ?? '');
  if (signerKey.length !== ciphertext.length) {
    refuse('VALIDATION_FAILED', 'signer_key', 'must be as long as the hash');
  }
  const separator = bytesOf('salt_separator', rest.salt_separator ?? '');
  return {
    kind: 'firebase-scrypt',
    log2Cost,
    blockSize: rounds,
    parallelism: 1,
    salt: Buffer.concat([salt, separator]),
    hash: firebaseKeyStream(ciphertext, signerKey),
    isNormalized: false,
  };
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Accepts both base64 alphabets. */
function bytesOf(field: string, text: string): Buffer {
  if (!BASE64.test(text)) refuse('HASH_UNSUPPORTED', field, 'must be base64');
  return Buffer.from(text, 'base64');
}

function refuse(code: LineError['code'], field: string, message: string): never {
  throw new LineFlaw({ code, path: `/password/${field}`, message });
}
