import { hash } from 'node:crypto';
import { svgFlaw } from './logo-svg.ts';

type CheckedImage = { readonly contentType: string } | { readonly objection: string };

/** Checks an image: returns what it is, or why pages cannot show it. Fetched and uploaded images are checked alike. */
export function checkImage(bytes: Buffer): CheckedImage {
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined) {
    return { objection: 'is no PNG, WebP, AVIF or SVG without a document type' };
  }
  if (isTooLarge(contentType, bytes)) {
    return { objection: 'has more than 4096 pixels at one side' };
  }
  const flaw =
    contentType === 'image/svg+xml' ? svgFlaw(new TextDecoder().decode(bytes)) : undefined;
  return flaw === undefined ? { contentType } : { objection: flaw };
}

/** The SHA-256 digest that the image's URL ends with. */
export function digestOf(image: Buffer): Buffer {
  return hash('sha256', image, 'buffer');
}

/** Returns the type of an image that browsers show and that is harmless in `<img>`, determined only by its bytes. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const starts = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
  if (starts('\x89PNG\r\n\x1a\n') && starts('IHDR', 12)) return 'image/png';
  if (starts('RIFF') && starts('WEBP', 8)) return 'image/webp';
  if (starts('ftypavif', 4) || starts('ftypavis', 4)) return 'image/avif';
  return isSvg(bytes) ? 'image/svg+xml' : undefined;
}

/** Requires UTF-8 and no document type, because entities could expand without end. */
function isSvg(bytes: Buffer): boolean {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  return /^<svg[\s/>]/.test(afterProlog(text)) && !/<!(?:doctype|entity)/i.test(text);
}

/** Returns the text after the XML declaration, comments and white space (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<?xml') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    if (at < 0) return '';
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** The sides of an image, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The longest side that a logo needs. A few bytes can encode many pixels, which would occupy every user's browser. */
const MAX_SIDE = 4096;

/** Whether an image of this type has more pixels than a logo needs. An SVG has no pixels. */
function isTooLarge(type: string, bytes: Buffer): boolean {
  return (SIZES[type]?.(bytes) ?? []).some(
    ({ width, height }) => width > MAX_SIDE || height > MAX_SIDE,
  );
}

type ReadSizes = (bytes: Buffer) => readonly Size[];

const SIZES: Readonly<Record<string, ReadSizes>> = {
  'image/png': sizesOfPng,
  'image/webp': sizesOfWebp,
  'image/avif': sizesOfAvif,
};

/** PNG §11.2.1: IHDR is the first chunk. */
function sizesOfPng(bytes: Buffer): readonly Size[] {
  if (bytes.length < 24) return [];
  return [{ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }];
}

/** RFC 9649 §2.5–2.7: the canvas, or the only frame. */
function sizesOfWebp(bytes: Buffer): readonly Size[] {
  if (bytes.length < 30) return [];
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [{ width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }];
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return [{ width: (packed & 0x3f_ff) + 1, height: ((packed >>> 14) & 0x3f_ff) + 1 }];
    }
    default:
      return [
        { width: bytes.readUInt16LE(26) & 0x3f_ff, height: bytes.readUInt16LE(28) & 0x3f_ff },
      ];
  }
}

/** ISO/IEC 23008-12 §6.5.3: each item states its size in an `ispe` box. */
function sizesOfAvif(bytes: Buffer): readonly Size[] {
  const sizes: Size[] = [];
  let at = bytes.indexOf('ispe', 0, 'latin1');
  while (at >= 0 && at + 16 <= bytes.length) {
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) });
    at = bytes.indexOf('ispe', at + 4, 'latin1');
  }
  return sizes;
}
