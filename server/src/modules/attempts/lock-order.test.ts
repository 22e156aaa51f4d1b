import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { inLockOrder } from './lock-order.ts';

function login(tenantId: string, address: string, identifier: string) {
  const attempts = [Buffer.from(address), Buffer.from(identifier)] as const;
  return { tenantId: tenantId as TenantId, attempts };
}

test('attempts are locked by address, then by identifier, each tenant by tenant and sorted', () => {
  const { logins, subjects } = inLockOrder([
    login('org_b', 'address 2', 'ann'),
    login('org_a', 'address 3', 'zoe'),
    login('org_b', 'address 1', 'eve'),
  ]);
  assert.deepEqual(
    subjects.map((subject, index) => `${logins[index]} ${subject.toString()}`),
    ['2 address 3', '3 address 1', '1 address 2', '2 zoe', '1 ann', '3 eve'],
  );
});
