import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { fetchKeySet } from './key-set.ts';
import { createRemoteKeys, type RemoteKeys } from './remote-keys.ts';

/** As many as can be registered. */
const MAX_KEYS = 10;

/** The keys that clients publish at their `jwks_uri` (RFC 7591 §2). */
export function createClientKeys(egress: Egress, clock: Clock, timeoutMs = 5000): RemoteKeys {
  return createRemoteKeys(
    (tenantId, address) =>
      fetchKeySet(egress, address, { timeoutMs, onBehalfOf: tenantId }, MAX_KEYS),
    clock,
  );
}
