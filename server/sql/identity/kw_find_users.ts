// Made from kw_find_users.sql by `npm run generate`.

import type { TenantId, UserId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';
import type { JsonValue } from '../../src/platform/db/schema.ts';

export const findUsers: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly users: readonly UserId[];
}, { readonly answer: JsonValue }> = {
  name: 'kw_find_users',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_users($1, $2) AS answer',
  values: ({ tenants, users }) => [tenants, users],
};
