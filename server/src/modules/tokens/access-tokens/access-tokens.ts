import { AccessTokenClaims, CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { Cache } from '../../../platform/cache/cache.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import { Compile } from '../../../platform/compile.ts';
import { type ParsedToken, parseToken, signatureIsValid } from '../../../platform/crypto/jws.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing, ApplicationJwts } from '../signing-keys/index.ts';

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>;

interface Verified {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
}

const MAX_VERIFIED = 10_000;
const claimsChecker = lazy(() => Compile(AccessTokenClaims));

function areAccessTokenClaims(claims: unknown): claims is AccessTokenClaims {
  return claimsChecker().Check(claims);
}

/** The flaw of a token, apart from the state of its grants. */
type TokenFlaw =
  | 'token_malformed'
  | 'token_tenant_mismatch'
  | 'signature_invalid'
  | 'token_type_mismatch'
  | 'token_audience_mismatch'
  | 'token_expired';

/** The claims of a genuine access token of the tenant, and its flaw, if any. */
interface InspectedToken {
  readonly claims?: AccessTokenClaims;
  readonly flaw?: TokenFlaw;
}

/** Verifies access tokens of a tenant, except whether their grants are still alive. */
export class AccessTokens {
  readonly #keys: KeyRing;
  readonly #jwts: ApplicationJwts;
  /** Tokens with verified signatures. Expiry, key and session are checked on every use. */
  readonly #verified = new Cache<string, Verified>(MAX_VERIFIED);

  constructor(keys: KeyRing, jwts: ApplicationJwts) {
    this.#keys = keys;
    this.#jwts = jwts;
  }

  /**
   * Verifies a token for this service.
   * @throws AppError TENANT_MISMATCH for a token of another tenant, TOKEN_INVALID for any other flaw
   */
  async verify(tenant: Tenant, token: string, now: Date, fail: Refuse): Promise<AccessTokenClaims> {
    const verified = await this.#find(tenant, token, fail);
    const isGood =
      verified && isCurrent(verified.claims, tenant, now) && isForUs(verified.claims, tenant);
    return isGood ? verified.claims : fail('TOKEN_INVALID');
  }

  /** Verifies a token for any audience, with any of the tenant's keys. It never authenticates a caller. */
  async verifyIssued(
    tenant: Tenant,
    token: string,
    now: Date,
    fail: Refuse,
  ): Promise<AccessTokenClaims> {
    const verified = await this.#find(tenant, token, fail);
    const claims = verified?.claims ?? (await this.#jwts.verify(tenant, token, OF_A_RESOURCE));
    const isGood = areAccessTokenClaims(claims) && isCurrent(claims, tenant, now);
    return isGood ? claims : fail('TOKEN_INVALID');
  }

  /** Inspects a token for a caller who may know why it is invalid. It never authenticates a caller. */
  async inspect(tenant: Tenant, token: string, now: Date): Promise<InspectedToken> {
    const parsed = parseToken(token);
    if (!parsed) return { flaw: 'token_malformed' };
    const { claims } = parsed;
    if (claims['tenant_id'] !== tenant.id) return { flaw: 'token_tenant_mismatch' };
    const key = await this.#keys.verifier(tenant.id, parsed.kid);
    if (!key || !signatureIsValid(parsed, key)) return { flaw: 'signature_invalid' };
    if (parsed.typ !== TOKEN_TYP.access || !areAccessTokenClaims(claims)) {
      return { flaw: 'token_type_mismatch' };
    }
    if (claims.iss !== tenant.issuer || claims.aud !== tenant.audience) {
      return { claims, flaw: 'token_audience_mismatch' };
    }
    const isExpired = claims.exp + CLOCK_SKEW_SECONDS <= epochSeconds(now);
    return isExpired ? { claims, flaw: 'token_expired' } : { claims };
  }

  async #find(tenant: Tenant, token: string, fail: Refuse): Promise<Verified | undefined> {
    const verified = this.#verified.get(token);
    if (verified) {
      requireTenant(verified.claims.tenant_id, tenant, fail);
      return (await this.#keys.publishes(tenant.id, verified.kid)) ? verified : undefined;
    }
    const parsed = parseToken(token);
    if (parsed?.typ !== TOKEN_TYP.access) return undefined;
    requireTenant(parsed.claims['tenant_id'], tenant, fail);
    return this.#check(tenant, token, parsed);
  }

  async #check(tenant: Tenant, token: string, parsed: ParsedToken): Promise<Verified | undefined> {
    const key = await this.#keys.verifier(tenant.id, parsed.kid);
    if (!key || !signatureIsValid(parsed, key) || !areAccessTokenClaims(parsed.claims))
      return undefined;
    const verified: Verified = { kid: parsed.kid, claims: parsed.claims };
    this.#verified.set(token, verified);
    return verified;
  }
}

/** Tokens for resources can have other algorithms and types. */
const OF_A_RESOURCE = { kind: 'access token', allowExpired: false, retiredToo: false } as const;

/** Checks the tenant before the signature: a token of another tenant is always rejected (SPEC authentication 7). */
function requireTenant(tenantId: unknown, tenant: Tenant, fail: Fail<'TENANT_MISMATCH'>): void {
  if (typeof tenantId === 'string' && tenantId !== tenant.id) fail('TENANT_MISMATCH');
}

function isCurrent(claims: AccessTokenClaims, tenant: Tenant, now: Date): boolean {
  const seconds = epochSeconds(now);
  return (
    claims.exp + CLOCK_SKEW_SECONDS > seconds &&
    claims.iat - CLOCK_SKEW_SECONDS <= seconds &&
    claims.iss === tenant.issuer
  );
}

/** Whether the token is for this service, which does not accept tokens for resources. */
function isForUs({ aud }: AccessTokenClaims, { audience }: Tenant): boolean {
  return aud === audience;
}
