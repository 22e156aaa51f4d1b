import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { eventLoopIterations } from '@keywright/tests/harness/parallel';
import { statement } from './database.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { EmbeddedPool } from './embedded-pool.ts';

let pool: EmbeddedPool;

before(async () => {
  pool = new EmbeddedPool(await EmbeddedEngine.start({ start: () => PGlite.create() }));
  await pool.query('CREATE TABLE notes (n integer, bytes bytea)', []);
});

beforeEach(async () => {
  await pool.query('DELETE FROM notes', []);
});

async function notes(): Promise<number[]> {
  const { rows } = await pool.query<{ n: number }>('SELECT n FROM notes ORDER BY n', []);
  return rows.map((row) => row.n);
}

test('Transactions of the embedded database run one at a time, in the order requested', async () => {
  const order: string[] = [];
  async function transaction(name: string): Promise<void> {
    const client = await pool.connect();
    order.push(`${name} begins`);
    await client.query('BEGIN', []);
    await client.query('INSERT INTO notes (n) VALUES (1)', []);
    await eventLoopIterations(3);
    await client.query('COMMIT', []);
    order.push(`${name} ends`);
    client.release();
  }
  await Promise.all(['a', 'b', 'c'].map(transaction));
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('A query outside a transaction waits for the transaction, and is not part of it', async () => {
  const client = await pool.connect();
  await client.query('BEGIN', []);
  await client.query('INSERT INTO notes (n) VALUES (1)', []);
  let isAnswered = false;
  const other = pool.query('INSERT INTO notes (n) VALUES (2)', []).then(() => {
    isAnswered = true;
  });
  await eventLoopIterations(50);
  assert.equal(isAnswered, false);
  await client.query('ROLLBACK', []);
  client.release();
  await other;
  assert.deepEqual(await notes(), [2]);
});

test('The event loop gets a turn between two statements of the embedded database', async () => {
  const order: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    setImmediate(() => order.push('a turn'));
    await pool.query('SELECT 1 AS one', []);
    order.push(name);
  }
  assert.deepEqual(order, ['a turn', 'first', 'a turn', 'second', 'a turn', 'third']);
});

test('A failed statement leaves a working connection', async () => {
  await assert.rejects(pool.query('SELECT 1 / $1::integer', [0]), { code: '22012' });
  const client = await pool.connect();
  await client.query('BEGIN', []);
  await assert.rejects(client.query('SELECT nonsense', []));
  await client.query('ROLLBACK', []);
  client.release();
  assert.deepEqual(await notes(), []);
});

test('The embedded pool returns what pg returns: rows, buffers, and row counts', async () => {
  const bytes = Buffer.from([0, 1, 254, 255]);
  const insert = 'INSERT INTO notes (n, bytes) VALUES ($1, $3), ($2, $3)';
  const inserted = await pool.query(insert, [1, 2, bytes]);
  assert.deepEqual([inserted.command, inserted.rowCount, inserted.rows], ['INSERT', 2, []]);
  const updated = await pool.query('update notes SET n = n + 1 WHERE n = $1 RETURNING n', [2]);
  assert.deepEqual([updated.command, updated.rowCount, updated.rows], ['UPDATE', 1, [{ n: 3 }]]);
  const none = await pool.query('DELETE FROM notes WHERE n = $1', [99]);
  assert.deepEqual([none.command, none.rowCount], ['DELETE', 0]);
  const read = await pool.query<{ bytes: Buffer }>('SELECT bytes FROM notes WHERE n = $1', [1]);
  assert.deepEqual([read.command, read.rowCount], ['SELECT', 1]);
  assert.ok(Buffer.isBuffer(read.rows[0]?.bytes));
  assert.deepEqual(read.rows[0]?.bytes, bytes);
});

test('All statements in one text are run', async () => {
  await pool.query('INSERT INTO notes (n) VALUES (1); INSERT INTO notes (n) VALUES (2)', []);
  assert.deepEqual(await notes(), [1, 2]);
});

const addNote = statement('add', 'INSERT INTO notes VALUES ($1, $2) RETURNING n, bytes');

test('A named statement is parsed once, and returns what pg returns', async () => {
  const bytes = Buffer.from([0, 255]);
  assert.deepEqual(await pool.run(addNote, [1, bytes]), [{ n: 1, bytes }]);
  assert.deepEqual(await pool.run(addNote, [2, null]), [{ n: 2, bytes: null }]);
  const several = statement('several', 'SELECT n FROM notes WHERE n = ANY ($1) ORDER BY n');
  assert.deepEqual(await pool.run(several, [[2, 1, 7]]), [{ n: 1 }, { n: 2 }]);
  assert.deepEqual(await pool.run(several, [[]]), []);
  const { rows } = await pool.query(
    `SELECT name, (generic_plans + custom_plans)::integer AS runs FROM pg_prepared_statements
      WHERE name <> '' ORDER BY name`,
    [],
  );
  assert.deepEqual(rows, [
    { name: 'add', runs: 2 },
    { name: 'several', runs: 2 },
  ]);
});

test('A failed named statement has changed nothing, and can be run again', async () => {
  const limited = statement(
    'limited',
    'INSERT INTO notes SELECT 10 / n FROM unnest($1::integer[]) AS n',
  );
  await assert.rejects(pool.run(limited, [[1, 0]]), { code: '22012' });
  await assert.rejects(pool.run(statement('wrong', 'SELECT nonsense'), []), { code: '42703' });
  await assert.rejects(pool.run(limited, [['no number']]), { code: '22P02' });
  assert.deepEqual(await notes(), []);
  await pool.run(limited, [[5]]);
  assert.deepEqual(await notes(), [2]);
  assert.deepEqual(await pool.run(statement('wrong', 'SELECT 1 AS one'), []), [{ one: 1 }]);
});

// This test is last because it ends the shared pool, and a new database takes long to start.
test('The end() method of the embedded pool waits until the connection is released', async () => {
  const client = await pool.connect();
  let hasEnded = false;
  const ending = pool.end().then(() => {
    hasEnded = true;
  });
  await eventLoopIterations(20);
  assert.equal(hasEnded, false);
  const { rows } = await client.query<{ one: number }>('SELECT 1 AS one', []);
  assert.deepEqual(rows, [{ one: 1 }]);
  client.release();
  await ending;
});
