import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segmentsOf } from './text-messages.ts';

for (const [what, character, alone, each] of [
  ['of the GSM alphabet', 'a', 160, 153],
  ['beyond the GSM alphabet', 'あ', 70, 67],
] as const) {
  test(`A text of characters ${what} is split where messages are full`, () => {
    assert.equal(segmentsOf(''), 1);
    assert.equal(segmentsOf(character.repeat(alone)), 1);
    assert.equal(segmentsOf(character.repeat(alone + 1)), 2);
    assert.equal(segmentsOf(character.repeat(each * 2)), 2);
    assert.equal(segmentsOf(character.repeat(each * 2 + 1)), 3);
  });
}

test('The characters of the GSM extension alphabet each take the space of two', () => {
  for (const character of '[\\]^{|}~') {
    assert.equal(segmentsOf(character.repeat(80)), 1, character);
    assert.equal(segmentsOf(character.repeat(81)), 2, character);
  }
});

test('One character beyond the GSM alphabet makes the whole text message longer', () => {
  assert.equal(segmentsOf('a'.repeat(100)), 1);
  assert.equal(segmentsOf(`${'a'.repeat(99)}ą`), 2);
});
