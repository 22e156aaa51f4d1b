// Statements that PostgreSQL aborts in real deadlocks of two transactions.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { inDeadlock } from '@keywright/tests/harness/deadlock';
import { sql } from 'kysely';
import { systemClock } from '../platform/clock.ts';
import type { Call, TenantCall } from '../platform/db/calls.ts';
import { type Database, type Statement, statement } from '../platform/db/database.ts';
import { observed } from '../platform/db/observed.ts';
import { openPostgres } from '../platform/db/postgres.ts';
import { AfterCommit } from './after-commit.ts';
import { Gate } from './gate.ts';

const lockRow = (id: number) => `SELECT FROM counted WHERE id = ${id} FOR UPDATE`;
const opposed = { first: lockRow(1), second: lockRow(2) };
const increment = (id: number) => sql`UPDATE counted SET n = n + 1 WHERE id = ${id}`;

let stored: TestDatabase;
let database: Database;
let gate: Gate;
/** Statements that increment both rows. */
let calls: number;

before(async () => {
  stored = await createDatabase();
  await stored.query('CREATE TABLE counted (id int PRIMARY KEY, n int NOT NULL)');
  await stored.query('GRANT ALL ON counted TO PUBLIC');
  await stored.query(`
    CREATE FUNCTION increment_both() RETURNS integer LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE counted SET n = n + 1 WHERE id = 1;
      UPDATE counted SET n = n + 1 WHERE id = 2;
      RETURN 1;
    END $$`);
});

after(() => stored.drop());

beforeEach(async () => {
  await stored.query('TRUNCATE counted');
  await stored.query('INSERT INTO counted VALUES (1, 0), (2, 0)');
  database = openPostgres(stored.url, () => undefined);
  calls = 0;
  const counted = observed(database, (name) => {
    if (name === 'both') calls += 1;
    return () => undefined;
  });
  gate = new Gate(counted, systemClock, new AfterCommit());
});

async function finalCounts(): Promise<number[]> {
  await database.close();
  const rows = await stored.query<{ n: number }>('SELECT n FROM counted ORDER BY id');
  return rows.map(({ n }) => n);
}

describe('work that PostgreSQL aborted in a deadlock', () => {
  test('A transaction that PostgreSQL aborted in a deadlock runs once more, and its hooks run once, after the commit', async () => {
    let runs = 0;
    const followed: number[] = [];
    await inDeadlock(stored, opposed, () =>
      gate.into(DEFAULT_TENANT).transaction(async (tx) => {
        runs += 1;
        const run = runs;
        tx.afterCommit(() => void followed.push(run));
        await increment(1).execute(tx.db);
        await increment(2).execute(tx.db);
      }),
    );
    assert.deepEqual([runs, followed], [2, [2]]);
    assert.deepEqual(await finalCounts(), [1, 1]);
  });

  test('A statement for one tenant, or for many, that PostgreSQL aborted in a deadlock runs once more', async () => {
    const both = statement<{ answer: number }>('both', 'SELECT increment_both() AS answer');
    const ofTenant: Statement & TenantCall<object, { answer: number }> = {
      ...both,
      values: () => [],
    };
    const rows = await inDeadlock(stored, opposed, () =>
      gate.into(DEFAULT_TENANT).call(ofTenant, {}),
    );
    assert.deepEqual([rows, calls], [[{ answer: 1 }], 2]);
    const ofMany: Statement & Call<{ tenants: [] }, { answer: number }> = {
      ...both,
      values: () => [],
    };
    await inDeadlock(stored, opposed, () => gate.callMany(ofMany, { tenants: [] }));
    assert.equal(calls, 4);
    assert.deepEqual(await finalCounts(), [2, 2]);
  });

  test('A transaction that PostgreSQL aborted twice does not run a third time: the caller gets the second error', async () => {
    let runs = 0;
    const work = gate.into(DEFAULT_TENANT).transaction(async (tx) => {
      runs += 1;
      await sql`DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '40001'; END $$`.execute(
        tx.db,
      );
    });
    await assert.rejects(work, { code: '40001' });
    assert.equal(runs, 2);
    await database.close();
  });
});
