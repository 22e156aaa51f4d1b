import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generatedPassword } from './generated-password.ts';

it('A generated password is long, has a symbol, and is different each time', () => {
  const passwords = Array.from({ length: 100 }, generatedPassword);
  assert.equal(new Set(passwords).size, passwords.length);
  for (const password of passwords)
    assert.match(password, /^(?:[A-Za-z2-9]{5}-){3}[A-Za-z2-9]{5}$/);
});
