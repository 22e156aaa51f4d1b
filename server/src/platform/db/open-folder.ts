import { type BigIntStats, closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../reason.ts';

/** Files whose absence or replacement means that the folder was deleted, moved or replaced. */
const WATCHED = ['database/PG_VERSION', 'lock'];

/** The data folder was deleted, moved or replaced while its database was open. */
class DataFolderGone extends Error {
  /** PostgreSQL's `io_error`: requests get 503. */
  readonly code = '58030';

  constructor(folder: string) {
    super(
      `The data folder ${folder} was deleted, moved or replaced while the service was running. The service no longer reads or ` +
        'writes it, and requests get 503. If it was moved, move it back: the service continues. Otherwise stop ' +
        'the service, restore the folder from a backup, and start it: a start without the folder creates an empty database.',
    );
    this.name = 'DataFolderGone';
  }
}

interface Watched {
  readonly path: string;
  readonly identity: BigIntStats;
}

/**
 * Watches the data folder of an open database. PostgreSQL keeps its files open and does not notice when they are no
 * longer where the next start would look for them.
 */
export class OpenFolder {
  readonly #folder: string;
  readonly #watched: readonly Watched[];
  /**
   * An open handle keeps the inode number from being reused. The lock file is already open, and closing another handle
   * to it would release the lock.
   */
  readonly #handle: number;
  readonly #onGone: (message: string) => void;
  readonly #onBack: (message: string) => void;
  #isGone = false;

  /**
   * @param onGone called once each time the folder disappears
   * @param onBack called when the folder is back
   */
  constructor(
    folder: string,
    onGone: (message: string) => void,
    onBack: (message: string) => void,
  ) {
    this.#folder = folder;
    this.#onGone = onGone;
    this.#onBack = onBack;
    this.#watched = WATCHED.map((name) => {
      const path = join(folder, name);
      return { path, identity: statSync(path, { bigint: true }) };
    });
    this.#handle = openSync(join(folder, 'database/PG_VERSION'), 'r');
  }

  /** Takes a few microseconds. @throws DataFolderGone */
  requireThere(): void {
    const isGone = !this.#watched.every(isInPlace);
    if (isGone !== this.#isGone) {
      this.#isGone = isGone;
      if (isGone) this.#onGone(new DataFolderGone(this.#folder).message);
      else this.#onBack(`the data folder ${this.#folder} is back: requests are served again`);
    }
    if (isGone) throw new DataFolderGone(this.#folder);
  }

  /** Whether the folder was gone at the last check. */
  get isGone(): boolean {
    return this.#isGone;
  }

  close(): void {
    closeSync(this.#handle);
  }
}

function isInPlace({ path, identity }: Watched): boolean {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found?.ino === identity.ino && found.dev === identity.dev;
  } catch (error) {
    // An error such as ENOTDIR or EACCES: the next start would not find the file either.
    if (codeOf(error) === '') throw error;
    return false;
  }
}
