import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookedUpFor } from './part-patterns.ts';

test('A part with three letters or digits in a row, or a short word between signs, is looked up by a pattern', () => {
  assert.deepEqual(lookedUpFor('ada'), ['%ada%']);
  assert.deepEqual(lookedUpFor('-7.'), ['%-7.%']);
  assert.deepEqual(lookedUpFor('dept%_\\'), [String.raw`%dept\%\_\\%`]);
});

test('Any other part is looked up by its pairs of characters', () => {
  assert.deepEqual(lookedUpFor('zq'), ['zq']);
  assert.deepEqual(lookedUpFor('9.-'), ['9.', '.-']);
  assert.deepEqual(lookedUpFor('山田太'), ['山田', '田太']);
  assert.deepEqual(lookedUpFor('😀😀a'), ['😀😀', '😀a']);
  assert.deepEqual(lookedUpFor('%_'), ['%_']);
});

test('A single character is looked up as it is', () => {
  for (const character of ['a', '#', 'ñ', '😀']) {
    assert.deepEqual(lookedUpFor(character), [character]);
  }
});
