import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountExport } from '@keywright/contract/records/account-export';
import { shorten } from './export-service.ts';

const entries = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `aud_${place}` }));
const data = (log: number, sessions: number) =>
  Object.assign({} as AccountExport, {
    shortened: [],
    factors: [],
    identities: [],
    sessions: entries(sessions),
    consents: [],
    delegations: [],
    workspaces: [],
    invitations: [],
    log: entries(log),
  });

test('An export that fits remains unchanged', () => {
  const whole = data(100, 10);
  assert.equal(shorten(whole, 10_000), whole);
});

test('The longest list is shortened until the whole fits: its oldest entries go, and it is named', () => {
  const fitted = shorten(data(1000, 10), 5000);
  assert.ok(JSON.stringify(fitted).length <= 5000);
  assert.deepEqual(fitted.shortened, ['log']);
  assert.deepEqual(fitted.log, entries(1000).slice(0, fitted.log.length));
  assert.ok(fitted.log.length > 100);
  assert.equal(fitted.sessions.length, 10);
});

test('Two long lists are shortened alike', () => {
  const fitted = shorten(data(1000, 1000), 5000);
  assert.ok(JSON.stringify(fitted).length <= 5000);
  assert.deepEqual(fitted.shortened.toSorted(), ['log', 'sessions']);
});

test('An export that is too large without any list is rejected', () => {
  assert.throws(() => shorten(data(3, 3), 10));
});
