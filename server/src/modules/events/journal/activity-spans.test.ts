import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coveredBy, type Interval, spansOf } from './activity.ts';

const NOW = new Date('2026-11-26T12:34:56.789Z');
const at = (text: string) => new Date(text);

const COVERED: readonly [Interval, from: string | null, to: string | null, string, string][] = [
  ['5m', null, null, '2026-11-24T12:35:00Z', '2026-11-26T12:35:00Z'],
  ['hour', null, null, '2026-11-24T13:00:00Z', '2026-11-26T13:00:00Z'],
  ['day', null, null, '2026-08-29T00:00:00Z', '2026-11-27T00:00:00Z'],
  [
    'hour',
    '2026-11-26T10:59:00Z',
    '2026-11-26T12:00:00Z',
    '2026-11-26T10:00:00Z',
    '2026-11-26T12:00:00Z',
  ],
  [
    'hour',
    '2026-11-26T10:00:00Z',
    '2026-11-26T12:00:01Z',
    '2026-11-26T10:00:00Z',
    '2026-11-26T13:00:00Z',
  ],
  [
    'hour',
    '2020-01-01T00:00:00Z',
    '2030-01-01T00:00:00Z',
    '2026-11-24T13:00:00Z',
    '2026-11-26T13:00:00Z',
  ],
  [
    '5m',
    '2026-11-26T12:00:00Z',
    '2026-11-26T11:00:00Z',
    '2026-11-26T12:00:00Z',
    '2026-11-26T12:00:00Z',
  ],
];
for (const [interval, from, to, expectedFrom, expectedTo] of COVERED) {
  test(`A request for activity by ${interval} from ${from} to ${to} covers whole spans`, () => {
    const range = { ...(from && { from: at(from) }), ...(to && { to: at(to) }) };
    assert.deepEqual(coveredBy(interval, range, NOW), {
      from: at(expectedFrom),
      to: at(expectedTo),
    });
  });
}

test('The activity of each span is the sum of its rows, and names every counter', () => {
  const rows = [
    { began_at: at('2026-11-26T10:05:00Z'), counts: { requests: 2, 'logins.password': 1 } },
    { began_at: at('2026-11-26T10:55:00Z'), counts: { requests: 3 } },
    { began_at: at('2026-11-26T11:00:00Z'), counts: { 'deliveries.failed': 4 } },
  ];
  const [first, second] = spansOf('hour', rows);
  assert.deepEqual(first, {
    began_at: '2026-11-26T10:00:00.000Z',
    logins: { password: 1, message: 0, passkey: 0, provider: 0 },
    logins_failed: { password: 0, message: 0, passkey: 0, provider: 0, second_factor: 0 },
    logins_throttled: 0,
    sessions_begun: 0,
    tokens_issued: 0,
    requests: 5,
    requests_refused: { unauthenticated: 0, forbidden: 0, throttled: 0 },
    deliveries: { delivered: 0, failed: 0 },
  });
  assert.equal(second?.began_at, '2026-11-26T11:00:00.000Z');
  assert.deepEqual(second.deliveries, { delivered: 0, failed: 4 });
  assert.deepEqual(
    spansOf('5m', rows).map((span) => span.requests),
    [2, 3, 0],
  );
});
