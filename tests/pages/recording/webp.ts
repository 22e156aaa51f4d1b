// Animated WebP from still ones: https://developers.google.com/speed/webp/docs/riff_container

export interface Frame {
  /** A still WebP without an alpha channel, as Chromium takes screenshots. */
  readonly picture: Buffer;
  readonly milliseconds: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Joins frames of the same size into an animation that repeats forever. */
export function animate(frames: readonly Frame[], size: Size): Buffer {
  const ANIMATED = 0b10;
  const head = Buffer.alloc(10);
  head.writeUInt8(ANIMATED, 0);
  head.writeUIntLE(size.width - 1, 4, 3);
  head.writeUIntLE(size.height - 1, 7, 3);
  const white = Buffer.alloc(6, 0);
  white.fill(0xff, 0, 4);
  const parts = frames.map((frame) => chunk('ANMF', frameOf(frame, size)));
  return riff(Buffer.concat([chunk('VP8X', head), chunk('ANIM', white), ...parts]));
}

/** @returns the duration of each frame of an animation, and its size */
export function readAnimation(file: Buffer): { readonly durations: number[]; readonly size: Size } {
  const chunks = chunksOf(file);
  const head = chunks.find(({ name }) => name === 'VP8X')?.body;
  if (!head) throw new Error('The file is not an extended WebP.');
  const durations = chunks
    .filter(({ name }) => name === 'ANMF')
    .map(({ body }) => body.readUIntLE(12, 3));
  const size = { width: head.readUIntLE(4, 3) + 1, height: head.readUIntLE(7, 3) + 1 };
  return { durations, size };
}

function frameOf({ picture, milliseconds }: Frame, { width, height }: Size): Buffer {
  const OPAQUE = 0b10;
  const head = Buffer.alloc(16);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  head.writeUIntLE(Math.round(milliseconds), 12, 3);
  head.writeUInt8(OPAQUE, 15);
  const bits = chunksOf(picture).filter(({ name }) => name === 'VP8 ' || name === 'VP8L');
  return Buffer.concat([head, ...bits.map(({ name, body }) => chunk(name, body))]);
}

function riff(body: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), body]);
  return chunk('RIFF', content);
}

/** A name of four letters, the length, and the content, padded to an even length. */
function chunk(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(name), length, body, Buffer.alloc(body.length % 2)]);
}

function chunksOf(file: Buffer): { readonly name: string; readonly body: Buffer }[] {
  const found = [];
  for (let at = 12; at + 8 <= file.length;) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    found.push({ name, body: file.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return found;
}
