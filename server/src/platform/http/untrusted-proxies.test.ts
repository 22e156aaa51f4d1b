import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxyWarning } from './untrusted-proxies.ts';

test('an untrusted proxy, internal or public, is logged once per process', () => {
  const warned: unknown[] = [];
  const warn = createProxyWarning({ warn: (fields: unknown) => void warned.push(fields) });
  for (let request = 0; request < 5; request += 1) {
    warn({ address: '192.0.2.9', host: undefined, untrustedProxy: undefined });
    warn({ address: '10.0.0.1', host: undefined, untrustedProxy: 'internal' });
    warn({ address: `192.0.2.${request}`, host: undefined, untrustedProxy: 'public' });
  }
  assert.deepEqual(warned, [{ address: '10.0.0.1' }, { address: '192.0.2.0' }]);
});
