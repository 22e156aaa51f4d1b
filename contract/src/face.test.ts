import assert from 'node:assert/strict';
import { it } from 'node:test';
import { initialsOf, tintOf } from './face.ts';

it('The initials of a name are the first letters of its first and last word', () => {
  const names = {
    'Ada Lovelace': 'AL',
    'ada.lovelace@acme.example': 'AL',
    'Tim Berners-Lee': 'TL',
    'José María Ñández': 'JÑ',
    grace: 'G',
    山田太郎: '山',
    'e\u0301mile zola': 'E\u0301Z',
    '+44 20 7946 0958': '20'.slice(0, 1) + '0',
    '': '?',
    '(…)': '?',
  };
  for (const [name, initials] of Object.entries(names)) {
    assert.equal(initialsOf(name), initials, name);
  }
});

it('The tint of an avatar depends only on the ID, and IDs use all eight tints', () => {
  assert.equal(
    tintOf('user:01m8h5gw9xfwxv7zspbfwj17gp'),
    tintOf('user:01m8h5gw9xfwxv7zspbfwj17gp'),
  );
  const tints = new Set(Array.from({ length: 200 }, (_, place) => tintOf(`user:${place}`)));
  assert.deepEqual(
    [...tints].toSorted((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});
