import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isPublicAddress } from './address-rules.ts';

/** The first and the last address of each range, or one that stands for itself. */
const CLOSED: readonly (readonly [title: string, ...addresses: string[]])[] = [
  ['this network, and unspecified', '0.0.0.0', '0.255.255.255'],
  ['private, 10/8', '10.0.0.0', '10.255.255.255'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.255.255'],
  ['private, 172.16/12', '172.16.0.0', '172.31.255.255'],
  ['IETF protocols', '192.0.0.0', '192.0.0.255'],
  ['documentation, 1', '192.0.2.0', '192.0.2.255'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255'],
  ['private, 192.168/16', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation, 2', '198.51.100.0', '198.51.100.255'],
  ['documentation, 3', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved, and broadcast', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['metadata of AWS, Azure, Google Cloud and others', '169.254.169.254', 'fd00:ec2::254'],
  ['metadata of Google Cloud over IPv6', 'fd20:ce::254'],
  ['metadata of Alibaba Cloud and of Oracle Cloud', '100.100.100.200', '192.0.0.192'],
  ['platform services of Azure', '168.63.129.16'],
  ['unspecified, IPv6', '::'],
  ['loopback, IPv6', '::1', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::2', '::8.8.8.8', '::127.0.0.1', '::ffff:ffff'],
  ['IPv4-mapped', '::ffff:0:0', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff'],
  ['NAT64 of one network', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discard-only', '100::', '100::ffff:ffff:ffff:ffff'],
  ['Teredo', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['benchmarks, IPv6', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['ORCHID', '2001:10::', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['IETF protocols, IPv6', '2001:1::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation, IPv6', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['the 6bone that was', '3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation, the longer range', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['segment routing', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['unique local', 'fc00::', 'fd00::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['link-local, IPv6', 'fe80::', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['site-local', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast, IPv6', 'ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['not handed out to anyone', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '4000::', '::1:0:0:1'],
];

/** The addresses next to the ranges above, and some well-known ones. */
const PUBLIC = `
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255
  128.0.0.0 168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
  191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
  223.255.255.255 2000:: 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: 2001:4860:4860::8888
  2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: 2003:: 2606:4700:4700::1111 2a00::
  3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::
`
  .trim()
  .split(/\s+/);

describe('a non-public address', () => {
  for (const [title, ...addresses] of CLOSED) {
    test(title, () => {
      assert.deepEqual(addresses.filter(isPublicAddress), []);
    });
  }

  test('Any text that is not an address counts as a non-public address', () => {
    const others = ['', 'localhost', '8.8.8', '8.8.8.8.', '08.8.8.8', '8.8.8.8/32', '[2000::]'];
    assert.deepEqual(others.filter(isPublicAddress), []);
  });
});

test('The addresses adjacent to blocked ranges are public', () => {
  assert.deepEqual(
    PUBLIC.filter((address) => !isPublicAddress(address)),
    [],
  );
});
