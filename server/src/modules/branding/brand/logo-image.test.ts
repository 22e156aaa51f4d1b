import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkImage, imageTypeOf } from './logo-image.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('the type of an image', () => {
  const images: Readonly<Record<string, [Buffer, string]>> = {
    PNG: [PNG, 'image/png'],
    WebP: [Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    JPEG: [Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    AVIF: [Buffer.from('\0\0\0\x1cftypavif', 'latin1'), 'image/avif'],
    SVG: [Buffer.from(SVG), 'image/svg+xml'],
    'SVG without anything': [Buffer.from('<svg/>'), 'image/svg+xml'],
    'SVG with a byte order mark, a declaration and comments': [
      Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!-- a --> <!-- b -->\n${SVG}`),
      'image/svg+xml',
    ],
  };
  for (const [what, [bytes, type]] of Object.entries(images)) {
    test(`The type of an image is detected from its bytes: ${what}`, () =>
      assert.equal(imageTypeOf(bytes), type));
  }

  const others: Readonly<Record<string, string | Buffer>> = {
    nothing: '',
    HTML: '<!doctype html><svg></svg>',
    'HTML before an SVG': `<html>${SVG}</html>`,
    'an SVG with a document type': `<!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`,
    'an SVG with an entity later on': `${SVG}<!ENTITY a "b">`,
    'an element whose name begins with svg': '<svgx/>',
    'a comment without an end': `<!-- ${SVG}`,
    'text that is no UTF-8': Buffer.concat([Buffer.from(SVG), Buffer.from([0xff])]),
    GIF: 'GIF89a',
    'half a JPEG': Buffer.from('ffd8', 'hex'),
    'half a PNG': PNG.subarray(0, 8),
    'a RIFF of sound': 'RIFF\0\0\0\0WAVE',
  };
  for (const [what, bytes] of Object.entries(others)) {
    test(`The type of an image is not recognized for ${what}`, () =>
      assert.equal(imageTypeOf(Buffer.from(bytes)), undefined));
  }

  test('The type of an image is detected in time proportional to the size, whatever comments the image starts with', () => {
    assert.equal(imageTypeOf(Buffer.from('<!---->'.repeat(36_000))), undefined);
    assert.equal(imageTypeOf(Buffer.from('<!--'.repeat(64_000))), undefined);
  });
});

/** The start of an image with this many pixels, which is the only part that is read. */
const big: Readonly<Record<string, (side: number) => Buffer>> = {
  PNG: (side) => Buffer.concat([PNG, uint32(side), uint32(1)]),
  JPEG: (side) =>
    Buffer.concat([
      Buffer.from('ffd8ffe000040000ffc0000b080001', 'hex'),
      Buffer.from([side >> 8, side & 255, 1, 0, 0, 0]),
    ]),
  'WebP with features': (side) => webp('VP8X', [0, 0, 0, 0, ...uint24(side - 1), 0, 0, 0]),
  'WebP without loss': (side) => webp('VP8L', [0x2f, ...uint32le(side - 1), 0, 0, 0, 0, 0]),
  'WebP with loss': (side) => webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, side & 255, side >> 8, 1, 0]),
  AVIF: (side) =>
    Buffer.concat([
      Buffer.from('\0\0\0\x1cftypavif', 'latin1'),
      Buffer.from('ispe\0\0\0\0', 'latin1'),
      uint32(1),
      uint32(1),
      Buffer.from('ispe\0\0\0\0', 'latin1'),
      uint32(1),
      uint32(side),
    ]),
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const uint24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16];
const uint32le = (value: number) => [...uint24(value), value >>> 24];
const webp = (chunk: string, content: readonly number[]) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1'), Buffer.from(content)]);

describe('the size of an image', () => {
  for (const [what, of] of Object.entries(big)) {
    test(`An image is at most 4096 pixels on each side: ${what}`, () => {
      assert.ok('contentType' in checkImage(of(4096)));
      assert.deepEqual(checkImage(of(4097)), {
        objection: 'is more than 4096 pixels wide or high',
      });
    });
  }

  test('A JPEG whose headers this service reads differently than browsers is rejected or measured', () => {
    const frame = (side: number) => [0xff, 0xc0, 0, 11, 8, side >> 8, side & 255, 0, 1, 0, 0, 0, 0];
    for (const before of [[], [0xff], [0xff, 0x01], [0xff, 0], [0]]) {
      const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 2, ...before, ...frame(65_535)]);
      assert.ok('objection' in checkImage(jpeg), String(before));
    }
    assert.ok('contentType' in checkImage(Buffer.from([0xff, 0xd8, 0xff, ...frame(4096)])));
  });

  test('A JPEG of so many scans that a browser needs seconds to draw it is rejected', () => {
    const start = Buffer.from('ffd8ffc0000b08000100010000', 'hex');
    const scan = Buffer.from('ffda0008010100003f007f', 'hex');
    const jpeg = (scans: number) => Buffer.concat([start, ...Array(scans).fill(scan)]);
    assert.ok('contentType' in checkImage(jpeg(100)));
    assert.deepEqual(checkImage(jpeg(101)), { objection: 'has more than 100 scans' });
  });

  test('An image that ends before it states its size, which no browser draws, is not checked for its size', () => {
    assert.ok('contentType' in checkImage(PNG));
  });
});
