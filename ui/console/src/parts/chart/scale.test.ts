import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, scaleOf } from './scale.ts';

test('The axis of a chart ends at a round number whose half is whole', () => {
  for (const [most, top] of [
    [0, 2],
    [1, 2],
    [3, 4],
    [10, 10],
    [11, 20],
    [61, 80],
    [1284, 2000],
  ] as const) {
    assert.equal(scaleOf([most]).top, top, String(most));
  }
});

test('The axis of a chart cuts off a few outliers, and says how many and how high', () => {
  const usual = Array.from({ length: 40 }, (_, place) => 50 + (place % 10));
  assert.deepEqual(scaleOf(usual), { top: 60, cut: 0, most: 59 });
  assert.deepEqual(scaleOf([...usual, 900]), { top: 60, cut: 1, most: 900 });
  assert.deepEqual(scaleOf([1, 2, 900]), { top: 1000, cut: 0, most: 900 });
});

test('A change is a rounded percentage, and has none if there was nothing before', () => {
  assert.equal(changeOf(108, 100), 8);
  assert.equal(changeOf(1, 3), -67);
  assert.equal(changeOf(5, 0), undefined);
});
