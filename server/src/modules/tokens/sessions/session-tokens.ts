import { DIRECT_CLIENT, type AccessTokenClaims } from '@keywright/contract/claims';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { isOpenIdScope } from '@keywright/contract/records/oauth-client';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { intersectScopes, isCommonPermission } from '@keywright/contract/scopes';
import { epochSeconds } from '../../../platform/clock.ts';
import { newSessionId } from '../../../platform/crypto/ids.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type GrantedClient,
  mintAccessToken,
  mintResourceToken,
  type TokenSubject,
  type TokenTarget,
  draftAccessToken,
} from '../access-tokens/index.ts';
import type { SignJwt } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { lifetimesOf } from './session-drafts.ts';
import {
  type AuthenticationRow,
  type SubjectRow,
  type SessionFacts,
  findMetadata,
} from './session-store.ts';
import { findPreviewed, type PreviewedUser } from './subject-store.ts';

/** A resource that an access token of a client is for. */
export interface SessionTarget extends TokenTarget {
  /** What of the granted scopes its token may have for a user who holds these permissions. */
  scopesFor(granted: readonly string[], held: readonly string[]): readonly string[];
  /** What of this its token may have, allowed in particular. */
  detailsFor(granted: readonly AuthorizationDetail[]): readonly AuthorizationDetail[];
}

interface SessionSubject {
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
  /** Of the key that the access token is bound to. */
  readonly jkt?: string | undefined;
  readonly authentication: AuthenticationRow;
  /** The same tokens can be minted again. */
  readonly isRepeatable?: boolean;
  readonly row: SubjectRow;
}

/** The answer to a login and a refresh: a new access token with the given refresh token. */
export function tokenAnswer(
  key: SigningKey,
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): TokenAnswer {
  const access = mintAccessToken(key, tenant, tokenSubject(subject, refreshToken), now);
  return answerOf(tenant, subject, access, refreshToken);
}

/** Of an access token. */
export interface GrantedScope {
  readonly scope: readonly string[];
  /** What is allowed in particular; undefined: nothing. */
  readonly details?: readonly AuthorizationDetail[];
}

/** The answer of a client, whose access token may be for a resource. `scope`: that of the access token. */
export async function clientAnswer(
  { key, signJwt }: { readonly key: SigningKey; readonly signJwt: SignJwt },
  tenant: Tenant,
  subject: SessionSubject,
  refreshToken: string,
  now: Date,
): Promise<TokenAnswer & GrantedScope> {
  const { target } = subject;
  const minted = tokenSubject(subject, refreshToken);
  const access = target
    ? await mintResourceToken(signJwt, tenant, target, minted, now)
    : mintAccessToken(key, tenant, minted, now);
  const answer = answerOf(tenant, subject, access, refreshToken);
  const scope = [...(minted.openIdScopes ?? []), ...minted.scopes];
  return { ...answer, scope, ...(minted.details && { details: minted.details }) };
}

function answerOf(
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

/** What decides what an access token says. */
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

/** The tenant itself has no types of them. */
function detailsOf({ client, target }: SessionSubject): Pick<TokenSubject, 'details'> {
  const details = target?.detailsFor(client?.details ?? []) ?? [];
  return details.length > 0 ? { details } : {};
}

/**
 * An application has of the permissions of its user what was granted to it, and no roles. A token for a resource is none
 * for the userinfo endpoint.
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

/** The bit of a session; a new one when its user's permissions have changed. */
export async function bitOf(
  bits: TokenBits,
  { id: tenantId }: Tenant,
  { id, endsAt }: { readonly id: SessionId; readonly endsAt: Date },
  row: { readonly status_idx: string | null; readonly access_version: number },
): Promise<number> {
  const { status_idx: bit, access_version: version } = row;
  return bit === null ? bits.of(tenantId, [{ tenantId, id, version }], endsAt) : Number(bit);
}

interface ToldRow extends AuthenticationRow {
  /** Null unless it was asked for. */
  readonly metadata: {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly updated_at: number;
  } | null;
}

export function factsOf(id: SessionId, userId: UserId, row: ToldRow): SessionFacts {
  const { auth_time: authTime, acr, amr, metadata: told } = row;
  const { metadata = {}, updated_at: updatedAt } = told ?? {};
  return { id, userId, authTime, acr, amr, metadata, updatedAt };
}

/** The claims that the tenant adds to a user's access tokens. Metadata is read only where one asks for it. */
export async function customClaimsOf(
  gate: Gate,
  { id, config }: Tenant,
  userId: UserId,
): Promise<Record<string, unknown>> {
  const sources = asksForMetadata(config.custom_claims)
    ? await gate.into(id).transaction((tx) => findMetadata(tx, userId))
    : undefined;
  return resolveClaims(config.custom_claims, sources);
}

/** Those of them that are the same for everybody: an agent has no metadata. */
export function fixedClaimsOf({ config }: Tenant): Record<string, unknown> {
  return resolveClaims(config.custom_claims, undefined);
}

type CustomClaims = TenantConfig['custom_claims'];
type CustomClaim = CustomClaims[string];

/** What is known of a user that claims are taken from: what administrators wrote, and what the user did. */
interface ClaimSources {
  readonly metadata: unknown;
  readonly user_metadata: unknown;
}

interface Place {
  readonly source: keyof ClaimSources;
  readonly pointer: string;
}

/** Where a claim is taken from; nothing when it stands for itself. */
function placeOf(claim: CustomClaim): Place | undefined {
  if (typeof claim !== 'object' || Array.isArray(claim)) return undefined;
  return 'metadata' in claim
    ? { source: 'metadata', pointer: claim.metadata }
    : { source: 'user_metadata', pointer: claim.user_metadata };
}

/** Whether any of the tenant's claims is taken from the user's metadata. */
export function asksForMetadata(claims: CustomClaims): boolean {
  return Object.values(claims).some((claim) => placeOf(claim) !== undefined);
}

/** The claims with their values. One whose place in the metadata is empty is left out. */
export function resolveClaims(
  claims: CustomClaims,
  sources: ClaimSources | undefined,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {};
  for (const [name, claim] of Object.entries(claims)) {
    const place = placeOf(claim);
    const value = place ? at(sources?.[place.source], place.pointer) : claim;
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

type ClaimPlace =
  | { readonly source: 'constant' }
  | { readonly source: keyof ClaimSources; readonly pointer: string };

/** Where each claim is taken from. */
export function placesOf(
  claims: CustomClaims,
): readonly (readonly [name: string, place: ClaimPlace])[] {
  return Object.entries(claims).map(([name, claim]) => [
    name,
    placeOf(claim) ?? { source: 'constant' },
  ]);
}

/** RFC 6901 §4. Keys and places only: neither a prototype nor the length of a list is anybody's metadata. */
function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.keys(value).includes(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** What says how somebody logged in who did not: by a password. */
const BY_PASSWORD = { acr: 'aal1', amr: ['pwd'] } as const;

/** Whose tokens are previewed, and how. */
interface PreviewedSession {
  readonly user: PreviewedUser;
  /** Null: a direct login. */
  readonly client: GrantedClient | null;
  /** Of the key that tokens of the client are bound to. */
  readonly jkt: string | undefined;
}

interface PreviewedClaims {
  readonly claims: AccessTokenClaims;
  readonly facts: Pick<SessionSubject, 'sessionId' | 'authentication'>;
}

/** What tokens are taken from, of somebody who need not have any. */
export function findPreviewedUser(data: TenantData, id: UserId) {
  return data.transaction((tx) => findPreviewed(tx, id));
}

/** What the first access token of a session would say, which nobody opens and nobody signs. */
export function previewAccessToken(
  tenant: Tenant,
  { user, client, jkt }: PreviewedSession,
  now: Date,
): PreviewedClaims {
  const { config } = tenant;
  const lifetimes = [config.refresh_token_ttl, config.refresh_token_absolute_ttl] as const;
  const facts = {
    sessionId: newSessionId(now),
    authentication: { auth_time: now, ...BY_PASSWORD },
  };
  const subject = {
    ...facts,
    userId: user.id,
    endsAt: lifetimesOf(lifetimes, now).sessionEndsAt,
    accessVersion: 0,
    bit: 0,
    customClaims: resolveClaims(config.custom_claims, user),
    client,
    jkt,
    row: user,
  };
  return { claims: draftAccessToken(tenant, tokenSubject(subject, ''), now), facts };
}
