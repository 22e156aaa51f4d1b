// The delivery log shows failed deliveries, and the service never connects to internal addresses.

import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ErrorBody } from '@keywright/contract/errors';
import type { DeliveryRecord } from '@keywright/contract/records/webhook';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pour } from '@keywright/tests/harness/pour';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';

// Represents the public Internet in these tests; 127.0.0.1 the internal network.
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';
const MIB = 1024 * 1024;
const BOMB = gzipSync(Buffer.alloc(100 * MIB));
/** The maximum duration of an attempt, plus a margin. */
const DRIP_DEADLINE_MS = 18_000;

let keywright: Keywright;
let webhooks: Webhooks;
let dns: DnsServer;
let outside: Receiver;
let inside: Receiver;
let flips = 0;
/** Bytes sent to a client that reads an endless response. */
let poured = 0;

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/well': (response) => response.end('fine'),
  '/redirect': (response) =>
    response.writeHead(302, { location: `http://${INSIDE}:${inside.port}/` }).end(),
  '/bomb': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  '/closing': (response) => response.writeHead(200, { connection: 'close' }).end('once'),
  '/drip': (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('a'), 1000);
    response.once('close', () => clearInterval(drip));
  },
  '/endless': (response) => pour(response, (bytes) => (poured = bytes)),
};

const behave: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => answers[request.url ?? '']?.(response));
};

before(async () => {
  // Opened first, because many ports of this address are in use, and hardly any of the other address.
  inside = await startReceiver((_request, response) => response.end('inside'), {
    address: INSIDE,
  });
  outside = await startReceiver(behave, { address: PUBLIC, port: inside.port });
  dns = await startDnsServer(({ name, type }) => {
    if (name === 'metadata.google.internal') return ['169.254.169.254'];
    if (name === 'nat64.example.com') return ['64:ff9b::7f00:1', '2002:7f00:1::', '::ffff:7f00:1'];
    if (name === 'inside.example.com') return [INSIDE];
    if (name !== 'flips.example.com') return [PUBLIC];
    if (type === 'AAAA') return [];
    flips += 1;
    return [flips % 2 === 1 ? PUBLIC : INSIDE];
  });
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: PUBLIC },
    outside: { dnsServers: [dns.address] },
  });
  webhooks = new Webhooks(await keywright.tenant('refused'));
});
after(async () => {
  await keywright.close();
  await dns.close();
  await outside.close();
  await inside.close();
});

function urlOf(path: string, host = 'hooks.example.com'): string {
  return `http://${host}:${outside.port}${path}`;
}

/** Sends test deliveries to an endpoint, and returns the log's records of them. */
async function tried(url: string, times = 1): Promise<readonly DeliveryRecord[]> {
  const { webhook } = await webhooks.register(url);
  for (let time = 0; time < times; time += 1) {
    await webhooks.tryOut(webhook);
    await until('the attempt has ended', async () => {
      const [last] = await webhooks.deliveries(webhook);
      return last?.attempts === 1;
    });
  }
  return webhooks.deliveries(webhook, '?sort=created_at');
}

describe('an endpoint', () => {
  let dripping: Promise<readonly DeliveryRecord[]>;

  before(async () => {
    // This takes long, so it runs alongside the other tests.
    const { webhook } = await webhooks.register(urlOf('/drip', 'drip.example.com'));
    await webhooks.tryOut(webhook);
    dripping = until(
      'the dripping endpoint is given up',
      async () => {
        const log = await webhooks.deliveries(webhook);
        return log[0]?.attempts === 1 && log;
      },
      DRIP_DEADLINE_MS,
    );
  });

  test('A redirect by a webhook endpoint is not followed, and the log says so', async () => {
    const [delivery] = await tried(urlOf('/redirect'));
    assert.equal(
      delivery?.reason,
      'redirected: The response was a redirect. Redirects are not followed.',
    );
    assert.deepEqual([delivery.status, delivery.response_status], ['pending', 302]);
    assert.equal(inside.connections, 0);
  });

  test('A webhook endpoint that responds with a gzip bomb is read up to 1 KiB, without decompression', async () => {
    const bytesBefore = process.memoryUsage().arrayBuffers;
    const [delivery] = await tried(urlOf('/bomb'));
    assert.deepEqual([delivery?.status, delivery?.response_status], ['delivered', 200]);
    assert.ok((delivery?.response_body ?? '').length <= 1024);
    assert.ok(process.memoryUsage().arrayBuffers - bytesBefore < 16 * MIB);
  });

  test('A webhook response that never ends is cut off', async () => {
    const [delivery] = await tried(urlOf('/endless'));
    assert.match(delivery?.reason ?? '', /^status_500: /);
    assert.equal(delivery?.response_body, 'a'.repeat(1024));
    await until('the connection is given up', () => poured > 0);
    assert.ok(poured < 16 * MIB, `${poured}`);
  });

  test('No call is made to an endpoint whose name resolves to a public address at registration and to an internal one later', async () => {
    const log = await tried(urlOf('/closing', 'flips.example.com'), 6);
    const outcomes = log.map(({ response_status: status, reason }) => reason ?? status);
    const refused =
      'address_not_allowed: The IP address of the host is not public. If the host is yours, add it to KEYWRIGHT_EGRESS_ALLOW.';
    assert.deepEqual(outcomes, [200, refused, 200, refused, 200, refused]);
    assert.equal(inside.connections, 0);
  });

  for (const host of ['metadata.google.internal', 'nat64.example.com', 'inside.example.com']) {
    test(`No call is made to an endpoint whose name ${host} resolves to an internal address`, async () => {
      for (const url of [`https://${host}/`, urlOf('/well', host)]) {
        const [delivery] = await tried(url);
        assert.match(delivery?.reason ?? '', /^address_not_allowed: /);
        assert.deepEqual([delivery?.response_status, delivery?.response_body], [null, null]);
      }
      assert.equal(inside.connections, 0);
    });
  }

  test('An endpoint that refuses connections, or has an untrusted certificate, is reported as such', async () => {
    const [closed] = await tried(`http://${PUBLIC}:1/`);
    assert.match(closed?.reason ?? '', /^connect_failed: .*\(ECONNREFUSED\)$/);
    const [plain] = await tried(`https://${PUBLIC}:${outside.port}/well`);
    assert.match(plain?.reason ?? '', /^tls_failed: /);
  });

  test('A call to an endpoint that sends a byte a second is aborted after fifteen seconds', async () => {
    const [delivery] = await dripping;
    assert.equal(delivery?.reason, 'timed_out: The call timed out.');
    assert.deepEqual([delivery.status, delivery.response_status], ['pending', 200]);
  });
});

describe('an internal address', () => {
  const spellings = `
    127.1 0x7f.1 2130706433 0177.0.0.1 [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [::1] 0
    169.254.169.254 [fd00:ec2::254] 100.100.100.200 168.63.129.16 10.0.0.1 192.168.1.1
  `
    .trim()
    .split(/\s+/);
  for (const host of spellings) {
    test(`An internal address such as ${host} is rejected when an endpoint is registered or changed, with the reason`, async () => {
      const { webhook } = await webhooks.register(urlOf('/well'));
      for (const url of [`https://${host}/`, `http://${host}:${outside.port}/`]) {
        const body = { url, events: ['webhook.deleted'] };
        const requests: readonly [string, string, object][] = [
          ['POST', '/webhooks', body],
          ['PATCH', `/webhooks/${webhook.id}`, { url }],
        ];
        for (const [method, path, sent] of requests) {
          const refused = await webhooks.request<ErrorBody>(method, path, { body: sent });
          const message =
            'cannot be called. The IP address of the host is not public. If the host is yours, add it to KEYWRIGHT_EGRESS_ALLOW.';
          assert.deepEqual(expectStatus(400, refused).errors, [{ path: '/url', message }]);
        }
      }
      assert.equal((await webhooks.get(webhook)).url, urlOf('/well'));
      assert.equal(inside.connections, 0);
    });
  }

  test('A webhook URL with an unsupported scheme, or with a password, is rejected', async () => {
    const refused = {
      'ftp://hooks.example.com/':
        'cannot be called. Only https is allowed, except for hosts in KEYWRIGHT_EGRESS_ALLOW.',
      'https://user:pass@hooks.example.com/':
        'cannot be called. The URL does not have the form https://host/path.',
    };
    for (const [url, message] of Object.entries(refused)) {
      const body = { url, events: ['webhook.deleted'] };
      const answer = await webhooks.request<ErrorBody>('POST', '/webhooks', { body });
      assert.deepEqual(expectStatus(400, answer).errors, [{ path: '/url', message }]);
    }
  });
});
