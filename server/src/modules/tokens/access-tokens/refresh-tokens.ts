import { type KeyObject, createHmac, timingSafeEqual } from 'node:crypto';
import { TOKEN_TYP } from '@keywright/contract/claims';
import {
  type OAuthClientId,
  type SessionId,
  type TenantId,
  type UserId,
  parseOAuthClientId,
  parseSessionId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { epochSeconds } from '../../../platform/clock.ts';
import {
  type ParsedToken,
  type SigningKey,
  decodeBase64url,
  parseToken,
  signToken,
} from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

// Refresh tokens of direct logins are signed; those of applications are opaque, with a MAC that only this service can
// verify. Of both, only a hash is stored.

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

/** Mints the refresh token of a direct login. The same fields under the same key give the same bytes. */
export function mintSignedToken(
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

/** The prefix by which secret scanners recognize the refresh tokens of applications. */
const OPAQUE_PREFIX = 'rft_';
const MAC_BYTES = 32;

/**
 * Mints the refresh token of an application: a MAC and the claims that it covers. The same fields under the same key
 * give the same bytes.
 * @param key of the tenant, which the token therefore does not name
 */
export function mintOpaqueToken(key: KeyObject, fields: RefreshTokenFields): string {
  const claims = Buffer.from(
    JSON.stringify({
      jti: fields.jti,
      sub: fields.userId,
      iat: epochSeconds(fields.issuedAt),
      exp: epochSeconds(fields.expiresAt),
      sid: fields.sessionId,
      session_exp: epochSeconds(fields.sessionEndsAt),
      ...(fields.client && clientClaims(fields.client)),
    }),
  );
  return OPAQUE_PREFIX + Buffer.concat([macOf(key, claims), claims]).toString('base64url');
}

function macOf(key: KeyObject, claims: Buffer): Buffer {
  return createHmac('sha256', key).update(claims).digest();
}

/** The claims of an opaque token; undefined unless this key minted it. */
function openOpaqueToken(key: KeyObject, token: string): RefreshClaims | undefined {
  const bytes = decodeBase64url(token.slice(OPAQUE_PREFIX.length));
  if (!bytes || bytes.length < MAC_BYTES) return undefined;
  const claims = bytes.subarray(MAC_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(key, claims))) return undefined;
  return JSON.parse(claims.toString('utf8')) as RefreshClaims;
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

type RefreshClaims = Readonly<Record<string, unknown>>;

/** A well-formed refresh token. */
export interface PresentedRefreshToken {
  readonly token: string;
  /** A signed token, whose signature has not been verified; undefined: an opaque token, whose MAC has been verified. */
  readonly signed: ParsedToken | undefined;
  readonly claims: RefreshClaims;
  readonly tenantId: string;
  readonly issuer: string;
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly sessionEndsAt: Date;
  readonly client: GrantedClient | null;
}

interface OpaqueKeys {
  /** The key of the MACs of the tenant's opaque tokens. */
  refreshKey(tenantId: TenantId): Promise<KeyObject>;
}

/** @returns undefined if the token is malformed, or is opaque and was not minted by this tenant */
export async function readRefreshToken(
  keys: OpaqueKeys,
  tenant: Tenant,
  token: string,
): Promise<PresentedRefreshToken | undefined> {
  if (!token.startsWith(OPAQUE_PREFIX)) return readSignedToken(token);
  const claims = openOpaqueToken(await keys.refreshKey(tenant.id), token);
  const { id: tenant_id, issuer: iss } = tenant;
  return claims && presentedAs(token, undefined, { iss, aud: iss, tenant_id, ...claims });
}

function readSignedToken(token: string): PresentedRefreshToken | undefined {
  const signed = parseToken(token);
  const isBound = signed?.typ === TOKEN_TYP.boundRefresh;
  if (!signed || (!isBound && signed.typ !== TOKEN_TYP.refresh)) return undefined;
  const presented = presentedAs(token, signed, signed.claims);
  return isBound === (presented?.client?.jkt !== undefined) ? presented : undefined;
}

/** Undefined if the claims are malformed. */
function presentedAs(
  token: string,
  signed: ParsedToken | undefined,
  claims: RefreshClaims,
): PresentedRefreshToken | undefined {
  const { iss: issuer, sub, sid, tenant_id: tenantId, session_exp: sessionExp } = claims;
  const sessionId = typeof sid === 'string' ? parseSessionId(sid) : undefined;
  if (!sessionId || typeof issuer !== 'string') return undefined;
  if (typeof sub !== 'string' || typeof tenantId !== 'string') return undefined;
  if (!isTimestamp(sessionExp)) return undefined;
  const client = clientIn(claims);
  if (client === undefined) return undefined;
  const userId = sub as UserId;
  const sessionEndsAt = new Date(sessionExp * 1000);
  return { token, signed, claims, tenantId, issuer, userId, sessionId, sessionEndsAt, client };
}

/** Undefined if malformed. */
function clientIn(claims: RefreshClaims): GrantedClient | null | undefined {
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
