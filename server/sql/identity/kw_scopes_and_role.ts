// Made from kw_scopes_and_role.sql by `npm run generate`.

import type { UserId } from '@keywright/contract/ids';
import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ScopesAndRoleRow {
  readonly granted: string[];
  readonly required: string[] | null;
}

export const scopesAndRole: Statement & TenantCall<{
  readonly user: UserId | null;
  readonly role: string;
}, ScopesAndRoleRow> = {
  name: 'kw_scopes_and_role',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_scopes_and_role($1, $2, $3)',
  values: (tenant, { user, role }) => [tenant, user, role],
};
