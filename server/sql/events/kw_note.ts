// Made from kw_note.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const note: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly entries: readonly string[];
}, unknown> = {
  name: 'kw_note',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_note($1, $2)',
  values: ({ tenants, entries }) => [tenants, entries],
};
