import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loginAddress } from './login.ts';

it('The address of the login says where to return to, and whether the login must be a recent one', () => {
  const place = '/console/t/org_acme/users?email=ada%40example.com';
  const address = new URL(loginAddress('org_acme', place), 'https://id.example.com');
  assert.equal(address.pathname, '/t/org_acme/console/login');
  assert.deepEqual([...address.searchParams], [['return_to', place]]);
  const fresh = new URL(loginAddress('org_acme', place, true), 'https://id.example.com');
  assert.equal(fresh.searchParams.get('fresh'), '1');
});
