import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process uses the folder. Two processes on one embedded database would destroy it. */
export class DirectoryInUse extends Error {
  /** Such as `process 4711`. */
  readonly owner: string;
  /** The public URL of the service that uses the folder, if it is known. */
  readonly url: string | undefined;

  constructor(directory: string, file: string) {
    const [owner = '', url] = file.split('\n');
    super(
      `The data directory ${directory} is in use by another Keywright process (${owner}). ` +
        'Stop that process, or give this one its own folder with KEYWRIGHT_DATA_DIR.',
    );
    this.name = 'DirectoryInUse';
    this.owner = owner;
    this.url = url;
  }
}

/**
 * Locks the folder for this process with an operating system lock on a SQLite file. The lock always ends with the
 * process, so there are no stale locks and no process IDs to compare.
 * @throws DirectoryInUse
 */
export function lockDirectory(directory: string): { release(): void } {
  const ownerFile = join(directory, 'owner');
  const lock = new DatabaseSync(join(directory, 'lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DirectoryInUse(directory, readOwner(ownerFile));
  }
  writeFileSync(ownerFile, `process ${process.pid}`, { mode: 0o600 });
  return { release: () => lock.close() };
}

/** Publishes the URL of the service, for processes that find the folder in use. */
export function announceOwner(directory: string, url: string): void {
  writeFileSync(join(directory, 'owner'), `process ${process.pid}\n${url}`, { mode: 0o600 });
}

/** Whether a service has announced itself in the folder. */
export function hasServed(directory: string): boolean {
  return readOwner(join(directory, 'owner')).includes('\n');
}

/** Whether another process holds the lock: SQLITE_BUSY or SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && [5, 6].includes(Number(error.errcode) & 0xff)
  );
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return 'unknown process';
  }
}
