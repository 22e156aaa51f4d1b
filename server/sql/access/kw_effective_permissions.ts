// Made from kw_effective_permissions.sql by `npm run generate`.

import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface EffectivePermissionsRow {
  readonly is_active: boolean;
  readonly scopes: string[];
  readonly place: 'inside' | 'outside' | 'inactive' | 'unknown' | null;
}

export const effectivePermissions: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly subjects: readonly string[];
  readonly holdings: readonly boolean[];
  readonly workspaces: readonly (WorkspaceId | null)[];
}, EffectivePermissionsRow> = {
  name: 'kw_effective_permissions',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_effective_permissions($1, $2, $3, $4)',
  values: ({ tenants, subjects, holdings, workspaces }) => [tenants, subjects, holdings, workspaces],
};
