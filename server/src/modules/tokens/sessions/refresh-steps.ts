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
  mintRefreshToken,
  readRefreshToken,
  refreshTokenHash,
  successorJti,
} from '../access-tokens/index.ts';
import { type SignedWith, findSignedWith } from '../signing-keys/index.ts';
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
  readonly token: string;
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

/** Reads a token that this client can present with this key. Its signature is not verified. */
export function readPresented(
  tenant: Tenant,
  request: RefreshRequest,
  now: Date,
  fail: Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>,
): PresentedRefreshToken {
  const presented = readRefreshToken(request.token) ?? fail('TOKEN_INVALID');
  if (presented.tenantId !== tenant.id) return fail('TENANT_MISMATCH');
  const { client, sessionEndsAt } = presented;
  // Presenting the token of another client or key has no effect on the token's owner.
  if (client?.id !== request.client?.id) return fail('TOKEN_INVALID');
  // The stored hash covers the whole token, and thereby proves the key that it names.
  if (!request.client?.isConfidential && client?.jkt !== undefined && client.jkt !== request.jkt) {
    return fail('TOKEN_INVALID');
  }
  return sessionEndsAt <= now ? fail('TOKEN_INVALID') : presented;
}

/** Narrows one access token (RFC 6749 §6). The next refresh can request everything again. */
export function narrowed(
  client: GrantedClient | null,
  { narrowedTo: scopes, detailsNow: details }: RefreshRequest,
): GrantedClient | null {
  return client && { ...client, ...(scopes && { scopes }), ...(details && { details }) };
}

export function mintSuccessor(
  key: SigningKey,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  token: string,
  now: Date,
): { token: string; expiresAt: Date } {
  const sliding = now.getTime() + tenant.config.refresh_token_ttl * 1000;
  const expiresAt = new Date(Math.min(sliding, presented.sessionEndsAt.getTime()));
  const fields = { ...presented, jti: successorJti(token), issuedAt: now, expiresAt };
  return { token: mintRefreshToken(key, tenant, fields), expiresAt };
}

/**
 * Mints again, byte for byte, the successor that the first use of this token returned. It was minted under the
 * tenant's issuer at that time: the current issuer or, if that has changed since, the issuer of the presented token.
 */
export function mintSuccessorAgain(
  key: SigningKey,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  token: string,
  issued: { readonly issued_at: Date; readonly expires_at: Date; readonly hash: Buffer },
): string | undefined {
  const fields = {
    ...presented,
    jti: successorJti(token),
    issuedAt: issued.issued_at,
    expiresAt: issued.expires_at,
  };
  return [tenant.issuer, presented.issuer]
    .map((issuer) => mintRefreshToken(key, { id: tenant.id, issuer }, fields))
    .find((successor) => refreshTokenHash(successor).equals(issued.hash));
}

/**
 * Whether a refresh token that is not the current token of its live session was used before. The stored hash proves
 * the previous token; an older token is recognized by its signature, even if its key is no longer published.
 */
export async function wasUsedBefore(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  { token, clientId }: { readonly token: string; readonly clientId: OAuthClientId | null },
): Promise<boolean> {
  const { parsed, sessionId } = presented;
  const { session, key } = await gate.into(tenant.id).transaction(async (tx) => ({
    session: await findHistory(tx, sessionId, clientId),
    key: await findSignedWith(tx, parsed.kid),
  }));
  if (!session) return false;
  if (session.previous_refresh_hash?.equals(refreshTokenHash(token))) return true;
  if (!key || !isPlausible(presented, session, key)) return false;
  return signatureIsValid(parsed, importPublicKey(key.publicKey));
}

/**
 * Whether the token can have belonged to this session, signed while its key was in use. Thus a leaked retired private
 * key cannot forge a token that ends a later session.
 */
function isPlausible(
  { parsed, userId, sessionEndsAt }: PresentedRefreshToken,
  session: HistoryRow,
  period: SignedWith,
): boolean {
  const { iat } = parsed.claims;
  if (typeof iat !== 'number') return false;
  const isBetween = (from: Date, until: Date | undefined) =>
    iat >= epochSeconds(from) - CLOCK_SKEW_SECONDS &&
    (until === undefined || iat <= epochSeconds(until) + CLOCK_SKEW_SECONDS);
  return (
    userId === session.user_id &&
    epochSeconds(sessionEndsAt) === epochSeconds(session.absolute_expires_at) &&
    isBetween(session.created_at, session.refresh_issued_at) &&
    isBetween(period.from, period.until)
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
  token: string,
): Promise<Refreshable | undefined> {
  const presented = readRefreshToken(token);
  if (presented?.tenantId !== tenant.id) return undefined;
  const { sessionId, userId } = presented;
  const clientId = presented.client?.id ?? null;
  const session = await gate
    .into(tenant.id)
    .transaction((tx) => findHistory(tx, sessionId, clientId));
  if (!session) return undefined;
  const isCurrent = session.refresh_hash.equals(refreshTokenHash(token));
  const isGenuine =
    isCurrent || (await wasUsedBefore(gate, tenant, presented, { token, clientId }));
  return isGenuine ? { sessionId, userId, clientId } : undefined;
}

/** The claims of a client's refresh token, if the token can be used now (RFC 7662 §2.2). */
export async function findUsableRefreshToken(
  { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
  tenant: Tenant,
  token: string,
): Promise<(Readonly<Record<string, unknown>> & { readonly client_id: string }) | undefined> {
  const presented = readRefreshToken(token);
  if (presented?.tenantId !== tenant.id || !presented.client) return undefined;
  const current = { hash: refreshTokenHash(token), now: clock.now() };
  const data = gate.into(tenant.id);
  const isUsable = await data.transaction((tx) => continuesWith(tx, presented.sessionId, current));
  // The hash proves that the service issued these claims.
  if (!isUsable) return undefined;
  const { token_type: _, ...claims } = presented.parsed.claims;
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
  sessionId: SessionId,
  token: string,
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
