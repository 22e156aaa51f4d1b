import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Authority } from '@keywright/tests/harness/certificate';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type Egress, RESERVED_HEADERS } from './egress.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 4096 };

describe('a call', () => {
  let authority: Authority;
  let dns: DnsServer;
  let echo: Receiver;
  let egress: Egress;

  before(async () => {
    authority = new Authority();
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
    egress = new LoadedEgress({ allow, ca: authority.ca, dnsServers: [dns.address] });
  });
  after(async () => {
    await egress.close();
    await echo.close();
    await dns.close();
  });

  test('An outgoing call is sent unmodified and returns the response', async () => {
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

  test('An outgoing call reuses the connection of an earlier one', async () => {
    const url = `https://127.0.0.1:${echo.port}/`;
    await egress.send({ method: 'GET', url, ...LIMITS });
    const { connections } = echo;
    for (let call = 0; call < 5; call += 1) await egress.send({ method: 'GET', url, ...LIMITS });
    assert.equal(echo.connections, connections);
  });

  test('An outgoing call goes directly to its host, whatever proxies the environment names', async () => {
    const proxy = await startReceiver((_request, response) => response.end());
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env['NODE_USE_ENV_PROXY'] = '1';
    const { allow } = parseEgressAllow('127.0.0.1');
    const direct = new LoadedEgress({ allow, ca: authority.ca, dnsServers: [dns.address] });
    const url = `https://hooks.test:${echo.port}/`;
    const got = await direct.send({ method: 'GET', url, ...LIMITS });
    for (const name of [...names, 'NODE_USE_ENV_PROXY']) delete process.env[name];
    assert.equal(got.outcome, 'answered');
    assert.equal(proxy.connections, 0);
    await direct.close();
    await proxy.close();
  });

  const unsendable: readonly Readonly<Record<string, string>>[] = [
    ...RESERVED_HEADERS.map((name) => ({ [name]: '1' })),
    { HOST: 'other.test' },
    { 'x-a': 'b\r\nx-c: d' },
    { 'x-a': 'b\0' },
    { 'x a': 'b' },
    { 'x-a\r\nx-c': 'b' },
    { '': 'b' },
  ];
  for (const headers of unsendable) {
    test(`An outgoing call with the header ${JSON.stringify(headers)} is not made`, async () => {
      const url = `https://127.0.0.1:${echo.port}/`;
      const got = await egress.send({ method: 'POST', url, headers, body: '{}', ...LIMITS });
      assert.deepEqual(got, {
        outcome: 'refused',
        reason: 'request_invalid',
        detail: 'The request is invalid.',
        status: undefined,
      });
    });
  }

  test('An outgoing call can have a response of 1 MiB, however many preceded it on the same connection', async () => {
    const body = Buffer.alloc(1024 * 1024, 'a');
    const large = await startReceiver((_request, response) => response.end(body));
    const url = `http://127.0.0.1:${large.port}/`;
    for (let time = 0; time < 5; time += 1) {
      const got = await egress.send({ method: 'GET', url, timeoutMs: 5000, maxBytes: body.length });
      assert.ok(got.outcome === 'answered' && got.body.equals(body));
    }
    assert.equal(large.connections, 1);
    await large.close();
  });

  test('An outgoing call with a truncated response leaves the connection to others', async () => {
    const large = await startReceiver((_request, response) => response.end('a'.repeat(20_000)));
    const url = `http://127.0.0.1:${large.port}/`;
    for (let time = 0; time < 6; time += 1) {
      const got = await egress.send({ method: 'GET', url, ...LIMITS, truncate: true });
      assert.ok(got.outcome === 'answered' && got.isTruncated);
      assert.deepEqual(got.body, Buffer.alloc(LIMITS.maxBytes, 'a'));
    }
    assert.ok(large.connections <= 2, `${large.connections}`);
    await large.close();
  });
});
