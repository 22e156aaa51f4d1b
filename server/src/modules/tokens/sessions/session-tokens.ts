import { type AccessTokenClaims, DIRECT_CLIENT } from '@keywright/contract/claims';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { intersectScopes, isCommonPermission, isOpenIdScope } from '@keywright/contract/scopes';
import { epochSeconds } from '../../../platform/clock.ts';
import { newSessionId } from '../../../platform/crypto/ids.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findAllMetadata } from '../../identity/users/index.ts';
import {
  type GrantedClient,
  type TokenSubject,
  type TokenTarget,
  draftAccessToken,
  mintAccessToken,
  mintResourceToken,
} from '../access-tokens/index.ts';
import type { ApplicationJwts } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import type { PreviewedUser } from './refresh-store.ts';
import type { AuthenticationRow, SubjectRow } from './session-store.ts';

// The contents of a session's tokens, and the response that returns them.

/** A resource that a client's access token is for. */
export interface SessionTarget extends TokenTarget {
  /** Returns the granted scopes that the resource's token can have for a user with these permissions. */
  scopesFor(granted: readonly string[], permissions: readonly string[]): readonly string[];
  /** Returns the granted authorization details that the resource's token can have (RFC 9396). */
  detailsFor(granted: readonly AuthorizationDetail[]): readonly AuthorizationDetail[];
}

export interface SessionSubject {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly endsAt: Date;
  readonly accessVersion: number;
  readonly bit: number;
  readonly customClaims: Record<string, unknown>;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  /** Undefined: the tenant itself. */
  readonly target?: SessionTarget | undefined;
  /** Thumbprint of the key that the access token is bound to. */
  readonly jkt?: string | undefined;
  readonly authentication: AuthenticationRow;
  /** Whether the same tokens can be minted again. */
  readonly isRepeatable?: boolean;
  readonly row: SubjectRow;
}

/** The response to a login and to a direct refresh: a new access token with this refresh token. */
export function tokenResponse(
  key: SigningKey,
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): TokenAnswer {
  const access = mintAccessToken(key, tenant, tokenSubject(subject, refreshToken), now);
  return responseWith(tenant, subject, access, refreshToken);
}

/** The scopes and authorization details that an access token grants. */
export interface GrantedScope {
  readonly scope: readonly string[];
  /** RFC 9396; undefined: none. */
  readonly details?: readonly AuthorizationDetail[];
}

/** The response to a client, whose access token can be for a resource. `scope` is that of the access token. */
export async function clientTokenResponse(
  { key, jwts }: { readonly key: SigningKey; readonly jwts: ApplicationJwts },
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): Promise<TokenAnswer & GrantedScope> {
  const { target } = subject;
  const minted = tokenSubject(subject, refreshToken);
  const access = target
    ? await mintResourceToken(jwts, tenant, target, minted, now)
    : mintAccessToken(key, tenant, minted, now);
  const response = responseWith(tenant, subject, access, refreshToken);
  const scope = [...(minted.openIdScopes ?? []), ...minted.scopes];
  return { ...response, scope, ...(minted.details && { details: minted.details }) };
}

function responseWith(
  { id: tenantId }: Tenant,
  { userId, row }: SessionSubject,
  access: { readonly token: string; readonly expiresIn: number },
  refreshToken: string,
): TokenAnswer {
  return {
    access_token: access.token,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: access.expiresIn,
    user: { id: userId, tenant_id: tenantId, identifiers: row.identifiers },
  };
}

function tokenSubject(subject: SessionSubject, refreshToken: string): TokenSubject {
  const { client, authentication, row, isRepeatable = false } = subject;
  return {
    sub: subject.userId,
    workspaceId: row.workspace_id,
    ...permissionsOf(client, row, subject.target),
    grant: {
      sid: subject.sessionId,
      client_id: client?.id ?? DIRECT_CLIENT,
      ver: subject.accessVersion,
    },
    authentication: {
      auth_time: epochSeconds(authentication.auth_time),
      acr: authentication.acr,
      amr: [...authentication.amr],
    },
    grantEndsAt: subject.endsAt,
    bit: subject.bit,
    customClaims: subject.customClaims,
    jkt: subject.jkt,
    ...detailsOf(subject),
    ...(isRepeatable && { seed: refreshToken }),
  };
}

/** A token for the tenant itself has no authorization details. */
function detailsOf({ client, target }: SessionSubject): Pick<TokenSubject, 'details'> {
  const details = target?.detailsFor(client?.details ?? []) ?? [];
  return details.length > 0 ? { details } : {};
}

/**
 * An application has those permissions of its user that were granted to it, and no roles. The userinfo endpoint
 * rejects tokens for resources.
 */
function permissionsOf(
  client: GrantedClient | null,
  { roles, scopes }: SubjectRow,
  target: SessionTarget | undefined,
) {
  if (!client) return { roles, scopes };
  const openIdScopes = client.scopes.filter(isOpenIdScope);
  if (target) {
    return {
      roles: [],
      scopes: target.scopesFor(client.scopes, scopes),
      openIdScopes: openIdScopes.filter((scope) => scope !== 'openid'),
    };
  }
  return {
    roles: [],
    scopes: intersectScopes(client.scopes.filter(isCommonPermission), scopes),
    openIdScopes,
  };
}

/** Returns the status bit of a session; a new one if the user's permissions have changed. */
export async function bitOf(
  bits: TokenBits,
  { id: tenantId }: Tenant,
  { id, endsAt }: { readonly id: SessionId; readonly endsAt: Date },
  row: { readonly status_idx: string | null; readonly access_version: number },
): Promise<number> {
  const { status_idx: bit, access_version: version } = row;
  return bit === null ? bits.of(tenantId, [{ tenantId, id, version }], endsAt) : Number(bit);
}

/** Returns the tenant's custom claims for a user's access tokens. Metadata is read only if a claim depends on it. */
export async function customClaimsOf(
  gate: Gate,
  { id, config }: Tenant,
  userId: UserId,
): Promise<Record<string, unknown>> {
  const sources = requiresMetadata(config.custom_claims)
    ? await gate.into(id).transaction((tx) => findAllMetadata(tx, userId))
    : undefined;
  return resolveClaims(config.custom_claims, sources);
}

/** The custom claims that are the same for all subjects: an agent has no metadata. */
export function fixedClaimsOf({ config }: Tenant): Record<string, unknown> {
  return resolveClaims(config.custom_claims, undefined);
}

/** The data of a session that an ID token contains. */
export interface SessionFacts {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly authTime: Date;
  readonly acr: AuthenticationRow['acr'];
  readonly amr: readonly string[];
  /** Null unless the user has one, and the request read it. */
  readonly name: string | null;
  readonly picture: string | null;
  /** The metadata that administrators wrote about the user; empty unless the request read it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When the user was last changed, in seconds; undefined unless the request read the metadata. */
  readonly updatedAt: number | undefined;
}

interface FactsRow extends AuthenticationRow {
  /** Null unless the request reads the metadata. */
  readonly metadata: {
    readonly name: string | null;
    readonly picture: string | null;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly updated_at: number;
  } | null;
}

export function factsOf(id: SessionId, userId: UserId, row: FactsRow): SessionFacts {
  const { auth_time: authTime, acr, amr, metadata: user } = row;
  const { name = null, picture = null, metadata = {}, updated_at: updatedAt } = user ?? {};
  return { id, userId, authTime, acr, amr, name, picture, metadata, updatedAt };
}

/** The authentication that previews assume. */
const BY_PASSWORD = { acr: 'aal1', amr: ['pwd'] } as const;

interface PreviewedSession {
  readonly user: PreviewedUser;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  /** Thumbprint of the key that tokens of the client are bound to. */
  readonly jkt: string | undefined;
}

interface PreviewedClaims {
  readonly claims: AccessTokenClaims;
  readonly facts: Pick<SessionSubject, 'sessionId' | 'authentication'>;
}

/** Returns the claims of a session's first access token, without opening a session or signing. */
export function previewAccessToken(
  tenant: Tenant,
  { user, client, jkt }: PreviewedSession,
  now: Date,
): PreviewedClaims {
  const { config } = tenant;
  const facts = {
    sessionId: newSessionId(now),
    authentication: { auth_time: now, ...BY_PASSWORD },
  };
  const subject = {
    ...facts,
    userId: user.id,
    endsAt: new Date(now.getTime() + config.refresh_token_absolute_ttl * 1000),
    accessVersion: 0,
    bit: 0,
    customClaims: resolveClaims(config.custom_claims, user),
    client,
    jkt,
    row: user,
  };
  return { claims: draftAccessToken(tenant, tokenSubject(subject, ''), now), facts };
}

type CustomClaims = TenantConfig['custom_claims'];
type CustomClaim = CustomClaims[string];

/** The metadata of a user, as written by administrators and as written by the user. */
interface ClaimSources {
  readonly metadata: unknown;
  readonly user_metadata: unknown;
}

interface MetadataPlace {
  readonly source: keyof ClaimSources;
  readonly pointer: string;
}

/** Returns where in the metadata a claim's value comes from; undefined if the claim is a constant. */
function placeOf(claim: CustomClaim): MetadataPlace | undefined {
  if (typeof claim !== 'object' || Array.isArray(claim)) return undefined;
  return 'metadata' in claim
    ? { source: 'metadata', pointer: claim.metadata }
    : { source: 'user_metadata', pointer: claim.user_metadata };
}

/** Whether any of the tenant's claims is taken from the user's metadata. */
export function requiresMetadata(claims: CustomClaims): boolean {
  return Object.values(claims).some((claim) => placeOf(claim) !== undefined);
}

/** Returns the claims with their values, without claims whose metadata value is missing. */
export function resolveClaims(
  claims: CustomClaims,
  sources: ClaimSources | undefined,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(claims)) {
    const place = placeOf(claim);
    const value = place ? valueAt(sources?.[place.source], place.pointer) : claim;
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

type ClaimPlace = { readonly source: 'constant' } | MetadataPlace;

/** Returns the source of each claim. */
export function placesOf(
  claims: CustomClaims,
): readonly (readonly [name: string, place: ClaimPlace])[] {
  return Object.entries(claims).map(([name, claim]) => [
    name,
    placeOf(claim) ?? { source: 'constant' },
  ]);
}

/** Resolves a JSON Pointer (RFC 6901 §4). Only own keys count: prototypes and list lengths are not metadata. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.keys(value).includes(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
