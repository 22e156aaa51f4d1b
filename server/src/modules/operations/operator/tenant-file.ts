import { randomBytes, scrypt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import { OperatorError } from './operator.ts';

const FORMAT = 'keywright tenant export 1';
const SALT_BYTES = 16;
/** 64 MiB, because an export can be stored where an attacker can try passphrases on it. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };
const KEY_BYTES = 32;
const SHORTEST_PASSPHRASE = 16;

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt);

/** Writes the parts of a file in order. Each part is encrypted and bound to its position. */
export interface TenantFile {
  write(part: object): Promise<void>;
}

/** @throws OperatorError USAGE */
export function requirePassphrase(passphrase: string): string {
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase.normalize('NFKC');
  throw new OperatorError(
    'USAGE',
    `The passphrase needs at least ${SHORTEST_PASSPHRASE} characters. Create one with: openssl rand -base64 24`,
  );
}

/**
 * Creates a file that other users cannot read. Removes the file if the work fails.
 * @throws OperatorError FILE_UNWRITABLE
 */
export async function writeTenantFile<Result>(
  path: string,
  passphrase: string,
  work: (file: TenantFile) => Promise<Result>,
): Promise<Result> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(passphrase, salt, KEY_BYTES, SCRYPT);
  const handle = await create(path);
  try {
    await handle.write(`${JSON.stringify({ format: FORMAT, salt: salt.toString('base64') })}\n`);
    let parts = 0;
    const write = async (part: object) => {
      const sealed = seal(key, Buffer.from(JSON.stringify(part)), placeOf(parts));
      parts += 1;
      await handle.write(`${sealed.toString('base64')}\n`);
    };
    const result = await work({ write });
    // Without it, a file that was cut off at the end of a line would look complete.
    await write({ end: parts });
    await handle.sync();
    await handle.close();
    return result;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  } finally {
    key.fill(0);
  }
}

async function create(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already' : code;
    throw new OperatorError('FILE_UNWRITABLE', `${path} cannot be written: ${why}.`);
  }
}

/**
 * Reads the parts of a file. @throws OperatorError FILE_UNREADABLE for another passphrase, another format, and a file
 * that was changed or is incomplete: possibly only after its last part
 */
export async function* readTenantFile(path: string, passphrase: string): AsyncGenerator<object> {
  const lines = createInterface({ input: createReadStream(path, 'latin1'), crlfDelay: Infinity });
  let key: Buffer | undefined;
  let parts = 0;
  let isWhole = false;
  try {
    for await (const line of lines) {
      if (isWhole) throw unreadable(path, 'it has more than an export');
      if (!key) {
        key = await derive(passphrase, saltIn(path, line), KEY_BYTES, SCRYPT);
        continue;
      }
      const part = openPart(path, key, line, parts);
      isWhole = (part as { readonly end?: number }).end === parts;
      parts += 1;
      if (!isWhole) yield part;
    }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof OperatorError || code === undefined || syscall === undefined) throw error;
    throw unreadable(path, code);
  } finally {
    key?.fill(0);
  }
  if (!isWhole) throw unreadable(path, 'it is not whole');
}

function saltIn(path: string, line: string): Buffer {
  try {
    const { format, salt } = JSON.parse(line) as { format?: unknown; salt?: unknown };
    if (format === FORMAT && typeof salt === 'string') return Buffer.from(salt, 'base64');
  } catch {
    // It is no export.
  }
  throw unreadable(path, 'it is not an export of a tenant by this version');
}

function openPart(path: string, key: Buffer, line: string, part: number): object {
  try {
    return JSON.parse(unseal(key, Buffer.from(line, 'base64'), placeOf(part)).toString()) as object;
  } catch {
    throw unreadable(path, part === 0 ? 'the passphrase is another one' : 'it was changed');
  }
}

function unreadable(path: string, why: string): OperatorError {
  return new OperatorError('FILE_UNREADABLE', `${path} cannot be read: ${why}.`);
}

function placeOf(part: number): string {
  return `tenant export, part ${part}`;
}
