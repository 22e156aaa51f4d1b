// Events to verifiers when a node, its notifications or the database fail.

import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { startPostgres } from '../harness/postgres.ts';
import { bitOf } from '../harness/status.ts';
import { until } from '../harness/until.ts';
import { lastVersion, StatusProcesses } from './status-processes.ts';

const NOTIFIED_WITHIN_MS = 2000;
const CRASHES = 3;
/** The database is checked each second; after this long without a response there are no heartbeats. */
const VOUCHED_MS = 3500;
/** Longer than the interval of two heartbeats. */
const PARTITION_MS = 11_000;

async function setUp(t: TestContext): Promise<StatusProcesses> {
  const nodes = await StatusProcesses.create();
  t.after(() => nodes.close());
  return nodes;
}

describe('revocations', { concurrency: true }, () => {
  test('Revocations acknowledged right before SIGKILL are sent by the other node, and by the restarted one', async (t) => {
    const nodes = await setUp(t);
    const [other, first] = [await nodes.start(), await nodes.start()];
    const stream = await nodes.follow(other);
    const before = lastVersion(stream);
    const seen = new Set<number>();
    let victim = first;
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const token = await nodes.logIn(victim);
      const bit = bitOf(token);
      assert.ok(!seen.has(bit), 'a node that restarts assigns no bit a second time');
      seen.add(bit);
      await nodes.logOut(victim, token);
      await Promise.all([stream.revocationOf(bit, 0, NOTIFIED_WITHIN_MS), victim.kill9()]);
      assert.ok((await nodes.setBits(other)).has(bit));
      victim = await nodes.start();
      assert.ok((await nodes.setBits(victim)).has(bit));
      const late = await nodes.follow(victim, before);
      const revokedBits = late.events[0]?.claims.revoked?.['0'] ?? [];
      for (const seenBit of seen) assert.ok(revokedBits.includes(seenBit));
    }
  });

  test('All revocations are sent although nodes lose their listening connections', async (t) => {
    const nodes = await setUp(t);
    const [one, two] = [await nodes.start(), await nodes.start()];
    const streams = [await nodes.follow(one), await nodes.follow(two)];
    for (let turn = 0; turn < 3; turn += 1) {
      const token = await nodes.logIn(one);
      const gone = await nodes.database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name LIKE 'keywright watch of %' AND datname = current_database()`,
      );
      assert.ok(gone.length >= 2);
      await nodes.logOut(one, token);
      await Promise.all(
        streams.map((stream) => stream.revocationOf(bitOf(token), 0, NOTIFIED_WITHIN_MS)),
      );
    }
    assert.ok(streams.every((stream) => !stream.isOver));
  });
});

describe('an unreachable database', () => {
  test('An unreachable database ends no stream, and stops heartbeats until it is back', async (t) => {
    const server = await startPostgres({ fsync: true });
    const nodes = await StatusProcesses.create(server);
    t.after(async () => {
      await nodes.close();
      await server.close();
    });
    const node = await nodes.start();
    const token = await nodes.logIn(node);
    const stream = await nodes.follow(node);
    await server.kill9();
    const goneAt = performance.now();
    await until('time goes by', () => performance.now() - goneAt > PARTITION_MS, 2 * PARTITION_MS);
    const late = stream.events.filter(({ at }) => at > goneAt + VOUCHED_MS);
    assert.deepEqual([late.length, stream.isOver], [0, false]);
    await server.restart();
    await until('the service is back', async () => {
      const answer = await node.http.request('POST', '/auth/logout', { token });
      return answer.status === 200;
    });
    await stream.revocationOf(bitOf(token), 0, NOTIFIED_WITHIN_MS);
    const version = lastVersion(stream);
    await stream.find('a heartbeat', ({ claims }) => claims.from === version);
  });
});
