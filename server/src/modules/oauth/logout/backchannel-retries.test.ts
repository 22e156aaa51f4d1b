import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  type LogoutReceiver,
  startLogoutReceiver,
  withStatus,
} from '@keywright/tests/harness/logout-receiver';
import { RelyingParty } from '@keywright/tests/harness/relying-party';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const DELAYS = [5, 30, 300, 1800];
const HOUR = 3600;

let keywright: Keywright;
let tenant: TestTenant;
let receiver: LogoutReceiver;
let user: TestUser;
const lines: string[] = [];
let paths = 0;

before(async () => {
  receiver = await startLogoutReceiver();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_LOG_LEVEL: 'warn' },
    log: (line) => lines.push(line),
  });
  tenant = await keywright.tenant('patient');
});
beforeEach(async () => {
  user = await tenant.createUser();
  receiver.answer = (response) => response.end();
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

const deliver = () => keywright.nodes[0]?.logouts.runDue();

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly reason: string | null;
}

/** An ended session of a new client; the client is notified at its own path. */
async function ended(fields: object = {}) {
  paths += 1;
  const path = `/app-${paths}`;
  const uri = `${receiver.url}${path}`;
  const app = await RelyingParty.register(tenant, {
    fields: { backchannel_logout_uri: uri, ...fields },
  });
  const { sid } = await app.logIn(app.browser(), user);
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('DELETE', `/sessions/${sid}`, { token }));
  const read = async (): Promise<Delivery | undefined> => {
    await deliver();
    const sql = 'SELECT status, attempts, reason FROM logout_deliveries WHERE id = $1';
    const [row] = await keywright.database.query<Delivery>(sql, [sid]);
    return row;
  };
  return { app, path, sid, read };
}

describe('the response of a client (§2.8)', () => {
  for (const [status, expected] of [
    [200, 'done'],
    [204, 'done'],
    [400, 'failed'],
    [501, 'failed'],
    [201, 'pending'],
    [401, 'pending'],
    [404, 'pending'],
    [500, 'pending'],
    [503, 'pending'],
  ] as const) {
    test(`The response ${status} leads to: ${expected}`, async () => {
      receiver.answer = withStatus(status);
      const { path, read } = await ended();
      const delivery = await read();
      assert.deepEqual([delivery?.status, delivery?.attempts], [expected, 1]);
      assert.equal(receiver.at(path).length, 1);
      keywright.clock.advance(HOUR);
      await deliver();
      assert.equal(receiver.at(path).length, expected === 'pending' ? 2 : 1);
    });
  }

  test('A redirect is not followed', async () => {
    receiver.answer = withStatus(302, { location: `${receiver.url}/elsewhere` });
    const { read } = await ended();
    assert.match((await read())?.reason ?? '', /^redirected: /);
    assert.deepEqual(receiver.at('/elsewhere'), []);
  });
});

test('A client that always fails gets five attempts, each with a new token, and no more', async () => {
  receiver.answer = withStatus(500);
  const { path, sid, read } = await ended();
  await read();
  for (const [index, seconds] of DELAYS.entries()) {
    // Not before it is due: delays vary by 10 %.
    keywright.clock.advance(seconds * 0.9 - 1);
    await deliver();
    assert.equal(receiver.at(path).length, index + 1, `attempt ${index + 2} comes early`);
    keywright.clock.advance(seconds * 0.2 + 2);
    await deliver();
    assert.equal(receiver.at(path).length, index + 2);
  }
  const delivery = await read();
  assert.deepEqual([delivery?.status, delivery?.attempts], ['failed', 5]);
  assert.match(delivery?.reason ?? '', /^status_500/);
  const tokens = receiver.at(path);
  assert.equal(new Set(tokens.map(({ claims }) => claims['jti'])).size, 5);
  assert.deepEqual(new Set(tokens.map((token) => token.sid)), new Set([sid]));
  const times = tokens.map(({ claims }) => Number(claims['iat']));
  assert.ok(
    times.every((at, index) => index === 0 || at > (times[index - 1] ?? 0)),
    'signed when sent',
  );
  keywright.clock.advance(2 * HOUR);
  await deliver();
  assert.equal(receiver.at(path).length, 5);
  const warnings = lines.filter((line) => line.includes(sid));
  assert.equal(warnings.length, 1);
  assert.ok(warnings[0]?.includes('a client was not notified of a logout'));
  assert.ok(!warnings[0]?.includes('eyJ'), 'no token is logged');
});

test('A token that waited is signed with the current key', async () => {
  receiver.answer = withStatus(503);
  const { path, read } = await ended();
  await read();
  const token = await tenant.adminToken();
  const rotated = await tenant.request('POST', '/keys/rotate?immediately=true', { token });
  const { id } = expectStatus(201, rotated);
  receiver.answer = (response) => response.end();
  keywright.clock.advance(6);
  assert.equal((await read())?.status, 'done');
  const kids = receiver.at(path).map(({ token: jwt }) => headerOf(jwt)['kid']);
  assert.equal(kids.at(-1), id);
  assert.notEqual(kids[0], id);
});

function headerOf(jwt: string): Record<string, unknown> {
  const [header = ''] = jwt.split('.');
  return JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
}

test('A removed address is no longer called, and a new one is', async () => {
  receiver.answer = withStatus(500);
  const [gone, moved] = [await ended(), await ended()];
  assert.deepEqual([(await gone.read())?.attempts, (await moved.read())?.attempts], [1, 1]);
  const token = await tenant.adminToken();
  const change = (id: string, uri: string | null) =>
    tenant.request('PATCH', `/clients/${id}`, { token, body: { backchannel_logout_uri: uri } });
  expectStatus(200, await change(gone.app.client.id, null));
  expectStatus(200, await change(moved.app.client.id, `${receiver.url}/moved`));
  receiver.answer = (response) => response.end();
  keywright.clock.advance(6);
  const left = await gone.read();
  assert.deepEqual([left?.status, left?.reason?.split(':')[0]], ['failed', 'no_address']);
  assert.equal(receiver.at(gone.path).length, 1);
  assert.equal(receiver.at('/moved').length, 1);
});

test('A tenant that is switched off sends no notification until it is switched on again', async () => {
  const usual = tenant;
  tenant = await keywright.tenant('off');
  user = await tenant.createUser();
  receiver.answer = withStatus(500);
  const { path, read } = await ended();
  await read();
  receiver.answer = (response) => response.end();
  const change = async (isActive: boolean) => {
    const token = await keywright.adminToken();
    const body = { is_active: isActive };
    const at = `/tenants/${tenant.id}`;
    expectStatus(200, await keywright.home.request('PATCH', at, { token, body }));
  };
  await change(false);
  keywright.clock.advance(60);
  await deliver();
  assert.equal(receiver.at(path).length, 1);
  await change(true);
  assert.equal((await read())?.status, 'done');
  tenant = usual;
});

test('A notification that waited for a day, because the service was down, is not sent', async () => {
  receiver.answer = withStatus(500);
  const { path, read } = await ended();
  await read();
  keywright.clock.advance(25 * HOUR);
  assert.equal((await read())?.status, 'expired');
  assert.equal(receiver.at(path).length, 1);
});
