import { batched } from '../../platform/db/batch.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Gate } from '../../tenancy/gate.ts';
import type { Grant } from './rules.ts';
import { areAlive } from './store.ts';

/**
 * Whether a grant is alive and still gives what the access token says, asked of the database each time: a
 * revoked session or key, and permissions that were taken away, are refused by the very next request on every
 * node. Requests of one moment share a statement.
 */
export type IsAlive = (grant: Grant) => Promise<boolean>;

export function createIsAlive(gate: Gate, clock: Clock): IsAlive {
  return batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
    size: 256,
    flights: 4,
  });
}
