// Made from kw_list_users.sql by `npm run generate`.

import type { TenantId, UserId, WorkspaceId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const listUsers: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly fields: readonly string[];
  readonly descending: readonly boolean[];
  readonly values: readonly string[];
  readonly ids: readonly string[];
  readonly skips: readonly number[];
  readonly limits: readonly number[];
  readonly countUpTo: readonly number[];
}, { readonly answer: { readonly ids: readonly UserId[]; readonly sizes: readonly number[]; readonly counted: readonly number[]; readonly records: { readonly users: readonly [ids: UserId[] | null, is_active: boolean[] | null, created_at: string[] | null, metadata: UserRecord['metadata'][] | null, user_metadata: UserRecord['user_metadata'][] | null, name: (string | null)[] | null, picture: (string | null)[] | null, last_login_at: (string | null)[] | null]; readonly identifiers: readonly [users: UserId[] | null, types: ('email' | 'phone')[] | null, identifiers: string[] | null, verified: boolean[] | null, positions: number[] | null]; readonly roles: readonly [users: UserId[] | null, roles: string[] | null]; readonly workspaces: readonly [users: UserId[] | null, workspaces: WorkspaceId[] | null, positions: number[] | null] } } }> = {
  name: 'kw_list_users',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_list_users($1, $2, $3, $4, $5, $6, $7, $8) AS answer',
  values: ({ tenants, fields, descending, values, ids, skips, limits, countUpTo }) => [tenants, fields, descending, values, ids, skips, limits, countUpTo],
};
