import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../reason.ts';
import { hasServed } from './directory-lock.ts';

/** The folder of the embedded database cannot be used. The message explains why, and what to do. */
class DataFolderUnusable extends Error {
  constructor(folder: string, why: string, mend: string) {
    super(`The data folder ${folder} cannot be used: ${why}. ${mend}`);
    this.name = 'DataFolderUnusable';
  }
}

/** The embedded database exists but cannot be opened. */
export class DatabaseDamaged extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} cannot be opened: ${reasonOf(cause)}. ` +
        'It is damaged, or was written by another version of PostgreSQL. Restore the folder from a backup; ' +
        'to start over, move it away.',
    );
    this.name = 'DatabaseDamaged';
  }
}

/** A service has used the folder, but the database is missing. Creating a new one would hide the loss. */
class DatabaseMissing extends Error {
  constructor(folder: string, why: string) {
    super(
      `The data folder ${folder} no longer contains its database: ${why}. No new database was created. Restore the folder from a ` +
        'backup, or restore its folder "database"; to start over, move the data folder away.',
    );
    this.name = 'DatabaseMissing';
  }
}

const OTHER_FOLDER = 'Choose another one with KEYWRIGHT_DATA_DIR.';
/** The expected contents, with their types. */
const CONTENTS: Readonly<Record<string, 'file' | 'folder'>> = {
  database: 'folder',
  'database.draft': 'folder',
  lock: 'file',
  'lock-journal': 'file',
  owner: 'file',
  'master.key': 'file',
  probe: 'file',
};
const ANSWER_MS = 10_000;
/** Two segments of PostgreSQL's write-ahead log: a start writes up to one. */
const NEEDED_BYTES = 32 * 1024 * 1024;
/** More bytes than a file system stores within its metadata. */
const TEST_WRITE_BYTES = 64 * 1024;
const OTHERS = 0o077;

/**
 * Prepares the folder: ensures that it exists and is writable, that its entries are of the expected types, and that
 * only its owner has access.
 * @param onWarning called with problems that could not be fixed and do not prevent a start
 * @throws DataFolderUnusable
 */
export async function prepareDataFolder(
  folder: string,
  onWarning: (message: string) => void,
): Promise<void> {
  await requireAnswer(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    requireContents(folder);
    requireDatabase(folder);
    closeToOthers(folder, onWarning);
  } catch (error) {
    if (error instanceof DataFolderUnusable || error instanceof DatabaseMissing) throw error;
    throw unusable(folder, error);
  }
}

/** @throws DatabaseMissing if a service has used the folder but the database is missing */
function requireDatabase(folder: string): void {
  const database = join(folder, 'database');
  if (existsSync(database)) {
    if (lstatSync(join(database, 'PG_VERSION'), { throwIfNoEntry: false })) return;
    throw new DatabaseMissing(
      folder,
      'its folder "database" has no PG_VERSION, so it may have been emptied',
    );
  }
  if (existsSync(join(folder, 'master.key'))) {
    throw new DatabaseMissing(folder, 'it has a master key, but no folder "database"');
  }
  if (hasServed(folder)) {
    throw new DatabaseMissing(folder, 'a service has used it, but it has no folder "database"');
  }
}

/**
 * Creates a folder in the data folder atomically, unless it exists. Removes the draft of a killed process.
 * @param fill called with the path of the draft
 * @throws DataFolderUnusable
 */
export async function createWhole(
  dataFolder: string,
  name: 'database',
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const folder = join(dataFolder, name);
  if (existsSync(folder)) return;
  const draft = `${folder}.draft`;
  try {
    rmSync(draft, { recursive: true, force: true });
    await fill(draft);
    renameSync(draft, folder);
  } catch (error) {
    // Looked for before the draft is removed, since the disk may be full.
    const fault = findFault(dataFolder) ?? unusable(dataFolder, error);
    rmSync(draft, { recursive: true, force: true });
    throw fault;
  }
}

/**
 * Finds the file system fault that prevents the database from working: PostgreSQL reports a full disk or a lack of
 * file handles in ways that look like damage.
 * @returns undefined if the folder can be read and written
 */
export function findFault(folder: string): DataFolderUnusable | undefined {
  const probe = join(folder, 'probe');
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    // A file system without a limit reports no blocks.
    if (blocks > 0 && bavail * bsize < NEEDED_BYTES) return new DataFolderUnusable(folder, ...FULL);
    writeFileSync(probe, Buffer.alloc(TEST_WRITE_BYTES), { mode: 0o600 });
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      accessSync(join(folder, entry), constants.R_OK | constants.W_OK);
    }
    return undefined;
  } catch (error) {
    return unusable(folder, error);
  } finally {
    rmSync(probe, { force: true });
  }
}

/** The cause and the fix of a full disk, for operators. */
const FULL = ['its disk is full', 'Free some space, at least 32 MB, and try again.'] as const;

/** Explains an error to operators who do not know the system calls. */
function unusable(folder: string, error: unknown): DataFolderUnusable {
  switch (codeOf(error)) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new DataFolderUnusable(folder, 'its path is a file', OTHER_FOLDER);
    case 'EROFS':
      return new DataFolderUnusable(folder, 'its file system is read-only', OTHER_FOLDER);
    case 'EACCES':
    case 'EPERM':
      return new DataFolderUnusable(
        folder,
        `this user has no write permission${below(folder, error)}`,
        OTHER_FOLDER,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new DataFolderUnusable(folder, ...FULL);
    case 'EMFILE':
    case 'ENFILE':
      return new DataFolderUnusable(
        folder,
        'the process ran out of file handles',
        'Raise the limit (`ulimit -n`, LimitNOFILE of systemd), and try again.',
      );
    default:
      return new DataFolderUnusable(folder, reasonOf(error), OTHER_FOLDER);
  }
}

/** Names the inaccessible file, for example one created by a command that ran as root. */
function below(folder: string, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? String(error.path) : folder;
  return path.startsWith(join(folder, '/')) ? ` for ${path}` : '';
}

/**
 * Requires that the folder responds. A process that accesses a network mount whose server is gone hangs and cannot
 * even be killed, so a child process tries first.
 */
async function requireAnswer(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ANSWER_MS);
  // A failure also counts as a response, even if the program is missing, as on Windows.
  const child = execFile('ls', ['-lan', folder], () => resolve(true));
  const hasAnswered = await promise;
  clearTimeout(timer);
  if (hasAnswered) return;
  child.kill('SIGKILL');
  child.unref();
  throw new DataFolderUnusable(
    folder,
    `it did not respond within ${ANSWER_MS / 1000} s, which can happen if the server of a network mount is down`,
    OTHER_FOLDER,
  );
}

/** Requires the expected types: opening a named pipe, for example, would hang forever. */
function requireContents(folder: string): void {
  for (const [name, kind] of Object.entries(CONTENTS)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
    if (found && !(kind === 'file' ? found.isFile() : found.isDirectory())) {
      throw new DataFolderUnusable(folder, `${name} in it is not a ${kind}`, 'Move it away.');
    }
  }
}

/** Restricts access even to an existing folder, since it contains password hashes and perhaps the master key. */
function closeToOthers(folder: string, onWarning: (message: string) => void): void {
  if (process.platform === 'win32') return;
  const unknownFiles = readdirSync(folder).filter((name) => !(name in CONTENTS));
  // A shared folder keeps its mode; Keywright's files in it do not.
  const paths = Object.keys(CONTENTS).map((name) => join(folder, name));
  for (const path of unknownFiles.length > 0 ? paths : [folder, ...paths]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || (found.mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, found.mode & 0o700);
    } catch (error) {
      onWarning(
        `${path} is accessible to others, and its permissions could not be changed: ${reasonOf(error)}`,
      );
    }
  }
  if (unknownFiles.length > 0 && (statSync(folder).mode & OTHERS) !== 0) {
    onWarning(
      `the data folder ${folder} is accessible to others and contains other files: give Keywright its own folder`,
    );
  }
}
