import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, reasonOf } from '../reason.ts';
import { zlib } from '../zlib.ts';
import { builtVersion, readSchemaFiles } from './schema-files.ts';

/**
 * An embedded database that is migrated and otherwise empty, in one file: a JSON list of its files, a line feed, and
 * their contents, compressed with zstd. It contains no secret and no installation ID: the first start creates them
 * after unpacking. Installations share only the output of initdb, PostgreSQL's system identifier and a nonce for
 * SCRAM. Both are harmless: they serve replication and network logins, which PGlite does not support.
 */
interface Contents {
  readonly madeFor: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  /** Relative, with forward slashes. A folder precedes its contents. */
  readonly path: string;
  /** In bytes; undefined for a folder. */
  readonly size?: number;
}

export interface PackedFile {
  /** As of an entry. */
  readonly path: string;
  /** Undefined for a folder. */
  readonly content?: Uint8Array;
}

/** The inputs that a prepared database must match: migrations, functions and the version of PGlite. */
function currentPurpose(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return `schema ${builtVersion() ?? readSchemaFiles().version}, PGlite ${version}`;
}

/** Whether the file has a prepared database of this version. */
export function isPrepared(file: string): boolean {
  return read(file, () => undefined) !== undefined;
}

/** Packs the files of a closed database. */
export function packDatabase(files: readonly PackedFile[], file: string): void {
  const entries = files.map(({ path, content }): Entry =>
    content ? { path, size: content.length } : { path },
  );
  const contents: Contents = { madeFor: currentPurpose(), entries };
  const head = Buffer.from(`${JSON.stringify(contents)}\n`);
  const draft = `${file}.draft`;
  writeFileSync(
    draft,
    compress(Buffer.concat([head, ...files.flatMap(({ content }) => content ?? [])])),
  );
  renameSync(draft, file);
}

/** The window covers all files: the three databases of a cluster share most of their pages. */
function compress(content: Buffer): Buffer {
  const { constants, zstdCompressSync } = zlib();
  return zstdCompressSync(content, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 9,
      [constants.ZSTD_c_windowLog]: 26,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}

/**
 * Unpacks a prepared database into a new folder.
 * @returns false, without writing anything, if the file is missing or damaged, or was made for another version
 */
export function unpackDatabase(
  file: string,
  folder: string,
  onWarning: (message: string) => void,
): boolean {
  const found = read(file, onWarning);
  if (!found) return false;
  mkdirSync(folder, { mode: 0o700 });
  let at = 0;
  for (const { path, size } of found.entries) {
    const target = join(folder, path);
    if (size === undefined) {
      mkdirSync(target, { mode: 0o700 });
    } else {
      writeFileSync(target, found.bytes.subarray(at, at + size), { mode: 0o600 });
      at += size;
    }
  }
  return true;
}

/** @returns undefined if the file cannot be used */
function read(file: string, onWarning: (message: string) => void) {
  try {
    // Large chunks make joining the output cheaper.
    const content = zlib().zstdDecompressSync(readFileSync(file), { chunkSize: 1 << 20 });
    const end = content.indexOf('\n');
    const { madeFor, entries } = JSON.parse(content.toString('utf8', 0, end)) as Contents;
    return madeFor === currentPurpose() ? { entries, bytes: content.subarray(end + 1) } : undefined;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') {
      onWarning(`the prepared database ${file} cannot be used: ${reasonOf(error)}`);
    }
    return undefined;
  }
}
