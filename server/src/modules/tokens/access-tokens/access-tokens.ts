import { AccessTokenClaims, CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { WorkspaceId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { Cache } from '../../../platform/cache/cache.ts';
import { epochSeconds } from '../../../platform/clock.ts';
import { Compile } from '../../../platform/compile.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import {
  type ParsedToken,
  type SigningKey,
  parseToken,
  signToken,
  signatureIsValid,
} from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing, OwnJwts } from '../signing-keys/index.ts';
import { statusClaim } from '../status-lists/index.ts';

/** The subject of an access token, and its permissions. */
export interface TokenSubject {
  readonly sub: string;
  readonly workspaceId: WorkspaceId;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
  /** Scopes of OpenID Connect, which are not permissions. */
  readonly openIdScopes?: readonly string[];
  /** The grant that the token depends on, at its current version: a later version invalidates the token. */
  readonly grant: Pick<AccessTokenClaims, 'sid' | 'client_id' | 'key_id' | 'ver' | 'act'>;
  /** How the subject authenticated; undefined for an agent and for an absent user. */
  readonly authentication?: Pick<AccessTokenClaims, 'auth_time' | 'acr' | 'amr'>;
  /** The end of the grant, after which the token is not valid. */
  readonly grantEndsAt: Date;
  /** The bit that is set when the grant ends, counted over all lists of the issuer. */
  readonly bit: number;
  readonly customClaims?: Readonly<Record<string, unknown>>;
  /** Thumbprint of the key that the token is bound to; undefined for a bearer token. */
  readonly jkt?: string | undefined;
  /** `authorization_details` (RFC 9396). */
  readonly details?: readonly AuthorizationDetail[];
  /** A secret that the client holds: `jti` is derived from it and the other claims. Without it `jti` is random. */
  readonly seed?: string;
}

/** The resource that a token is for, if it is not the tenant itself (RFC 8707). */
export interface TokenTarget {
  readonly uri: string;
  /** Undefined: the same lifetime as tokens for the tenant. */
  readonly tokenTtlSeconds: number | undefined;
  readonly algorithm: KeyAlgorithm;
  readonly typ: OAuthResourceRecord['access_token_typ'];
}

interface Minted {
  readonly token: string;
  readonly expiresIn: number;
}

/** The type of a token that is bound to this key (RFC 9449 §5). */
export function tokenTypeOf(jkt: string | undefined): 'Bearer' | 'DPoP' {
  return jkt === undefined ? 'Bearer' : 'DPoP';
}

/** Mints an access token (SPEC resources access token; RFC 9068). */
export function mintAccessToken(
  key: SigningKey,
  tenant: Tenant,
  subject: TokenSubject,
  now: Date,
  longestSeconds = tenant.config.session_timeout,
): Minted {
  const { claims, expiresIn } = draft(tenant, subject, now, longestSeconds, tenant.audience);
  return { token: signToken(key, TOKEN_TYP.access, claims), expiresIn };
}

/** Mints a token for a resource, whose verifiers may require another algorithm. This service does not accept it. */
export async function mintResourceToken(
  jwts: OwnJwts,
  tenant: Tenant,
  { uri, tokenTtlSeconds = Infinity, algorithm: alg, typ }: TokenTarget,
  subject: TokenSubject,
  now: Date,
  longestSeconds = tenant.config.session_timeout,
): Promise<Minted> {
  const longest = Math.min(longestSeconds, tokenTtlSeconds);
  const { claims, expiresIn } = draft(tenant, subject, now, longest, uri);
  return { token: await jwts.sign(tenant.id, { alg, typ, claims }), expiresIn };
}

/** Returns the claims of a token for the tenant itself, without signing them. */
export function draftAccessToken(tenant: Tenant, subject: TokenSubject, now: Date) {
  const { config, audience } = tenant;
  return draft(tenant, subject, now, config.session_timeout, audience).claims;
}

function draft(
  tenant: Tenant,
  subject: TokenSubject,
  now: Date,
  longestSeconds: number,
  audience: string,
): { readonly claims: AccessTokenClaims; readonly expiresIn: number } {
  const iat = epochSeconds(now);
  const exp = Math.min(iat + longestSeconds, epochSeconds(subject.grantEndsAt));
  const claims: AccessTokenClaims = {
    // Custom claims come first, so that they cannot override the claims that follow.
    ...subject.customClaims,
    jti: randomId(),
    token_type: 'access',
    iss: tenant.issuer,
    sub: subject.sub,
    aud: audience,
    iat,
    exp,
    tenant_id: tenant.id,
    workspace_id: subject.workspaceId,
    roles: [...subject.roles],
    scopes: [...subject.scopes],
    scope: [...(subject.openIdScopes ?? []), ...subject.scopes].join(' '),
    ...subject.grant,
    ...subject.authentication,
    ...(subject.jkt !== undefined && { cnf: { jkt: subject.jkt } }),
    ...(subject.details && { authorization_details: [...subject.details] }),
    status: statusClaim(tenant.issuer, subject.bit),
  };
  const { seed } = subject;
  const named = seed === undefined ? claims : { ...claims, jti: derivedJti(claims, seed) };
  return { claims: named, expiresIn: exp - iat };
}

/** Derives a `jti` that differs whenever the claims differ. */
function derivedJti(claims: AccessTokenClaims, seed: string): string {
  return sha256(`access token of ${seed} ${JSON.stringify({ ...claims, jti: undefined })}`)
    .subarray(0, JTI_BYTES)
    .toString('base64url');
}

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>;

interface Verified {
  readonly kid: string;
  readonly claims: AccessTokenClaims;
}

const JTI_BYTES = 16;
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
  readonly #jwts: OwnJwts;
  /** Tokens with verified signatures. Expiry, key and session are checked on every use. */
  readonly #verified = new Cache<string, Verified>(MAX_VERIFIED);

  constructor(keys: KeyRing, jwts: OwnJwts) {
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
