import type { TenantId } from '@keywright/contract/ids';
import { claimMessages as claim } from '../../../../sql/events/kw_claim_messages.ts';
import { finishMessages as finish } from '../../../../sql/events/kw_finish_messages.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Turn } from '../../../tenancy/jobs/definition.ts';
import type { JobChange } from '../../../tenancy/jobs/store.ts';
import type { MessageRow } from './message.ts';

/** Claims what is due for these channels of tenants, up to the limit of each. */
export async function claimMessages(
  gate: Gate,
  wanted: readonly Turn[],
  now: Date,
  leaseSeconds: number,
): Promise<readonly MessageRow[]> {
  const rows = await gate.callMany(claim, {
    tenants: wanted.map((one) => one.tenantId),
    queueKeys: wanted.map((one) => one.key),
    limits: wanted.map((one) => one.limit),
    now,
    until: new Date(now.getTime() + leaseSeconds * 1000),
  });
  return rows as readonly MessageRow[];
}

/** Stores results, except of messages that another node has claimed meanwhile. */
export async function finishMessages(gate: Gate, changes: readonly JobChange[]): Promise<void> {
  // Sorted, so that two statements never deadlock on each other's rows.
  const sorted = changes.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const byTenant = Map.groupBy<TenantId, JobChange>(sorted, (one) => one.tenant_id);
  await gate.callMany(finish, {
    tenants: [...byTenant.keys()],
    finished: [...byTenant.values()].map((mine) => JSON.stringify(mine)),
  });
}

function placeOf({ tenant_id: tenantId, id }: JobChange): string {
  return `${tenantId} ${id}`;
}
