import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import type { OAuthClientId, UserId, SessionId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { epochSeconds, type Clock } from '../../../platform/clock.ts';
import { signatureIsValid } from '../../../platform/crypto/jws.ts';
import { importPublicKey } from '../../../platform/crypto/signature-key.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Actor } from '../../events/journal/index.ts';
import {
  type GrantedClient,
  type PresentedRefreshToken,
  readRefreshToken,
  refreshTokenHash,
} from '../access-tokens/index.ts';
import { findSignedWith, type SignedWith } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { endSession } from './administration-store.ts';
import { findHistory, type HistoryRow, goesOnWith } from './refresh-store.ts';
import { recordEnd } from './session-administration.ts';
import type { AuthenticationRow, SubjectRow } from './session-store.ts';
import { bitOf, resolveClaims } from './session-tokens.ts';

/** A refresh token, with who presents it. */
interface Presentation {
  readonly token: string;
  /** Null: a direct login. */
  readonly client: { readonly id: OAuthClientId; readonly isConfidential: boolean } | null;
  /** Of the key that was proven. */
  readonly jkt?: string | undefined;
}

/** What a token says that this client may present with this key, not verified. */
export function readPresented(
  tenant: Tenant,
  use: Presentation,
  now: Date,
  fail: Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>,
): PresentedRefreshToken {
  const presented = readRefreshToken(use.token) ?? fail('TOKEN_INVALID');
  if (presented.tenantId !== tenant.id) return fail('TENANT_MISMATCH');
  const { client, sessionEndsAt } = presented;
  // Another client's token, or one of another key, has no effect on its owner.
  if (client?.id !== use.client?.id) return fail('TOKEN_INVALID');
  // The hash of the whole token proves which key it says that it is bound to.
  if (!use.client?.isConfidential && client?.jkt !== undefined && client.jkt !== use.jkt) {
    return fail('TOKEN_INVALID');
  }
  return sessionEndsAt <= now ? fail('TOKEN_INVALID') : presented;
}

/** What tokens say of a session which is alive. */
type LivingRow = SubjectRow &
  AuthenticationRow &
  Parameters<typeof bitOf>[3] & {
    readonly user_id: UserId;
    readonly metadata: Parameters<typeof resolveClaims>[1] | null;
  };

export async function subjectOf(
  { bits }: { readonly bits: TokenBits },
  tenant: Tenant,
  { sessionId: id, sessionEndsAt: endsAt }: PresentedRefreshToken,
  row: LivingRow,
) {
  const { user_id: userId, access_version: accessVersion } = row;
  const bit = await bitOf(bits, tenant, { id, endsAt }, row);
  const customClaims = resolveClaims(tenant.config.custom_claims, row.metadata ?? undefined);
  return {
    userId,
    sessionId: id,
    endsAt,
    accessVersion,
    bit,
    customClaims,
    authentication: row,
    row,
  };
}

/** What one access token is narrowed to, within what was granted. */
export interface Narrowing {
  readonly narrowedTo?: readonly string[] | undefined;
  /** Of what is allowed in particular (RFC 9396 §6). */
  readonly detailsNow?: readonly AuthorizationDetail[] | undefined;
}

/** RFC 6749 §6: one access token; the next refresh may ask for everything again. */
export function narrowed(
  client: GrantedClient | null,
  { narrowedTo: scopes, detailsNow: details }: Narrowing,
): GrantedClient | null {
  return client && { ...client, ...(scopes && { scopes }), ...(details && { details }) };
}

/**
 * Whether a refresh token other than the current one of its live session was used before. The hash of the previous one
 * is stored, and is proof enough; an older one is recognised by its signature, also under a key that is no longer
 * published.
 */
export async function wasUsedBefore(
  gate: Gate,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  { token, clientId }: { readonly token: string; readonly clientId: OAuthClientId | null },
): Promise<boolean> {
  const { parsed, sessionId } = presented;
  const known = await gate.into(tenant.id).transaction(async (tx) => ({
    session: await findHistory(tx, sessionId, clientId),
    key: await findSignedWith(tx, parsed.kid),
  }));
  const { session, key } = known;
  if (!session) return false;
  if (session.previous_refresh_hash?.equals(refreshTokenHash(token))) return true;
  if (!key || !isPlausible(presented, session, key)) return false;
  return signatureIsValid(parsed, importPublicKey(key.publicKey));
}

/**
 * Whether the token can have belonged to this session, signed while its key was in use. A leaked former private key
 * thus cannot forge a token that ends a later session.
 */
function isPlausible(
  {
    parsed,
    userId,
    sessionEndsAt,
  }: Pick<PresentedRefreshToken, 'parsed' | 'userId' | 'sessionEndsAt'>,
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

/** A reused token may have been stolen: the whole session ends permanently. */
export async function endForReuse(
  gate: Gate,
  tenant: Tenant,
  { sessionId }: PresentedRefreshToken,
  from: Origin,
): Promise<void> {
  await gate.into(tenant.id).transaction(async (tx) => {
    const ended = await endSession(tx, sessionId, 'refresh_token_reused');
    if (ended) await recordEnd(tx, anonymous(from), ended, 'refresh_token_reused');
  });
}

/** The session of a refresh token that the tenant issued, and the client that it is for. */
interface Refreshable {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  /** Null: a direct login. */
  readonly clientId: OAuthClientId | null;
}

/** Undefined unless the token is the current one of its session, or was that before. Ended sessions count, too. */
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

/** What the refresh token of a client says, if it could be used now (RFC 7662 §2.2). */
export async function findUsableRefreshToken(
  { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
  tenant: Tenant,
  token: string,
): Promise<(Readonly<Record<string, unknown>> & { readonly client_id: string }) | undefined> {
  const presented = readRefreshToken(token);
  if (presented?.tenantId !== tenant.id || !presented.client) return undefined;
  const given = { hash: refreshTokenHash(token), now: clock.now() };
  const data = gate.into(tenant.id);
  const isUsable = await data.transaction((tx) => goesOnWith(tx, presented.sessionId, given));
  // The hash proves that these are claims of ours.
  if (!isUsable) return undefined;
  const { token_type: _, ...claims } = presented.parsed.claims;
  return { ...claims, client_id: presented.client.id };
}

/** Ends the session of an application that gave back its token. */
export async function endByClient(
  gate: Gate,
  { id }: Tenant,
  by: Actor,
  sessionId: SessionId,
): Promise<void> {
  await gate.into(id).transaction(async (tx) => {
    const ended = await endSession(tx, sessionId, 'revoked');
    if (ended) await recordEnd(tx, by, ended, 'revoked');
  });
}
