import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

const FILE = 'master.key';

/** The master key that is kept beside the data, if there is one. */
export function findMasterKey(dataDir: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(join(dataDir, FILE), 'utf8').trim(), 'base64');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/**
 * The master key of an embedded database that was given none: kept beside the data, readable by its owner
 * only. Whoever copies the folder has both.
 */
export function readOrCreateMasterKey(dataDir: string, log: Log): Buffer {
  const kept = findMasterKey(dataDir);
  if (kept) return kept;
  const key = randomBytes(32);
  const file = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  log.warn(
    { file },
    'made a master key beside the data: set KEYWRIGHT_MASTER_KEY to keep it elsewhere',
  );
  return key;
}
