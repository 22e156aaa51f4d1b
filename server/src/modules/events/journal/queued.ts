import type { TenantId } from '@keywright/contract/ids';
import { topic } from '../../../tenancy/after-commit.ts';

/** Deliveries that a statement has queued for this node to send. */
export interface QueuedDeliveries {
  readonly tenantId: TenantId;
  /** Each as JSON from the database. */
  readonly queued: readonly string[];
}

export const deliveriesQueued = topic<QueuedDeliveries>('deliveries queued');
