import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import { type RevocationState, Revocations, type Verdict } from '../status/revocations.ts';
import {
  type Expectations,
  readSignedToken,
  requireCurrent,
  type SignedToken,
} from './access-token.ts';
import { isApiKey, verifyApiKey } from './api-key.ts';
import { Proofs, type SentProof } from './dpop.ts';
import { Issuer } from './issuer.ts';
import { KeySet } from './key-set.ts';
import { readSettings, type Settings, type VerifierOptions } from './options.ts';
import { ProblemReporter } from './problem.ts';
import { RecentlyUsed } from './recently-used.ts';
import { requireAll, type RequestRequirement, type Requirement } from './requirements.ts';

/** The current state of a verifier. Times are milliseconds since the epoch. */
export interface VerifierState {
  readonly keys: {
    readonly count: number;
    /** When the key set was last known to be current; undefined before the first fetch. */
    readonly asOf: number | undefined;
  };
  /** Undefined if `status` is `off`. */
  readonly revocations: RevocationState | undefined;
}

/** The part of a Fetch API `Request` that concerns tokens. */
export interface RequestWithHeaders {
  readonly headers: { get(name: string): string | null };
  readonly method?: string;
  readonly url?: string;
}

const BEARER = 'bearer ';
const DPOP = 'dpop ';
/** The proof of a request without one. */
const NO_PROOF: SentProof = { proof: undefined, method: '', url: '' };

type Bound = Required<Pick<AccessTokenClaims, 'cnf'>>;

/** Any `cnf` counts, because a token with an unreadable `cnf` must not be accepted as a bearer token. */
function isBound<Claims extends AccessTokenClaims>(claims: Claims): claims is Claims & Bound {
  return claims.cnf !== undefined;
}

/** What the adapters need of a verifier, which a test can also provide. */
export type RequestVerifier<Custom extends object = Record<never, never>> = Pick<
  Verifier<Custom>,
  'authenticate' | 'authenticateRequest'
>;

/** Verifies access tokens of one issuer, without calling the service for each token. */
export class Verifier<Custom extends object = Record<never, never>> {
  readonly #settings: Settings;
  readonly #expected: Expectations;
  readonly #issuer: Issuer;
  readonly #keys: KeySet;
  readonly #revocations: Revocations | undefined;
  readonly #seen: RecentlyUsed<SignedToken>;
  readonly #proofs: Proofs | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    const { issuer: name, audience, tenant, address, fetch, timeoutMs, now } = settings;
    const { onStale, maxStaleMs, status: mode } = settings;
    const problems = new ProblemReporter(settings.onProblem);
    this.#expected = { issuer: name, audience, tenant };
    this.#issuer = new Issuer({ name, address, fetch, timeoutMs });
    this.#keys = new KeySet(this.#issuer, {
      now,
      problems,
      maxStaleMs: onStale === 'deny' ? maxStaleMs : undefined,
      hasBackground: mode === 'stream',
    });
    if (mode !== 'off') {
      const author = { issuer: name, keys: this.#keys, now };
      const options = { mode, author, problems, maxStaleMs, onStale };
      this.#revocations = new Revocations(this.#issuer, options);
    }
    this.#seen = new RecentlyUsed(settings.maxRememberedTokens);
    this.#proofs = settings.dpop && new Proofs(settings.dpop, now);
  }

  /**
   * Returns the claims of a valid bearer token: signed by the issuer, not expired, for this audience, not revoked,
   * and meeting the requirements. A token bound to a key is rejected, because it needs a proof. The claims are
   * frozen, because requests with the same token share the object.
   *
   * @throws VerificationError with a stable `code` and `reason`, and the status of the response
   */
  verify(token: string, requirement: Requirement = {}): Promise<AccessTokenClaims & Custom> {
    return this.#verifyBearer(token, requirement);
  }

  async #verifyBearer(
    token: string,
    requirement: Requirement,
  ): Promise<AccessTokenClaims & Custom> {
    const claims = await this.#verify(token, requirement);
    if (isBound(claims)) throw new VerificationError('bound');
    return claims;
  }

  /** Verifies a token, whether or not it is bound to a key. */
  async #verify(token: string, requirement: Requirement): Promise<AccessTokenClaims & Custom> {
    const cached = this.#seen.get(token);
    const found = cached ?? (await readSignedToken(token, this.#keys, this.#expected));
    requireCurrent(found.claims, this.#settings.now());
    if (cached === undefined) this.#seen.set(token, found);
    else if (this.#keys.findAtOnce(cached.kid) !== cached.key)
      await this.#requireKey(token, cached);
    const status = this.#statusOf(found);
    const verdict = typeof status === 'string' ? status : await status;
    if (verdict !== 'good') throw new VerificationError(verdict);
    requireAll(found.claims, requirement, this.#settings.now());
    // The application declares the types of the tenant's custom claims.
    return found.claims as AccessTokenClaims & Custom;
  }

  /**
   * Verifies the value of an `Authorization` header in the same way: `Bearer <token>` (RFC 6750 §2.1) or, with the
   * option `dpop`, `DPoP <token>` and a proof (RFC 9449 §7.1).
   *
   * @throws VerificationError
   */
  async authenticate(
    authorization: string | null | undefined,
    requirement: RequestRequirement = {},
    sent?: SentProof,
  ): Promise<AccessTokenClaims & Custom> {
    const { apiKeys, ...ofToken } = requirement;
    const header = authorization ?? '';
    if (header.slice(0, DPOP.length).toLowerCase() === DPOP) {
      return this.#verifyBound(header.slice(DPOP.length), ofToken, sent ?? NO_PROOF);
    }
    const scheme = header.slice(0, BEARER.length).toLowerCase();
    if (scheme !== BEARER) {
      throw new VerificationError(scheme.trimEnd() === BEARER.trimEnd() ? 'malformed' : 'missing');
    }
    const token = header.slice(BEARER.length);
    if (apiKeys === undefined || !isApiKey(token)) return this.#verifyBearer(token, ofToken);
    const claims = await verifyApiKey(token, apiKeys, this.#expected);
    requireAll(claims, ofToken, this.#settings.now());
    return claims as AccessTokenClaims & Custom;
  }

  /**
   * Verifies a request of the Fetch API in the same way, or any other object whose `headers` are `Headers`.
   *
   * @throws VerificationError
   */
  async authenticateRequest(
    request: RequestWithHeaders,
    requirement?: RequestRequirement,
  ): Promise<AccessTokenClaims & Custom> {
    const { headers, method = '', url = '' } = request;
    const sent = { proof: headers.get('dpop'), method, url };
    return this.authenticate(headers.get('authorization'), requirement, sent);
  }

  /** The current state, for health checks and metrics. */
  state(): VerifierState {
    return {
      keys: { count: this.#keys.size, asOf: this.#keys.asOf },
      revocations: this.#revocations?.state,
    };
  }

  /** Stops background work, so that the process can exit. */
  close(): void {
    this.#revocations?.close();
    this.#issuer.close();
  }

  async #verifyBound(
    token: string,
    requirement: Requirement,
    sent: SentProof,
  ): Promise<AccessTokenClaims & Custom> {
    const claims = await this.#verify(token, requirement);
    if (!isBound(claims)) throw new VerificationError('not_bound');
    if (!this.#proofs) throw new VerificationError('bound');
    await this.#proofs.require(token, claims.cnf.jkt, sent);
    return claims;
  }

  /** Returns a promise only if a fetch is needed. */
  #statusOf({ status }: SignedToken): Verdict | Promise<Verdict> {
    if (status === undefined) {
      return this.#settings.withoutStatus === 'accept' ? 'good' : 'status_missing';
    }
    if (this.#revocations === undefined) return 'good';
    return this.#revocations.checkAtOnce(status) ?? this.#revocations.check(status);
  }

  /** Rejects tokens whose key was removed from the key set. */
  async #requireKey(token: string, { kid, key }: SignedToken): Promise<void> {
    if ((await this.#keys.find(kid)) === key) return;
    this.#seen.delete(token);
    throw new VerificationError('key_unknown');
  }
}

/**
 * Creates a verifier. Nothing is fetched until the first token is verified.
 *
 * @throws TypeError for invalid options
 */
export function createVerifier<Custom extends object = Record<never, never>>(
  options: VerifierOptions,
): Verifier<Custom> {
  return new Verifier<Custom>(readSettings(options));
}
