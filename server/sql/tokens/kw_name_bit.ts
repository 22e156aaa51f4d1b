// Made from kw_name_bit.sql by `npm run generate`.

import type { TenantCall } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const nameBit: Statement & TenantCall<{
  readonly grant: string;
  readonly version: number;
  readonly candidate: number;
  readonly now: Date;
}, { readonly answer: string | null }> = {
  name: 'kw_name_bit',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_name_bit($1, $2, $3, $4, $5) AS answer',
  values: (tenant, { grant, version, candidate, now }) => [tenant, grant, version, candidate, now],
};
