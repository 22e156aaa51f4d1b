import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { type Certificate, Authority } from '@keywright/tests/harness/certificate';
import { startDnsServer } from '@keywright/tests/harness/dns-server';
import { countConnections, startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type EgressRequest } from './egress.ts';

const authority = new Authority();
const { allow } = parseEgressAllow('127.0.0.1');

async function call(
  t: TestContext,
  host: string,
  certificate: Certificate,
  more: Partial<EgressRequest> = {},
) {
  const dns = await startDnsServer(() => ['127.0.0.1']);
  t.after(() => dns.close());
  let requests = 0;
  const receiver = await startReceiver(
    (_request, response) => {
      requests += 1;
      response.end();
    },
    { certificate },
  );
  t.after(() => receiver.close());
  const egress = new LoadedEgress({ allow, ca: authority.ca, dnsServers: [dns.address] });
  t.after(() => egress.close());
  const url = `https://${host}:${receiver.port}/`;
  const got = await egress.send({ method: 'GET', url, timeoutMs: 5000, maxBytes: 100, ...more });
  const outcome = got.outcome === 'answered' ? `${got.status}` : `${got.reason}: ${got.detail}`;
  return { outcome, requests };
}

describe('a host', () => {
  test('A host with a certificate for its name or its address is accepted', async (t) => {
    const certificate = authority.issue(['hooks.test', '127.0.0.1']);
    for (const host of ['hooks.test', 'HOOKS.test.', '127.0.0.1', '127.1']) {
      assert.deepEqual(await call(t, host, certificate), { outcome: '200', requests: 1 }, host);
    }
  });

  const strangers: readonly (readonly [what: string, certificate: Certificate, code: string])[] = [
    ['for another name', authority.issue(['other.test']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['for an address', authority.issue(['127.0.0.1']), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', authority.issue(['hooks.test'], { isExpired: true }), 'CERT_HAS_EXPIRED'],
    [
      'of an untrusted authority',
      new Authority('Untrusted').issue(['hooks.test']),
      'UNABLE_TO_VERIFY',
    ],
  ];
  for (const [what, certificate, code] of strangers) {
    test(`A host with a certificate ${what} is sent no request`, async (t) => {
      const { outcome, requests } = await call(t, 'hooks.test', certificate);
      assert.match(outcome, new RegExp(`^tls_failed: .*${code}`));
      assert.equal(requests, 0);
    });
  }

  test('A host is verified even if the environment disables verification', async (t) => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { outcome } = await call(t, 'hooks.test', new Authority().issue(['hooks.test']));
      assert.match(outcome, /^tls_failed/);
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  test('A host is verified against the name in the URL, whatever a header says', async (t) => {
    const { outcome, requests } = await call(t, 'hooks.test', authority.issue(['other.test']), {
      headers: { Host: 'other.test' },
    });
    assert.match(outcome, /^request_invalid/);
    assert.equal(requests, 0);
  });

  test('A host that does not speak TLS is reported as such', async (t) => {
    for (const [behavior, code] of [
      ['talk', 'ERR_SSL'],
      ['hang up', 'ECONNRESET'],
    ] as const) {
      const receiver = await countConnections(
        createServer((socket) =>
          socket.once('data', () =>
            socket.end(behavior === 'talk' ? 'HTTP/1.1 400 No\r\n\r\n' : ''),
          ),
        ),
      );
      t.after(() => receiver.close());
      const egress = new LoadedEgress({ allow });
      t.after(() => egress.close());
      const url = `https://127.0.0.1:${receiver.port}/`;
      const got = await egress.send({ method: 'GET', url, timeoutMs: 5000, maxBytes: 100 });
      assert.ok(got.outcome === 'failed');
      assert.equal(got.reason, 'tls_failed', behavior);
      assert.match(got.detail, new RegExp(code));
    }
  });

  test('A host that accepts the connection and sends nothing is aborted', async (t) => {
    const receiver = await countConnections(createServer());
    t.after(() => receiver.close());
    const egress = new LoadedEgress({ allow, limits: { connectTimeoutMs: 100 } });
    t.after(() => egress.close());
    const url = `https://127.0.0.1:${receiver.port}/`;
    // Aborted long before the timeout of the call.
    let isOver = false;
    const pending = egress
      .send({ method: 'GET', url, timeoutMs: 60_000, maxBytes: 100 })
      .finally(() => (isOver = true));
    await until('it is given up', () => isOver);
    const got = await pending;
    assert.equal('reason' in got && got.reason, 'timed_out');
  });

  test('A host that refuses connections is reported as unreachable', async (t) => {
    const receiver = await startReceiver((_request, response) => response.end());
    await receiver.close();
    const egress = new LoadedEgress({ allow });
    t.after(() => egress.close());
    const url = `https://127.0.0.1:${receiver.port}/`;
    const got = await egress.send({ method: 'GET', url, timeoutMs: 5000, maxBytes: 100 });
    assert.equal('detail' in got && got.detail, 'Could not connect to the host. (ECONNREFUSED)');
  });
});
