import assert from 'node:assert/strict';
import { it } from 'node:test';
import { placeAfter } from './line.ts';

it('Arrows move along a line as it is read, and around its ends', () => {
  const line = { count: 3, isMirrored: false };
  assert.equal(placeAfter('ArrowRight', 0, line), 1);
  assert.equal(placeAfter('ArrowRight', 2, line), 0);
  assert.equal(placeAfter('ArrowLeft', 0, line), 2);
  assert.equal(placeAfter('ArrowLeft', 0, { ...line, isMirrored: true }), 1);
  assert.equal(placeAfter('Home', 2, line), 0);
  assert.equal(placeAfter('End', 0, line), 2);
  assert.equal(placeAfter('j', 0, line), undefined);
});
