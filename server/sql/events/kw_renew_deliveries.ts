// Made from kw_renew_deliveries.sql by `npm run generate`.

import type { TenantId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export const renewDeliveries: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly held: readonly string[];
  readonly until: Date;
}, unknown> = {
  name: 'kw_renew_deliveries',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT kw_renew_deliveries($1, $2, $3)',
  values: ({ tenants, held, until }) => [tenants, held, until],
};
