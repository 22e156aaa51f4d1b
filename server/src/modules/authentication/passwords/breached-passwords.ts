import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';

/** A login waits for it. */
const TIMEOUT_MS = 1500;
/** Five times that of the largest range with its padding. */
const MAX_BYTES = 256 * 1024;
/** Ranges that are kept, of about 40 KiB each. */
const MAX_RANGES = 64;
const RANGE_LIFE_MS = 60 * 60 * 1000;
const PREFIX_DIGITS = 5;

/** Asks a service which hashes there are that begin alike, so that it does not learn which one is meant. */
interface Ranges {
  /** @returns undefined if the service does not answer in time, or as it should */
  has(sha1: Buffer): Promise<boolean | undefined>;
}

interface Range {
  readonly text: string;
  readonly goodUntil: number;
}

/** @param url that of the service, without `/range/` */
export function createRanges(egress: Egress, clock: Clock, url: string): Ranges {
  const known = new Cache<string, Range>(MAX_RANGES);

  async function ask(prefix: string): Promise<string | undefined> {
    const answer = await egress.send({
      method: 'GET',
      url: `${url}/range/${prefix}`,
      onBehalfOf: 'breached passwords',
      // The size of an answer must not tell which range it is of.
      headers: { 'add-padding': 'true' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.outcome !== 'answered' || answer.status !== 200) return undefined;
    const text = answer.body.toString('latin1').toUpperCase();
    return isRange(text) ? text : undefined;
  }

  return {
    async has(sha1) {
      const hex = sha1.toString('hex').toUpperCase();
      const prefix = hex.slice(0, PREFIX_DIGITS);
      const now = clock.now().getTime();
      const kept = known.get(prefix);
      const text = kept && kept.goodUntil > now ? kept.text : await ask(prefix);
      if (text === undefined) return undefined;
      if (text !== kept?.text) known.set(prefix, { text, goodUntil: now + RANGE_LIFE_MS });
      return countOf(text, hex.slice(PREFIX_DIGITS)) > 0;
    },
  };
}

/** The rest of a hash and how often it was found, in each line. */
const LINE = /^[0-9A-F]{35}:\d{1,12}\r?$/;

function isRange(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  return text === '' || LINE.test(first);
}

/** Lines of padding have a count of 0. */
function countOf(text: string, suffix: string): number {
  const at = text.indexOf(`${suffix}:`);
  return at < 0 ? 0 : Number.parseInt(text.slice(at + suffix.length + 1), 10);
}

/** The format of `keywright passwords build`: this, then the first 8 bytes of each SHA-1 hash, sorted. */
const HEAD = Buffer.from('KWPW0001');
const BYTES = 8;
/** The records around a guess that are read at once. */
const WINDOW = 512;

/** A file of hashes of breached passwords. */
export interface HashFile {
  has(sha1: Buffer): Promise<boolean>;
  /** Once reads under way have ended; later reads fail. */
  close(): Promise<void>;
}

export function sha1Of(text: string): Buffer {
  // What lists of breached passwords are made of; nothing else rests on it.
  return createHash('sha1').update(text).digest();
}

/** Opened on first use, and kept open. @throws Error when it cannot be read, or is none */
export function openHashFile(path: string): HashFile {
  let opened: Promise<{ handle: FileHandle; count: number }> | undefined;
  const get = () => {
    opened ??= openFile(path).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async has(sha1) {
      const { handle, count } = await get();
      return search(handle, count, sha1.readBigUInt64BE(0));
    },
    async close() {
      const file = await opened?.catch(() => undefined);
      await file?.handle.close();
    },
  };
}

async function openFile(path: string) {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(HEAD.length);
    await handle.read(head, 0, HEAD.length, 0);
    const bytes = size - HEAD.length;
    if (!head.equals(HEAD) || bytes % BYTES !== 0) {
      throw new Error('It was not made by "keywright passwords build".');
    }
    return { handle, count: bytes / BYTES };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const SPAN = 2n ** 64n;

/** Interpolation: hashes are evenly distributed, so the first guess is nearly always within the window. */
async function search(handle: FileHandle, count: number, wanted: bigint): Promise<boolean> {
  // The record is among [low, high); the values at their ends are known to be below and above it.
  let [low, high] = [0, count];
  let [below, above] = [0n, SPAN];
  while (low < high) {
    const share = Number(((wanted - below) * 2n ** 32n) / (above - below)) / 2 ** 32;
    const guess = low + Math.floor(share * (high - low));
    const start = Math.max(low, Math.min(guess - WINDOW / 2, high - WINDOW));
    const records = await readRecords(handle, start, Math.min(WINDOW, high - start));
    const first = records.readBigUInt64BE(0);
    const last = records.readBigUInt64BE(records.length - BYTES);
    if (wanted < first) [high, above] = [start, first];
    else if (wanted > last) [low, below] = [start + records.length / BYTES, last];
    else return includes(records, wanted);
  }
  return false;
}

async function readRecords(handle: FileHandle, start: number, count: number): Promise<Buffer> {
  const buffer = Buffer.alloc(count * BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, HEAD.length + start * BYTES);
  if (bytesRead < buffer.length) throw new Error('The file became shorter.');
  return buffer;
}

function includes(records: Buffer, wanted: bigint): boolean {
  let [low, high] = [0, records.length / BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = records.readBigUInt64BE(middle * BYTES);
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
