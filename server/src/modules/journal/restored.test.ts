import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startKeywright as startNode } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { eventsFrom, eventsOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_MASTER_KEY: MASTER_KEY } });
});

after(() => keywright.close());

/** One more node on the same database, which is all that a start does. */
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

test('a log that was restored on another server is in its old order, with what is new behind it', async () => {
  const { home } = keywright;
  await eventsFrom(home, () => keywright.createUser());
  const known = (await eventsOf(home)).map((event) => event.id);
  assert.ok(known.length > 3);
  // On a server that has counted less, the numbers of the dump are those of transactions to come.
  for (let restored = 0; restored < 2; restored += 1) {
    await keywright.database.query('UPDATE events SET xid = xid + 1000000000');
    assert.deepEqual(await eventsOf(home), []);
    await start();
    const found = (await eventsOf(home)).map((event) => event.id);
    assert.deepEqual(found.slice(0, known.length), known);
    const added = await eventsFrom(home, () => keywright.createUser());
    const all = (await eventsOf(home)).map((event) => event.id);
    const news = added.map((event) => event.id);
    assert.deepEqual(all.slice(-news.length - 1, -1), news);
    known.splice(0, known.length, ...all);
  }
  await start();
  assert.deepEqual(
    (await eventsOf(home)).map((event) => event.id),
    known,
  );
});
