import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { EmbeddedEngine } from './embedded-engine.ts';
import { EmbeddedPool } from './embedded-pool.ts';
import { EmbeddedMaintenance } from './embedded-maintenance.ts';

const ROWS = 1000;
const CHECKPOINT_AFTER_BYTES = 4 * 1024 * 1024;

let pool: EmbeddedPool;
let maintenance: EmbeddedMaintenance;

before(async () => {
  pool = new EmbeddedPool(await EmbeddedEngine.start({ start: () => PGlite.create() }));
  maintenance = new EmbeddedMaintenance(pool, {
    onFailed: (error) => assert.fail(String(error)),
    checkpointAfterBytes: CHECKPOINT_AFTER_BYTES,
  });
  await pool.query('CREATE TABLE queue (n integer PRIMARY KEY, text text)', []);
});
after(() => pool.end());

async function queryRow<Row>(sql: string): Promise<Row> {
  const { rows } = await pool.query<Row>(sql, []);
  return rows[0] as Row;
}

/** Inserts and deletes rows repeatedly. */
async function pass(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await pool.query('INSERT INTO queue SELECT n, $2 FROM generate_series(1, $1::integer) AS n', [
      ROWS,
      'waiting',
    ]);
    await pool.query('DELETE FROM queue WHERE n > 0', []);
    // Otherwise counted within a second.
    await pool.query('SELECT pg_stat_force_next_flush()', []);
  }
}

interface Counted {
  readonly vacuum_count: number;
  readonly analyze_count: number;
}

const counted = () =>
  queryRow<Counted>(
    `SELECT vacuum_count::integer, analyze_count::integer FROM pg_stat_all_tables WHERE relname = 'queue'`,
  );

test('A queue reuses the space of deleted rows, and does not grow with its throughput', async () => {
  const size = `SELECT pg_relation_size('queue')::integer AS bytes`;
  await pass(3);
  await maintenance.look();
  await pass(1);
  const { bytes: bytesBefore } = await queryRow<{ bytes: number }>(size);
  for (let round = 0; round < 5; round += 1) {
    await pass(1);
    await maintenance.look();
  }
  const { bytes: taken } = await queryRow<{ bytes: number }>(size);
  assert.ok(taken <= bytesBefore, `${taken} bytes, which were ${bytesBefore}`);
});

test('A table is analyzed after it has changed, and not again until it changes', async () => {
  await pool.query('INSERT INTO queue SELECT n FROM generate_series(1, $1::integer) AS n', [ROWS]);
  await pool.query('SELECT pg_stat_force_next_flush()', []);
  await maintenance.look();
  const analyzed = await queryRow<{ rows: number }>(
    `SELECT reltuples::integer AS rows FROM pg_class WHERE relname = 'queue'`,
  );
  assert.equal(analyzed.rows, ROWS);
  const once = await counted();
  await maintenance.look();
  await maintenance.look();
  assert.deepEqual(await counted(), once);
});

test('The write-ahead log is checkpointed when it is long, and not before', async () => {
  const place = 'SELECT redo_lsn::text AS place FROM pg_control_checkpoint()';
  await pool.query('CHECKPOINT', []);
  const start = await queryRow(place);
  await maintenance.look();
  assert.deepEqual(await queryRow(place), start, 'while it is short');
  const long = `SELECT pg_current_wal_lsn() - redo_lsn > ${CHECKPOINT_AFTER_BYTES} AS is FROM pg_control_checkpoint()`;
  while (!(await queryRow<{ is: boolean }>(long)).is) {
    await pool.query(`UPDATE queue SET text = repeat('x', 1000)`, []);
  }
  await maintenance.look();
  assert.notDeepEqual(await queryRow(place), start);
  assert.equal((await queryRow<{ is: boolean }>(long)).is, false);
});
