import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';
import { withDefaults } from './directory.ts';

test('All unset settings of a tenant have the defaults of the contract', () => {
  const partial: Partial<TenantConfig> = {
    password_min_length: 20,
    audience: 'my services',
    custom_claims: { plan: { metadata: '/plan' } },
  };
  for (const stored of [{}, partial, Default(TenantConfig, {})]) {
    assert.deepEqual(withDefaults(stored), Default(TenantConfig, structuredClone(stored)));
  }
});

test('The stored settings of a tenant override the defaults', () => {
  const stored = { require_mfa: true };
  withDefaults(stored);
  assert.deepEqual(stored, { require_mfa: true });
});
