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
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../reason.ts';

/** The folder of the embedded database cannot be used; the message says why, and what to do. */
class DataFolderUnusable extends Error {
  constructor(folder: string, why: string, mend: string) {
    super(`The data folder ${folder} cannot be used: ${why}. ${mend}`);
    this.name = 'DataFolderUnusable';
  }
}

/** The embedded database exists but does not open. */
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

const OTHER_FOLDER = 'Choose another one with KEYWRIGHT_DATA_DIR.';
/** The expected contents, each with its type. */
const CONTENTS: Readonly<Record<string, 'file' | 'folder'>> = {
  database: 'folder',
  'database.draft': 'folder',
  lock: 'file',
  'lock-journal': 'file',
  owner: 'file',
  'master.key': 'file',
};
const ANSWER_MS = 10_000;
const OTHERS = 0o077;

/**
 * Prepares the folder: it exists, is writable, has files where files belong, and only its owner has access.
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
    closeToOthers(folder, onWarning);
  } catch (error) {
    if (error instanceof DataFolderUnusable) throw error;
    throw new DataFolderUnusable(folder, explain(error), OTHER_FOLDER);
  }
}

/**
 * Creates a folder in the data folder atomically, unless it exists. Removes the draft of a killed process.
 * @param fill is given the path of the draft
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
    // The disk may be full.
    rmSync(draft, { recursive: true, force: true });
    throw new DataFolderUnusable(dataFolder, explain(error), OTHER_FOLDER);
  }
}

/** For operators who do not know the system calls. */
function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'there is a file in its place';
  if (code === 'EROFS') return 'its file system is read-only';
  if (code === 'EACCES' || code === 'EPERM') return 'this user has no write permission';
  return reasonOf(error);
}

/**
 * A process that accesses a network mount whose server is gone hangs and cannot even be ended. So a child process tries
 * first.
 */
async function requireAnswer(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ANSWER_MS);
  // A failure is an answer too, also if the program is missing, as on Windows.
  const child = execFile('ls', ['-lan', folder], () => resolve(true));
  const hasAnswered = await promise;
  clearTimeout(timer);
  if (hasAnswered) return;
  child.kill('SIGKILL');
  child.unref();
  throw new DataFolderUnusable(
    folder,
    `it did not answer within ${ANSWER_MS / 1000} s, like a network mount whose server is gone`,
    OTHER_FOLDER,
  );
}

/** Opening a named pipe, for example, would hang forever. */
function requireContents(folder: string): void {
  for (const [name, kind] of Object.entries(CONTENTS)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
    if (found && !(kind === 'file' ? found.isFile() : found.isDirectory())) {
      throw new DataFolderUnusable(folder, `${name} in it is not a ${kind}`, 'Move it away.');
    }
  }
}

/** Also for an existing folder: it contains password hashes, and perhaps the master key. */
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
      `the data folder ${folder} is accessible to others and contains other files: give Keywright a folder of its own`,
    );
  }
}
