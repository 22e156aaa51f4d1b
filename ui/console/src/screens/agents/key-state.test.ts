import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stateOfKey } from './key-state.ts';

const NOW = Date.parse('2026-11-26T15:00:00Z');
const BEFORE = '2026-11-26T14:00:00Z';
const LATER = '2026-11-26T16:00:00Z';

it('A key works until it expires or its revocation takes effect', () => {
  const cases = [
    [{ revoked_at: null, revoke_reason: null, expires_at: LATER }, 'works', 'ok'],
    [{ revoked_at: null, revoke_reason: null, expires_at: BEFORE }, 'expired', 'plain'],
    [{ revoked_at: BEFORE, revoke_reason: 'revoked', expires_at: LATER }, 'revoked', 'plain'],
    [{ revoked_at: BEFORE, revoke_reason: 'leaked', expires_at: LATER }, 'leaked', 'bad'],
    // Rotated, with an overlap that has not ended.
    [{ revoked_at: LATER, revoke_reason: 'rotated', expires_at: LATER }, 'works', 'ok'],
  ] as const;
  for (const [key, word, tone] of cases) assert.deepEqual(stateOfKey(key, NOW), { word, tone });
});
