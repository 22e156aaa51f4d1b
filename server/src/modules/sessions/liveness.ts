import type { SessionId, TenantId } from '@keywright/contract/ids';
import { batched } from '../../platform/db/batch.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { areAlive, type SessionRef } from './store.ts';

/**
 * Whether a session is alive, asked of the database each time: a revoked session is refused by the very next
 * request, on every node. Requests of one moment share a statement.
 */
export type IsAlive = (tenantId: TenantId, sessionId: SessionId) => Promise<boolean>;

export function createIsAlive(gate: Gate): IsAlive {
  const ask = batched((sessions: readonly SessionRef[]) => areAlive(gate, sessions), {
    size: 256,
    flights: 4,
  });
  return (tenantId, sessionId) => ask({ tenantId, sessionId });
}
