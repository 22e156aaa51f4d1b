import type { TenantId } from '@keywright/contract/ids';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { keyOf, type OutsideKey, type OutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { fetchIssuerKeys } from './issuer-metadata.ts';

type Found = { readonly key: OutsideKey } | { readonly key?: undefined; readonly refusal: string };

/** The keys of external issuers, fetched on demand and cached. */
export interface IssuerKeys {
  /** The key that may have signed a token of the issuer; up to two calls. */
  find(tenantId: TenantId, issuer: string, token: OutsideToken): Promise<Found>;
}

interface Kept {
  readonly keys: readonly OutsideKey[];
  /** Why there are none. */
  readonly refusal?: string;
  readonly askedAtMs: number;
  readonly goodUntilMs: number;
}

/** Cached issuers, over all tenants. */
const MAX_KEPT = 1000;
/** A missing key is not fetched again before this has passed. */
const ASK_AGAIN_MS = 30_000;
/** An unreachable issuer is not called again before this has passed. */
const FAILURE_KEPT_MS = 10_000;

export function createIssuerKeys(egress: Egress, clock: Clock, timeoutMs = 5000): IssuerKeys {
  // By tenant too: no tenant may observe what another has fetched, or when.
  const kept = createCache<string, Kept>(MAX_KEPT);
  const inFlight = new Map<string, Promise<Kept>>();

  /** Fetches the keys of the issuer; concurrent requests share the answer. */
  function ask(place: string, issuer: string): Promise<Kept> {
    const already = inFlight.get(place);
    if (already) return already;
    const pending = fetchAndKeep(place, issuer).finally(() => inFlight.delete(place));
    inFlight.set(place, pending);
    return pending;
  }

  async function fetchAndKeep(place: string, issuer: string): Promise<Kept> {
    const fetched = await fetchIssuerKeys(egress, issuer, timeoutMs);
    const askedAtMs = clock.now().getTime();
    const next = fetched.keys
      ? { keys: fetched.keys, askedAtMs, goodUntilMs: askedAtMs + fetched.lifeMs }
      : afterFailure(kept.get(place), fetched.refusal, askedAtMs);
    kept.set(place, next);
    return next;
  }

  return {
    async find(tenantId, issuer, token) {
      const place = `${tenantId} ${issuer}`;
      const nowMs = clock.now().getTime();
      const known = kept.get(place);
      let current = known && known.goodUntilMs > nowMs ? known : await ask(place, issuer);
      let key = keyOf(token, current.keys);
      // The issuer may have rotated its keys.
      if (!key && current.askedAtMs + ASK_AGAIN_MS <= nowMs) {
        current = await ask(place, issuer);
        key = keyOf(token, current.keys);
      }
      return key ? { key } : { refusal: current.refusal ?? 'kid' };
    },
  };
}

/** Cached keys that are still valid survive a failed fetch. */
function afterFailure(before: Kept | undefined, refusal: string, nowMs: number): Kept {
  if (before && before.keys.length > 0 && before.goodUntilMs > nowMs) {
    return { ...before, askedAtMs: nowMs };
  }
  return { keys: [], refusal, askedAtMs: nowMs, goodUntilMs: nowMs + FAILURE_KEPT_MS };
}
