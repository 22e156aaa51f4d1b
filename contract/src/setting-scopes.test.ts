import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REQUIRED_SCOPE, SETTING_SCOPES } from './records/tenant-config-patch.ts';
import { TenantConfig, TenantConfigPatch } from './records/tenant.ts';
import { LOGINS } from './scopes.ts';

// Each of these can be changed by a caller who must not decide who signs in, such as an agent. Before adding a setting
// here, check whether it could change who signs in as whom, how they prove it, or where a secret is sent.
const OF_TENANT = [
  'locales',
  'login_attempts_address_limit',
  'login_attempts_limit',
  'login_attempts_window',
  'oauth_max_registered_clients',
  'registrations_address_limit',
  'registrations_limit',
  'sms_country_hourly_limit',
  'sms_daily_limit',
  'sms_hourly_limit',
];

test('Each setting has a scope, and only limits and languages do not have the scope for logins', () => {
  const names = Object.keys(TenantConfig.properties).toSorted();
  assert.deepEqual(Object.keys(SETTING_SCOPES).toSorted(), names);
  const ofTenant = Object.entries(SETTING_SCOPES).filter(([, scope]) => scope !== LOGINS);
  assert.deepEqual(ofTenant.map(([name]) => name).toSorted(), OF_TENANT);
  for (const [, scope] of ofTenant) assert.equal(scope, 'write:tenant');
});

test('The schema of a change states the scope of each setting', () => {
  for (const [name, schema] of Object.entries(TenantConfigPatch.properties)) {
    const { [REQUIRED_SCOPE]: stated } = schema as { readonly [REQUIRED_SCOPE]?: string };
    assert.equal(stated, SETTING_SCOPES[name as keyof typeof SETTING_SCOPES], name);
  }
});
