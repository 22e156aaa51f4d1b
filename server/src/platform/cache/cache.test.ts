import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cache } from './cache.ts';

test('A cache keeps the most recently used half, and never exceeds its size', () => {
  const cache = new Cache<number, string>(10);
  const present = (from: number, to: number) => {
    let found = 0;
    for (let key = from; key < to; key += 1) found += Number(cache.get(key) !== undefined);
    return found;
  };
  for (let key = 0; key < 100; key += 1) cache.set(key, `value ${key}`);
  assert.equal(present(95, 100), 5);
  assert.ok(present(0, 100) <= 10);
});

test('A cache keeps frequently used values, whatever else passes through', () => {
  const cache = new Cache<number, string>(10);
  cache.set(-1, 'the busy one');
  for (let key = 0; key < 100; key += 1) {
    cache.set(key, `value ${key}`);
    assert.equal(cache.get(-1), 'the busy one');
  }
});

test('A cache reports each evicted value once', () => {
  const evicted: string[] = [];
  const cache = new Cache<number, string>(4, (value) => evicted.push(value));
  cache.set(1, 'replaced');
  cache.set(1, 'deleted');
  cache.delete(1);
  assert.deepEqual(evicted, ['replaced', 'deleted']);
  for (let key = 10; key < 20; key += 1) cache.set(key, `value ${key}`);
  const remaining = Array.from({ length: 10 }, (_, index) => cache.get(10 + index)).filter(Boolean);
  assert.equal(new Set(evicted).size, evicted.length);
  assert.equal(evicted.length + remaining.length, 12);
  cache.clear();
  assert.equal(new Set(evicted).size, 12);
  assert.equal(cache.size, 0);
});

test('A cache returns the last value set, and none that was deleted', () => {
  const cache = new Cache<number, string>(4);
  cache.set(1, 'first');
  for (let key = 2; key < 4; key += 1) cache.set(key, 'another');
  cache.set(1, 'second');
  assert.equal(cache.get(1), 'second');
  cache.delete(1);
  assert.equal(cache.get(1), undefined);
});
