// Made from kw_claim_deliveries.sql by `npm run generate`.

import type { DeliveryId, EventId, TenantId, WebhookId } from '@keywright/contract/ids';
import type { Call } from '../../src/platform/db/calls.ts';
import type { Statement } from '../../src/platform/db/database.ts';

export interface ClaimDeliveriesRow {
  readonly tenant_id: TenantId;
  readonly webhook_id: WebhookId;
  readonly id: DeliveryId;
  readonly takes: number;
  readonly attempts: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly event_id: EventId;
  readonly event_type: string;
  readonly event_created_at: Date | null;
  readonly event_data: string | null;
}

export const claimDeliveries: Statement & Call<{
  readonly tenants: readonly TenantId[];
  readonly webhooks: readonly WebhookId[];
  readonly limits: readonly number[];
  readonly now: Date;
  readonly leaseSeconds: number;
}, ClaimDeliveriesRow> = {
  name: 'kw_claim_deliveries',
  onlyReads: false,
  takesLong: false,
  text: 'SELECT * FROM kw_claim_deliveries($1, $2, $3, $4, $5)',
  values: ({ tenants, webhooks, limits, now, leaseSeconds }) => [tenants, webhooks, limits, now, leaseSeconds],
};
