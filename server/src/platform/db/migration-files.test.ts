// What a migration can contain without blocking a running service.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { concurrentIndexOf } from './concurrent-index.ts';
import { readSchemaFiles, type SchemaFile } from './schema-files.ts';

type Migration = Pick<SchemaFile, 'name' | 'text'>;

/** Why a migration would block writes to tables of earlier migrations while an index is built. */
function findBlockingIndexes(migrations: readonly Migration[], name: string): string[] {
  const place = migrations.findIndex((migration) => migration.name === name);
  const text = statementsOf(migrations[place]?.text ?? '');
  if (concurrentIndexOf({ text })) {
    const isAlone = text.split(';').filter((statement) => statement.trim() !== '').length === 1;
    return isAlone ? [] : ['an index that is built concurrently needs its own migration'];
  }
  const newTables = new Set([...text.matchAll(/CREATE TABLE (\w+)/gi)].map(([, table]) => table));
  const indexed = [
    ...text.matchAll(/CREATE (?:UNIQUE )?INDEX [\w\s]*?\bON (\w+)/gi),
    ...text.matchAll(
      /ALTER TABLE (\w+)[^;]*?ADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)(?! USING INDEX)/gi,
    ),
  ];
  return indexed
    .map(([, table = '']) => table)
    .filter((table) => !newTables.has(table))
    .map((table) => `an index on ${table} needs CREATE INDEX CONCURRENTLY in its own migration`);
}

/** Without comments. */
function statementsOf(text: string): string {
  return text.replaceAll(/--.*$/gm, '');
}

test('A migration builds an index on an existing table concurrently, as its only statement', () => {
  const { migrations } = readSchemaFiles();
  for (const { name } of migrations)
    assert.deepEqual(findBlockingIndexes(migrations, name), [], name);
});

describe('the check of indexes in migrations', () => {
  const EXISTING = { name: '0001', text: 'CREATE TABLE users (id text PRIMARY KEY);' };
  const check = (text: string) => findBlockingIndexes([EXISTING, { name: '0002', text }], '0002');

  const ACCEPTED = {
    'an index on a table of the same migration':
      'CREATE TABLE notes (id text);\nCREATE INDEX notes_by_id ON notes (id);',
    'an index that is built concurrently':
      '-- Why.\nCREATE UNIQUE INDEX CONCURRENTLY users_by_id\n  ON users (id) WHERE id IS NOT NULL;\n',
    'a constraint that uses an index': 'ALTER TABLE users ADD CONSTRAINT u UNIQUE USING INDEX i;',
    'a column': 'ALTER TABLE users ADD COLUMN name text;',
  };
  for (const [what, text] of Object.entries(ACCEPTED)) {
    test(`The check of indexes in migrations accepts ${what}`, () =>
      assert.deepEqual(check(text), []));
  }

  const REFUSED = {
    'an index on an existing table': 'CREATE INDEX users_by_id ON users (id);',
    'a unique index without a name': 'CREATE UNIQUE INDEX ON users (id);',
    'a constraint that builds an index':
      'ALTER TABLE users ADD COLUMN n int, ADD CONSTRAINT u UNIQUE (n);',
    'an index that is built concurrently alongside another statement':
      'CREATE INDEX CONCURRENTLY users_by_id ON users (id);\nDROP TABLE notes;',
    'two indexes that are built concurrently':
      'CREATE INDEX CONCURRENTLY a ON users (id);\nCREATE INDEX CONCURRENTLY b ON users (id);',
  };
  for (const [what, text] of Object.entries(REFUSED)) {
    test(`The check of indexes in migrations refuses ${what}`, () =>
      assert.equal(check(text).length, 1));
  }
});
