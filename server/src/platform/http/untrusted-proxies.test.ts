import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type FakeClock, fakeClock } from '@keywright/tests/harness/clock';
import { type Peer, UntrustedProxies } from './peer.ts';

describe('an untrusted proxy', () => {
  let clock: FakeClock;
  let warned: unknown[];
  let proxies: UntrustedProxies;

  beforeEach(() => {
    clock = fakeClock();
    warned = [];
    proxies = new UntrustedProxies({ warn: (fields: unknown) => void warned.push(fields) }, clock);
  });

  const note = (address: string, untrustedProxy: Peer['untrustedProxy']) =>
    proxies.note({ address, host: undefined, untrustedProxy });

  test('An untrusted proxy is logged once per process if it is internal, and once if it is public', () => {
    for (let request = 0; request < 5; request += 1) {
      note('192.0.2.9', undefined);
      note('10.0.0.1', 'internal');
      note(`192.0.2.${request}`, 'public');
    }
    assert.deepEqual(warned, [{ address: '10.0.0.1' }, { address: '192.0.2.0' }]);
  });

  test('An untrusted proxy is in use until it has sent nothing for 15 minutes, and only if it is internal', () => {
    note('192.0.2.9', undefined);
    note('192.0.2.1', 'public');
    assert.equal(proxies.isInternalInUse, false);
    note('10.0.0.1', 'internal');
    clock.advance(14 * 60);
    note('10.0.0.1', 'internal');
    clock.advance(15 * 60 - 1);
    assert.equal(proxies.isInternalInUse, true);
    clock.advance(1);
    assert.equal(proxies.isInternalInUse, false);
  });
});
