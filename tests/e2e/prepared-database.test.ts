import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { type Database, statement } from '@keywright/server/platform/db/database';
import { openEmbedded } from '@keywright/server/platform/db/embedded';
import { preparedDatabase } from '../harness/data-folder.ts';
import { databaseDirectory } from '../harness/temporary.ts';

let prepared: string;

before(async () => {
  prepared = await preparedDatabase();
});

/** Every value of every table, as text, by table and column. */
async function valuesOf(database: Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = await database.run<{ name: string }>(
    statement(
      'tables',
      `SELECT relname AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    ),
    [],
  );
  const values = new Map<string, Set<string>>();
  for (const { name } of names) {
    const rows = await database.run<{ key: string; value: string | null }>(
      statement(name, `SELECT v.* FROM "${name}" t, jsonb_each_text(to_jsonb(t)) v`),
      [],
    );
    for (const { key, value } of rows) {
      const column = `${name}.${key}`;
      if (!values.has(column)) values.set(column, new Set());
      if (value !== null) values.get(column)?.add(value);
    }
  }
  return values;
}

async function firstStart() {
  const folder = await databaseDirectory('data');
  const database = await openEmbedded(folder, (message) => assert.fail(message), prepared);
  const empty = await valuesOf(database);
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_DATA_DIR: folder,
  });
  const service = await startKeywright({ config, database });
  const values = await valuesOf(database);
  await service.close();
  return {
    empty,
    values,
    secret: service.firstStart?.administrator?.secret,
    masterKey: await readFile(join(folder, 'master.key'), 'utf8'),
  };
}

/** Rows that are the same in every installation. */
const CONSTANT = [
  'deliveries_checked',
  'function_checksums',
  'isolation_check',
  'migration_checksums',
  'schema_versions',
];
/** Long enough to be random: a key, a hash, or the random part of an ID. */
const RANDOM = /[\w+/-]{16}/;

test('Two installations whose first starts unpacked the same prepared database share no secret, key or ID', async () => {
  const first = await firstStart();
  const second = await firstStart();
  const tables = [...first.empty.keys()].map((column) => column.replace(/\..*/, ''));
  assert.deepEqual([...new Set(tables)].toSorted(), CONSTANT);
  assert.ok(first.secret !== undefined && first.secret !== second.secret);
  assert.notEqual(first.masterKey, second.masterKey);
  const created = [...first.values].filter(
    ([column]) => !first.empty.has(column) && column !== 'nodes.host',
  );
  const random = created.flatMap(([column, values]) =>
    [...values].filter((value) => RANDOM.test(value)).map((value) => [column, value] as const),
  );
  for (const column of ['signing_keys.private_key', 'tenant_data_keys.wrapped_key', 'users.id']) {
    assert.ok(
      random.some(([found]) => found === column),
      column,
    );
  }
  const shared = random.filter(([column, value]) => second.values.get(column)?.has(value));
  assert.deepEqual(shared, []);
});
