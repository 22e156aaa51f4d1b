import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, isInside } from './inside.ts';

test('the home of system administrators has the address of any own tenant, and another one that of a tenant acted in', () => {
  assert.equal(addressOf('org_default'), '/console/t/org_default/');
  assert.equal(addressOf('org_acme', '/users'), '/console/in/t/org_acme/users');
  assert.equal(isInside, false);
});
