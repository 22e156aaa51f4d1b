// Receivers at forbidden addresses, misbehaving receivers, and the healthy ones that must not be affected.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { pour } from '@keywright/tests/harness/pour';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import {
  SignalClient,
  type SignalReceiver,
  startSignalReceiver,
} from '@keywright/tests/harness/signals';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

// Represents the public Internet in these tests; 127.0.0.1 the internal network.
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';
const MIB = 1024 * 1024;

let keywright: Keywright;
let dns: DnsServer;
let outside: SignalReceiver;
let inside: Receiver;
let insideCalls = 0;
let flips = 0;
/** Pending responses of receivers that accept the event and never respond. */
const silent: ServerResponse[] = [];
/** The bytes that an endless response had sent when it was aborted. */
let poured = 0;

before(async () => {
  // Started first because many ports are taken at this address, and hardly any at the other one.
  inside = await startReceiver(
    (_request, response) => {
      insideCalls += 1;
      response.writeHead(202).end();
    },
    { address: INSIDE },
  );
  outside = await startSignalReceiver({ address: PUBLIC, port: inside.port });
  outside.answer = (response, { path }) => {
    if (path === '/endless') return pour(response, (bytes) => (poured = bytes));
    if (path.startsWith('/silent')) return void silent.push(response);
    response.writeHead(202).end();
  };
  dns = await startDnsServer(({ name, type }) => {
    if (name === 'inside.example.com') return [INSIDE];
    if (name === 'mapped.example.com') return ['::ffff:7f00:1'];
    if (name !== 'flips.example.com') return [PUBLIC];
    if (type === 'AAAA') return [];
    flips += 1;
    return [flips % 2 === 1 ? PUBLIC : INSIDE];
  });
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: PUBLIC },
    outside: { dnsServers: [dns.address] },
  });
});
after(async () => {
  for (const response of silent) response.destroy();
  await keywright.close();
  await dns.close();
  await outside.close();
  await inside.close();
});

const urlOf = (path: string, host: string) => {
  const { port } = new URL(outside.url);
  return `http://${host}:${port}${path}`;
};

/** Requests a verification event. @returns the outcome of the push attempt */
async function pushed(tenant: TestTenant, url: string) {
  const client = await SignalClient.register(tenant);
  const { stream_id } = await client.stream(url);
  assert.equal((await client.call('POST', '/verify', { stream_id })).status, 204);
  const sql = `SELECT reason, status FROM signal_deliveries WHERE queue_key = $1 AND attempts > 0`;
  return until('an attempt has ended', async () => {
    const [row] = await keywright.database.query<{ reason: string | null; status: string }>(sql, [
      stream_id,
    ]);
    return row;
  });
}

describe('an event goes to public addresses alone', () => {
  let tenant: TestTenant;
  before(async () => {
    tenant = await keywright.tenant('guarded');
  });

  for (const host of ['inside.example.com', 'mapped.example.com']) {
    test(`An event is not sent to ${host}, which resolves to a private address`, async () => {
      const row = await pushed(tenant, urlOf('/', host));
      assert.match(row.reason ?? '', /^address_not_allowed: /);
      assert.equal(insideCalls, 0);
    });
  }

  test('An event is pushed only to the address that was checked', async () => {
    const row = await pushed(tenant, urlOf('/flips', 'flips.example.com'));
    assert.deepEqual([row.status, insideCalls], ['done', 0]);
  });

  const refused = [
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433/',
    'http://user:secret@receiver.example.com/',
    'https://receiver.example.com/#fragment',
    'ftp://receiver.example.com/',
    'file:///etc/passwd',
    'receiver',
  ];
  for (const url of refused) {
    test(`No stream can name ${url}`, async () => {
      const client = await SignalClient.register(tenant);
      const delivery = { method: DELIVERY_METHODS.push, endpoint_url: url };
      assert.equal((await client.call('POST', '/streams', { delivery })).status, 400);
      const { stream_id } = await client.stream();
      for (const method of ['PATCH', 'PUT']) {
        const answer = await client.call(method, '/streams', { stream_id, delivery });
        assert.equal(answer.status, 400);
      }
    });
  }

  test('The authorization header of a stream cannot break out of its line', async () => {
    const client = await SignalClient.register(tenant);
    const delivery = {
      method: DELIVERY_METHODS.push,
      endpoint_url: 'https://receiver.example.com/',
      authorization_header: 'Bearer a\r\nX-Evil: 1',
    };
    assert.equal((await client.call('POST', '/streams', { delivery })).status, 400);
  });
});

test('An endless response of a receiver is cut off', async () => {
  const tenant = await keywright.tenant('endless');
  const row = await pushed(tenant, urlOf('/endless', 'out.example.com'));
  assert.equal(row.status, 'pending');
  await until('the answer is cut off', () => poured > 0);
  assert.ok(poured < 16 * MIB);
});

test('Receivers that never respond do not delay others, in the same tenant or in another', async () => {
  const tenant = await keywright.tenant('slow');
  const slow = await SignalClient.register(tenant, { reach: 'all_users' });
  for (let index = 0; index < 5; index += 1) {
    await slow.stream(urlOf(`/silent-${index}`, 'out.example.com'));
  }
  const token = await tenant.adminToken();
  for (let index = 0; index < 8; index += 1) {
    const { user } = await tenant.createUser();
    const body = { is_active: false };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
  }
  await until('some are silent', () => silent.length >= 5);
  const quick = await pushed(tenant, urlOf('/quick', 'out.example.com'));
  const next = await pushed(await keywright.tenant('next'), urlOf('/next', 'out.example.com'));
  assert.deepEqual([quick.status, next.status], ['done', 'done']);
  assert.ok(silent.every((response) => !response.writableEnded));
});
