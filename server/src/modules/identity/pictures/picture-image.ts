import { crc32 } from 'node:zlib';
import { MAX_PICTURE_SIDE } from '@keywright/contract/routes/pictures';

/** A picture that was taken apart and put together again from its necessary parts. */
export interface CleanPicture {
  readonly contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly image: Buffer;
}

interface Parsed {
  readonly parts: readonly Buffer[];
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a file as one of the accepted formats. What follows the image, metadata and unknown parts are left out, so that
 * the result is neither a second kind of file nor reveals where a photo was taken.
 */
export function cleanPicture(file: Buffer): CleanPicture | { readonly objection: string } {
  const format = FORMATS.find(({ starts }) => starts(file));
  if (!format) return { objection: 'is not a PNG, JPEG or WebP' };
  const parsed = format.parse(file);
  if (!parsed) return { objection: 'is damaged, animated or too slow to draw' };
  const { parts, width, height } = parsed;
  const isVisible = width > 0 && height > 0;
  if (!isVisible || width > MAX_PICTURE_SIDE || height > MAX_PICTURE_SIDE) {
    return { objection: `has no pixels, or more than ${MAX_PICTURE_SIDE} on a side` };
  }
  return { contentType: format.contentType, image: Buffer.concat(parts) };
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const RIFF_HEADER_BYTES = 12;

const FORMATS = [
  {
    contentType: 'image/png',
    starts: (file: Buffer) => file.subarray(0, 8).equals(PNG_SIGNATURE),
    parse: parsePng,
  },
  {
    contentType: 'image/jpeg',
    starts: (file: Buffer) => file.length > 2 && file.readUInt16BE(0) === 0xff_d8,
    parse: parseJpeg,
  },
  {
    contentType: 'image/webp',
    starts: (file: Buffer) =>
      file.length >= RIFF_HEADER_BYTES && nameAt(file, 0) === 'RIFF' && nameAt(file, 8) === 'WEBP',
    parse: parseWebp,
  },
] as const;

function nameAt(file: Buffer, at: number): string {
  return file.toString('latin1', at, at + 4);
}

/** The chunks that define the pixels (PNG §11). */
const PNG_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'];

/** PNG §5.3: each chunk has a length, a type, data and a checksum. @returns undefined if the file is not accepted */
function parsePng(file: Buffer): Parsed | undefined {
  const parts: Buffer[] = [PNG_SIGNATURE];
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= file.length) {
    const name = nameAt(file, at + 4);
    const end = at + 12 + file.readUInt32BE(at);
    const isFirst = parts.length === 1;
    if (end > file.length || name === 'acTL' || isFirst !== (name === 'IHDR')) return undefined;
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined;
    if (isFirst && end - at !== 25) return undefined;
    if (PNG_CHUNKS.includes(name)) parts.push(file.subarray(at, end));
    if (name === 'IEND') {
      return { parts, width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
    }
    at = end;
  }
  return undefined;
}

/** Baseline, extended and progressive frames (ITU-T T.81 table B.1). */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Huffman and quantization tables, the restart interval, and Adobe's color transform. */
const JPEG_SEGMENTS = [0xc4, 0xdb, 0xdd, 0xee];
const SCAN = 0xda;
const END = 0xd9;
/** Each scan redraws the whole image: thousands of small ones would occupy a browser for seconds. */
const MOST_SCANS = 100;

/** ITU-T T.81 annex B: segments, and after the header of each scan its data. */
function parseJpeg(file: Buffer): Parsed | undefined {
  const parts: Buffer[] = [file.subarray(0, 2)];
  let size: Omit<Parsed, 'parts'> | undefined;
  let at = 2;
  while (at + 4 <= file.length && file[at] === 0xff) {
    const marker = file[at + 1] ?? 0;
    if (marker === END) break;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (end > file.length || end < at + 4) return undefined;
    const isFrame = FRAMES.includes(marker);
    if (isFrame) {
      if (size || end < at + 9) return undefined;
      size = { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7) };
    }
    const next = marker === SCAN ? endOfScan(file, end) : end;
    if (isFrame || marker === SCAN || JPEG_SEGMENTS.includes(marker)) {
      parts.push(file.subarray(at, next));
    } else if (!isMetadata(marker)) return undefined;
    at = next;
  }
  const isWhole = file[at] === 0xff && file[at + 1] === END;
  const scans = parts.filter((part) => part[1] === SCAN).length;
  if (!isWhole || !size || scans > MOST_SCANS) return undefined;
  return { ...size, parts: [...parts, file.subarray(at, at + 2)] };
}

/** Application segments and comments. */
function isMetadata(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
}

/** In the data of a scan, FF is followed by 00 or by a restart marker. */
function endOfScan(file: Buffer, from: number): number {
  let at = file.indexOf(0xff, from);
  while (at >= 0) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
    at = file.indexOf(0xff, at + 2);
  }
  return file.length;
}

const ANIMATED = 0x02;
const ALPHA = 0x10;

/** RFC 9649 §2: a RIFF container with one image, and optionally its alpha channel. */
function parseWebp(file: Buffer): Parsed | undefined {
  const fileEnd = file.readUInt32LE(4) + 8;
  if (fileEnd > file.length) return undefined;
  const parts: Buffer[] = [];
  const sizes: Omit<Parsed, 'parts'>[] = [];
  let images = 0;
  let at = RIFF_HEADER_BYTES;
  while (at + 8 <= fileEnd) {
    const name = nameAt(file, at);
    const length = file.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > fileEnd) return undefined;
    const chunk = Buffer.from(file.subarray(at, end));
    const size = WEBP_SIZES[name]?.(chunk);
    if (name in WEBP_SIZES && !size) return undefined;
    if (size) sizes.push(size);
    if (name === 'VP8 ' || name === 'VP8L') images += 1;
    if (name === 'VP8X') chunk[8] = (chunk[8] ?? 0) & ALPHA;
    if (name in WEBP_SIZES || name === 'ALPH') parts.push(chunk);
    at = end;
  }
  if (images !== 1) return undefined;
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  header.writeUInt32LE(
    parts.reduce((sum, { length }) => sum + length, 4),
    4,
  );
  const sides = (side: 'width' | 'height') => Math.max(...sizes.map((size) => size[side]));
  return { parts: [header, ...parts], width: sides('width'), height: sides('height') };
}

/** The size in each kind of chunk that has one; undefined if the chunk is damaged or belongs to an animation. */
const WEBP_SIZES: Readonly<Record<string, (chunk: Buffer) => Omit<Parsed, 'parts'> | undefined>> = {
  VP8X: (chunk) => {
    if (chunk.length < 18 || ((chunk[8] ?? 0) & ANIMATED) !== 0) return undefined;
    return { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 };
  },
  'VP8 ': (chunk) => {
    if (chunk.length < 18 || chunk.toString('hex', 11, 14) !== '9d012a') return undefined;
    return { width: chunk.readUInt16LE(14) & 0x3f_ff, height: chunk.readUInt16LE(16) & 0x3f_ff };
  },
  VP8L: (chunk) => {
    if (chunk.length < 13 || chunk[8] !== 0x2f) return undefined;
    const packed = chunk.readUInt32LE(9);
    return { width: (packed & 0x3f_ff) + 1, height: ((packed >>> 14) & 0x3f_ff) + 1 };
  },
};
