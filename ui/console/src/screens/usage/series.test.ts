import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivitySpan } from '@keywright/sdk';
import {
  comparedOf,
  figureOf,
  halves,
  loginsBy,
  rangeOf,
  startOf,
  startOfCompared,
  stepsOf,
  totalOf,
} from './series.ts';

function span(startedAt: string, change: Partial<ActivitySpan> = {}): ActivitySpan {
  return {
    began_at: startedAt,
    logins: { password: 0, message: 0, passkey: 0, provider: 0 },
    logins_failed: { password: 0, message: 0, passkey: 0, provider: 0, second_factor: 0 },
    logins_throttled: 0,
    sessions_begun: 0,
    tokens_issued: 0,
    requests: 0,
    requests_refused: { unauthenticated: 0, forbidden: 0, throttled: 0 },
    deliveries: { delivered: 0, failed: 0 },
    ...change,
  };
}

test('The activity series has a step for each span of the period, even where nothing happened', () => {
  const steps = stepsOf({
    interval: 'hour',
    from: '2026-11-26T10:00:00.000Z',
    to: '2026-11-26T13:00:00.000Z',
    spans: [span('2026-11-26T11:00:00.000Z', { sessions_begun: 3 })],
  });
  assert.deepEqual(
    steps.map((step) => [
      step.from.slice(11, 16),
      step.to.slice(11, 16),
      figureOf('sessions', step).good,
    ]),
    [
      ['10:00', '11:00', 0],
      ['11:00', '12:00', 3],
      ['12:00', '13:00', 0],
    ],
  );
});

test('The activity series separates successes from failures and adds them up', () => {
  const steps = stepsOf({
    interval: 'hour',
    from: '2026-11-26T10:00:00.000Z',
    to: '2026-11-26T12:00:00.000Z',
    spans: [
      span('2026-11-26T10:00:00.000Z', {
        requests: 10,
        requests_refused: { unauthenticated: 2, forbidden: 1, throttled: 0 },
        logins: { password: 1, message: 0, passkey: 4, provider: 0 },
        logins_throttled: 1,
      }),
      span('2026-11-26T11:00:00.000Z', {
        requests: 5,
        logins: { password: 2, message: 0, passkey: 0, provider: 0 },
        logins_failed: { password: 1, message: 0, passkey: 0, provider: 0, second_factor: 1 },
        deliveries: { delivered: 3, failed: 2 },
      }),
    ],
  });
  assert.deepEqual(totalOf('requests', steps), { good: 12, bad: 3 });
  assert.deepEqual(totalOf('logins', steps), { good: 7, bad: 3 });
  assert.deepEqual(totalOf('deliveries', steps), { good: 3, bad: 2 });
  assert.deepEqual(loginsBy('passkey', steps), [4, 0]);
  assert.deepEqual(loginsBy('password', steps), [1, 2]);
});

test('The activity series compares the last 24 hours with the 24 hours before them', () => {
  const steps = stepsOf({
    interval: 'hour',
    from: '2026-11-24T13:00:00.000Z',
    to: '2026-11-26T13:00:00.000Z',
    spans: [
      span('2026-11-25T12:00:00.000Z', { sessions_begun: 2 }),
      span('2026-11-25T13:00:00.000Z', { sessions_begun: 5 }),
    ],
  });
  const [last, before] = halves(steps);
  assert.deepEqual([last.length, before.length], [24, 24]);
  assert.equal(totalOf('sessions', last).good, 5);
  assert.equal(totalOf('sessions', before).good, 2);
});

test('The activity series requests the same period during the whole of a span', () => {
  const at = Date.parse('2026-11-26T12:34:56Z');
  assert.equal(startOf('', at), '2026-11-24T13:00:00.000Z');
  assert.equal(startOf('', at + 60_000), '2026-11-24T13:00:00.000Z');
  assert.equal(startOf('day', at), '2026-11-26T06:35:00.000Z');
  assert.equal(startOf('quarter', at), '2026-08-29T00:00:00.000Z');
  assert.equal(rangeOf('anything'), '');
  assert.equal(startOfCompared('', at), '2026-11-24T13:00:00.000Z');
  assert.equal(startOfCompared('week', at), '2026-11-13T00:00:00.000Z');
  assert.equal(comparedOf('anything'), '');
});
