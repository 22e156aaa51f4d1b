import type { TenantId } from '@keywright/contract/ids';
import type { Share } from '../platform/crypto/fair-queue.ts';
import { clientNetwork } from '../platform/http/client-network.ts';
import type { Origin } from './caller.ts';

/** The share of a hash: tenants take turns, and within each the networks of clients. */
export function hashShare(tenantId: TenantId, from: Origin): Share {
  return { flow: tenantId, source: clientNetwork(from.address) };
}
