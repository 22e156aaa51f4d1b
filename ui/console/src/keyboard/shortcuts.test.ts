import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shortcutOf } from './shortcuts.ts';

const PRESSED = {
  isCommand: false,
  isAlt: false,
  isTaken: false,
  isAfterG: false,
  hasLetters: true,
};
const press = (key: string, more: Partial<typeof PRESSED> = {}) =>
  shortcutOf({ ...PRESSED, ...more, key });

describe('a key', () => {
  test('A key with Ctrl opens the palette, wherever the focus is and whether letter shortcuts are on or off', () => {
    const anywhere = { isCommand: true, isTaken: true, hasLetters: false };
    assert.deepEqual(press('k', anywhere), { does: 'palette' });
    assert.deepEqual(press('K', anywhere), { does: 'palette' }, 'with Caps Lock');
    assert.equal(press('c', anywhere), undefined, 'that copies');
  });

  test('A key after g opens its screen', () => {
    assert.deepEqual(press('g'), { does: 'wait' });
    assert.deepEqual(press('u', { isAfterG: true }), { does: 'go', to: '/users' });
    assert.deepEqual(press('c', { isAfterG: true }), { does: 'go', to: '/clients' });
    assert.equal(press('constructor', { isAfterG: true }), undefined);
  });

  test('A key means itself where text is typed, with Alt, and where letter shortcuts are off', () => {
    for (const more of [{ isTaken: true }, { isAlt: true }, { hasLetters: false }]) {
      for (const key of ['c', 'g', '/', '?']) assert.equal(press(key, more), undefined);
    }
  });
});
