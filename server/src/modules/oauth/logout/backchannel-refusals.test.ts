// Receivers at forbidden addresses, misbehaving receivers, and the healthy ones that must not be affected.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type DnsServer, startDnsServer } from '@keywright/tests/harness/dns-server';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type LogoutReceiver, startLogoutReceiver } from '@keywright/tests/harness/logout-receiver';
import { pour } from '@keywright/tests/harness/pour';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { RelyingParty } from '@keywright/tests/harness/relying-party';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

// Represents the public Internet in these tests; 127.0.0.1 the internal network.
const PUBLIC = '127.0.0.2';
const INSIDE = '127.0.0.1';
const MIB = 1024 * 1024;
const CLIENTS = 20;
const SILENT = 0;

let keywright: Keywright;
let dns: DnsServer;
let outside: LogoutReceiver;
let inside: Receiver;
let insideCalls = 0;
let flips = 0;
/** Pending responses of receivers that accept the token and never respond. */
const silent: ServerResponse[] = [];
/** The bytes that an endless response had sent when it was aborted. */
let poured = 0;

before(async () => {
  // Started first because many ports are taken at this address, and hardly any at the other one.
  inside = await startReceiver(
    (_request, response) => {
      insideCalls += 1;
      response.end();
    },
    { address: INSIDE },
  );
  outside = await startLogoutReceiver({ address: PUBLIC, port: inside.port });
  outside.answer = (response, { path }) => {
    if (path === '/endless') return pour(response, (bytes) => (poured = bytes));
    if (path === '/drip') return drip(response);
    if (path.startsWith('/silent')) return void silent.push(response);
    response.end();
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

/** Sends one byte per second without end. The attempt is aborted after ten seconds. */
function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('a'), 1000);
  response.once('close', () => clearInterval(timer));
}

const urlOf = (path: string, host: string) => {
  const { port } = new URL(outside.url);
  return `http://${host}:${port}${path}`;
};

/** Logs out a user of a new client. @returns the outcome of the notification attempt */
async function notificationAttempt(tenant: TestTenant, uri: string, user = tenant.createUser()) {
  const app = await RelyingParty.register(tenant, { fields: { backchannel_logout_uri: uri } });
  const { sid } = await app.logIn(app.browser(), await user);
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('DELETE', `/sessions/${sid}`, { token }));
  const sql = `SELECT reason, status FROM logout_deliveries WHERE id = $1 AND attempts > 0`;
  return until('an attempt has ended', async () => {
    const [row] = await keywright.database.query<{ reason: string | null; status: string }>(sql, [
      sid,
    ]);
    return row;
  });
}

describe('logout tokens are sent only to public addresses', () => {
  let tenant: TestTenant;
  before(async () => {
    tenant = await keywright.tenant('guarded');
  });
  for (const host of ['inside.example.com', 'mapped.example.com']) {
    test(`A token is not sent to ${host}, which resolves to a private address`, async () => {
      const row = await notificationAttempt(tenant, urlOf('/', host));
      assert.match(row.reason ?? '', /^address_not_allowed: /);
      assert.equal(insideCalls, 0);
    });
  }

  test('A token is not sent to a name that resolves to another address each time', async () => {
    for (let time = 0; time < 4; time += 1)
      await notificationAttempt(tenant, urlOf('/', 'flips.example.com'));
    assert.equal(insideCalls, 0);
  });

  test('The service reads only the start of an endless response', async () => {
    const row = await notificationAttempt(tenant, urlOf('/endless', 'app.example.com'));
    assert.match(row.reason ?? '', /^status_500/);
    await until('it is cut off', () => poured > 0);
    assert.ok(poured < 8 * MIB, `${poured} bytes`);
  });

  test('A response that trickles in ends with its attempt', async () => {
    const row = await notificationAttempt(tenant, urlOf('/drip', 'app.example.com'));
    assert.match(row.reason ?? '', /^timed_out: /);
    assert.equal(row.status, 'pending');
  });
});

describe('a client that accepts the token and does not respond', () => {
  test('A silent client delays no other client of its tenant, and no other tenant', async () => {
    const [tenant, other] = [await keywright.tenant('silent'), await keywright.tenant('other')];
    const user = await tenant.createUser();
    const browser = { current: undefined as ReturnType<RelyingParty['browser']> | undefined };
    const sids: string[] = [];
    for (let number = 0; number < CLIENTS; number += 1) {
      const path = number === SILENT ? '/silent' : `/well-${number}`;
      const app = await RelyingParty.register(tenant, {
        fields: { backchannel_logout_uri: urlOf(path, `app-${number}.example.com`) },
      });
      browser.current ??= app.browser();
      // The silent client has more sessions than the number of concurrent deliveries per client.
      for (let time = 0; time < (number === SILENT ? 12 : 1); time += 1) {
        sids.push((await app.logIn(browser.current, user)).sid);
      }
    }
    const earlier = silent.length;
    const token = await tenant.adminToken();
    const ended = await tenant.request('DELETE', `/sessions?user_id=${user.user.id}`, { token });
    expectStatus(200, ended);
    const wells = () =>
      new Set(
        outside.received.filter(({ path }) => path.startsWith('/well-')).map(({ sid }) => sid),
      );
    await until('the others are notified', () => wells().size === CLIENTS - 1);
    await notificationAttempt(other, urlOf('/other', 'other.example.com'));
    assert.ok(
      silent.slice(earlier).every((response) => !response.closed),
      'while the first attempts at the silent one are still under way',
    );
    assert.ok(silent.length - earlier >= 1 && silent.length - earlier <= 4);
    for (const response of silent) response.end();
    await until('the silent one is notified of all', () => {
      for (const response of silent) response.end();
      const at = outside.received.filter(({ path }) => path === '/silent').map(({ sid }) => sid);
      return new Set(at).size === 12;
    });
    assert.equal(new Set(sids).size, CLIENTS + 11);
  });
});
