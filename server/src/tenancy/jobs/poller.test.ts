import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { until } from '@keywright/tests/harness/until';
import type { Database } from '../../platform/db/database.ts';
import { openPostgres } from '../../platform/db/postgres.ts';
import { openLog } from '../../platform/log.ts';
import { Poller } from './poller.ts';
import { findPendingWork, type PendingTable } from './pending-store.ts';

/** The rows of pending work, and the statement that ends the wait. */
const ROWS: readonly {
  readonly table: PendingTable;
  readonly rowOf: string;
  readonly end: string;
}[] = [
  ...(['messages', 'logout_deliveries', 'signal_deliveries', 'account_exports'] as const).map(
    (table) => ({ table, rowOf: table, end: `UPDATE ${table} SET status = 'done'` }),
  ),
  {
    table: 'webhook_deliveries',
    rowOf: 'webhook_deliveries',
    end: `UPDATE webhook_deliveries SET status = 'delivered'`,
  },
  // A row for a delivery that does not exist yet.
  { table: 'webhook_deliveries', rowOf: 'events', end: 'UPDATE events SET told = NULL' },
  { table: 'audit_unsealed', rowOf: 'audit_unsealed', end: 'DELETE FROM audit_unsealed' },
];

/** Valid values for columns. */
const VALUES: Readonly<Record<string, string>> = {
  tenant_id: `'org_a'`,
  channel: `'email'`,
  text: `'x'`,
  jsonb: `'{}'`,
  bytea: `'x'`,
  ARRAY: `'{x}'`,
  'timestamp with time zone': `now() + interval '1 hour'`,
};

describe('pending work', () => {
  let storage: TestDatabase;
  let database: Database;

  before(async () => {
    storage = await createDatabase();
    database = openPostgres(storage.url, () => {});
  });
  after(async () => {
    await database.close();
    await storage.drop();
  });

  /** Inserts a row without references, with a value for each required column. */
  async function insertInto(table: string): Promise<void> {
    const columns = await storage.query<{ column_name: string; data_type: string }>(
      `SELECT column_name, data_type FROM information_schema.columns
        WHERE table_name = $1 AND column_default IS NULL AND (is_nullable = 'NO' OR column_name = 'told')`,
      [table],
    );
    const values = columns.map(
      ({ column_name: name, data_type: type }) => VALUES[name] ?? VALUES[type] ?? '0',
    );
    await storage.query(
      `SET session_replication_role = replica;
       INSERT INTO ${table} (${columns.map((column) => column.column_name).join(', ')}) VALUES (${values.join(', ')});
       RESET session_replication_role`,
    );
  }

  for (const { table, rowOf, end } of ROWS) {
    const what = rowOf === table ? 'a row' : `a row of ${rowOf}`;
    test(`Pending work in ${table} is found while ${what} waits, whether it is due or not`, async () => {
      assert.deepEqual(await findPendingWork(database), []);
      await insertInto(rowOf);
      assert.deepEqual(await findPendingWork(database), [table]);
      await storage.query(end);
      assert.deepEqual(await findPendingWork(database), []);
    });
  }
});

describe('a node', () => {
  const find = { tables: [] as PendingTable[], error: undefined as Error | undefined, times: 0 };
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const poller = new Poller(async () => {
    find.times += 1;
    if (find.error) throw find.error;
    return find.tables;
  }, log);
  const polled = async (times: number) => {
    const last = find.times + times;
    await until('it polls', () => find.times >= last);
  };

  test('A node looks for due work of a kind only while some of it waits', async () => {
    const looks = { messages: 0, account_exports: 0 };
    const stops = (['messages', 'account_exports'] as const).map((table) =>
      poller.register({ name: table, table, look: async () => void (looks[table] += 1) }),
    );
    await polled(1);
    assert.deepEqual(looks, { messages: 0, account_exports: 0 });
    find.tables = ['messages'];
    await until('it looks', () => looks.messages > 0);
    assert.equal(looks.account_exports, 0);
    await Promise.all(stops.map((stop) => stop()));
  });

  test('A node logs an unavailable database once, and finds work when it is back', async () => {
    let looks = 0;
    find.error = new Error('away');
    const stop = poller.register({
      name: 'messages',
      table: 'messages',
      look: async () => void (looks += 1),
    });
    await polled(2);
    find.error = undefined;
    await until('it looks', () => looks > 0);
    await stop();
    assert.equal(
      lines.filter((line) => line.includes('the poll for pending work failed')).length,
      1,
    );
  });

  test('A node that stops polling first finishes the work that it has started', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let looks = 0;
    const stop = poller.register({
      name: 'messages',
      table: 'messages',
      look: () => {
        looks += 1;
        return promise;
      },
    });
    await until('it looks', () => looks > 0);
    await polled(2);
    assert.equal(looks, 1, 'not again before it has ended');
    let hasStopped = false;
    const stopping = stop().then(() => (hasStopped = true));
    await new Promise(setImmediate);
    assert.equal(hasStopped, false);
    resolve();
    await stopping;
  });
});
