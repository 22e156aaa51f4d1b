import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { readPeer } from './peer.ts';

interface Case {
  readonly title: string;
  /** The other end of the connection. */
  readonly neighbor: string;
  readonly trusted?: string;
  readonly for?: string;
  readonly forwardedHost?: string;
  readonly address: string;
  /** Default: the Host header. */
  readonly host?: string;
  readonly untrustedProxy?: 'internal' | 'public';
}

const HOST = 'id.example.com:8080';

function peerOf(testCase: Case) {
  const { trustedProxies } = readConfig(
    testCase.trusted === undefined ? {} : { KEYWRIGHT_TRUSTED_PROXIES: testCase.trusted },
  );
  const request: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress: string } } = {
    socket: { remoteAddress: testCase.neighbor },
    headers: {
      host: HOST,
      ...(testCase.for === undefined ? {} : { 'x-forwarded-for': testCase.for }),
      ...(testCase.forwardedHost === undefined
        ? {}
        : { 'x-forwarded-host': testCase.forwardedHost }),
    },
  };
  const { address, host, untrustedProxy } = readPeer(request as IncomingMessage, trustedProxies);
  return { address, host, untrustedProxy };
}

function table(cases: readonly Case[]): void {
  for (const testCase of cases) {
    test(testCase.title, () => {
      const { address, host = HOST, untrustedProxy } = testCase;
      assert.deepEqual(peerOf(testCase), { address, host, untrustedProxy });
    });
  }
}

describe('without trusted proxies', () => {
  table([
    {
      title: 'the neighbor is the client, whatever the headers say',
      neighbor: '203.0.113.5',
      for: '198.51.100.1',
      forwardedHost: 'other.example.com',
      address: '203.0.113.5',
      untrustedProxy: 'public',
    },
    ...['127.0.0.1', '10.1.2.3', '172.17.0.1', '192.168.1.1', '::1', 'fd00::1'].map((neighbor) => ({
      title: `a proxy at ${neighbor} is recognized by the header, and not believed`,
      neighbor,
      for: '198.51.100.1',
      address: neighbor,
      untrustedProxy: 'internal' as const,
    })),
    {
      title: 'an IPv4 address that came over an IPv6 socket is written as what it is',
      neighbor: '::ffff:203.0.113.5',
      address: '203.0.113.5',
    },
    { title: 'an IPv6 address stays as it is', neighbor: '2001:db8::1', address: '2001:db8::1' },
  ]);
});

describe('behind trusted proxies', () => {
  const trusted = '10.0.0.0/8,2001:db8:ffff::/48';
  table([
    {
      title: 'the client is whom the proxy saw, and asked for the host it was sent',
      neighbor: '10.1.2.3',
      trusted,
      for: '198.51.100.1',
      forwardedHost: 'other.example.com',
      address: '198.51.100.1',
      host: 'other.example.com',
    },
    {
      title: 'a proxy that came over an IPv6 socket is trusted alike',
      neighbor: '::ffff:10.1.2.3',
      trusted,
      for: '198.51.100.1',
      address: '198.51.100.1',
    },
    {
      title: 'an IPv6 proxy is trusted alike',
      neighbor: '2001:db8:ffff::1',
      trusted,
      for: '2001:db8::1',
      address: '2001:db8::1',
    },
    {
      title: 'a neighbor outside the range is believed nothing',
      neighbor: '11.1.2.3',
      trusted,
      for: '198.51.100.1',
      forwardedHost: 'other.example.com',
      address: '11.1.2.3',
      untrustedProxy: 'public',
    },
    {
      title: 'through several proxies the client is the last one that is no proxy',
      neighbor: '10.1.2.3',
      trusted,
      for: '198.51.100.1, 10.9.9.9,10.8.8.8',
      address: '198.51.100.1',
    },
    {
      title: 'what a client claims in front of that is not believed',
      neighbor: '10.1.2.3',
      trusted,
      for: '127.0.0.1, 10.7.7.7, 198.51.100.1, 10.9.9.9',
      address: '198.51.100.1',
    },
    {
      title: 'an address that is none ends the chain before it',
      neighbor: '10.1.2.3',
      trusted,
      for: '198.51.100.1, unknown, 10.9.9.9',
      address: '10.9.9.9',
    },
    {
      title: 'a chain of nothing but proxies ends at the first of them',
      neighbor: '10.1.2.3',
      trusted,
      for: '10.5.5.5, 10.9.9.9',
      address: '10.5.5.5',
    },
    {
      title: 'without the header the proxy is the client',
      neighbor: '10.1.2.3',
      trusted,
      address: '10.1.2.3',
    },
    {
      title: 'an empty header is none',
      neighbor: '10.1.2.3',
      trusted,
      for: '',
      address: '10.1.2.3',
    },
    {
      title: 'of several forwarded hosts the last one counts, which the nearest proxy wrote',
      neighbor: '10.1.2.3',
      trusted,
      forwardedHost: 'first.example.com , second.example.com',
      address: '10.1.2.3',
      host: 'second.example.com',
    },
  ]);
});
