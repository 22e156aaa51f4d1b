import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/fair-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { keyOf, type OutsideKey, type OutsideToken } from '../../../platform/crypto/outside-jws.ts';

export type FoundKey =
  | { readonly key: OutsideKey }
  /** Why there is none, for the log only. */
  | { readonly key?: undefined; readonly refusal: string };

/** Key sets at addresses that tenants name, fetched on demand and cached. */
export interface RemoteKeys {
  /** The key that may have signed a token; at most two fetches. */
  find(tenantId: TenantId, address: string, token: OutsideToken): Promise<FoundKey>;
}

export type FetchedKeys =
  | { readonly keys: readonly OutsideKey[]; readonly lifeMs: number }
  | { readonly keys?: undefined; readonly refusal: string };

/** Fetches what is at an address, within a bound of time and of bytes. */
export type FetchKeys = (tenantId: TenantId, address: string) => Promise<FetchedKeys>;

interface Kept {
  readonly keys: readonly OutsideKey[];
  /** Why there are none. */
  readonly refusal?: string;
  readonly askedAtMs: number;
  readonly goodUntilMs: number;
}

/** Cached addresses, over all tenants and of one. */
const KEPT = { max: 5000, maxOfOwner: 1000 };
/** A missing key is not fetched again before this has passed: anybody can send a token with an unknown `kid`. */
const ASK_AGAIN_MS = 30_000;
/** An address that failed is not asked again before this has passed. */
const FAILURE_KEPT_MS = 10_000;
/** Fetches of one tenant at a time: silent addresses of one must not use up the connections of all. */
const MAX_AT_ONCE = 16;

export function createRemoteKeys(fetchKeys: FetchKeys, clock: Clock): RemoteKeys {
  // By tenant too: no tenant may observe what another has fetched, or when.
  const kept = new FairCache<TenantId, string, Kept>(KEPT);
  const inFlight = new Map<TenantId, Map<string, Promise<Kept>>>();

  /** Concurrent requests share the answer. */
  function ask(tenantId: TenantId, address: string): Promise<Kept> | Kept {
    const pending = inFlight.get(tenantId) ?? new Map<string, Promise<Kept>>();
    const already = pending.get(address);
    if (already) return already;
    if (pending.size >= MAX_AT_ONCE) return tooBusy(clock.now().getTime());
    const answer = fetchAndKeep(tenantId, address).finally(() => {
      pending.delete(address);
      if (pending.size === 0) inFlight.delete(tenantId);
    });
    inFlight.set(tenantId, pending.set(address, answer));
    return answer;
  }

  async function fetchAndKeep(tenantId: TenantId, address: string): Promise<Kept> {
    const fetched = await fetchKeys(tenantId, address);
    const askedAtMs = clock.now().getTime();
    const next = fetched.keys
      ? { keys: fetched.keys, askedAtMs, goodUntilMs: askedAtMs + fetched.lifeMs }
      : afterFailure(kept.get(tenantId, address), fetched.refusal, askedAtMs);
    kept.set(tenantId, address, next);
    return next;
  }

  return {
    async find(tenantId, address, token) {
      const nowMs = clock.now().getTime();
      const known = kept.get(tenantId, address);
      let current = known && known.goodUntilMs > nowMs ? known : await ask(tenantId, address);
      let key = keyOf(token, current.keys);
      // The keys may have been rotated.
      if (!key && current.askedAtMs + ASK_AGAIN_MS <= nowMs) {
        current = await ask(tenantId, address);
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

/** Not kept: nothing was asked. */
function tooBusy(nowMs: number): Kept {
  return { keys: [], refusal: 'too many fetches', askedAtMs: nowMs, goodUntilMs: nowMs };
}
