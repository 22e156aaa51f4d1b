// Made from kw_live_grants.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const liveGrants: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly grants: readonly string[];
  readonly versions: readonly number[];
  readonly now: Date;
}, { readonly answer: string }> = {
  name: 'kw_live_grants',
  onlyReads: true,
  takesLong: false,
  text: 'SELECT kw_live_grants($1, $2, $3, $4) AS answer',
  values: ({ tenants, grants, versions, now }) => [tenants, grants, versions, now],
};
