import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

interface SharedFile {
  readonly bytes: Buffer;
  /** Of the contents (RFC 9110 §8.8.3). */
  readonly etag: string;
}

interface RecentFile {
  readonly modifiedMs: number;
  readonly etag: string;
  /** Kept in memory by the responses that are being sent. */
  readonly bytes: WeakRef<Buffer>;
}

/**
 * Files of a folder, read on request. Simultaneous responses share the bytes of a file, because otherwise each client
 * that reads slowly would keep a copy in memory.
 */
export class SharedFiles {
  readonly #folder: URL;
  readonly #recent = new Map<string, RecentFile>();
  readonly #reading = new Map<string, Promise<SharedFile>>();

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** @throws the error of the file system, if there is no such file */
  async read(name: string): Promise<SharedFile> {
    const { mtimeMs } = await stat(new URL(name, this.#folder));
    const recent = this.#recent.get(name);
    const bytes = recent?.modifiedMs === mtimeMs ? recent.bytes.deref() : undefined;
    if (recent && bytes) return { bytes, etag: recent.etag };
    let reading = this.#reading.get(name);
    if (!reading) {
      reading = this.#load(name, mtimeMs).finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
    }
    return reading;
  }

  async #load(name: string, modifiedMs: number): Promise<SharedFile> {
    const bytes = await readFile(new URL(name, this.#folder));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    this.#recent.set(name, { modifiedMs, etag, bytes: new WeakRef(bytes) });
    return { bytes, etag };
  }
}
