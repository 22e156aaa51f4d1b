import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Authority, createAuthority } from '@keywright/tests/harness/certificate';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { parseEgressAllow } from './allow.ts';
import { createEgress, type Egress } from './egress.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 4096 };

describe('a call', () => {
  let authority: Authority;
  let dns: DnsServer;
  let echo: Receiver;
  let egress: Egress;

  before(async () => {
    authority = createAuthority();
    dns = await startDnsServer(() => ['127.0.0.1']);
    const certificate = authority.issue(['hooks.test', '127.0.0.1']);
    echo = await startReceiver(
      (request, response) => {
        const { method, url, headers } = request;
        request.setEncoding('utf8');
        request.toArray().then(
          (body) =>
            response
              .writeHead(202, { 'x-answer': 'yes' })
              .end(JSON.stringify({ method, url, headers, body: body.join('') })),
          () => response.destroy(),
        );
      },
      { certificate },
    );
    const { allow } = parseEgressAllow('127.0.0.1');
    egress = createEgress({ allow, ca: authority.ca, dnsServers: [dns.address] });
  });
  after(async () => {
    await egress.close();
    await echo.close();
    await dns.close();
  });

  test('arrives as it was sent, and the answer comes back', async () => {
    const outcome = await egress.send({
      method: 'POST',
      url: `https://Hooks.test.:${echo.port}/a/../b?c=%20d#e`,
      headers: { 'content-type': 'application/json', 'x-service-signature': 'ab12' },
      body: '{"id":"evt_1"}',
      ...LIMITS,
    });
    assert.ok(outcome.outcome === 'answered');
    assert.equal(outcome.status, 202);
    assert.equal(outcome.headers['x-answer'], 'yes');
    assert.equal(outcome.isTruncated, false);
    assert.deepEqual(JSON.parse(outcome.body.toString()), {
      method: 'POST',
      url: '/b?c=%20d',
      headers: {
        host: `hooks.test:${echo.port}`,
        connection: 'keep-alive',
        'user-agent': 'Keywright/0.1.0',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'x-service-signature': 'ab12',
        'content-length': '14',
      },
      body: '{"id":"evt_1"}',
    });
  });

  test('after another one goes over the same connection', async () => {
    const url = `https://127.0.0.1:${echo.port}/`;
    await egress.send({ method: 'GET', url, ...LIMITS });
    const { connections } = echo;
    for (let call = 0; call < 5; call += 1) await egress.send({ method: 'GET', url, ...LIMITS });
    assert.equal(echo.connections, connections);
  });
});
