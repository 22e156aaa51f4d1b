// Made from kw_count_codes.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface CountCodesRow {
  readonly sent: number;
  readonly failed: number;
}

export const countCodes: Statement & TenantCall<{
  readonly expireAfter: Date;
}, CountCodesRow> = {
  name: 'kw_count_codes',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT * FROM kw_count_codes($1, $2)',
  values: (tenant, { expireAfter }) => [tenant, expireAfter],
};
