import type { Acr } from '@keywright/contract/authentication';
import { type Fail, AppError } from '@keywright/contract/errors';
import type { OAuthClientId, SessionId } from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { createFailureThrottle, networkLimits } from '../../authentication/attempts/index.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import {
  capturedDomains,
  findBarredAddress,
  findCapturedAddress,
  findUnverified,
} from '../../identity/users/index.ts';
import {
  mintRefreshToken,
  type PresentedRefreshToken,
  refreshTokenHash,
  successorJti,
} from '../access-tokens/index.ts';
import type { KeyRing, SignJwt } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { hasDemands, isAccepted } from './login-policy.ts';
import {
  type Narrowing,
  narrowed,
  readPresented,
  subjectOf,
  endForReuse,
  wasUsedBefore,
} from './refresh-checks.ts';
import { findRefreshedSession, lacksOwnFactor } from './refresh-store.ts';
import {
  type Rotation,
  rotateAll,
  type RotationRow,
  type SessionFacts,
  findFixed,
  type FixedUse,
} from './session-store.ts';
import {
  clientAnswer,
  type GrantedScope,
  type SessionTarget,
  factsOf,
  asksForMetadata,
} from './session-tokens.ts';

/**
 * Exchanges a refresh token for its only successor (RFC 9700 §4.14.2). `stale`: the client has changed since it
 * authenticated, and nothing has happened to the token.
 */
export type Refresh = (
  tenant: Tenant,
  use: RefreshTokenUse,
  fail: Refuse,
) => Promise<Refreshed | 'stale'>;

/** New tokens, and the session that they are for. */
interface Refreshed extends GrantedScope {
  readonly answer: TokenAnswer;
  readonly session: SessionFacts;
}

interface RefreshingClient {
  readonly id: OAuthClientId;
  /** In which it authenticated. */
  readonly version: number;
  /**
   * Whether it has authenticated, which binds the refresh token to it: it may come with another key (RFC 9449 §5).
   */
  readonly isConfidential: boolean;
  /** Whether it is told what administrators wrote about the user. */
  readonly tellsMetadata: boolean;
}

/** A refresh token, and the client that presents it. */
interface RefreshTokenUse extends Narrowing {
  readonly token: string;
  readonly from: Origin;
  /** Null: a direct login. */
  readonly client: RefreshingClient | null;
  /** Of a client: what this access token is for; undefined: the tenant itself. */
  readonly target?: SessionTarget | undefined;
  /** Of the key that was proven, which this access token is bound to. */
  readonly jkt?: string | undefined;
  /** If its login would not be accepted today. Absent for clients, which start over with an authorization request. */
  readonly offerStepUp?: OfferStepUp;
}

type Refuse = Fail<
  'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'REFRESH_TOKEN_REUSED' | 'STEP_UP_REQUIRED'
>;

/** A session whose login would not be accepted today. */
interface WeakSession {
  readonly sessionId: SessionId;
  readonly identifier: string;
  /** What it has to be raised to. */
  readonly acr: Acr;
}

export type OfferStepUp = (
  tenant: Tenant,
  session: WeakSession,
  fail: Fail<'STEP_UP_REQUIRED'>,
) => Promise<never>;

const BATCH = { size: 64, flights: 2 };

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly signJwt: SignJwt;
}

export function createRefresh(dependencies: Dependencies): Refresh {
  const { gate, keys, bits, clock, signJwt } = dependencies;
  const rotate = batched((rotations: readonly Rotation[]) => rotateAll(gate, rotations), BATCH);

  /**
   * The stored hash decides whether the token is valid, so its signature is not verified on the usual path. Only if the
   * hash does not match, it matters whether the token was used before or is forged.
   */
  return async (tenant, asked, fail) => {
    const { token, from, client: by, target, jkt, offerStepUp } = asked;
    const now = clock.now();
    const presented = readPresented(tenant, asked, now, fail);
    const weak = await findWeak(gate, tenant, presented.sessionId, token, now);
    if (weak) return offerStepUp ? offerStepUp(tenant, weak, fail) : fail('TOKEN_INVALID');
    const key = await keys.signer(tenant.id);
    const successor = mintSuccessor(key, tenant, presented, token, now);
    const row = await rotate({
      tenantId: tenant.id,
      sessionId: presented.sessionId,
      client: by,
      presented: refreshTokenHash(token),
      next: refreshTokenHash(successor.token),
      kid: key.kid,
      now,
      expiresAt: successor.expiresAt,
      retrySeconds: tenant.config.refresh_retry_window,
      wantsMetadata: by?.tellsMetadata || asksForMetadata(tenant.config.custom_claims),
    });
    if (row.outcome === 'stale') return row.outcome;
    const use = { token, clientId: by?.id ?? null };
    if (row.outcome === 'ended') return fail('TOKEN_INVALID');
    const isOther = row.outcome === 'other';
    if (isOther && !(await wasUsedBefore(gate, tenant, presented, use)))
      return fail('TOKEN_INVALID');
    const isRotated = row.outcome === 'rotated';
    const next = isRotated ? successor.token : await mintAgain(keys, tenant, presented, token, row);
    if (next === undefined) {
      await endForReuse(gate, tenant, presented, from);
      return fail('REFRESH_TOKEN_REUSED');
    }
    const client = narrowed(presented.client, asked);
    const subject = { ...(await subjectOf({ bits }, tenant, presented, row)), client, target, jkt };
    const made = await clientAnswer({ key, signJwt }, tenant, subject, next, now);
    const { scope, details, ...answer } = made;
    const given = { scope, ...(details && { details }) };
    return { answer, ...given, session: factsOf(presented.sessionId, row.user_id, row) };
  };
}

/** The session of a refresh token, if the tenant would not accept its login today. The token remains unused. */
async function findWeak(
  gate: Gate,
  tenant: Tenant,
  sessionId: SessionId,
  token: string,
  now: Date,
): Promise<WeakSession | undefined> {
  const { id, config, providers } = tenant;
  const isPlain = !providers.some((one) => one.trusts_mfa) && capturedDomains(tenant).length === 0;
  if (!hasDemands(config) && isPlain) return undefined;
  const data = gate.into(id);
  const retrySeconds = config.refresh_retry_window;
  const given = { session: sessionId, presented: refreshTokenHash(token), retrySeconds, now };
  const row = await findRefreshedSession(data, given);
  if (!row || row.identifier === null) return undefined;
  const barred = await findBarredAddress(data, tenant, row);
  // Applications start again with an authorization request, which makes the other demands.
  if (row.kind === 'client')
    return barred === undefined ? undefined : { sessionId, identifier: barred, acr: 'aal1' };
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  const unverified = await findUnverified(data, config, row.user_id);
  const lacksOwn = await lacksOwnFactor(data, row);
  const isEnough = !unverified && !lacksOwn && isAccepted(row, config, requires);
  if (isEnough && barred === undefined) return undefined;
  const captured = barred ?? (await findCapturedAddress(data, tenant, row.user_id));
  const identifier = captured ?? unverified?.address ?? row.identifier;
  return { sessionId, identifier, acr: requires || lacksOwn ? 'aal2' : 'aal1' };
}

function mintSuccessor(
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
 * The successor that the first use of this token returned, byte for byte. It was minted under the issuer of that time:
 * if the tenant's issuer has changed since, that is the issuer of the presented token. Undefined if its key is gone:
 * then the token counts as reused.
 */
async function mintAgain(
  keys: KeyRing,
  tenant: Tenant,
  presented: PresentedRefreshToken,
  token: string,
  row: RotationRow,
): Promise<string | undefined> {
  if (row.outcome !== 'repeated') return undefined;
  const key = await keys.signerNamed(tenant.id, row.kid);
  if (!key) return undefined;
  const fields = {
    ...presented,
    jti: successorJti(token),
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
  };
  return [tenant.issuer, presented.issuer]
    .map((issuer) => mintRefreshToken(key, { id: tenant.id, issuer }, fields))
    .find((successor) => refreshTokenHash(successor).equals(row.hash));
}

interface FixedDependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly signJwt: SignJwt;
}

/**
 * Answers a refresh token that stays the same, of clients that prove a key: nothing is written. FAPI 2.0 Security Profile
 * §5.3.2.1 item 9.
 * @param rotate what becomes of others: one of before the client had fixed ones may be repeated, or used twice
 */
export function createRefreshFixed(dependencies: FixedDependencies, rotate: Refresh): Refresh {
  const { gate, keys, bits, clock, signJwt } = dependencies;
  const find = batched((some: readonly FixedUse[]) => findFixed(gate, some), {
    size: 64,
    flights: 1,
  });

  return async (tenant, asked, fail) => {
    const { token, client: by, target, jkt } = asked;
    if (!by) return rotate(tenant, asked, fail);
    const now = clock.now();
    const presented = readPresented(tenant, asked, now, fail);
    const hasCaptures = capturedDomains(tenant).length > 0;
    if (hasCaptures && (await findWeak(gate, tenant, presented.sessionId, token, now))) {
      return fail('TOKEN_INVALID');
    }
    const row = await find({
      tenantId: tenant.id,
      sessionId: presented.sessionId,
      client: by,
      presented: refreshTokenHash(token),
      now,
      wantsMetadata: by.tellsMetadata || asksForMetadata(tenant.config.custom_claims),
    });
    if (row.outcome === 'stale') return row.outcome;
    if (row.outcome === 'ended') return fail('TOKEN_INVALID');
    if (row.outcome === 'other') return rotate(tenant, asked, fail);
    const key = await keys.signer(tenant.id);
    const client = narrowed(presented.client, asked);
    const subject = { ...(await subjectOf({ bits }, tenant, presented, row)), client, target, jkt };
    const made = await clientAnswer({ key, signJwt }, tenant, subject, token, now);
    const { scope, details, ...answer } = made;
    const given = { scope, ...(details && { details }) };
    return { answer, ...given, session: factsOf(presented.sessionId, row.user_id, row) };
  };
}

const WINDOW_SECONDS = 60;
/**
 * Rejected refreshes per address in the window. An address may be that of an office whose sessions were ended together:
 * each of its clients is rejected once.
 */
export const MAX_REFUSED_REFRESHES = 300;

type ThrottledRefresh = (
  tenant: Tenant,
  use: RefreshTokenUse & { readonly client: null },
  fail: Parameters<Refresh>[2] & Fail<'TOO_MANY_ATTEMPTS'>,
) => Promise<Refreshed>;

/** Of direct logins, for addresses that are not refused all the time. A refresh that succeeds costs nothing more. */
export function throttled(refresh: Refresh, gate: Gate, clock: Clock): ThrottledRefresh {
  const throttle = createFailureThrottle(gate, clock);
  const limits = {
    login_attempts_limit: MAX_REFUSED_REFRESHES,
    login_attempts_window: WINDOW_SECONDS,
  };
  const limitsOf = (address: string) => networkLimits(address, { counter: 'refresh', limits });
  return async (tenant, use, fail) => {
    if (!throttle.isQuiet) throttle.admit(tenant, limitsOf(use.from.address), fail);
    try {
      const refreshed = await refresh(tenant, use, fail);
      if (refreshed === 'stale') throw new Error('A direct login has no client.');
      return refreshed;
    } catch (error) {
      if (error instanceof AppError) await throttle.count(tenant, limitsOf(use.from.address), fail);
      throw error;
    }
  };
}
