// Made from kw_status_list.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface StatusListRow {
  readonly version: string;
  readonly indexes: number[];
}

export const statusList: Statement & TenantCall<{
  readonly first: number;
  readonly end: number;
}, StatusListRow> = {
  name: 'kw_status_list',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_status_list($1, $2, $3)',
  values: (tenant, { first, end }) => [tenant, first, end],
};
