import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SigningKey } from '@keywright/sdk';
import { byAlgorithm, hasTokens } from './course.ts';

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

it('The keys of each algorithm are in the order in which they sign', () => {
  const keys = [
    key('next', { signs_from: '2026-12-01T00:00:00Z' }),
    key('rsa', { algorithm: 'RS256' }),
    key('old', { signs_from: '2026-01-01T00:00:00+02:00' }),
    key('current'),
  ];
  const found = byAlgorithm(keys).map((course) => [
    course.algorithm,
    course.keys.map(({ id }) => id),
  ]);
  assert.deepEqual(found, [
    ['EdDSA', ['old', 'current', 'next']],
    ['RS256', ['rsa']],
  ]);
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
