// Made from kw_find_suppressions.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FindSuppressionsRow {
  readonly place: number;
  readonly reason: string;
}

export const findSuppressions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly ids: readonly string[];
}, FindSuppressionsRow> = {
  name: 'kw_find_suppressions',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_find_suppressions($1, $2)',
  values: ({ tenants, ids }) => [tenants, ids],
};
