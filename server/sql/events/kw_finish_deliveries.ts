// Made from kw_finish_deliveries.sql by `npm run generate`.

import type { TenantId, WebhookId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface FinishDeliveriesRow {
  readonly tenant_id: TenantId;
  readonly webhook_id: WebhookId;
}

export const finishDeliveries: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly finished: readonly string[];
  readonly now: Date;
  readonly hopelessSince: Date;
}, FinishDeliveriesRow> = {
  name: 'kw_finish_deliveries',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_finish_deliveries($1, $2, $3, $4)',
  values: ({ tenants, finished, now, hopelessSince }) => [tenants, finished, now, hopelessSince],
};
