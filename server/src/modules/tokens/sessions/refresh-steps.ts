import type { KeyObject } from 'node:crypto';
import type { Acr } from '@keywright/contract/authentication';
import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId, SessionId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import {
  type SigningKey,
  importPublicKey,
  signatureIsValid,
} from '../../../platform/crypto/jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  capturedDomains,
  findBarredAddress,
  findCapturedAddress,
  findUnverified,
  hasRequirements,
  isAccepted,
  lacksEnrolledFactor,
  requiresSecondFactor,
} from '../../identity/users/index.ts';
import {
  type GrantedClient,
  type PresentedRefreshToken,
  type RefreshTokenFields,
  mintOpaqueToken,
  mintSignedToken,
  refreshTokenHash,
  successorJti,
} from '../access-tokens/index.ts';
import { findSignedWith } from '../signing-keys/index.ts';
import {
  type HistoryRow,
  continuesWith,
  findHistory,
  findRefreshedSession,
} from './refresh-store.ts';
import type { GrantedScope, SessionFacts, SessionTarget } from './session-tokens.ts';

// Rules for refresh tokens as requests present them.

interface RefreshingClient {
  readonly id: OAuthClientId;
  /** The client's version when it authenticated. */
  readonly version: number;
  /** Whether the client authenticated, which binds the refresh token to it: any key can prove (RFC 9449 §5). */
  readonly isConfidential: boolean;
  /** Whether the client sees the metadata that administrators wrote about the user. */
  readonly showsMetadata: boolean;
}

/** A refresh token, and the client that presents it. */
export interface RefreshRequest {
  readonly presented: PresentedRefreshToken;
  readonly from: Origin;
  /** Null: a direct login. */
  readonly client: RefreshingClient | null;
  /** The resource of the access token; undefined: the tenant itself. */
  readonly target?: SessionTarget | undefined;
  /** Thumbprint of the proven key, which the access token is bound to. */
  readonly jkt?: string | undefined;
  /** The scopes of this access token, a subset of the granted scopes. */
  readonly narrowedTo?: readonly string[] | undefined;
  /** The `authorization_details` of this access token, within the granted ones (RFC 9396 §6). */
  readonly detailsNow?: readonly AuthorizationDetail[] | undefined;
  /** Offers a step-up if the login would not be accepted today. Absent for clients, which restart authorization. */
  readonly offerStepUp?: OfferStepUp;
}

export type RefuseRefresh = Fail<
  'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'REFRESH_TOKEN_REUSED' | 'STEP_UP_REQUIRED'
>;

type OfferStepUp = (
  tenant: Tenant,
  session: WeakSession,
  fail: Fail<'STEP_UP_REQUIRED'>,
) => Promise<never>;

/** New tokens and their session. */
export interface RefreshedSession extends GrantedScope {
  readonly answer: TokenAnswer;
  readonly session: SessionFacts;
}

/** Requires that this client can present the token with this key. A signature is not verified. */
export function requirePresentable(
  tenant: Tenant,
  { presented, client: by, jkt }: RefreshRequest,
  now: Date,
  fail: Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>,
): void {
  const { tenantId, client, sessionEndsAt } = presented;
  if (tenantId !== tenant.id) return fail('TENANT_MISMATCH');
  // Presenting the token of another client or key has no effect on the token's owner.
  if (client?.id !== by?.id) return fail('TOKEN_INVALID');
  // The stored hash covers the whole token, and thereby proves the key that it names.
  if (!by?.isConfidential && client?.jkt !== undefined && client.jkt !== jkt) {
    return fail('TOKEN_INVALID');
  }
  if (sessionEndsAt <= now) return fail('TOKEN_INVALID');
}

/** Narrows one access token (RFC 6749 §6). The next refresh can request everything again. */
export function narrowed(
  client: GrantedClient | null,
  { narrowedTo: scopes, detailsNow: details }: RefreshRequest,
): GrantedClient | null {
  return client && { ...client, ...(scopes && { scopes }), ...(details && { details }) };
}

/** Mints a refresh token with these fields. */
export type Mint = (fields: RefreshTokenFields) => string;

/** For direct logins. */
export function signedMint(key: SigningKey, tenant: Pick<Tenant, 'id' | 'issuer'>): Mint {
  return (fields) => mintSignedToken(key, tenant, fields);
}

/** For applications. */
export function opaqueMint(key: KeyObject): Mint {
  return (fields) => mintOpaqueToken(key, fields);
}

export function mintSuccessor(
  mint: Mint,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  now: Date,
): { token: string; expiresAt: Date } {
  const sliding = now.getTime() + tenant.config.refresh_token_ttl * 1000;
  const expiresAt = new Date(Math.min(sliding, presented.sessionEndsAt.getTime()));
  const fields = { ...presented, jti: successorJti(presented.token), issuedAt: now, expiresAt };
  return { token: mint(fields), expiresAt };
}

/** Mints again, byte for byte, the successor that the first use of this token returned, in one of these ways. */
export function mintSuccessorAgain(
  mints: readonly Mint[],
  presented: PresentedRefreshToken,
  issued: { readonly issued_at: Date; readonly expires_at: Date; readonly hash: Buffer },
): string | undefined {
  const fields = {
    ...presented,
    jti: successorJti(presented.token),
    issuedAt: issued.issued_at,
    expiresAt: issued.expires_at,
  };
  return mints
    .map((mint) => mint(fields))
    .find((successor) => refreshTokenHash(successor).equals(issued.hash));
}

/**
 * Whether a refresh token that is not the current token of its live session was used before. The stored hash proves
 * the previous token; an older token is recognized by its MAC, or by its signature, even if its key is no longer
 * published.
 */
export async function wasUsedBefore(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
): Promise<boolean> {
  const { signed, sessionId, client } = presented;
  const { session, key } = await gate.into(tenant.id).transaction(async (tx) => ({
    session: await findHistory(tx, sessionId, client?.id ?? null),
    key: signed && (await findSignedWith(tx, signed.kid)),
  }));
  if (!session) return false;
  if (session.previous_refresh_hash?.equals(refreshTokenHash(presented.token))) return true;
  if (!isPlausible(presented, session)) return false;
  // The MAC of an opaque token was verified when the token was read.
  if (!signed) return true;
  if (!key || !isIssuedBetween(presented, key.from, key.until)) return false;
  return signatureIsValid(signed, importPublicKey(key.publicKey));
}

/**
 * Whether the token can have belonged to this session. Signed tokens also need to be signed while their key was in use.
 * Thus a leaked retired private key cannot forge a token that ends a later session.
 */
function isPlausible(presented: PresentedRefreshToken, session: HistoryRow): boolean {
  const { userId, sessionEndsAt } = presented;
  return (
    userId === session.user_id &&
    epochSeconds(sessionEndsAt) === epochSeconds(session.absolute_expires_at) &&
    isIssuedBetween(presented, session.created_at, session.refresh_issued_at)
  );
}

function isIssuedBetween(
  { claims: { iat } }: PresentedRefreshToken,
  from: Date,
  until: Date | undefined,
): boolean {
  return (
    typeof iat === 'number' &&
    iat >= epochSeconds(from) - CLOCK_SKEW_SECONDS &&
    (until === undefined || iat <= epochSeconds(until) + CLOCK_SKEW_SECONDS)
  );
}

/** The session and client of a refresh token that the tenant issued. */
interface Refreshable {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  /** Null: a direct login. */
  readonly clientId: OAuthClientId | null;
}

/** Finds the session of its current or a former refresh token, even an ended one. Undefined for other tokens. */
export async function findRefreshable(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
): Promise<Refreshable | undefined> {
  const { token, tenantId, sessionId, userId } = presented;
  if (tenantId !== tenant.id) return undefined;
  const clientId = presented.client?.id ?? null;
  const session = await gate
    .into(tenant.id)
    .transaction((tx) => findHistory(tx, sessionId, clientId));
  if (!session) return undefined;
  const isCurrent = session.refresh_hash.equals(refreshTokenHash(token));
  const isGenuine = isCurrent || (await wasUsedBefore(gate, tenant, presented));
  return isGenuine ? { sessionId, userId, clientId } : undefined;
}

/** The claims of a client's refresh token, if the token can be used now (RFC 7662 §2.2). */
export async function findUsableRefreshToken(
  { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
  tenant: Tenant,
  presented: PresentedRefreshToken,
): Promise<(Readonly<Record<string, unknown>> & { readonly client_id: string }) | undefined> {
  if (presented.tenantId !== tenant.id || !presented.client) return undefined;
  const current = { hash: refreshTokenHash(presented.token), now: clock.now() };
  const data = gate.into(tenant.id);
  const isUsable = await data.transaction((tx) => continuesWith(tx, presented.sessionId, current));
  // The hash proves that the service issued these claims.
  if (!isUsable) return undefined;
  const { token_type: _, ...claims } = presented.claims;
  return { ...claims, client_id: presented.client.id };
}

// Whether the tenant would accept an earlier login today.

/** A session whose login the tenant would not accept today. */
export interface WeakSession {
  readonly sessionId: SessionId;
  readonly identifier: string;
  /** The level that a step-up must reach. */
  readonly acr: Acr;
}

/** Finds a refresh token's session if the tenant would not accept its login today. The token remains unused. */
export async function findWeakSession(
  gate: Gate,
  tenant: Tenant,
  { token, sessionId }: PresentedRefreshToken,
  now: Date,
): Promise<WeakSession | undefined> {
  const { id, config, providers } = tenant;
  const isPlain =
    !providers.some((provider) => provider.trusts_mfa) && capturedDomains(tenant).length === 0;
  if (!hasRequirements(config) && isPlain) return undefined;
  const data = gate.into(id);
  const presented = refreshTokenHash(token);
  const retrySeconds = config.refresh_retry_window;
  const row = await findRefreshedSession(data, {
    session: sessionId,
    presented,
    retrySeconds,
    now,
  });
  if (!row || row.identifier === null) return undefined;
  const barred = await findBarredAddress(data, tenant, row);
  // Applications start over with an authorization request, which checks the other requirements.
  if (row.kind === 'client')
    return barred === undefined ? undefined : { sessionId, identifier: barred, acr: 'aal1' };
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  const unverified = await findUnverified(data, config, row.user_id);
  const lacksFactor = await lacksEnrolledFactor(data, row);
  const isEnough = !unverified && !lacksFactor && isAccepted(row, config, requires);
  if (isEnough && barred === undefined) return undefined;
  const captured = barred ?? (await findCapturedAddress(data, tenant, row.user_id));
  const identifier = captured ?? unverified?.address ?? row.identifier;
  return { sessionId, identifier, acr: requires || lacksFactor ? 'aal2' : 'aal1' };
}
