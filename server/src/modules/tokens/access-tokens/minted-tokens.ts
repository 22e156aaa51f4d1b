import { type AccessTokenClaims, TOKEN_TYP } from '@keywright/contract/claims';
import type { WorkspaceId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import { type SigningKey, signToken } from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationJwts } from '../signing-keys/index.ts';
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
  jwts: ApplicationJwts,
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

const JTI_BYTES = 16;
