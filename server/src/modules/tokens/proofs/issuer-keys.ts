import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { fetchIssuerKeys } from './issuer-metadata.ts';
import { createRemoteKeys, type RemoteKeys } from './remote-keys.ts';

/** The keys of external issuers; two calls for each fetch. */
export type IssuerKeys = RemoteKeys;

export function createIssuerKeys(egress: Egress, clock: Clock, timeoutMs = 5000): IssuerKeys {
  return createRemoteKeys(
    (tenantId, issuer) => fetchIssuerKeys(egress, issuer, { timeoutMs, onBehalfOf: tenantId }),
    clock,
  );
}
