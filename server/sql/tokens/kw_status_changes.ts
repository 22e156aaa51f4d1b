// Made from kw_status_changes.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface StatusChangesRow {
  readonly place: number;
  readonly version: string;
  readonly indexes: string[] | null;
}

export const statusChanges: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly after: readonly (number | null)[];
  readonly most: number;
}, StatusChangesRow> = {
  name: 'kw_status_changes',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_status_changes($1, $2, $3)',
  values: ({ tenants, after, most }) => [tenants, after, most],
};
