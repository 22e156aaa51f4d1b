import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError, fail } from '@keywright/contract/errors';
import { networksMatcher, requireNetworks } from './api-key-authentication.ts';

function flawsOf(list: readonly string[]): string[] {
  try {
    requireNetworks(list, fail);
    return [];
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_FAILED');
    return (error.options.errors ?? []).map((one) => one.path);
  }
}

describe('the allowed addresses of a key', () => {
  test('are addresses and networks of both kinds', () => {
    const good = ['192.0.2.1', '0.0.0.0/0', '10.0.0.0/8', '255.255.255.255/32'];
    good.push('::', '::1', '2001:db8::/32', '2001:db8::1/128', '::/0', '::ffff:192.0.2.1');
    assert.deepEqual(flawsOf(good), []);
  });

  test('are nothing else, and each error is named', () => {
    const bad = ['', 'localhost', '192.0.2', '192.0.2.256', '192.0.2.1/33', '192.0.2.1/-1'];
    bad.push('192.0.2.1/', '192.0.2.1/08', '192.0.2.1/8/8', '192.0.2.1/ 8', ' 192.0.2.1');
    bad.push('::1/129', 'fe80::1%eth0', 'fe80::1%eth0/64', ':::1', '192.0.2.1:80', '[::1]', '/8');
    const paths = bad.map((_, index) => `/allowed_ips/${index}`);
    assert.deepEqual(flawsOf(bad), paths);
    assert.deepEqual(flawsOf(['::1', 'x', '::2']), ['/allowed_ips/1']);
  });

  const cases: readonly (readonly [list: string[], inside: string[], outside: string[]])[] = [
    [['192.0.2.7'], ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'], ['192.0.2.8', '::1']],
    [
      ['10.1.0.0/16', '192.0.2.0/31'],
      ['10.1.0.0', '10.1.255.255', '192.0.2.0', '192.0.2.1'],
      ['10.0.255.255', '10.2.0.0', '192.0.2.2', '110.1.0.0'],
    ],
    // The bits of the host in a network mean nothing.
    [['10.1.2.3/16'], ['10.1.0.1'], ['10.2.2.3']],
    [['0.0.0.0/0'], ['1.2.3.4', '255.255.255.255'], ['2001:db8::1']],
    [
      ['2001:db8::/32', '::1'],
      ['2001:db8::', '2001:DB8:ffff::1', '0:0:0:0:0:0:0:1'],
      ['2001:db9::', '::2', '192.0.2.1'],
    ],
    [['::/0'], ['::', 'ffff::'], []],
  ];
  for (const [list, inside, outside] of cases) {
    test(`of ${list.join(' and ')} contain exactly what is inside`, () => {
      const isAllowed = networksMatcher(list);
      for (const address of inside) assert.equal(isAllowed(address), true, address);
      for (const address of outside) assert.equal(isAllowed(address), false, address);
      for (const text of ['', 'nowhere', 'fe80::1%lo/1']) assert.equal(isAllowed(text), false);
    });
  }
});
