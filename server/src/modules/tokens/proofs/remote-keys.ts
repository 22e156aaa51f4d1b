import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import {
  keyOf,
  type OutsideKey,
  type OutsideToken,
  readPublicJwk,
} from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Answered } from '../../../platform/egress/outcome.ts';

export type FoundKey =
  | { readonly key: OutsideKey }
  /** Why no key was found, for the log only. */
  | { readonly key?: undefined; readonly refusal: string };

type FetchedKeys =
  | { readonly keys: readonly OutsideKey[]; readonly lifeMs: number }
  | { readonly keys?: undefined; readonly refusal: string };

/** The timeout of a call, and the tenant on whose behalf it is made. */
interface Call {
  readonly timeoutMs: number;
  readonly onBehalfOf: TenantId;
}

/** Fetches the keys at a URL, with limits on time and size. */
type FetchKeys = (address: string, call: Call) => Promise<FetchedKeys>;

interface CachedKeys {
  readonly keys: readonly OutsideKey[];
  /** Why there are none. */
  readonly refusal?: string;
  readonly fetchedAtMs: number;
  readonly goodUntilMs: number;
}

/** Maximum number of cached URLs, of all tenants and of one tenant. */
const CACHED = { max: 5000, maxOfOwner: 1000 };
/** A missing key is not fetched again within this time, since sending tokens with unknown `kid`s is free. */
const FETCH_AGAIN_MS = 30_000;
/** A URL whose fetch failed is not fetched again within this time. */
const FAILURE_CACHED_MS = 10_000;
/** Maximum concurrent fetches of one tenant: its unresponsive URLs must not use up the connections of all tenants. */
const MAX_CONCURRENT = 16;
/** Timeout of each call of a fetch, unless the caller names another. */
export const TIMEOUT_MS = 5000;

/** Key sets at URLs that tenants configure, fetched on demand and cached. */
class RemoteKeys {
  readonly #fetchKeys: FetchKeys;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  // Cached per tenant, so that no tenant can observe what another has fetched, or when.
  readonly #cached = new FairCache<TenantId, string, CachedKeys>(CACHED);
  readonly #inFlight = new Map<TenantId, Map<string, Promise<CachedKeys>>>();

  constructor(fetchKeys: FetchKeys, clock: Clock, timeoutMs: number) {
    this.#fetchKeys = fetchKeys;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The key that may have signed a token; at most two fetches. */
  async find(tenantId: TenantId, address: string, token: OutsideToken): Promise<FoundKey> {
    const call = { timeoutMs: this.#timeoutMs, onBehalfOf: tenantId };
    const nowMs = this.#clock.now().getTime();
    const cached = this.#cached.get(tenantId, address);
    let current = cached && cached.goodUntilMs > nowMs ? cached : await this.#fetch(address, call);
    let key = keyOf(token, current.keys);
    // The issuer may have rotated its keys.
    if (!key && current.fetchedAtMs + FETCH_AGAIN_MS <= nowMs) {
      current = await this.#fetch(address, call);
      key = keyOf(token, current.keys);
    }
    return key ? { key } : { refusal: current.refusal ?? 'kid' };
  }

  /** Fetches a key set. Concurrent requests share the response. */
  #fetch(address: string, call: Call): Promise<CachedKeys> | CachedKeys {
    const tenantId = call.onBehalfOf;
    const pending = this.#inFlight.get(tenantId) ?? new Map<string, Promise<CachedKeys>>();
    const already = pending.get(address);
    if (already) return already;
    if (pending.size >= MAX_CONCURRENT) return tooBusy(this.#clock.now().getTime());
    const keys = this.#fetchAndCache(address, call).finally(() => {
      pending.delete(address);
      if (pending.size === 0) this.#inFlight.delete(tenantId);
    });
    this.#inFlight.set(tenantId, pending.set(address, keys));
    return keys;
  }

  async #fetchAndCache(address: string, call: Call): Promise<CachedKeys> {
    const tenantId = call.onBehalfOf;
    const fetched = await this.#fetchKeys(address, call);
    const fetchedAtMs = this.#clock.now().getTime();
    const next = fetched.keys
      ? { keys: fetched.keys, fetchedAtMs, goodUntilMs: fetchedAtMs + fetched.lifeMs }
      : afterFailure(this.#cached.get(tenantId, address), fetched.refusal, fetchedAtMs);
    this.#cached.set(tenantId, address, next);
    return next;
  }
}

/** Returns the cached keys after a failed fetch if they are still valid. */
function afterFailure(before: CachedKeys | undefined, refusal: string, nowMs: number): CachedKeys {
  if (before && before.keys.length > 0 && before.goodUntilMs > nowMs) {
    return { ...before, fetchedAtMs: nowMs };
  }
  return { keys: [], refusal, fetchedAtMs: nowMs, goodUntilMs: nowMs + FAILURE_CACHED_MS };
}

/** Returns a result that is not cached, since nothing was fetched. */
function tooBusy(nowMs: number): CachedKeys {
  return { keys: [], refusal: 'too many fetches', fetchedAtMs: nowMs, goodUntilMs: nowMs };
}

/** Maximum number of keys of a client, the same as for registered keys. */
const MAX_CLIENT_KEYS = 10;

/** The keys that clients publish at their `jwks_uri` (RFC 7591 §2). */
export class ClientKeys extends RemoteKeys {
  constructor(egress: Egress, clock: Clock, timeoutMs = TIMEOUT_MS) {
    super((address, call) => fetchKeySet(egress, address, call, MAX_CLIENT_KEYS), clock, timeoutMs);
  }
}

/** The keys of external issuers. Each fetch makes two calls. */
export class IssuerKeys extends RemoteKeys {
  constructor(egress: Egress, clock: Clock, timeoutMs = TIMEOUT_MS) {
    super((issuer, call) => fetchIssuerKeys(egress, issuer, call), clock, timeoutMs);
  }
}

/** Maximum number of keys, far more than issuers have. */
export const MAX_KEYS = 50;

/**
 * Fetches an issuer's public keys by OpenID Connect Discovery §4. The document must name the same issuer; otherwise
 * an issuer could speak for another. Neither call follows redirects.
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

/** Whether an https issuer names a key set without https. */
function isDowngrade(issuer: string, address: string): boolean {
  return issuer.startsWith('https:') && !address.startsWith('https:');
}

/** Maximum response size, far more than key sets and metadata have. */
export const MAX_BYTES = 64 * 1024;
/** Bounds and default of the cache lifetime in seconds, whatever the cache headers request. */
const LIFE_SECONDS = { min: 60, usual: 300, max: 900 };

/** Fetches a key set (RFC 7517 §5) without following redirects. @param maxKeys further keys are ignored */
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
  const control = headers['cache-control'] ?? '';
  const [, seconds] = /(?:^|[\s,])max-age="?([0-9]{1,10})/i.exec(control) ?? [];
  const isTransient = /no-(?:store|cache)/i.test(control);
  const requested = isTransient ? 0 : Number(seconds ?? LIFE_SECONDS.usual);
  return Math.min(Math.max(requested, LIFE_SECONDS.min), LIFE_SECONDS.max);
}
