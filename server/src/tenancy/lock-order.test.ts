import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { type Subject, type Attempt, inLockOrder } from './counters.ts';

function login(tenantId: string, address: string, identifier: string) {
  const attempts: readonly Attempt[] = [
    { kind: 'identifier', subject: Buffer.from(identifier) as Subject },
    { kind: 'device', subject: Buffer.from(`device of ${identifier}`) as Subject },
    { kind: 'address', subject: Buffer.from(address) as Subject },
  ];
  return { tenantId: tenantId as TenantId, attempts };
}

test('The login attempts are locked by device, then address, then identifier, each sorted by tenant and subject', () => {
  const { logins, attempts } = inLockOrder([
    login('org_b', 'address 2', 'ann'),
    login('org_a', 'address 3', 'zoe'),
    login('org_b', 'address 1', 'eve'),
  ]);
  assert.deepEqual(
    attempts.map(({ subject }, index) => `${logins[index]} ${subject.toString()}`),
    [
      '2 device of zoe',
      '1 device of ann',
      '3 device of eve',
      '2 address 3',
      '3 address 1',
      '1 address 2',
      '2 zoe',
      '1 ann',
      '3 eve',
    ],
  );
});
