import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextAttemptAt, pauseAfterPoll } from './rules.ts';

describe('polls for due jobs', () => {
  const PAUSES = [
    { took: 'no time', tookMs: 0, pauseMs: 0 },
    { took: 'as long as it may each second', tookMs: 50, pauseMs: 1000 },
    { took: 'longer, among many keys', tookMs: 150, pauseMs: 3000 },
    { took: 'as long as the database stalled', tookMs: 10_000, pauseMs: 5000 },
  ];
  for (const { took, tookMs, pauseMs } of PAUSES) {
    test(`Polls for due jobs pause at least ${pauseMs} ms after one that took ${took}`, () => {
      assert.equal(pauseAfterPoll(tookMs), pauseMs);
    });
  }
});

describe('attempts', () => {
  const NOW = new Date('2026-03-01T00:00:00Z');
  const DELAYS_MS = [1000, 60_000];
  const delayAfter = (attempts: number, random: number) => {
    const at = nextAttemptAt(DELAYS_MS, attempts, NOW, random);
    return at && at.getTime() - NOW.getTime();
  };

  test('The attempts of a job follow the delays of its schedule, give or take a tenth', () => {
    assert.deepEqual(
      [0, 0.5, 1].map((random) => delayAfter(2, random)),
      [54_000, 60_000, 66_000],
    );
  });

  test('The attempts of a job end with its schedule', () => {
    assert.equal(delayAfter(3, 0.5), undefined);
  });
});
