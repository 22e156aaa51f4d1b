// Made from kw_take_status_range.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const takeStatusRange: Statement & TenantCall<{
  readonly count: number;
}, { readonly answer: string }> = {
  name: 'kw_take_status_range',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_take_status_range($1, $2) AS answer',
  values: (tenant, { count }) => [tenant, count],
};
