// Made from kw_list_users.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const listUsers: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly fields: readonly string[];
  readonly descending: readonly boolean[];
  readonly values: readonly string[];
  readonly ids: readonly string[];
  readonly skips: readonly number[];
  readonly limits: readonly number[];
  readonly countUpTo: readonly number[];
}, { readonly answer: JsonValue }> = {
  name: 'kw_list_users',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_list_users($1, $2, $3, $4, $5, $6, $7, $8) AS answer',
  values: ({ tenants, fields, descending, values, ids, skips, limits, countUpTo }) => [tenants, fields, descending, values, ids, skips, limits, countUpTo],
};
