// Made from kw_find_users.sql by `npm run generate`.

import type { TenantId, UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const findUsers: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly users: readonly UserId[];
}, { readonly answer: (UserRecord | null)[] }> = {
  name: 'kw_find_users',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_find_users($1, $2) AS answer',
  values: ({ tenants, users }) => [tenants, users],
};
