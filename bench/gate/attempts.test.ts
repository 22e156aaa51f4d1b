import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ratios } from '../report/verdict.ts';
import { ATTEMPTS, compare } from './attempts.ts';

const BEFORE = { toFloor: 4, toPeer: 6 };
const DEARER = { toFloor: 5, toPeer: 4 };

/** Measures these ratios one after another. */
function measuring(ratios: readonly Ratios[], othersCores: readonly number[] = []) {
  const rounds: number[] = [];
  const measure = async (count: number) => {
    const place = rounds.push(count) - 1;
    return { ratios: ratios[place] ?? BEFORE, othersCores: othersCores[place] ?? 0 };
  };
  return { rounds, measure };
}

test('A row that is not dearer passes after its first measurement', async () => {
  const { rounds, measure } = measuring([]);
  assert.equal((await compare(measure, BEFORE)).kind, 'passed');
  assert.deepEqual(rounds, ATTEMPTS.slice(0, 1));
});

test('A row fails if it is dearer in every measurement, and reports the cheapest', async () => {
  const cheapest = { ...DEARER, toFloor: 4.9 };
  const { rounds, measure } = measuring([DEARER, cheapest, DEARER]);
  assert.deepEqual(await compare(measure, BEFORE), { kind: 'dearer', now: cheapest });
  assert.deepEqual(rounds, [...ATTEMPTS]);
});

test('A row that is dearer in all measurements but the last one passes', async () => {
  const { measure } = measuring([DEARER, DEARER, BEFORE]);
  assert.deepEqual(await compare(measure, BEFORE), { kind: 'passed', now: BEFORE });
});

test('A row does not fail if other work disturbed one of its measurements', async () => {
  const { measure } = measuring([DEARER, DEARER, DEARER], [0, 1.2, 0]);
  assert.equal((await compare(measure, BEFORE)).kind, 'disturbed');
});

test('A row without published ratios to a floor and a peer is neither measured nor passed', async () => {
  const { rounds, measure } = measuring([]);
  for (const before of [undefined, { toFloor: 4, toPeer: undefined }])
    assert.equal((await compare(measure, before)).kind, 'not compared');
  assert.deepEqual(rounds, []);
});
