import assert from 'node:assert/strict';
import { it } from 'node:test';
import { localOfMoment, momentOfLocal } from './moment.ts';

it('A moment is the same after it was shown as a local time, on both sides of a change of clocks', () => {
  for (const moment of [
    '2026-11-26T15:04:00.000Z',
    '2026-03-29T00:59:00.000Z',
    '2026-07-01T23:30:00.000Z',
  ]) {
    assert.equal(momentOfLocal(localOfMoment(moment)), moment);
  }
});

it('A value that is not a moment is shown as empty', () => {
  assert.equal(localOfMoment('yesterday'), '');
  assert.equal(momentOfLocal(''), '');
});
