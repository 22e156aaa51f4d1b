import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/fair-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import {
  keyOf,
  type OutsideKey,
  type OutsideToken,
  readPublicJwk,
} from '../../../platform/crypto/outside-jws.ts';
import type { Egress, EgressRequest } from '../../../platform/egress/egress.ts';
import type { Answered } from '../../../platform/egress/outcome.ts';

export type FoundKey =
  | { readonly key: OutsideKey }
  /** Why there is none, for the log only. */
  | { readonly key?: undefined; readonly refusal: string };

/** Key sets at addresses that tenants name, fetched on demand and cached. */
export interface RemoteKeys {
  /** The key that may have signed a token; at most two fetches. */
  find(tenantId: TenantId, address: string, token: OutsideToken): Promise<FoundKey>;
}

type FetchedKeys =
  | { readonly keys: readonly OutsideKey[]; readonly lifeMs: number }
  | { readonly keys?: undefined; readonly refusal: string };

/** Fetches what is at an address, within a bound of time and of bytes. */
type FetchKeys = (tenantId: TenantId, address: string) => Promise<FetchedKeys>;

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

function createRemoteKeys(fetchKeys: FetchKeys, clock: Clock): RemoteKeys {
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

/** As many as can be registered. */
const MAX_CLIENT_KEYS = 10;

/** The keys that clients publish at their `jwks_uri` (RFC 7591 §2). */
export function createClientKeys(egress: Egress, clock: Clock, timeoutMs = 5000): RemoteKeys {
  return createRemoteKeys(
    (tenantId, address) =>
      fetchKeySet(egress, address, { timeoutMs, onBehalfOf: tenantId }, MAX_CLIENT_KEYS),
    clock,
  );
}

/** The keys of external issuers; two calls for each fetch. */
export type IssuerKeys = RemoteKeys;

export function createIssuerKeys(egress: Egress, clock: Clock, timeoutMs = 5000): IssuerKeys {
  return createRemoteKeys(
    (tenantId, issuer) => fetchIssuerKeys(egress, issuer, { timeoutMs, onBehalfOf: tenantId }),
    clock,
  );
}

/** Far above what issuers have. */
const MAX_KEYS = 50;

/**
 * Fetches the public keys of an issuer by OpenID Connect Discovery §4. Its document has to name the very issuer that
 * was asked for, or one issuer could speak for another. Neither call follows a redirect.
 */
async function fetchIssuerKeys(egress: Egress, issuer: string, call: Call): Promise<FetchedKeys> {
  const base = issuer.replace(/\/$/, '');
  const found = await fetchJson(egress, `${base}/.well-known/openid-configuration`, call);
  if (!found.json) return { refusal: `discovery: ${found.refusal}` };
  const { issuer: named, jwks_uri: address } = found.json;
  if (named !== issuer) return { refusal: 'discovery: another issuer' };
  if (typeof address !== 'string' || isDowngrade(issuer, address)) {
    return { refusal: 'discovery: jwks_uri' };
  }
  return fetchKeySet(egress, address, call, MAX_KEYS);
}

/** An https issuer has an https key set. */
function isDowngrade(issuer: string, address: string): boolean {
  return issuer.startsWith('https:') && !address.startsWith('https:');
}

/** How long a call may take, and for which tenant it is. */
type Call = Required<Pick<EgressRequest, 'timeoutMs' | 'onBehalfOf'>>;

/** Far above what key sets and metadata have. */
const MAX_BYTES = 64 * 1024;
/** Whatever the cache headers say, in seconds. */
const LIFE_SECONDS = { min: 60, usual: 300, max: 900 };

/** Fetches a key set (RFC 7517 §5). Redirects are not followed. @param maxKeys further ones are ignored */
async function fetchKeySet(
  egress: Egress,
  url: string,
  call: Call,
  maxKeys: number,
): Promise<FetchedKeys> {
  const set = await fetchJson(egress, url, call);
  if (!set.json) return { refusal: `jwks: ${set.refusal}` };
  const keys = readKeys(set.json['keys'], maxKeys);
  return keys ? { keys, lifeMs: lifeSeconds(set.answer) * 1000 } : { refusal: 'jwks: no keys' };
}

type Json = Readonly<Record<string, unknown>>;

async function fetchJson(egress: Egress, url: string, call: Call) {
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const answer = await egress.send({ method: 'GET', url, headers, ...call, maxBytes: MAX_BYTES });
  if (answer.outcome !== 'answered') return { refusal: answer.reason };
  if (answer.status !== 200) return { refusal: `status ${answer.status}` };
  const json = readObject(answer.body.toString('utf8'));
  return json ? { json, answer } : { refusal: 'no JSON' };
}

function readObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The keys of supported types. */
function readKeys(keys: unknown, maxKeys: number): OutsideKey[] | undefined {
  if (!Array.isArray(keys)) return undefined;
  return (keys as unknown[])
    .slice(0, maxKeys)
    .filter((key): key is Json => typeof key === 'object' && key !== null)
    .map(readPublicJwk)
    .filter((key) => key !== undefined);
}

function lifeSeconds({ headers }: Answered): number {
  const wish = headers['cache-control'] ?? '';
  const [, seconds] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(wish) ?? [];
  const isTransient = /no-(?:store|cache)/i.test(wish);
  const asked = isTransient ? 0 : Number(seconds ?? LIFE_SECONDS.usual);
  return Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max);
}
