import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from './client-network.ts';

const SAME: Readonly<Record<string, readonly string[]>> = {
  '2001:db8:0:1': [
    '2001:db8:0:1::',
    '2001:db8::1:0:0:0:5',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1::5%eth0',
    '2001:db8:0:1::192.0.2.1',
  ],
  '2001:db8:0:0': ['2001:db8::', '2001:db8::1', '2001:db8:0:0:1::', '2001:db8::1:0:0:1'],
  '0:0:0:1': ['0:0:0:1::', '::1:0:0:0:0', '::1:2:3:4:5'],
  '0:0:0:0': ['::', '::1', '0::1', '::192.0.2.1'],
  '192.0.2.1': [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '::FFFF:C000:0201',
    '0:0:0:0:0:ffff:c000:201',
    '0::ffff:192.0.2.1',
    '::ffff:192.0.2.1%lo',
  ],
};

test('An address counts as its /64, and an IPv4-mapped one as its IPv4 address, in every spelling', () => {
  for (const [network, spellings] of Object.entries(SAME)) {
    for (const address of spellings) assert.equal(clientNetwork(address), network, address);
  }
});

test('Two neighboring networks are distinguished', () => {
  assert.notEqual(clientNetwork('2001:db8:0:1::1'), clientNetwork('2001:db8:0:2::1'));
  assert.notEqual(clientNetwork('::ffff:192.0.2.1'), clientNetwork('::ffff:192.0.2.2'));
  assert.notEqual(clientNetwork('192.0.2.1'), clientNetwork('192.0.2.2'));
});
