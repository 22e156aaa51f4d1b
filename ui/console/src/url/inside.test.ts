import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isInside, tenantOf } from './inside.ts';

test('The home of system administrators has the address of any own tenant, and another tenant that of one acted in', () => {
  assert.equal(addressOf('org_default'), '/console/t/org_default/');
  assert.equal(addressOf('org_acme', '/users'), '/console/in/t/org_acme/users');
  assert.equal(isInside, false);
});

test('An address names its tenant, or none', () => {
  for (const path of [
    '/console/t/org_acme',
    '/console/t/org_acme/users',
    '/console/in/t/org_acme/',
  ]) {
    assert.equal(tenantOf(path), 'org_acme', path);
  }
  for (const path of [
    '/console',
    '/console/',
    '/console/t/',
    '/console/t/%E0%A4%A',
    '/t/org_acme/',
  ]) {
    assert.equal(tenantOf(path), undefined, path);
  }
});
