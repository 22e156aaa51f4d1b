import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseOf } from './pause.ts';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

test('A pending item is read again soon after it is due, neither constantly nor too rarely', () => {
  assert.equal(pauseOf([], NOW), false);
  assert.equal(pauseOf([null], NOW), 5000);
  assert.equal(pauseOf([inSeconds(-90)], NOW), 5000);
  assert.equal(pauseOf([inSeconds(3600), inSeconds(20)], NOW), 25_000);
  assert.equal(pauseOf([inSeconds(3600)], NOW), 60_000);
});
