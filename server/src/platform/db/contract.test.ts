import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '@keywright/tests/harness/database';
import { findConflicts, readCatalog } from './schema-state.ts';
import { openInMemory } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { readSchemaFiles } from './schema-files.ts';

const MEND =
  'Nodes of the previous version may use these lines of server/sql/contract.txt, which the schema no longer has. ' +
  'Keep what they name, and give what is new another name; or delete the lines once no such node runs ' +
  '(docs/contributing/adding-an-endpoint.md).';

test('Everything in the schema that nodes of the previous version use still exists, on both engines', async () => {
  const embedded = await openInMemory();
  await migrate(embedded);
  const database = await createDatabase();
  const postgres = openPostgres(database.url, () => {});
  for (const { kysely } of [embedded, postgres]) {
    const catalog = await readCatalog(kysely);
    assert.deepEqual(findConflicts(readSchemaFiles().contract, catalog), [], MEND);
  }
  await embedded.close();
  await postgres.close();
  await database.drop();
});

const CONTRACT = ['column a.x text required', 'column a.y text', 'function kw_one(p text) text'];

for (const [title, catalog, conflicts] of [
  ['that is the same', CONTRACT, []],
  [
    'with more tables, optional columns and functions',
    [...CONTRACT, 'column a.z text', 'column b.x text required', 'function kw_two() text'],
    [],
  ],
  ['without a column', CONTRACT.toSpliced(1, 1), ['column a.y text']],
  ['without a function', CONTRACT.slice(0, 2), ['function kw_one(p text) text']],
  [
    'with another result of a function',
    CONTRACT.with(2, 'function kw_one(p text) json'),
    ['function kw_one(p text) text'],
  ],
  [
    'with a column that has to be written',
    [...CONTRACT, 'column a.z text required'],
    ['column a.z text required'],
  ],
] as const) {
  const fits = conflicts.length === 0 ? 'fits' : 'does not fit';
  test(`A schema ${title} ${fits} the version`, () => {
    assert.deepEqual(findConflicts(CONTRACT, catalog), conflicts);
  });
}

test('Every migration has a unique number, and no number is left out', () => {
  const numbers = readSchemaFiles().migrations.map(({ name }) => name.slice(0, 4));
  const expected = numbers.map((_, place) => String(place + 1).padStart(4, '0'));
  assert.deepEqual(numbers, expected);
});
