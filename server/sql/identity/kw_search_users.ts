// Made from kw_search_users.sql by `npm run generate`.

import type { UserId, WorkspaceId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const searchUsers: Statement & TenantCall<{
  readonly rare: readonly string[];
  readonly also: string | null;
  readonly part: string;
  readonly name: string | null;
  readonly nameRare: readonly string[];
  readonly field: string;
  readonly descending: boolean;
  readonly value: string;
  readonly id: string;
  readonly skip: number;
  readonly limit: number;
  readonly users: number;
  readonly most: number;
}, { readonly answer: { readonly ids: readonly UserId[]; readonly counted: number; readonly records: { readonly users: readonly [ids: UserId[] | null, is_active: boolean[] | null, created_at: string[] | null, metadata: UserRecord['metadata'][] | null, user_metadata: UserRecord['user_metadata'][] | null, name: (string | null)[] | null, picture: (string | null)[] | null, last_login_at: (string | null)[] | null]; readonly identifiers: readonly [users: UserId[] | null, types: ('email' | 'phone')[] | null, identifiers: string[] | null, verified: boolean[] | null, positions: number[] | null]; readonly roles: readonly [users: UserId[] | null, roles: string[] | null]; readonly workspaces: readonly [users: UserId[] | null, workspaces: WorkspaceId[] | null, positions: number[] | null] } } | null }> = {
  name: 'kw_search_users',
  onlyReads: true,
  takesLong: true,
  text: 'SELECT kw_search_users($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS answer',
  values: (tenant, { rare, also, part, name, nameRare, field, descending, value, id, skip, limit, users, most }) => [tenant, rare, also, part, name, nameRare, field, descending, value, id, skip, limit, users, most],
};
