import { batched } from '../../platform/db/batch.ts';
import type { Gate } from '../../tenancy/gate.ts';
import { areAlive, type SessionUse } from './store.ts';

/**
 * Whether a session is alive and still gives what the access token says, asked of the database each time: a
 * revoked session, and permissions that were taken away, are refused by the very next request on every node.
 * Requests of one moment share a statement.
 */
export type IsAlive = (use: SessionUse) => Promise<boolean>;

export function createIsAlive(gate: Gate): IsAlive {
  return batched((uses: readonly SessionUse[]) => areAlive(gate, uses), { size: 256, flights: 4 });
}
