import { AppError, type Fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKey } from '../../../platform/crypto/jws.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { FailureThrottle, networkLimits } from '../../authentication/attempts/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import { capturedDomains } from '../../identity/users/index.ts';
import {
  type PresentedRefreshToken,
  readRefreshToken,
  refreshTokenHash,
} from '../access-tokens/index.ts';
import type { KeyRing, ApplicationJwts } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import {
  bitOf,
  clientTokenResponse,
  factsOf,
  requiresMetadata,
  resolveClaims,
} from './session-tokens.ts';
import {
  type Mint,
  type RefreshRequest,
  type RefreshedSession,
  type RefuseRefresh,
  findWeakSession,
  mintSuccessor,
  mintSuccessorAgain,
  narrowed,
  opaqueMint,
  requirePresentable,
  signedMint,
  wasUsedBefore,
} from './refresh-steps.ts';
import { endSession } from './session-administration.ts';
import {
  findFixed,
  type FixedUse,
  type FixedRow,
  rotateAll,
  type Rotation,
  type RotationRow,
} from './session-store.ts';

const ROTATION_BATCH = { size: 64, flights: 2, slowAfterMs: 20 };
const FIXED_BATCH = { size: 64, flights: 1 };

/**
 * Maximum rejected refreshes per address in the window. One address can be that of a whole office: if its sessions
 * are ended together, each of its clients is rejected once.
 */
export const MAX_REFUSED_REFRESHES = 300;
const REFRESH_LIMITS = {
  counter: 'refresh',
  limits: { login_attempts_limit: MAX_REFUSED_REFRESHES, login_attempts_window: 60 },
} as const;

/** The row of a token that was accepted, or may have been accepted before. */
type LiveRow = Exclude<RotationRow, { readonly outcome: 'ended' | 'stale' }>;

/** The refresh of a direct login. */
interface DirectRefresh extends Required<Pick<RefreshRequest, 'from' | 'offerStepUp'>> {
  readonly token: string;
}

/** An accepted refresh, and the token that continues its session. */
interface Accepted {
  readonly key: SigningKey;
  readonly row: LiveRow | Extract<FixedRow, { readonly outcome: 'current' }>;
  readonly token: string;
  readonly now: Date;
}

/** Refreshes sessions. Created once, so that requests of all routes share their statements (ADR 46). */
export class RefreshService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #keys: KeyRing;
  readonly #jwts: ApplicationJwts;
  readonly #bits: TokenBits;
  readonly #throttle: FailureThrottle;
  readonly #rotate: (rotation: Rotation) => Promise<RotationRow>;
  readonly #findFixed: (use: FixedUse) => Promise<FixedRow>;

  constructor(gate: Gate, clock: Clock, keys: KeyRing, jwts: ApplicationJwts, bits: TokenBits) {
    this.#gate = gate;
    this.#clock = clock;
    this.#keys = keys;
    this.#jwts = jwts;
    this.#bits = bits;
    this.#throttle = new FailureThrottle(gate, clock);
    this.#rotate = batched((all: readonly Rotation[]) => rotateAll(gate, all), ROTATION_BATCH);
    this.#findFixed = batched((all: readonly FixedUse[]) => findFixed(gate, all), FIXED_BATCH);
  }

  /** Returns undefined if the token is malformed or certainly not the tenant's. A signature is not verified. */
  read(tenant: Tenant, token: string): Promise<PresentedRefreshToken | undefined> {
    return readRefreshToken(this.#keys, tenant, token);
  }

  /**
   * Exchanges a refresh token for its only successor (RFC 9700 §4.14.2). Returns `stale` if the client has changed
   * since it authenticated; the token then remains unused.
   *
   * The stored hash decides whether the token is valid, so its signature is not verified on the usual path. Only if
   * the hash differs does it matter whether the token was used before or is forged.
   */
  async refresh(
    tenant: Tenant,
    request: RefreshRequest,
    fail: RefuseRefresh,
  ): Promise<RefreshedSession | 'stale'> {
    const { presented, client, offerStepUp } = request;
    const now = this.#clock.now();
    requirePresentable(tenant, request, now, fail);
    const weak = await findWeakSession(this.#gate, tenant, presented, now);
    if (weak) return offerStepUp ? offerStepUp(tenant, weak, fail) : fail('TOKEN_INVALID');
    const key = await this.#keys.signer(tenant.id);
    const mint = client ? await this.#opaqueMint(tenant) : signedMint(key, tenant);
    const successor = mintSuccessor(mint, tenant, presented, now);
    const row = await this.#rotate({
      tenantId: tenant.id,
      sessionId: presented.sessionId,
      client,
      presented: refreshTokenHash(presented.token),
      next: refreshTokenHash(successor.token),
      kid: client ? null : key.kid,
      now,
      expiresAt: successor.expiresAt,
      retrySeconds: tenant.config.refresh_retry_window,
      readsMetadata: client?.showsMetadata || requiresMetadata(tenant.config.custom_claims),
    });
    if (row.outcome === 'stale') return row.outcome;
    if (row.outcome === 'ended') return fail('TOKEN_INVALID');
    const token =
      row.outcome === 'rotated'
        ? successor.token
        : await this.#findSuccessor(tenant, request, row, fail);
    return this.#respondToRefresh(tenant, request, { key, row, token, now });
  }

  /** Refreshes a direct login. Throttles addresses whose refreshes always fail; successful ones cost no more. */
  async refreshDirect(
    tenant: Tenant,
    { token, from, offerStepUp }: DirectRefresh,
    fail: RefuseRefresh & Fail<'TOO_MANY_ATTEMPTS'>,
  ): Promise<RefreshedSession> {
    const throttle = this.#throttle;
    const { address } = from;
    if (!throttle.isQuiet) throttle.admit(tenant, networkLimits(address, REFRESH_LIMITS), fail);
    try {
      const presented = (await this.read(tenant, token)) ?? fail('TOKEN_INVALID');
      const request = { presented, from, client: null, offerStepUp };
      const refreshed = await this.refresh(tenant, request, fail);
      if (refreshed === 'stale') throw new Error('A direct login has no client.');
      return refreshed;
    } catch (error) {
      if (error instanceof AppError) {
        await throttle.count(tenant, networkLimits(address, REFRESH_LIMITS), fail);
      }
      throw error;
    }
  }

  /**
   * Accepts a fixed refresh token of a client that proves a key. Nothing is written (FAPI 2.0 Security Profile
   * §5.3.2.1 item 9). A token issued before the client had fixed tokens is rotated instead, since its use can be a
   * retry or a reuse.
   */
  async refreshFixed(
    tenant: Tenant,
    request: RefreshRequest,
    fail: RefuseRefresh,
  ): Promise<RefreshedSession | 'stale'> {
    const { presented, client } = request;
    if (!client) return this.refresh(tenant, request, fail);
    const now = this.#clock.now();
    requirePresentable(tenant, request, now, fail);
    const hasCaptures = capturedDomains(tenant).length > 0;
    if (hasCaptures && (await findWeakSession(this.#gate, tenant, presented, now))) {
      return fail('TOKEN_INVALID');
    }
    const row = await this.#findFixed({
      tenantId: tenant.id,
      sessionId: presented.sessionId,
      client,
      presented: refreshTokenHash(presented.token),
      now,
      readsMetadata: client.showsMetadata || requiresMetadata(tenant.config.custom_claims),
    });
    if (row.outcome === 'stale') return row.outcome;
    if (row.outcome === 'ended') return fail('TOKEN_INVALID');
    if (row.outcome === 'other') return this.refresh(tenant, request, fail);
    const key = await this.#keys.signer(tenant.id);
    return this.#respondToRefresh(tenant, request, { key, row, token: presented.token, now });
  }

  async #respondToRefresh(
    tenant: Tenant,
    request: RefreshRequest,
    { key, row, token, now }: Accepted,
  ): Promise<RefreshedSession> {
    const { presented } = request;
    const { sessionId, sessionEndsAt: endsAt } = presented;
    const { user_id: userId } = row;
    const subject = {
      userId,
      sessionId,
      endsAt,
      accessVersion: row.access_version,
      bit: await bitOf(this.#bits, tenant, { id: sessionId, endsAt }, row),
      customClaims: resolveClaims(tenant.config.custom_claims, row.metadata ?? undefined),
      client: narrowed(presented.client, request),
      target: request.target,
      jkt: request.jkt,
      authentication: row,
      row,
    };
    const signing = { key, jwts: this.#jwts };
    const response = await clientTokenResponse(signing, tenant, subject, token, now);
    const { scope, details, ...answer } = response;
    const session = factsOf(sessionId, userId, row);
    return { answer, scope, ...(details && { details }), session };
  }

  /**
   * Returns the successor that the first use of a token returned. Any use of a rotated token other than a retry ends
   * the session, since the token may have been stolen; so does a retry if the successor's key is gone.
   */
  async #findSuccessor(
    tenant: Tenant,
    { presented, from }: RefreshRequest,
    row: LiveRow,
    fail: RefuseRefresh,
  ): Promise<string> {
    if (row.outcome === 'repeated') {
      const mints = await this.#mintsOf(tenant, presented, row.kid);
      const successor = mintSuccessorAgain(mints, presented, row);
      if (successor !== undefined) return successor;
    } else if (!(await wasUsedBefore(this.#gate, tenant, presented))) {
      return fail('TOKEN_INVALID');
    }
    const data = this.#gate.into(tenant.id);
    await data.transaction((tx) =>
      endSession(tx, anonymous(from), presented.sessionId, 'refresh_token_reused'),
    );
    return fail('REFRESH_TOKEN_REUSED');
  }

  /**
   * Returns the ways in which the successor of a token can have been minted. A signed successor has the tenant's issuer
   * at that time: the current issuer or, if that has changed since, the issuer of the presented token.
   * @param kid of the key that signed the successor; null: it is opaque
   */
  async #mintsOf(
    tenant: Tenant,
    { issuer }: PresentedRefreshToken,
    kid: string | null,
  ): Promise<readonly Mint[]> {
    if (kid === null) return [await this.#opaqueMint(tenant)];
    const key = await this.#keys.signerNamed(tenant.id, kid);
    if (!key) return [];
    return [tenant.issuer, issuer].map((each) => signedMint(key, { id: tenant.id, issuer: each }));
  }

  async #opaqueMint({ id }: Tenant): Promise<Mint> {
    return opaqueMint(await this.#keys.refreshKey(id));
  }
}
