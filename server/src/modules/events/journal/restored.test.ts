import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startKeywright as startNode } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { expectStatus } from '@keywright/tests/harness/http';
import { eventsFrom, eventsOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { until } from '@keywright/tests/harness/until';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const HOUR_AGO = new Date(Date.now() - 3_600_000);

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY } });
});

after(() => keywright.close());

/** Simulates a restart by starting another node on the same database. */
async function start(): Promise<void> {
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    KEYWRIGHT_DATABASE_URL: keywright.database.url,
  });
  await (await startNode({ config })).close();
}

test('A log restored on another server keeps its order, with new entries at its end', async () => {
  const { home } = keywright;
  await eventsFrom(home, () => keywright.createUser());
  const earlierIds = (await eventsOf(home)).map((event) => event.id);
  assert.ok(earlierIds.length > 3);
  // To a server that has counted fewer transactions, the numbers in the dump are those of future transactions.
  for (let restored = 0; restored < 2; restored += 1) {
    await keywright.database.query('UPDATE events SET xid = xid + 1000000000');
    assert.deepEqual(await eventsOf(home), []);
    await start();
    const found = (await eventsOf(home)).map((event) => event.id);
    assert.deepEqual(found.slice(0, earlierIds.length), earlierIds);
    const added = await eventsFrom(home, () => keywright.createUser());
    const all = (await eventsOf(home)).map((event) => event.id);
    const news = added.map((event) => event.id);
    assert.deepEqual(all.slice(-news.length - 1, -1), news);
    earlierIds.splice(0, earlierIds.length, ...all);
  }
  await start();
  assert.deepEqual(
    (await eventsOf(home)).map((event) => event.id),
    earlierIds,
  );
});

test('Pending deliveries of a restored log are still sent, and so are later ones', async () => {
  const { home, database } = keywright;
  const token = await home.adminToken();
  const body = { url: 'https://hooks.example.com/', events: ['workspace.created'] };
  expectStatus(201, await home.request('POST', '/webhooks', { token, body }));
  const emit = async (name: string) => {
    const event = { type: 'workspace.created', subject: name, data: {}, created_at: HOUR_AGO };
    const events = JSON.stringify([{ ...event, id: `evt_${name}` }]);
    await database.query('SELECT kw_emit($1, $2)', [home.id, events]);
  };
  // An event is read only after all transactions of the server that began before it, in any database, have ended.
  const areQueued = (...ids: readonly string[]) =>
    until(`${ids.join()} are queued`, async () => {
      await database.query('SELECT kw_queue_unsent(now())');
      const rows = await database.query<{ event_id: string }>(
        'SELECT event_id FROM webhook_deliveries ORDER BY 1',
      );
      return rows.map((row) => row.event_id).join() === ids.join();
    });
  await emit('a');
  await areQueued('evt_a');
  await emit('b');
  await database.query('UPDATE events SET xid = xid + 1000000000');
  await database.query('UPDATE deliveries_checked SET before_xid = before_xid + 1000000000');
  await start();
  await emit('c');
  await areQueued('evt_a', 'evt_b', 'evt_c');
  // The log can end before the position that was checked.
  await database.query('UPDATE deliveries_checked SET before_xid = before_xid + 1000000000');
  await start();
  await emit('d');
  await areQueued('evt_a', 'evt_b', 'evt_c', 'evt_d');
});
