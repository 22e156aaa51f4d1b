import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountExport } from '@keywright/contract/records/account-export';
import { shorten } from './export-content.ts';

const entries = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `aud_${place}` }));
const data = (log: number, sessions: number) =>
  ({
    shortened: [],
    factors: [],
    identities: [],
    sessions: entries(sessions),
    consents: [],
    delegations: [],
    workspaces: [],
    invitations: [],
    log: entries(log),
  }) as unknown as AccountExport;

test('what fits stays as it is', () => {
  const whole = data(100, 10);
  assert.equal(shorten(whole, 10_000), whole);
});

test('the longest list is shortened until the whole fits: its oldest entries go, and it is named', () => {
  const fitted = shorten(data(1000, 10), 5000);
  assert.ok(JSON.stringify(fitted).length <= 5000);
  assert.deepEqual(fitted.shortened, ['log']);
  assert.deepEqual(fitted.log, entries(1000).slice(0, fitted.log.length));
  assert.ok(fitted.log.length > 100);
  assert.equal(fitted.sessions.length, 10);
});

test('two long lists are shortened alike', () => {
  const fitted = shorten(data(1000, 1000), 5000);
  assert.ok(JSON.stringify(fitted).length <= 5000);
  assert.deepEqual(fitted.shortened.toSorted(), ['log', 'sessions']);
});

test('what is too large without any list is refused', () => {
  assert.throws(() => shorten(data(3, 3), 10));
});
