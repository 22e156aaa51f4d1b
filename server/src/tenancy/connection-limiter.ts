import { type Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { clientNetwork } from '../platform/http/client-network.ts';

/** The limits of a node's open streams. */
export interface StreamLimits {
  readonly total: number;
  readonly perAddress: number;
}

const RETRY_AFTER_SECONDS = 5;

/** Shares of all places. The maximum of a tenant. */
const TENANT_SHARE = 1 / 2;
/** Reserved for the first streams of tenants and clients; part of it for the first streams of tenants only. */
const RESERVED_FOR_FIRST = 1 / 4;
const RESERVED_FOR_TENANTS = 1 / 8;
/** The share of streams that count as first ones: 8 of 4000. */
const FIRST = 1 / 500;

/**
 * Counts open streams: in total, by tenant, and by the client's network. Streams need no credential, so no client must
 * be able to lock out the others. Beyond its first streams, a client gets another one only while it holds fewer than
 * remain for it (dynamic thresholds, Choudhury and Hahne 1998). The last places are reserved for tenants and clients
 * with few streams (ADR 32).
 */
export class ConnectionLimiter {
  readonly #limits: StreamLimits;
  readonly #byNetwork = new Map<string, number>();
  readonly #byTenant = new Map<TenantId, number>();
  #total = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** @returns a function that releases the place */
  admit(tenantId: TenantId, address: string, fail: Fail<'UNAVAILABLE'>): () => void {
    const network = clientNetwork(address);
    const ofNetwork = this.#byNetwork.get(network) ?? 0;
    const ofTenant = this.#byTenant.get(tenantId) ?? 0;
    if (!this.#hasRoom(ofTenant, ofNetwork)) {
      fail('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.#total += 1;
    this.#byNetwork.set(network, ofNetwork + 1);
    this.#byTenant.set(tenantId, ofTenant + 1);
    return () => {
      this.#total -= 1;
      decrement(this.#byNetwork, network);
      decrement(this.#byTenant, tenantId);
    };
  }

  #hasRoom(ofTenant: number, ofNetwork: number): boolean {
    const { total, perAddress } = this.#limits;
    const first = Math.max(1, total * FIRST);
    const reserved =
      ofTenant < first ? 0 : ofNetwork < first ? RESERVED_FOR_TENANTS : RESERVED_FOR_FIRST;
    const left = Math.min(total - this.#total - total * reserved, total * TENANT_SHARE - ofTenant);
    return left > 0 && ofNetwork < perAddress && (ofNetwork < first || ofNetwork < left);
  }
}

function decrement<Key>(counts: Map<Key, number>, key: Key): void {
  const count = (counts.get(key) ?? 1) - 1;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
