import { execFile } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../reason.ts';

/** The folder of the embedded database can't be worked in; the message says why, and what to do. */
class DataFolderUnusable extends Error {
  constructor(folder: string, why: string, mend: string) {
    super(`The data folder ${folder} cannot be used: ${why}. ${mend}`);
    this.name = 'DataFolderUnusable';
  }
}

/** The embedded database is there and does not open. */
export class DatabaseDamaged extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} cannot be opened: ${reasonOf(cause)}. ` +
        'It is damaged, or was written by another version of PostgreSQL. Restore the folder from a backup; ' +
        'to begin anew, move it away.',
    );
    this.name = 'DatabaseDamaged';
  }
}

const OTHER_FOLDER = 'Choose another one with KEYWRIGHT_DATA_DIR.';
/** What is found in it, and what each has to be. */
const CONTENTS: Readonly<Record<string, 'file' | 'folder'>> = {
  database: 'folder',
  lock: 'file',
  'lock-journal': 'file',
  owner: 'file',
  'master.key': 'file',
};
const ANSWER_MS = 10_000;
const OTHERS = 0o077;

/**
 * Makes the folder ready: it is there, can be written to, holds files where files belong, and is its owner's alone.
 * @param onWarning told of what could not be mended and does not prevent a start
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

/** For a reader who knows the folder, and not what mkdir and access are. */
function explain(error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'there is a file in its place';
  if (code === 'EROFS') return 'its file system is read-only';
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write to it';
  return reasonOf(error);
}

/**
 * A network mount whose server is gone keeps whoever looks at it waiting, and a process that waits so cannot even end.
 * So another one looks first.
 */
async function requireAnswer(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ANSWER_MS);
  // That it fails, or is missing as on Windows, is an answer.
  const child = execFile('ls', ['-lan', folder], () => resolve(true));
  const hasAnswered = await promise;
  clearTimeout(timer);
  if (hasAnswered) return;
  child.kill('SIGKILL');
  child.unref();
  throw new DataFolderUnusable(
    folder,
    `it has not answered within ${ANSWER_MS / 1000} s, as a network mount whose server is gone`,
    OTHER_FOLDER,
  );
}

/** Opening a named pipe, say, would wait for ever. */
function requireContents(folder: string): void {
  for (const [name, kind] of Object.entries(CONTENTS)) {
    const path = join(folder, name);
    const found = lstatSync(path, { throwIfNoEntry: false }) && statSync(path);
    if (found && !(kind === 'file' ? found.isFile() : found.isDirectory())) {
      throw new DataFolderUnusable(folder, `${name} in it is not a ${kind}`, 'Move it away.');
    }
  }
}

/** Also where it was there before: it holds password hashes, and perhaps the master key. */
function closeToOthers(folder: string, onWarning: (message: string) => void): void {
  if (process.platform === 'win32') return;
  const unknownFiles = readdirSync(folder).filter((name) => !(name in CONTENTS));
  // A folder that others use too is not closed to them; what is Keywright's in it is.
  const paths = Object.keys(CONTENTS).map((name) => join(folder, name));
  for (const path of unknownFiles.length > 0 ? paths : [folder, ...paths]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || (found.mode & OTHERS) === 0) continue;
    try {
      chmodSync(path, found.mode & 0o700);
    } catch (error) {
      onWarning(`${path} is open to others, and could not be closed: ${reasonOf(error)}`);
    }
  }
  if (unknownFiles.length > 0 && (statSync(folder).mode & OTHERS) !== 0) {
    onWarning(
      `the data folder ${folder} is open to others and holds more than Keywright's data: give it a folder of its own`,
    );
  }
}
