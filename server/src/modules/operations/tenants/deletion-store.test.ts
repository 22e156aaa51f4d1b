import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { TENANT_TABLES } from './deletion-store.ts';

/** Contains a row of a tenant that no caller may enter. */
const CHECK_TABLE = 'isolation_check';

let database: TestDatabase;

before(async () => {
  database = await createDatabase();
});

after(() => database.drop());

describe('the tables cleared by the deletion of a tenant', () => {
  test('The tables cleared by the deletion of a tenant are all those with rows of tenants', async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
    );
    const names = rows.map((row) => row.name).filter((name) => name !== CHECK_TABLE);
    assert.deepEqual([...TENANT_TABLES].toSorted(), names.toSorted());
  });

  test('The tables cleared by the deletion of a tenant are in an order in which no row references a deleted one', async () => {
    const keys = await database.query<{ from: string; to: string }>(
      `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to
         FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    assert.ok(keys.length > 5);
    const order: readonly string[] = TENANT_TABLES;
    for (const { from, to } of keys) {
      assert.ok(order.indexOf(from) < order.indexOf(to), `${from} before ${to}`);
    }
  });
});
