// Made from kw_list_tenants.sql by `npm run generate`.

import type { SystemCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export interface ListTenantsRow {
  readonly tenants: JsonValue | null;
  readonly counted: number;
}

export const listTenants: Statement & SystemCall<{
  readonly descending: boolean;
  readonly moment: string;
  readonly id: string;
  readonly skip: number;
  readonly limit: number;
  readonly countUpTo: number;
}, ListTenantsRow> = {
  name: 'kw_list_tenants',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_list_tenants($1, $2, $3, $4, $5, $6, $7)',
  values: (entries, { descending, moment, id, skip, limit, countUpTo }) => [entries, descending, moment, id, skip, limit, countUpTo],
};
