import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLate, isSilent } from './rules.ts';

const AT = '2026-11-26T12:00:00.000Z';
const after = (seconds: number) => Date.parse(AT) + seconds * 1000;

test('A node is silent once it missed a sign of life', () => {
  assert.equal(isSilent(AT, after(360)), false);
  assert.equal(isSilent(AT, after(361)), true);
});

test('A queue is late once something is due for a minute', () => {
  assert.equal(isLate(null, after(0)), false);
  assert.equal(isLate(AT, after(60)), false);
  assert.equal(isLate(AT, after(61)), true);
});
