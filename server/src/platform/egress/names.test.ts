import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDnsServer, type Zone } from '@keywright/tests/harness/dns-server';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { parseEgressAllow } from './operator-exceptions.ts';
import { LoadedEgress, type EgressOptions } from './egress.ts';

const LIMITS = { timeoutMs: 5000, maxBytes: 4096 };
// Represents the public Internet in these tests; 127.0.0.1 the internal network.
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';

describe('a name', () => {
  let outside: Receiver;
  let inside: Receiver;
  before(async () => {
    // Started first because many ports are taken at this address, and hardly any at the other one.
    inside = await startReceiver((_request, response) => response.end('inside'));
    outside = await startReceiver((_request, response) => response.end('outside'), {
      address: PUBLIC,
      port: inside.port,
    });
  });
  after(async () => {
    assert.equal(inside.connections, 0);
    await outside.close();
    await inside.close();
  });

  /** Calls a name this many times, with one connection each, and reports the outcomes. */
  async function call(zone: Zone, times = 1, options: Partial<EgressOptions> = {}) {
    const dns: DnsServer = await startDnsServer(zone);
    const { allow } = parseEgressAllow(PUBLIC);
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) {
      const egress = new LoadedEgress({ allow, dnsServers: [dns.address], ...options });
      const url = `http://hooks.test:${outside.port}/`;
      const got = await egress.send({ method: 'GET', url, ...LIMITS });
      outcomes.push(got.outcome === 'answered' ? got.body.toString() : got.reason);
      await egress.close();
    }
    const questions = dns.questions.filter(({ type }) => type === 'A').length;
    await dns.close();
    return { outcomes, questions };
  }

  test('A host name is connected to at the address that was checked', async () => {
    assert.deepEqual(await call(() => [PUBLIC]), { outcomes: ['outside'], questions: 1 });
  });

  test('A host name that resolves to an internal address is not connected to', async () => {
    const { outcomes } = await call(() => [INSIDE]);
    assert.deepEqual(outcomes, ['address_not_allowed']);
  });

  test('A host name that resolves alternately to an internal address is never connected to there', async () => {
    let questions = 0;
    const flips: Zone = ({ type }) => {
      if (type === 'AAAA') return [];
      questions += 1;
      return [questions % 2 === 1 ? PUBLIC : INSIDE];
    };
    assert.deepEqual(await call(flips, 6), {
      outcomes: Array.from({ length: 3 }, () => ['outside', 'address_not_allowed']).flat(),
      questions: 6,
    });
  });

  test('A host name with a public and an internal address is connected to only at the public one', async () => {
    assert.deepEqual((await call(() => [INSIDE, PUBLIC], 3)).outcomes, Array(3).fill('outside'));
  });

  test('A host name with a blocked IPv6 address and a public IPv4 address uses the latter', async () => {
    const { outcomes } = await call(() => ['::1', '::ffff:7f00:1', '64:ff9b::7f00:1', PUBLIC]);
    assert.deepEqual(outcomes, ['outside']);
  });

  for (const address of ['::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', '::7f00:1', '::1']) {
    test(`A host name with no address but ${address} is not connected to`, async () => {
      assert.deepEqual((await call(() => [address])).outcomes, ['address_not_allowed']);
    });
  }

  test('A host name is reached at its second address if nothing listens at the first', async () => {
    const { allow } = parseEgressAllow('127.0.0.2,127.0.0.3');
    const { outcomes } = await call(() => ['127.0.0.3', PUBLIC], 1, { allow });
    assert.deepEqual(outcomes, ['outside']);
  });

  test('A host name is reached even if its IPv6 addresses do not respond', async () => {
    const { outcomes } = await call(({ type }) => (type === 'A' ? [PUBLIC] : undefined));
    assert.deepEqual(outcomes, ['outside']);
  });

  test('A host name without addresses fails to resolve', async () => {
    assert.deepEqual((await call(() => [])).outcomes, ['name_not_resolved']);
  });

  test('The failure to resolve a host name without addresses reports the DNS error', async (t) => {
    const dns = await startDnsServer(() => []);
    t.after(() => dns.close());
    const { allow } = parseEgressAllow('');
    const egress = new LoadedEgress({ allow, dnsServers: [dns.address] });
    const got = await egress.send({ method: 'GET', url: 'https://hooks.test/', ...LIMITS });
    assert.equal(
      'detail' in got && got.detail,
      'The host name does not resolve to an IP address. (ENODATA)',
    );
  });

  test('A host name whose DNS server does not respond fails in time', async () => {
    const options = { limits: { connectTimeoutMs: 200 } };
    assert.deepEqual((await call(() => undefined, 1, options)).outcomes, ['timed_out']);
  });

  test('A host name that the operator allowed is resolved by the system and can be internal', async (t) => {
    const receiver = await startReceiver((_request, response) => response.end('named'));
    t.after(() => receiver.close());
    const dns = await startDnsServer(() => [PUBLIC]);
    t.after(() => dns.close());
    const { allow } = parseEgressAllow(`localhost:${receiver.port}`);
    const egress = new LoadedEgress({ allow, dnsServers: [dns.address] });
    const got = await egress.send({
      method: 'GET',
      url: `http://localhost:${receiver.port}/`,
      ...LIMITS,
    });
    assert.equal(got.outcome === 'answered' && got.body.toString(), 'named');
    assert.deepEqual(dns.questions, []);
    await egress.close();
  });
});
