// Made from kw_count_activity.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const countActivity: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly spans: readonly string[];
  readonly began: readonly Date[];
  readonly expiries: readonly Date[];
  readonly counts: readonly string[];
}, unknown> = {
  name: 'kw_count_activity',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_count_activity($1, $2, $3, $4, $5)',
  values: ({ tenants, spans, began, expiries, counts }) => [tenants, spans, began, expiries, counts],
};
