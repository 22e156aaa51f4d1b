import { type CryptoKey, importJWK } from 'jose';
import { VerificationError } from '../errors.ts';
import { Flight } from '../flight.ts';
import type { Issuer } from './issuer.ts';
import { ALGORITHM } from './jws-header.ts';
import { ProblemError, type ProblemReporter } from './problem.ts';

const PATH = '/.well-known/jwks.json';
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 256;
/** How long a key set is cached by default, and the limits on the cache lifetime in its response. */
const DEFAULT_MAX_AGE_SECONDS = 300;
const LEAST_MAX_AGE_SECONDS = 30;
const MOST_MAX_AGE_SECONDS = 3600;
/** Limits the fetches caused by tokens with unknown keys. */
const COOLDOWN_MS = 5000;

export interface PublishedKey {
  readonly x: string;
  readonly key: CryptoKey;
}

interface KeySetOptions {
  readonly now: () => number;
  readonly problems: ProblemReporter;
  /** The maximum age of a key set that cannot be refreshed; undefined for any age. */
  readonly maxStaleMs: number | undefined;
  /** Whether background work is allowed while no token is being verified. */
  readonly hasBackground: boolean;
}

/** The public keys of an issuer, fetched on demand and cached as long as the response allows. */
export class KeySet {
  /** Whether the last response reported that the tenant is inactive. */
  isClosed = false;
  #keys: ReadonlyMap<string, PublishedKey> | undefined;
  #fetchedAt = -Infinity;
  #triedAt = -Infinity;
  #maxAgeMs = DEFAULT_MAX_AGE_SECONDS * 1000;
  #etag: string | undefined;
  readonly #issuer: Issuer;
  readonly #options: KeySetOptions;
  readonly #flight: Flight;

  constructor(issuer: Issuer, options: KeySetOptions) {
    this.#issuer = issuer;
    this.#options = options;
    this.#flight = new Flight(issuer.longestMs);
  }

  get size(): number {
    return this.#keys?.size ?? 0;
  }

  /** When the key set was last known to be current, in milliseconds since the epoch. */
  get asOf(): number | undefined {
    return this.#keys === undefined ? undefined : this.#fetchedAt;
  }

  /** Returns the key with this `kid`, if it is available without waiting. */
  findAtOnce(kid: string): PublishedKey | undefined {
    const key = this.#keys?.get(kid);
    return key !== undefined && this.#isUsable() ? key : undefined;
  }

  /**
   * Returns the key with this `kid`. An unknown key is fetched, at most once in five seconds and once for all waiting
   * callers.
   *
   * @throws VerificationError `keys_unavailable` if the cached key set is missing or too old; `issuer_closed` if the
   * tenant is inactive
   */
  async find(kid: string): Promise<PublishedKey | undefined> {
    return this.findAtOnce(kid) ?? this.#findAfterFetching(kid);
  }

  async #findAfterFetching(kid: string): Promise<PublishedKey | undefined> {
    await this.#refresh();
    if (this.isClosed) throw new VerificationError('issuer_closed');
    if (this.#keys === undefined || this.#isTooOld()) {
      throw new VerificationError('keys_unavailable');
    }
    return this.#keys.get(kid);
  }

  /**
   * Whether the cached key set can be used. An expired key set is used while a new one is fetched, in the background
   * or by another caller. After twice its lifetime every caller waits. After a failed fetch it is used as long as the
   * policy allows.
   */
  #isUsable(): boolean {
    if (this.isClosed) return false;
    const age = this.#options.now() - this.#fetchedAt;
    if (age <= this.#maxAgeMs) return true;
    const { isUnderWay } = this.#flight;
    if (!isUnderWay && this.#isCoolingDown()) return !this.#isTooOld();
    if (age > 2 * this.#maxAgeMs) return false;
    if (this.#options.hasBackground) void this.#refresh();
    return isUnderWay || this.#options.hasBackground;
  }

  #isTooOld(): boolean {
    const { now, maxStaleMs = Infinity } = this.#options;
    return now() - this.#fetchedAt > this.#maxAgeMs + maxStaleMs;
  }

  #isCoolingDown(): boolean {
    return this.#options.now() - this.#triedAt < COOLDOWN_MS;
  }

  /** Never rejects, because problems are reported; after a failure the keys remain unchanged. */
  async #refresh(): Promise<void> {
    if (!this.#flight.isUnderWay && this.#isCoolingDown()) return;
    await this.#flight.run(() =>
      this.#fetch().catch((error: unknown) => {
        if (error instanceof ProblemError && error.code === 'ISSUER_CLOSED') this.isClosed = true;
        this.#options.problems.report(error, 'KEY_SET_UNAVAILABLE');
      }),
    );
  }

  async #fetch(): Promise<void> {
    const startedAt = this.#options.now();
    this.#triedAt = startedAt;
    const { status, headers, bytes } = await this.#issuer.read(PATH, {
      headers: this.#etag === undefined ? {} : { 'if-none-match': this.#etag },
      maxBytes: MAX_BYTES,
      tooLarge: 'KEY_SET_INVALID',
    });
    if (status === 200) this.#keys = await importKeys(bytes, this.#keys);
    else if (status !== 304 || this.#keys === undefined) {
      throw new ProblemError(
        'KEY_SET_UNAVAILABLE',
        `The request for the key set returned ${status}.`,
      );
    }
    this.#etag = headers.get('etag') ?? undefined;
    this.#maxAgeMs = maxAgeSeconds(headers) * 1000;
    this.#fetchedAt = startedAt;
    this.isClosed = false;
  }
}

function maxAgeSeconds(headers: Headers): number {
  const [, text] = /(?:^|[\s,])max-age=(\d{1,9})/.exec(headers.get('cache-control') ?? '') ?? [];
  const seconds = text === undefined ? DEFAULT_MAX_AGE_SECONDS : Number(text);
  return Math.min(Math.max(seconds, LEAST_MAX_AGE_SECONDS), MOST_MAX_AGE_SECONDS);
}

/**
 * Returns the Ed25519 keys of a JWK Set (RFC 7517, RFC 8037). Other keys are ignored. A known key remains the same
 * object, so that earlier verifications with it remain valid.
 */
async function importKeys(
  bytes: Uint8Array,
  before: ReadonlyMap<string, PublishedKey> | undefined,
): Promise<ReadonlyMap<string, PublishedKey>> {
  const found = new Map<string, PublishedKey>();
  for (const { kid, x } of readKeys(bytes)) {
    const previous = before?.get(kid);
    found.set(kid, previous?.x === x ? previous : { x, key: await importKey(x) });
  }
  return found;
}

async function importKey(x: string): Promise<CryptoKey> {
  try {
    return await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, ALGORITHM);
  } catch (error) {
    throw new ProblemError('KEY_SET_INVALID', 'A key in the key set cannot be read.', error);
  }
}

function readKeys(bytes: Uint8Array): { kid: string; x: string }[] {
  const all = (parse(bytes) as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(all) || all.length > MAX_KEYS) {
    throw new ProblemError('KEY_SET_INVALID', 'The response is not a key set.');
  }
  return all.flatMap((jwk: unknown) => {
    const {
      kty,
      crv,
      alg = ALGORITHM,
      use = 'sig',
      kid,
      x,
    } = (jwk ?? {}) as Record<string, unknown>;
    const isOurs = kty === 'OKP' && crv === 'Ed25519' && alg === ALGORITHM && use === 'sig';
    return isOurs && typeof kid === 'string' && typeof x === 'string' ? [{ kid, x }] : [];
  });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ProblemError('KEY_SET_INVALID', 'The response is not JSON.', error);
  }
}
