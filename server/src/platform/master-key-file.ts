import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { codeOf } from './reason.ts';

const FILE = 'master.key';
const KEY_BYTES = 32;

/** The database exists, but its master key does not: a new key would decrypt nothing. */
class MasterKeyLost extends Error {
  constructor(file: string, why: string) {
    super(
      `${file} ${why}, and the database next to it was encrypted under a master key. Restore the file from a backup, ` +
        'or set KEYWRIGHT_MASTER_KEY to that key. No new key was created.',
    );
    this.name = 'MasterKeyLost';
  }
}

/**
 * The master key stored with the data, if there is one.
 * @throws MasterKeyLost when the file contains something else
 */
export function findMasterKey(dataDir: string): Buffer | undefined {
  const file = join(dataDir, FILE);
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new MasterKeyLost(file, `does not contain a key (${KEY_BYTES} bytes in base64)`);
  }
  return key;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * Reads or creates the master key of an embedded database without a configured one. The key is stored with the data,
 * readable by its owner only; a copy of the folder contains both.
 * @param isInstalled whether the database already has data encrypted under a master key
 * @throws MasterKeyLost
 */
export function readOrCreateMasterKey(dataDir: string, isInstalled: boolean, log: Log): Buffer {
  const stored = findMasterKey(dataDir);
  if (stored) return stored;
  const file = join(dataDir, FILE);
  if (isInstalled) throw new MasterKeyLost(file, 'is missing');
  const key = randomBytes(KEY_BYTES);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  log.warn(
    { file },
    'created a master key next to the data: set KEYWRIGHT_MASTER_KEY to keep it elsewhere',
  );
  return key;
}
