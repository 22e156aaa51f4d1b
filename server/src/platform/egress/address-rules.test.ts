import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { ALLOW_NOTHING, parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress } from './egress.ts';
import type { EgressReason } from './reasons.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 4096 };

function objection(url: string, allowed = ''): EgressReason | undefined {
  const { allow, invalid } = parseEgressAllow(allowed);
  assert.deepEqual(invalid, []);
  return new LoadedEgress({ allow }).findObjection(url)?.reason;
}

describe('without exceptions', () => {
  const refused: readonly (readonly [reason: EgressReason, ...urls: string[]])[] = [
    ['url_invalid', '', 'hooks.example.com', '/path', 'https://', 'https://a b.example.com/'],
    ['url_invalid', 'https://user@example.com/', 'https://user:pass@example.com/'],
    ['url_invalid', 'https://:pass@example.com/', 'https://1.2.3.4.5/', 'https://256.1.1.1/'],
    ['url_invalid', `https://example.com/${'a'.repeat(2048)}`, 'https://[fe80::1%25eth0]/'],
    ['url_invalid', 'https://./', 'https://%00.example.com/', 'https://[::1/'],
    ['scheme_not_allowed', 'http://example.com/', 'HTTP://example.com:443/', 'http://8.8.8.8/'],
    ['scheme_not_allowed', 'ftp://example.com/', 'file:///etc/passwd', 'unix:/run/docker.sock'],
    ['scheme_not_allowed', 'gopher://example.com/', 'data:text/plain,a', 'ws://example.com/'],
    ['port_not_allowed', 'https://example.com:8443/', 'https://8.8.8.8:22/'],
    ['address_not_allowed', 'https://127.0.0.1/', 'https://10.1.2.3/', 'https://[::1]/'],
    ['address_not_allowed', 'https://[::ffff:127.0.0.1]/', 'https://[::ffff:7f00:1]/'],
    ['address_not_allowed', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/'],
    ['address_not_allowed', 'https://169.254.169.254/latest/meta-data/', 'https://[fd00:ec2::254]'],
    ['address_not_allowed', 'http://127.0.0.1:8080/', 'https://0/', 'https://0.0.0.0:22/'],
  ];
  for (const [reason, ...urls] of refused) {
    for (const url of urls) {
      const shown = url.length > 60 ? `${url.slice(0, 40)}… (${url.length})` : url;
      test(`${JSON.stringify(shown)} is rejected: ${reason}`, () => {
        assert.equal(objection(url), reason);
      });
    }
  }

  test('An https URL with a public name or address is allowed without exceptions', () => {
    const urls = ['https://example.com', 'https://EXAMPLE.com.:443/a?b', 'https://8.8.8.8/'];
    for (const url of [
      ...urls,
      'https://[2606:4700::1]/',
      `https://example.com/${'a'.repeat(2000)}`,
    ]) {
      assert.equal(objection(url), undefined, url);
    }
  });
});

describe('an exception', () => {
  const cases: readonly (readonly [allowed: string, url: string, reason?: EgressReason])[] = [
    ['hooks.internal', 'http://hooks.internal:8080/'],
    ['hooks.internal', 'https://HOOKS.internal.:8443/'],
    ['hooks.internal', 'http://other.internal/', 'scheme_not_allowed'],
    ['hooks.internal', 'http://a.hooks.internal/', 'scheme_not_allowed'],
    ['hooks.internal', 'https://a.hooks.internal:81/', 'port_not_allowed'],
    ['Hooks.internal:8080', 'http://hooks.internal:8080/'],
    ['hooks.internal:8080', 'http://hooks.internal:8081/', 'scheme_not_allowed'],
    ['hooks.internal:80', 'http://hooks.internal/'],
    ['hooks.internal:443', 'https://hooks.internal/'],
    ['10.1.0.0/16', 'http://10.1.255.255:9000/'],
    ['10.1.0.0/16', 'https://10.2.0.0/', 'address_not_allowed'],
    ['10.1.0.0/16', 'http://8.8.8.8/', 'scheme_not_allowed'],
    // The addresses of a name are checked when it is connected to.
    ['10.1.0.0/16', 'http://hooks.example.com:9000/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['127.0.0.1', 'https://[::1]/', 'address_not_allowed'],
    ['fd00::/8', 'http://[fd12::1]:8080/'],
    ['fd00::/8', 'https://10.0.0.1/', 'address_not_allowed'],
    ['203.0.113.9', 'http://203.0.113.9/'],
    ['10.2.0.5:8443', 'http://10.2.0.5:8443/'],
    ['10.2.0.5:8443', 'https://10.2.0.5/', 'address_not_allowed'],
    ['10.2.0.5:8443', 'https://10.2.0.6:8443/', 'address_not_allowed'],
    ['10.2.0.5:80', 'http://10.2.0.5/'],
    ['10.2.0.5:8443,10.2.0.5:9000', 'http://10.2.0.5:9000/'],
    // The addresses of a name are checked when it is connected to. At another port, none could be allowed.
    ['10.2.0.5:8443', 'http://hooks.example.com:8443/'],
    ['10.2.0.5:8443', 'http://hooks.example.com:9000/', 'scheme_not_allowed'],
    ['[fd00::7]:443', 'https://[fd00:0::7]/'],
    ['[fd00::7]:443', 'http://[fd00::7]/', 'address_not_allowed'],
    // Not the address fd00::7:443.
    ['[fd00::7]:443', 'https://[fd00::7:443]/', 'address_not_allowed'],
    ['8.8.8.8', 'http://8.8.8.8:8080/'],
  ];
  for (const [allowed, url, reason] of cases) {
    test(`${allowed} ${reason === undefined ? 'allows' : 'does not allow'} ${url}`, () => {
      assert.equal(objection(url, allowed), reason);
    });
  }
});

describe('an internal host', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver((_request, response) => response.end());
  });
  after(() => receiver.close());

  const spellings = `
    127.0.0.1 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001 0x7F.0.0.0x1
    127.0.0.1. １２７.0.0.1 127。0。0。1 %31%32%37.1 [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1]
    [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1] [2002:7f00:1::] 0 0.0.0.0 [::]
  `
    .trim()
    .split(/\s+/);
  for (const host of spellings) {
    test(`An internal host is not connected to as ${host}`, async () => {
      const egress = new LoadedEgress({ allow: ALLOW_NOTHING });
      for (const scheme of ['https', 'http']) {
        const url = `${scheme}://${host}:${receiver.port}/`;
        const got = await egress.send({ method: 'POST', url, ...LIMITS });
        assert.deepEqual(
          [got.outcome, 'reason' in got && got.reason],
          ['refused', 'address_not_allowed'],
        );
      }
      await egress.close();
      assert.equal(receiver.connections, 0);
    });
  }
});
