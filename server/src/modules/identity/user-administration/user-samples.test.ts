import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../../platform/db/page.ts';
import { STEP, startAtCheckpoint } from './user-samples.ts';

/** The position in ascending order at which a list starts. */
function placeMet(page: Page, total: number): number {
  const places = Array.from({ length: Math.floor(total / STEP) }, (_, n) => (n + 1) * STEP - 1);
  const checkpoints = places.map((place) => ({ value: String(place), id: 'id' }));
  const { value, skip } = startAtCheckpoint(page, checkpoints, total);
  assert.ok(skip >= 0 && skip <= STEP, `skips ${skip}`);
  const { descending } = page;
  const ends: Readonly<Record<string, number>> = { '-infinity': -1, infinity: total };
  const from = ends[value] ?? Number(value);
  return descending ? from - 1 - skip : from + 1 + skip;
}

function pageAt(offset: number, descending: boolean): Page {
  const field = 'created_at';
  return { number: 1, limit: 20, offset, field, descending, binding: '', after: undefined };
}

test('A page by number starts at its position, in either direction, wherever the checkpoints are', () => {
  for (const total of [1, STEP - 1, STEP, STEP + 1, 3 * STEP - 1, 3 * STEP, 3 * STEP + 7]) {
    for (let offset = 0; offset < total; offset += 1) {
      assert.equal(placeMet(pageAt(offset, false), total), offset);
      assert.equal(placeMet(pageAt(offset, true), total), total - 1 - offset);
    }
  }
});

test('A page beyond the end is empty', () => {
  for (const total of [0, 1, STEP, 2 * STEP + 3]) {
    assert.ok(placeMet(pageAt(total, true), total) < 0);
    const { value, skip } = startAtCheckpoint(pageAt(total + 9 * STEP, false), [], total);
    assert.deepEqual([value, skip], ['-infinity', total + 9 * STEP]);
  }
});
