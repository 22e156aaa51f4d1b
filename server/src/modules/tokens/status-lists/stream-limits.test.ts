import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { eventLoopIterations, parallel } from '@keywright/tests/harness/parallel';
import { followStatus, type StatusStream } from '@keywright/tests/harness/status';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { createVerifier, VerificationError } from '../../../../../sdk/src/sdk.ts';

const BASE_URL = 'https://id.example.com';
const TOTAL = 40;
const PER_ADDRESS = 10;

let keywright: Keywright;
let prey: TestTenant;
let others: readonly TestTenant[];
let open: StatusStream[] = [];
const lines: string[] = [];

before(async () => {
  keywright = await startKeywright({
    env: {
      KEYWRIGHT_STATUS_STREAMS: String(TOTAL),
      KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: String(PER_ADDRESS),
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
      KEYWRIGHT_LOG_LEVEL: 'info',
    },
    log: (line) => lines.push(line),
  });
  prey = await keywright.tenant('prey');
  others = [await keywright.tenant('bystander'), await keywright.tenant('onlooker')];
});

afterEach(async () => {
  for (const stream of open) stream.close();
  open = [];
  await until('every place is free again', () => openStreams() === 0);
});

after(() => keywright.close());

function openStreams(): number {
  return keywright.nodes[0]?.openStreams() ?? 0;
}

const pathOf = (tenant: TestTenant) => `/t/${tenant.id}/status/stream`;

/** Opens a stream, and reports whether there was room for it. */
async function mayFollow(tenant: TestTenant, from: string): Promise<boolean> {
  const stream = await followStatus(keywright.url, pathOf(tenant), {
    'x-forwarded-for': from,
  }).catch((error: Error) => {
    assert.match(error.message, /answered with 503/);
  });
  if (stream) open.push(stream);
  return stream !== undefined;
}

/** Opens streams, for these tenants in turn, until every address is rejected. @returns the number of streams */
async function takeAll(tenants: readonly TestTenant[], addresses: readonly string[]) {
  const openBefore = open.length;
  for (let left = [...addresses], turn = 0; left.length > 0; turn += 1) {
    const refused = new Set<string>();
    for (const address of left) {
      const tenant = tenants[turn % tenants.length] ?? assert.fail();
      if (!(await mayFollow(tenant, address))) refused.add(address);
    }
    left = left.filter((address) => !refused.has(address));
  }
  return open.length - openBefore;
}

describe('the stream limits of a node', () => {
  test('A node limits the streams of an address, and says when to retry', async () => {
    assert.equal(await takeAll([prey], ['192.0.2.1']), PER_ADDRESS);
    const answer = await keywright.request('GET', pathOf(prey), {
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    assert.deepEqual([answer.status, answer.body['code']], [503, 'UNAVAILABLE']);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.ok(await mayFollow(prey, '192.0.2.2'));
  });

  test('The stream limits count a /64 as one address, and an IPv4 address as one, however they are written', async () => {
    const spellings = [
      [
        '2001:db8:0:7::',
        '2001:db8:0:7:ffff::1',
        '2001:db8::7:0:0:0:9',
        '2001:0DB8:0:0007::1.2.3.4',
      ],
      ['192.0.2.9', '::ffff:192.0.2.9', '::ffff:c000:209', '0:0:0:0:0:FFFF:C000:0209'],
    ];
    for (const [index, same] of spellings.entries()) {
      const tenant = others[index] ?? assert.fail();
      for (let turn = 0; turn < PER_ADDRESS; turn += 1) {
        assert.ok(await mayFollow(tenant, same[turn % same.length] ?? ''));
      }
      for (const address of same) assert.ok(!(await mayFollow(tenant, address)), address);
    }
    for (const other of ['2001:db8:0:8::', '192.0.2.8']) assert.ok(await mayFollow(prey, other));
  });

  const FOUR = ['192.0.2.1', '192.0.2.2', '2001:db8:1::', '2001:db8:2::'];
  const CROWD = Array.from({ length: TOTAL }, (_, index) => `192.0.2.${index}`);
  const VERIFIERS = ['198.51.100.1', '198.51.100.2'];

  test('The stream limits prevent four addresses from taking all streams: verifiers of the same tenants are accepted', async () => {
    const taken = await takeAll([prey], FOUR);
    for (const verifier of VERIFIERS) assert.ok(await mayFollow(prey, verifier), `after ${taken}`);
    await takeAll([prey, ...others], FOUR);
    for (const tenant of others) {
      for (const verifier of VERIFIERS) assert.ok(await mayFollow(tenant, verifier), tenant.id);
    }
  });

  test('The stream limits prevent four addresses from taking all streams, even as the first streams of many tenants', async () => {
    const many = await parallel(20, (index) => keywright.tenant(`many-${index}`));
    const taken = await takeAll(many, FOUR);
    assert.ok(taken > TOTAL / 2, String(taken));
    for (const [index, tenant] of [prey, many[0], many[19]].entries()) {
      const verifier = `198.51.100.${index}`;
      assert.ok(await mayFollow(tenant ?? assert.fail(), verifier), `after ${taken}`);
    }
  });

  test('The stream limits give one tenant at most half of the streams, from however many addresses', async () => {
    assert.equal(await takeAll([prey], CROWD), TOTAL / 2);
    for (const tenant of others) {
      for (const verifier of VERIFIERS) assert.ok(await mayFollow(tenant, verifier), tenant.id);
    }
  });

  test('A node reserves room for the first stream of a tenant, regardless of the streams of other tenants', async () => {
    await takeAll([prey, others[0] ?? assert.fail()], CROWD);
    assert.ok(await mayFollow(others[1] ?? assert.fail(), '192.0.2.1'));
  });

  test('A verifier rejected by the stream limits polls the list, which has the latest revocations', async (t) => {
    const { token } = await prey.createUser();
    await takeAll([prey], CROWD);
    const requestedPaths: string[] = [];
    const issuer = `${BASE_URL}/t/${prey.id}`;
    const verifier = createVerifier({
      issuer,
      address: `${keywright.url}/t/${prey.id}`,
      fetch: (address, init) => {
        requestedPaths.push(address.slice(keywright.url.length));
        return fetch(address, init);
      },
    });
    t.after(() => verifier.close());
    const lists = () => requestedPaths.filter((path) => path.endsWith('/status/0')).length;
    await verifier.verify(token);
    await until('it asks again', () => lists() > 1);
    assert.equal(verifier.state().revocations?.isConnected, false);
    await prey.request('POST', '/auth/logout', { token });
    const listsBefore = lists();
    const reasonNow = () =>
      verifier.verify(token).then(
        () => undefined,
        (error: unknown) => (error instanceof VerificationError ? error.reason : String(error)),
      );
    assert.equal(await until('the token is rejected', reasonNow), 'revoked');
    assert.ok(lists() - listsBefore <= 2, `${lists() - listsBefore} questions`);
  });

  test('The room of a stream that ends is free for another stream', async () => {
    await takeAll([prey], ['192.0.2.1']);
    open.shift()?.close();
    await until('the place is free again', () => openStreams() === PER_ADDRESS - 1);
    assert.ok(await mayFollow(prey, '192.0.2.1'));
  });
});

describe('the log', () => {
  /** The lines since this index that are above the level info. */
  const complaints = (from: number) =>
    lines.slice(from).filter((line) => !line.startsWith('{"level":30,'));
  const streamLines = (from: number) =>
    lines.slice(from).filter((line) => line.includes('/status/stream'));

  test('The log has one line, and no error, for a rejected stream', async () => {
    const from = lines.length;
    await takeAll([prey], ['192.0.2.1']);
    assert.equal(streamLines(from).length, 1);
    assert.match(streamLines(from)[0] ?? '', /"status":503,.*"code":"UNAVAILABLE"/);
    assert.deepEqual(complaints(from), []);
  });

  test('The log has a line, and no error, for a stream that was cut off at any moment', async () => {
    const from = lines.length;
    const { port, host } = new URL(keywright.url);
    const request = `GET ${pathOf(prey)} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
    for (const isOrderly of [false, true]) {
      for (let turnCount = 0; turnCount < 30; turnCount += 1) {
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        socket.write(request);
        // Disconnects before the request is read, while the tenant is loaded, when the stream starts or after events.
        await eventLoopIterations(turnCount);
        if (isOrderly) socket.destroySoon();
        else socket.resetAndDestroy();
        if (!socket.closed) await once(socket, 'close');
      }
    }
    assert.ok(await mayFollow(prey, '192.0.2.1'));
    open.shift()?.close();
    await until('each was noticed', () => openStreams() === 0);
    assert.ok(streamLines(from).length > 1);
    assert.deepEqual(complaints(from), []);
  });
});
