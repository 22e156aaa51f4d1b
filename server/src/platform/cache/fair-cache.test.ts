import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairCache } from './cache.ts';

type Numbers = FairCache<string, number, string>;

function fill(cache: Numbers, owner: string, count: number): void {
  for (let key = 0; key < count; key += 1) cache.set(owner, key, `${owner} ${key}`);
}

function remainingKeys(cache: Numbers, owner: string, count = 100): number[] {
  const keys = Array.from({ length: count }, (_, key) => key);
  return keys.filter((key) => cache.get(owner, key) !== undefined);
}

test('An owner who sets any number of cache entries evicts no entries of owners who have fewer', () => {
  const cache: Numbers = new FairCache({ max: 10, maxOfOwner: 100 });
  fill(cache, 'small', 3);
  fill(cache, 'large', 100);
  assert.deepEqual(remainingKeys(cache, 'small'), [0, 1, 2]);
  assert.deepEqual(remainingKeys(cache, 'large'), [93, 94, 95, 96, 97, 98, 99]);
  fill(cache, 'late', 5);
  assert.deepEqual(remainingKeys(cache, 'small'), [0, 1, 2]);
  assert.equal(remainingKeys(cache, 'late').length + remainingKeys(cache, 'large').length, 7);
  assert.ok(remainingKeys(cache, 'late').length >= 3);
});

test('The least recently used of the owners with equally many cache entries makes room', () => {
  const cache: Numbers = new FairCache({ max: 3, maxOfOwner: 100 });
  for (const owner of ['a', 'b', 'c']) fill(cache, owner, 1);
  assert.equal(cache.get('a', 0), 'a 0');
  fill(cache, 'd', 1);
  const present = ['a', 'b', 'c', 'd'].filter((owner) => cache.get(owner, 0) !== undefined);
  assert.deepEqual(present, ['a', 'c', 'd']);
});

test('An owner has no more cache entries than the limit, and keeps the most recently used', () => {
  const cache: Numbers = new FairCache({ max: 100, maxOfOwner: 3 });
  fill(cache, 'a', 3);
  assert.equal(cache.get('a', 0), 'a 0');
  cache.set('a', 3, 'another');
  cache.set('a', 3, 'replaced');
  assert.deepEqual(remainingKeys(cache, 'a'), [0, 2, 3]);
  assert.equal(cache.get('a', 3), 'replaced');
});

test('A cache entry is found only for its owner', () => {
  const cache: Numbers = new FairCache({ max: 100, maxOfOwner: 100 });
  cache.set('a', 1, 'of a');
  assert.equal(cache.get('b', 1), undefined);
});
