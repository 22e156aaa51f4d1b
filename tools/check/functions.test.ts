import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findUncalledFunctions } from './functions.ts';

const FILES = {
  'server/src/store.ts': `
    import { one } from '../sql/users/kw_one.ts';
    export const find = () => sql\`SELECT kw_in_statement(1)\`;
    // Not kw_in_comment.`,
  'server/src/store.test.ts': 'sql`SELECT kw_in_test()`;',
  'server/sql/users/kw_one.sql': '-- Like kw_in_comment.\nSELECT kw_inner();',
  'server/sql/users/kw_inner.sql': 'RETURNS TABLE (place integer, :listed)',
  'server/sql/users/listed.columns.sql': 'id text',
  'server/sql/users/unlisted.columns.sql': 'id text',
  'server/sql/users/kw_in_statement.sql': 'SELECT 1;',
  'server/sql/users/users.triggers.sql': 'EXECUTE FUNCTION kw_triggered();',
  'server/sql/users/kw_triggered.sql': 'SELECT 1;',
  'server/sql/users/kw_in_comment.sql': 'SELECT kw_of_uncalled()::unlisted;',
  'server/sql/users/kw_of_uncalled.sql': 'SELECT kw_in_comment();',
  'server/sql/users/kw_in_test.sql': 'SELECT 1;',
};

test('A function or a list of columns that only comments, tests or uncalled functions name is reported', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'keywright-functions-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  assert.deepEqual(
    findUncalledFunctions(root),
    ['kw_in_comment', 'kw_in_test', 'kw_of_uncalled', 'unlisted.columns'].map(
      (name) => `server/sql/users/${name}.sql: nothing calls this function`,
    ),
  );
});
