import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type AccessTokenClaims, CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import {
  DPOP_ALGORITHMS,
  DPOP_WINDOW_SECONDS,
  type DpopError,
  MAX_DPOP_CHARACTERS,
  dpopChallenge,
} from '@keywright/contract/dpop';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { outsideSignatureIsValid } from '../../../platform/crypto/outside-jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { SelfSignedTokens } from '../../../platform/crypto/self-signed.ts';
import { lazy } from '../../../platform/lazy.ts';
import { type AuditKey, type AuditKeys, DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { PresentedCredential, PresentedProof } from '../../../tenancy/caller.ts';
import { type Tenant, requiresNonces } from '../../../tenancy/tenant.ts';
import type { SpentStatements } from '../proofs/index.ts';

/** A key whose possession the sender of a request has proven. */
export interface ProvenKey {
  /** SHA-256 thumbprint (RFC 7638). */
  readonly jkt: string;
  /** Marks the proof as used on the first call. @throws AppError DPOP_INVALID if another request used it */
  requireUnused(fail: Fail<'DPOP_INVALID'>): Promise<void>;
}

type Verdict = { readonly proof: ReadProof } | { readonly flaw: string; readonly error: DpopError };

/** Proofs of possession (RFC 9449). */
export class Dpop {
  readonly #clock: Clock;
  readonly #spentProofs: SpentStatements;
  readonly #baseUrl: () => string;
  readonly #nonces: Nonces;
  readonly #selfSigned = new SelfSignedTokens();

  constructor(
    clock: Clock,
    baseUrl: () => string,
    spentProofs: SpentStatements,
    auditKeys: Pick<AuditKeys, 'find'>,
  ) {
    this.#clock = clock;
    this.#baseUrl = baseUrl;
    this.#spentProofs = spentProofs;
    this.#nonces = new Nonces(auditKeys);
  }

  /**
   * Returns the key proven by a token request; undefined without a proof.
   * @throws AppError DPOP_INVALID, DPOP_NONCE_REQUIRED
   */
  async prove(
    tenant: Tenant,
    presented: PresentedProof | undefined,
    fail: Fail<'DPOP_INVALID' | 'DPOP_NONCE_REQUIRED'>,
  ): Promise<ProvenKey | undefined> {
    if (!presented) return undefined;
    const verdict = await this.#verify(tenant, presented);
    if ('flaw' in verdict) {
      const isNonce = verdict.error === 'use_dpop_nonce';
      const code = isNonce ? 'DPOP_NONCE_REQUIRED' : 'DPOP_INVALID';
      return fail(code, { internal: verdict.flaw });
    }
    const { proof } = verdict;
    const isNew = lazy(() => this.#spend(tenant, proof));
    return {
      jkt: proof.jkt,
      async requireUnused(refuse) {
        if (!(await isNew())) refuse('DPOP_INVALID', { internal: 'used before' });
      },
    };
  }

  /**
   * Requires a proof by the key that a token is bound to or, for unbound tokens, the Bearer scheme. Returns undefined
   * if there is nothing to await.
   * @throws AppError TOKEN_INVALID
   */
  requireBinding(
    tenant: Tenant,
    { cnf }: Pick<AccessTokenClaims, 'cnf'>,
    credential: PresentedCredential,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<void> | undefined {
    if (cnf) return this.#requireBound(tenant, cnf.jkt, credential, fail);
    if (credential.scheme === 'bearer') return undefined;
    // RFC 9449 §7.1: a token that is not bound has no key to prove.
    const challenge = dpopChallenge('invalid_token');
    return fail('TOKEN_INVALID', { challenge, internal: 'unbound token as DPoP' });
  }

  /** The nonce for the next proof; undefined if the tenant requires none. */
  async nextNonce(tenant: Tenant): Promise<string | undefined> {
    return requiresNonces(tenant) ? this.#nonces.current(tenant.id, this.#clock.now()) : undefined;
  }

  async #requireBound(
    tenant: Tenant,
    jkt: string,
    { token, scheme, proof: presented }: PresentedCredential,
    fail: Fail<'TOKEN_INVALID'>,
  ): Promise<void> {
    const refuse = (error: DpopError, internal: string): never =>
      fail('TOKEN_INVALID', { challenge: dpopChallenge(error), internal });
    if (scheme !== 'dpop') return refuse('invalid_token', 'bound token as bearer');
    if (!presented) return refuse('invalid_dpop_proof', 'no proof');
    const verdict = await this.#verify(tenant, presented, token);
    if ('flaw' in verdict) return refuse(verdict.error, verdict.flaw);
    if (verdict.proof.jkt !== jkt) return refuse('invalid_token', 'proof by another key');
    if (!(await this.#spend(tenant, verdict.proof))) refuse('invalid_dpop_proof', 'used before');
  }

  async #verify(
    tenant: Tenant,
    { jwt, method, path, host }: PresentedProof,
    accessToken?: string,
  ): Promise<Verdict> {
    const now = this.#clock.now();
    const origins = originsOf(tenant, this.#baseUrl(), host);
    const proof = readProof(this.#selfSigned, jwt, { method, path, origins, accessToken, now });
    if ('flaw' in proof) return { flaw: proof.flaw, error: 'invalid_dpop_proof' };
    const isGood = await this.#hasNonce(tenant, proof, now);
    return isGood ? { proof } : { flaw: 'nonce', error: 'use_dpop_nonce' };
  }

  /** If the tenant requires no nonce, any nonce is accepted: the client may still have one from an earlier setting. */
  async #hasNonce(tenant: Tenant, { nonce }: ReadProof, now: Date): Promise<boolean> {
    if (!requiresNonces(tenant)) return true;
    return nonce !== undefined && this.#nonces.isGood(tenant.id, nonce, now);
  }

  /** Marks a proof as used; a unique row decides races. @returns whether the proof was new */
  #spend({ id: tenantId }: Tenant, { jkt, jti, endsAt }: ReadProof): Promise<boolean> {
    return this.#spentProofs.spend({ tenantId, maker: `dpop ${jkt}`, jti, endsAt });
  }
}

/** Returns the service's origins for a tenant, except for origins that only the request claims. */
function originsOf({ issuer }: Tenant, baseUrl: string, host: string | undefined): string[] {
  const serviceUrl = new URL(baseUrl);
  const origins = [serviceUrl.origin, new URL(issuer).origin];
  const ofHost = `${serviceUrl.protocol}//${host}`;
  return host !== undefined && URL.canParse(ofHost)
    ? [...origins, new URL(ofHost).origin]
    : origins;
}

const BYTES = 16;

/** Nonces of the service (RFC 9449 §8). Nothing is stored: each is a MAC of its minute, under a key of the tenant. */
class Nonces {
  readonly #auditKeys: Pick<AuditKeys, 'find'>;
  readonly #derived = new WeakMap<AuditKey, Buffer>();

  constructor(auditKeys: Pick<AuditKeys, 'find'>) {
    this.#auditKeys = auditKeys;
  }

  /** @throws DataKeyGone when the tenant was deleted */
  async current(tenantId: TenantId, now: Date): Promise<string> {
    return nonceOf(await this.#keyOf(tenantId), minuteOf(now)).toString('base64url');
  }

  /** Accepts the nonces of this minute, the previous minute and, for nodes whose clocks are ahead, the next minute. */
  async isGood(tenantId: TenantId, nonce: string, now: Date): Promise<boolean> {
    const presented = Buffer.from(nonce, 'base64url');
    if (presented.length !== BYTES || presented.toString('base64url') !== nonce) return false;
    const key = await this.#keyOf(tenantId);
    const minute = minuteOf(now);
    return [minute, minute - 1, minute + 1].some((candidate) =>
      timingSafeEqual(nonceOf(key, candidate), presented),
    );
  }

  async #keyOf(tenantId: TenantId): Promise<Buffer> {
    const root = await this.#auditKeys.find(tenantId);
    if (!root) throw new DataKeyGone(tenantId);
    const derived = this.#derived.get(root);
    if (derived) return derived;
    const key = Buffer.from(hkdfSync('sha256', root, '', 'keywright dpop nonces', 32));
    this.#derived.set(root, key);
    return key;
  }
}

function minuteOf(now: Date): number {
  return Math.floor(epochSeconds(now) / DPOP_WINDOW_SECONDS);
}

function nonceOf(key: Buffer, minute: number): Buffer {
  return createHmac('sha256', key).update(String(minute)).digest().subarray(0, BYTES);
}

/** The request that a proof must be bound to. */
export interface ProofPlace {
  readonly method: string;
  readonly path: string;
  /** The origins of the service for this tenant. */
  readonly origins: readonly string[];
  /** The token of the request; undefined where tokens are issued. */
  readonly accessToken: string | undefined;
  readonly now: Date;
}

/** A genuine proof for this request whose nonce and reuse have not been checked yet. */
export interface ReadProof {
  /** SHA-256 thumbprint of the proof's key (RFC 7638). */
  readonly jkt: string;
  readonly jti: string;
  readonly nonce: string | undefined;
  /** When the proof has expired on every node. */
  readonly endsAt: Date;
}

const MAX_JTI = 256;
const MAX_HTU = 2048;
/** A URL parser would drop or change other characters, so different strings would parse to the same URL. */
const HTU = /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i;

/**
 * Checks a proof, except for its nonce and its reuse (RFC 9449 §4.3). The signature is checked last because it costs
 * the most.
 * @returns the flaw of a rejected proof, for the log only
 */
export function readProof(
  tokens: Pick<SelfSignedTokens, 'parse'>,
  jwt: string,
  place: ProofPlace,
): ReadProof | { readonly flaw: string } {
  if (jwt.length > MAX_DPOP_CHARACTERS) return { flaw: 'too long' };
  const parsed = tokens.parse(jwt);
  if (!parsed) return { flaw: 'malformed' };
  const { token, key, thumbprint } = parsed;
  if (token.typ !== 'dpop+jwt') return { flaw: 'typ' };
  if (!DPOP_ALGORITHMS.some((algorithm) => algorithm === token.alg)) return { flaw: 'alg' };
  const { jti, nonce, iat } = token.claims;
  const flaw = flawOfClaims(token.claims, place);
  if (flaw !== undefined) return { flaw };
  if (!outsideSignatureIsValid(token, key)) return { flaw: 'signature' };
  return {
    jkt: thumbprint,
    jti: String(jti),
    nonce: typeof nonce === 'string' ? nonce : undefined,
    endsAt: new Date((Number(iat) + DPOP_WINDOW_SECONDS + 2 * CLOCK_SKEW_SECONDS) * 1000),
  };
}

type Claims = Readonly<Record<string, unknown>>;

function flawOfClaims(
  { jti, htm, htu, iat, exp, ath, nonce }: Claims,
  { method, accessToken, now, ...address }: ProofPlace,
): string | undefined {
  const seconds = epochSeconds(now);
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI) return 'jti';
  if (htm !== method) return 'htm';
  if (!isAddressOf(htu, address)) return 'htu';
  if (typeof iat !== 'number' || Math.abs(seconds - iat) > DPOP_WINDOW_SECONDS) return 'iat';
  if (typeof exp === 'number' && exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  if (nonce !== undefined && typeof nonce !== 'string') return 'nonce';
  if (accessToken !== undefined && ath !== sha256(accessToken).toString('base64url')) return 'ath';
  return undefined;
}

/** Ignores query and fragment (RFC 9449 §4.3), and treats different spellings of a URL as equal (RFC 3986 §6.2). */
function isAddressOf(
  htu: unknown,
  { origins, path }: Pick<ProofPlace, 'origins' | 'path'>,
): boolean {
  if (typeof htu !== 'string' || htu.length > MAX_HTU || !HTU.test(htu)) return false;
  if (!URL.canParse(htu)) return false;
  const { origin, pathname, username, password } = new URL(htu);
  return username === '' && password === '' && pathname === path && origins.includes(origin);
}
