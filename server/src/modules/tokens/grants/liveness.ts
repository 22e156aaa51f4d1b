import { batched } from '../../../platform/db/batch.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Grant } from './rules.ts';
import { areAlive } from './store.ts';

/**
 * Whether a grant is alive and still gives what the access token says, asked of the database each time: a
 * revoked session or key, and permissions that were taken away, are refused by the very next request on every
 * node. Requests that come while one is under way share the next statement: with several under way each asked for
 * fewer, and cost the database more.
 */
export type IsAlive = (grant: Grant) => Promise<boolean>;

export function createIsAlive(gate: Gate, clock: Clock): IsAlive {
  return batched((grants: readonly Grant[]) => areAlive(gate, grants, clock.now()), {
    size: 256,
    flights: 1,
  });
}
