// Made from kw_standings.sql by `npm run generate`.

import type { TenantId, WorkspaceId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface StandingsRow {
  readonly is_active: boolean;
  readonly scopes: string[];
  readonly place: 'inside' | 'outside' | 'inactive' | 'unknown' | null;
}

export const standings: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly subjects: readonly string[];
  readonly holdings: readonly boolean[];
  readonly workspaces: readonly (WorkspaceId | null)[];
}, StandingsRow> = {
  name: 'kw_standings',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_standings($1, $2, $3, $4)',
  values: ({ tenants, subjects, holdings, workspaces }) => [tenants, subjects, holdings, workspaces],
};
