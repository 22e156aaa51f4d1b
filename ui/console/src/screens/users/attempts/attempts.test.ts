import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from '@keywright/contract/example';
import { AuditEntry } from '@keywright/contract/records/audit-entry';
import { attemptsOf } from './attempts.ts';

const ENTRY = exampleOf(AuditEntry) as AuditEntry;

function refused(minute: number, change: Partial<AuditEntry['details']> = {}): AuditEntry {
  const details = { reason: 'secret_wrong', method: 'password', browser: 'Chrome', ...change };
  const at = `2026-11-26T12:${String(minute).padStart(2, '0')}:00.000Z`;
  return { ...ENTRY, action: 'auth.login_failed', created_at: at, count: 1, details };
}

test('The sign-in attempts of a user show the newest first, and repeated refusals once with their number', () => {
  const login = {
    ...refused(30),
    action: 'auth.login',
    details: { method: 'passkey', user_agent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
  } as const;
  const attempts = attemptsOf([
    login,
    refused(1),
    refused(2),
    { ...refused(3), count: 4 },
    refused(9, { reason: 'totp_wrong', method: 'second_factor' }),
  ]);
  assert.deepEqual(
    attempts.map(({ refusal, method, device, count }) => [refusal, method, device, count]),
    [
      [undefined, 'passkey', ['Firefox', 'Linux'], 1],
      ['refused.totp', 'second_factor', ['Chrome'], 1],
      ['refused.secret_wrong', 'password', ['Chrome'], 6],
    ],
  );
});

test('Refusals from different devices or of different times are separate attempts', () => {
  const later = { ...refused(0), created_at: '2026-11-26T15:00:00.000Z' };
  const attempts = attemptsOf([refused(0), later, refused(1, { browser: 'Safari' })]);
  assert.deepEqual(
    attempts.map(({ count }) => count),
    [1, 1, 1],
  );
});
