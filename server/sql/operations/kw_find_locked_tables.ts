// Made from kw_find_locked_tables.sql by `npm run generate`.

import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindLockedTablesRow {
  readonly locked: string[];
  readonly is_waiting: boolean;
}

export const findLockedTables: Statement & Call<Record<string, never>, FindLockedTablesRow> = {
  name: 'kw_find_locked_tables',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_locked_tables()',
  values: () => [],
};
