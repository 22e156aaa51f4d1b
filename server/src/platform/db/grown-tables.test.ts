import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createDatabase } from '@keywright/tests/harness/database';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';
import { GrownTables } from './grown-tables.ts';
import { openPostgres } from './postgres.ts';

const ROWS = 20_000;

/** A table with one row, a connection that writes to it, and the maintenance of its statistics. */
async function open(t: TestContext) {
  const database = await createDatabase();
  const service = openPostgres(database.url, () => {});
  const writer = new pg.Client(database.url);
  t.after(async () => {
    await writer.end();
    await service.close();
    await database.drop();
  });
  await writer.connect();
  await writer.query('CREATE TABLE numbers WITH (autovacuum_enabled = off) AS SELECT 1 AS n');
  const estimate = async () => {
    const [table] = await database.query<{ rows: number; pages: number }>(
      `SELECT reltuples::int AS rows, relpages AS pages FROM pg_class WHERE relname = 'numbers'`,
    );
    return table;
  };
  return { database, writer, estimate, tables: new GrownTables(service.kyselyFor('maintenance')) };
}

test('The statistics include the rows of a large transaction during which their table was analyzed', async (t) => {
  const { writer, estimate, tables } = await open(t);
  await writer.query('BEGIN');
  await writer.query(`INSERT INTO numbers SELECT generate_series(1, ${ROWS})`);
  await tables.look();
  const during = await estimate();
  assert.ok(during && during.rows === 1 && during.pages > 50, JSON.stringify(during));
  await writer.query('SELECT pg_stat_force_next_flush()');
  await writer.query('COMMIT');
  await until('the rows are known', async () => {
    await tables.look();
    return (await estimate())?.rows === ROWS + 1;
  });
});

test('A table whose rows are counted wrongly is not analyzed at every look because of them', async (t) => {
  const { database, writer, tables } = await open(t);
  await tables.look();
  await writer.query(`INSERT INTO numbers SELECT generate_series(1, ${ROWS})`);
  await database.query('ANALYZE numbers');
  const analyses = async () => {
    await database.query('SELECT pg_stat_clear_snapshot()');
    const [row] = await database.query<{ n: number }>(
      `SELECT analyze_count::int AS n FROM pg_stat_user_tables WHERE relname = 'numbers'`,
    );
    return row?.n ?? 0;
  };
  const before = await analyses();
  for (let look = 0; look < 3; look += 1) {
    // Simulates stale statistics without any writes.
    await database.query(`UPDATE pg_class SET reltuples = 1 WHERE relname = 'numbers'`);
    await tables.look();
  }
  assert.equal(await analyses(), before + 1);
});
