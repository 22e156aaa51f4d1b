import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReason, type Reason, reasonText } from './coded-reason.ts';

const TEXTS: readonly (readonly [string, Reason])[] = [
  ['too_busy', { code: 'too_busy' }],
  ['timed_out: The call timed out.', { code: 'timed_out', detail: 'The call timed out.' }],
  ['receiver_error: jws: bad key', { code: 'receiver_error', detail: 'jws: bad key' }],
];

for (const [text, reason] of TEXTS) {
  test(`The reason "${text}" is read as it was written`, () => {
    assert.equal(reasonText(reason), text);
    assert.deepEqual(parseReason(text), reason);
  });
}
