import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';

/** The hash used in lists of breached passwords; nothing else relies on it. */
export function sha1Of(text: string): Buffer {
  return createHash('sha1').update(text).digest();
}

/** The header of files that `keywright passwords build` writes. The first 8 bytes of each SHA-1 hash follow, sorted. */
const HEAD = Buffer.from('KWPW0001');
const BYTES = 8;
/** The number of records that are read together around a guess. */
const WINDOW = 512;
const SPAN = 2n ** 64n;

interface OpenedFile {
  readonly handle: FileHandle;
  /** The number of hashes. */
  readonly count: number;
}

/** A file of hashes of breached passwords, which is opened on first use and remains open. */
export class HashFile {
  readonly #path: string;
  #opened: Promise<OpenedFile> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws Error when the file cannot be read, or has another format */
  async has(sha1: Buffer): Promise<boolean> {
    const { handle, count } = await this.#open();
    return search(handle, count, sha1.readBigUInt64BE(0));
  }

  /** Closes the file. Resolves when current reads have ended; later reads fail. */
  async close(): Promise<void> {
    const file = await this.#opened?.catch(() => undefined);
    await file?.handle.close();
  }

  #open(): Promise<OpenedFile> {
    this.#opened ??= openFile(this.#path).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function openFile(path: string): Promise<OpenedFile> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(HEAD.length);
    await handle.read(head, 0, HEAD.length, 0);
    const bytes = size - HEAD.length;
    if (!head.equals(HEAD) || bytes % BYTES !== 0) {
      throw new Error('It was not created by "keywright passwords build".');
    }
    return { handle, count: bytes / BYTES };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Interpolation search: hashes are evenly distributed, so the first guess is nearly always within the window. */
async function search(handle: FileHandle, count: number, prefix: bigint): Promise<boolean> {
  // The record is in [low, high); the values at the ends are known to be below and above it.
  let [low, high] = [0, count];
  let [below, above] = [0n, SPAN];
  while (low < high) {
    const share = Number(((prefix - below) * 2n ** 32n) / (above - below)) / 2 ** 32;
    const guess = low + Math.floor(share * (high - low));
    const start = Math.max(low, Math.min(guess - WINDOW / 2, high - WINDOW));
    const records = await readRecords(handle, start, Math.min(WINDOW, high - start));
    const first = records.readBigUInt64BE(0);
    const last = records.readBigUInt64BE(records.length - BYTES);
    if (prefix < first) [high, above] = [start, first];
    else if (prefix > last) [low, below] = [start + records.length / BYTES, last];
    else return includes(records, prefix);
  }
  return false;
}

async function readRecords(handle: FileHandle, start: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count * BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, HEAD.length + start * BYTES);
  if (bytesRead < buffer.length) throw new Error('The file was truncated.');
  return buffer;
}

/** Binary search. */
function includes(records: Buffer, prefix: bigint): boolean {
  let [low, high] = [0, records.length / BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = records.readBigUInt64BE(middle * BYTES);
    if (value === prefix) return true;
    if (value < prefix) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** How long a login waits for the service. */
const TIMEOUT_MS = 1500;
/** Five times the size of the largest range, including its padding. */
const MAX_BYTES = 256 * 1024;
/** The number of cached ranges, of about 40 KiB each. */
const MAX_RANGES = 64;
const RANGE_LIFE_MS = 60 * 60 * 1000;
const PREFIX_DIGITS = 5;

interface Range {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** A service that lists the hashes with a given prefix, so that it does not learn which one is looked up. */
export class HashRanges {
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #url: string;
  readonly #cache = new Cache<string, Range>(MAX_RANGES);

  /** @param url the service's URL, without `/range/` */
  constructor(egress: Egress, clock: Clock, url: string) {
    this.#egress = egress;
    this.#clock = clock;
    this.#url = url;
  }

  /** @returns undefined if the service does not respond in time, or its response is unusable */
  async has(sha1: Buffer): Promise<boolean | undefined> {
    const hex = sha1.toString('hex').toUpperCase();
    const prefix = hex.slice(0, PREFIX_DIGITS);
    const now = this.#clock.now().getTime();
    const cached = this.#cache.get(prefix);
    const text = cached && cached.expiresAtMs > now ? cached.text : await this.#fetch(prefix);
    if (text === undefined) return undefined;
    if (text !== cached?.text) this.#cache.set(prefix, { text, expiresAtMs: now + RANGE_LIFE_MS });
    return countOf(text, hex.slice(PREFIX_DIGITS)) > 0;
  }

  async #fetch(prefix: string): Promise<string | undefined> {
    const response = await this.#egress.send({
      method: 'GET',
      url: `${this.#url}/range/${prefix}`,
      onBehalfOf: 'breached passwords',
      // Prevents the size of a response from revealing its range.
      headers: { 'add-padding': 'true' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (response.outcome !== 'answered' || response.status !== 200) return undefined;
    const text = response.body.toString('latin1').toUpperCase();
    return isRange(text) ? text : undefined;
  }
}

/** A line with the rest of a hash, and how often it was found. */
const LINE = /^[0-9A-F]{35}:\d{1,12}\r?$/;

function isRange(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  return text === '' || LINE.test(first);
}

/** Returns the count of a hash. Padding lines have a count of 0. */
function countOf(text: string, suffix: string): number {
  const at = text.indexOf(`${suffix}:`);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + suffix.length + 1), 10);
}
