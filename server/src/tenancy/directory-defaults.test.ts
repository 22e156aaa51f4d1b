import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TenantConfig } from '@keywright/contract/records/tenant';
import { Default } from 'typebox/value';
import { withDefaults } from './directory.ts';

test('All unset settings of a tenant have the defaults of the contract', () => {
  const some: Partial<TenantConfig> = {
    password_min_length: 20,
    audience: 'my services',
    custom_claims: { plan: { metadata: '/plan' } },
  };
  for (const kept of [{}, some, Default(TenantConfig, {})]) {
    assert.deepEqual(withDefaults(kept), Default(TenantConfig, structuredClone(kept)));
  }
});

test('The stored settings of a tenant override the defaults', () => {
  const kept = { require_mfa: true };
  withDefaults(kept);
  assert.deepEqual(kept, { require_mfa: true });
});
