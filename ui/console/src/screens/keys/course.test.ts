import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SigningKey } from '@keywright/sdk';
import { courseOf, hasTokens } from './course.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const key = (id: string, more: Partial<SigningKey> = {}): SigningKey => ({
  id,
  tenant_id: 'org_acme',
  algorithm: 'EdDSA',
  public_key: '',
  is_active: true,
  state: 'current',
  created_at: '2026-11-01T00:00:00Z',
  signs_from: '2026-11-01T00:00:00Z',
  tokens_until: null,
  ...more,
});

it('The keys of an algorithm are listed from the next one to the oldest, with the end of their signing', () => {
  const keys = [
    key('next', { state: 'next', signs_from: '2026-12-01T00:00:00Z' }),
    key('rsa', { algorithm: 'RS256' }),
    key('old', { state: 'previous', signs_from: '2026-01-01T00:00:00+02:00' }),
    key('current'),
  ];
  const found = courseOf('EdDSA', keys).map((item) => [item.key.id, item.signedUntil]);
  assert.deepEqual(found, [
    ['next', undefined],
    ['current', undefined],
    ['old', '2026-11-01T00:00:00Z'],
  ]);
  assert.deepEqual(courseOf('ES256', keys), []);
});

it('A key has valid tokens from when it signs until the last of them expires, or it is retired', () => {
  const until = (tokens_until: string) => key('k', { state: 'previous', tokens_until });
  assert.equal(hasTokens(key('current'), NOW), true);
  assert.equal(hasTokens(key('next', { state: 'next' }), NOW), false);
  assert.equal(hasTokens(until('2026-11-26T12:00:01Z'), NOW), true);
  assert.equal(hasTokens(until('2026-11-26T12:00:00Z'), NOW), false);
  const retired = { state: 'retired', tokens_until: '2026-12-26T12:00:00Z' } as const;
  assert.equal(hasTokens(key('k', retired), NOW), false);
});
