// Made from kw_hold_deliveries.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const holdDeliveries: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly held: readonly string[];
  readonly until: Date;
}, unknown> = {
  name: 'kw_hold_deliveries',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_hold_deliveries($1, $2, $3)',
  values: ({ tenants, held, until }) => [tenants, held, until],
};
