import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { SignalStreamRecord } from '@keywright/contract/records/signal-stream';
import { SIGNALS } from '@keywright/contract/signals';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type PolledSets, SignalClient, setClaims } from '@keywright/tests/harness/signals';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;
let client: SignalClient;
let stream: SignalStreamRecord;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('polled');
  client = await SignalClient.register(tenant, { reach: 'all_users' });
});
beforeEach(async () => {
  if (stream) await client.call('DELETE', `/streams?stream_id=${stream.stream_id}`);
  stream = await client.stream(undefined, { events_requested: [SIGNALS['account-disabled']] });
});
after(() => keywright.close());

const poll = (request: object = {}, node = 0) => client.poll(stream.stream_id, request, node);

/** Triggers this many events, in order. */
async function signal(count = 1): Promise<void> {
  const token = await tenant.adminToken();
  for (let index = 0; index < count; index += 1) {
    const { user } = await tenant.createUser();
    const body = { is_active: false };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
  }
}

const jtisOf = ({ sets }: PolledSets) => Object.keys(sets);

describe('a poll (RFC 8936 §2.4)', () => {
  test('A poll returns the waiting events, oldest first, and at most the requested number', async () => {
    await signal(3);
    const all = await poll();
    assert.equal(jtisOf(all).length, 3);
    assert.equal(all.moreAvailable, undefined);
    const two = await poll({ maxEvents: 2 });
    assert.deepEqual([jtisOf(two), two.moreAvailable], [jtisOf(all).slice(0, 2), true]);
    assert.deepEqual(await poll({ maxEvents: 0 }), { sets: {} });
    for (const [jti, token] of Object.entries(all.sets)) {
      assert.equal(setClaims(token).jti, jti);
    }
  });

  test('A poll returns the same events, byte for byte, until they are acknowledged', async () => {
    await signal(2);
    const first = await poll();
    assert.deepEqual(await poll({}, 1), first);
    const [jti = '', other = ''] = jtisOf(first);
    assert.deepEqual(jtisOf(await poll({ ack: [jti] })), [other]);
    assert.deepEqual(jtisOf(await poll({}, 1)), [other]);
    // Acknowledging an event twice, or an unknown one, has no effect.
    assert.deepEqual(jtisOf(await poll({ ack: [jti, 'set_unknown', other] })), []);
  });

  test('A poll accepts errors, which also end an event and are stored as one line', async () => {
    await signal();
    const [jti = ''] = jtisOf(await poll());
    const setErrs = { [jti]: { err: 'invalid_key', description: 'no\nsuch key' } };
    assert.deepEqual(await poll({ setErrs }), { sets: {} });
    const rows = () =>
      keywright.database.query('SELECT status, reason FROM signal_deliveries WHERE id = $1', [jti]);
    const failed = [{ status: 'failed', reason: 'receiver_error: invalid_key: no such key' }];
    assert.deepEqual(await rows(), failed);
    await poll({ ack: [jti] });
    assert.deepEqual(await rows(), failed, 'what has ended does not end otherwise');
  });

  test('A poll acknowledges no event of another stream', async () => {
    const other = await client.stream();
    await signal();
    const [jti = ''] = jtisOf(await poll());
    await client.poll(other.stream_id, { ack: [jti] });
    assert.deepEqual(jtisOf(await poll()), [jti]);
    await client.call('DELETE', `/streams?stream_id=${other.stream_id}`);
  });

  test('A poll is refused for a stream that is pushed, and for parameters that it does not accept', async () => {
    const { stream_id } = await client.stream('https://receiver.example.com/');
    const pushed = await client.call('POST', `/poll/${stream_id}`, { returnImmediately: true });
    assert.equal(pushed.status, 404);
    const path = `/poll/${stream.stream_id}`;
    for (const body of [
      { maxEvents: -1 },
      { maxEvents: 1.5 },
      { ack: 'set_1' },
      { ack: Array.from({ length: 201 }, () => 'set_1') },
      { setErrs: { set_1: 'invalid' } },
      { returnImmediately: 'yes' },
    ]) {
      assert.equal((await client.call('POST', path, body)).status, 400, JSON.stringify(body));
    }
    await client.call('DELETE', `/streams?stream_id=${stream_id}`);
  });

  test('A poll of a paused stream returns no events', async () => {
    const { stream_id } = stream;
    await client.call('POST', '/status', { stream_id, status: 'paused' });
    await signal();
    assert.deepEqual(await poll(), { sets: {} });
    await client.call('POST', '/status', { stream_id, status: 'enabled' });
    assert.equal(jtisOf(await poll()).length, 1);
  });
});

describe('a poll that waits', () => {
  test('A poll that waits is answered when there is an event, by any node', async () => {
    const waits = [0, 1].map((node) => poll({ returnImmediately: false }, node));
    await signal();
    const [answer, other] = await Promise.all(waits);
    assert.equal(jtisOf(answer as PolledSets).length, 1);
    assert.deepEqual(answer, other);
  });

  test('A poll that waits is answered immediately when an event is already waiting', async () => {
    await signal();
    const answer = await poll({ returnImmediately: false });
    assert.equal(jtisOf(answer).length, 1);
  });

  test('The polls that wait on a node share one statement per second', async () => {
    const statements = async () => {
      const [row] = await keywright.database.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%asked (tenant_id, id)%'
            AND query LIKE '%signal_streams%'`,
      );
      return row?.n ?? 0;
    };
    const earlier = await statements();
    const waits = Array.from({ length: 4 }, () => poll({ returnImmediately: false }));
    await signal();
    await Promise.all(waits);
    assert.ok((await statements()) - earlier <= 1);
  });

  test('A poll is answered immediately when four other polls of the stream wait', async () => {
    const answered: PolledSets[] = [];
    const polls = Array.from({ length: 8 }, async () => {
      answered.push(await poll({ returnImmediately: false }));
    });
    await until('four are answered', () => answered.length === 4);
    for (const answer of answered) assert.deepEqual(answer, { sets: {} });
    await signal();
    await Promise.all(polls);
    assert.equal(answered.filter((answer) => jtisOf(answer).length === 1).length, 4);
  });
});
