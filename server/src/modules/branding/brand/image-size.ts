/** Sides of an image, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** A side that no logo needs: few bytes may stand for many pixels, which the browser of every user would hold. */
const MAX_SIDE = 4096;

/** Whether an image of this type would be drawn from more pixels than a logo needs. An SVG has none. */
export function isTooLarge(type: string, bytes: Buffer): boolean {
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

/** RFC 9649 §2.5–2.7: the canvas, or the one frame that there is. */
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

/** ISO/IEC 23008-12 §6.5.3: each item says its size in a box `ispe`. */
function sizesOfAvif(bytes: Buffer): readonly Size[] {
  const sizes: Size[] = [];
  let at = bytes.indexOf('ispe', 0, 'latin1');
  while (at >= 0 && at + 16 <= bytes.length) {
    sizes.push({ width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) });
    at = bytes.indexOf('ispe', at + 4, 'latin1');
  }
  return sizes;
}
