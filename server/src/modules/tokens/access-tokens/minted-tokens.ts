import { type AccessTokenClaims, TOKEN_TYP } from '@keywright/contract/claims';
import {
  type OAuthClientId,
  type SessionId,
  type UserId,
  type WorkspaceId,
  parseOAuthClientId,
  parseSessionId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { epochSeconds } from '../../../platform/clock.ts';
import { randomId } from '../../../platform/crypto/ids.ts';
import {
  type ParsedToken,
  type SigningKey,
  parseToken,
  signToken,
} from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ApplicationJwts } from '../signing-keys/index.ts';
import { statusClaim } from '../status-lists/index.ts';

/** The year 5138. */
const LATEST_SECONDS = 100_000_000_000;

/** The client of a refresh token, and what its user granted to it. */
export interface GrantedClient {
  readonly id: OAuthClientId;
  readonly scopes: readonly string[];
  /** IDs of the resources that access tokens can be for; empty: only the tenant itself. */
  readonly targets: readonly string[];
  /** `authorization_details` (RFC 9396); undefined: none. */
  readonly details?: readonly AuthorizationDetail[] | undefined;
  /**
   * Thumbprint of the key that was proven with the code: a refresh by a public client needs a proof by this key, and
   * a refresh by a confidential client needs a proof by any key (RFC 9449 §5). Undefined: none.
   */
  readonly jkt?: string | undefined;
}

/** Everything that determines the bytes of a refresh token, except its key. */
export interface RefreshTokenFields {
  readonly jti: string;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** When the session ends, regardless of refreshes. */
  readonly sessionEndsAt: Date;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
}

/** Mints a refresh token. The same fields under the same key give the same bytes. */
export function mintRefreshToken(
  key: SigningKey,
  tenant: Pick<Tenant, 'id' | 'issuer'>,
  fields: RefreshTokenFields,
): string {
  const isBound = fields.client?.jkt !== undefined;
  return signToken(key, isBound ? TOKEN_TYP.boundRefresh : TOKEN_TYP.refresh, {
    jti: fields.jti,
    token_type: 'refresh',
    iss: tenant.issuer,
    sub: fields.userId,
    aud: tenant.issuer,
    iat: epochSeconds(fields.issuedAt),
    exp: epochSeconds(fields.expiresAt),
    tenant_id: tenant.id,
    sid: fields.sessionId,
    session_exp: epochSeconds(fields.sessionEndsAt),
    ...(fields.client && clientClaims(fields.client)),
  });
}

function clientClaims({ id, scopes, targets, details, jkt }: GrantedClient): object {
  const resource = targets.join(' ');
  return {
    client_id: id,
    scope: scopes.join(' '),
    ...(resource && { resource }),
    ...(details && { authorization_details: details }),
    ...(jkt !== undefined && { cnf: { jkt } }),
  };
}

/**
 * The `jti` of the only successor of a refresh token, derived from the token, so that the successor can be minted again
 * for a client that lost the response. No token is stored.
 */
export function successorJti(token: string): string {
  return sha256(`keywright successor of ${token}`).subarray(0, 16).toString('base64url');
}

/** Returns the hash that is stored for a refresh token. */
export function refreshTokenHash(token: string): Buffer {
  return sha256(token);
}

/** A well-formed refresh token whose signature has not been verified. */
export interface PresentedRefreshToken {
  readonly parsed: ParsedToken;
  readonly tenantId: string;
  readonly issuer: string;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly sessionEndsAt: Date;
  readonly client: GrantedClient | null;
}

export function readRefreshToken(token: string): PresentedRefreshToken | undefined {
  const parsed = parseToken(token);
  const isBound = parsed?.typ === TOKEN_TYP.boundRefresh;
  if (!parsed || (!isBound && parsed.typ !== TOKEN_TYP.refresh)) return undefined;
  const { iss, sub, sid, tenant_id: tenantId, session_exp: sessionExp } = parsed.claims;
  const sessionId = typeof sid === 'string' ? parseSessionId(sid) : undefined;
  if (!sessionId || typeof iss !== 'string') return undefined;
  if (typeof sub !== 'string' || typeof tenantId !== 'string') return undefined;
  if (!isTimestamp(sessionExp)) return undefined;
  const client = clientIn(parsed);
  if (client === undefined || isBound !== (client?.jkt !== undefined)) return undefined;
  const sessionEndsAt = new Date(sessionExp * 1000);
  return { parsed, tenantId, issuer: iss, userId: sub as UserId, sessionId, sessionEndsAt, client };
}

/** Undefined if malformed. */
function clientIn({ claims }: ParsedToken): GrantedClient | null | undefined {
  const { client_id: clientId, scope, resource = '' } = claims;
  if (clientId === undefined) return null;
  const id = typeof clientId === 'string' ? parseOAuthClientId(clientId) : undefined;
  if (!id || typeof scope !== 'string' || typeof resource !== 'string') return undefined;
  const targets = resource.split(' ').filter(Boolean);
  const details = detailsIn(claims['authorization_details']);
  return { id, scopes: scope.split(' '), targets, details, jkt: thumbprintIn(claims['cnf']) };
}

/** Reads a claim that can contain anything if it is unverified; a verified claim is as it was minted. */
function detailsIn(claim: unknown): readonly AuthorizationDetail[] | undefined {
  return Array.isArray(claim) ? (claim as AuthorizationDetail[]) : undefined;
}

function thumbprintIn(cnf: unknown): string | undefined {
  const { jkt } = (typeof cnf === 'object' && cnf !== null ? cnf : {}) as {
    readonly jkt?: unknown;
  };
  return typeof jkt === 'string' ? jkt : undefined;
}

/** Whether an unverified claim is a time, in seconds since the epoch, that every part of the service can store. */
function isTimestamp(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < LATEST_SECONDS;
}

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
