import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { imageTypeOf } from './image.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('the type of an image', () => {
  const images: Readonly<Record<string, [Buffer, string]>> = {
    PNG: [PNG, 'image/png'],
    WebP: [Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    AVIF: [Buffer.from('\0\0\0\x1cftypavif', 'latin1'), 'image/avif'],
    SVG: [Buffer.from(SVG), 'image/svg+xml'],
    'SVG without anything': [Buffer.from('<svg/>'), 'image/svg+xml'],
    'SVG with a byte order mark, a declaration and comments': [
      Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!-- a --> <!-- b -->\n${SVG}`),
      'image/svg+xml',
    ],
  };
  for (const [what, [bytes, type]] of Object.entries(images)) {
    test(`is told by its bytes: ${what}`, () => assert.equal(imageTypeOf(bytes), type));
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
    JPEG: Buffer.from('ffd8ffe0', 'hex'),
    'half a PNG': PNG.subarray(0, 8),
    'a RIFF of sound': 'RIFF\0\0\0\0WAVE',
  };
  for (const [what, bytes] of Object.entries(others)) {
    test(`is none of ${what}`, () => assert.equal(imageTypeOf(Buffer.from(bytes)), undefined));
  }

  test('takes time in proportion to the size, whatever comments it begins with', () => {
    assert.equal(imageTypeOf(Buffer.from('<!---->'.repeat(36_000))), undefined);
    assert.equal(imageTypeOf(Buffer.from('<!--'.repeat(64_000))), undefined);
  });
});
