import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isSameName } from './same-name.ts';

it('A name is confirmed as it is seen, and by no other name', () => {
  for (const name of ['Books', ' Books', 'Books  ', 'Books\u00A0']) {
    assert.ok(isSameName('Books', name), JSON.stringify(name));
  }
  assert.ok(isSameName('Cafe\u0301 and  Books', 'Caf\u00E9  and Books'));
  for (const typed of ['', 'books', 'Book', 'Bo oks']) {
    assert.ok(!isSameName(typed, 'Books'), typed);
  }
});
