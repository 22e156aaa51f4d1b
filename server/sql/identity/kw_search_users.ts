// Made from kw_search_users.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const searchUsers: Statement & TenantCall<{
  readonly rare: string | null;
  readonly also: string | null;
  readonly part: string;
  readonly descending: boolean;
  readonly id: string;
  readonly skip: number;
  readonly limit: number;
  readonly users: number;
  readonly countUpTo: number;
}, { readonly answer: JsonValue }> = {
  name: 'kw_search_users',
  onlyReads: true,
  takesLong: true,
  text: 'SELECT kw_search_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS answer',
  values: (tenant, { rare, also, part, descending, id, skip, limit, users, countUpTo }) => [tenant, rare, also, part, descending, id, skip, limit, users, countUpTo],
};
