import type { TenantId } from '@keywright/contract/ids';
import type { Share } from '../platform/crypto/fair-queue.ts';
import { clientNetwork } from '../platform/http/client-network.ts';
import type { Origin } from './caller.ts';

/** Whose a hash is: tenants take turns, and in each of them the networks that requests come from. */
export function hashShare(tenantId: TenantId, from: Origin): Share {
  return { flow: tenantId, source: clientNetwork(from.address) };
}
