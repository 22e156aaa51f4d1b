import {
  DEFAULT_WORKSPACE,
  type SessionId,
  type TenantId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { Cache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/calls.ts';
import type { CountActivity, NoteUse } from '../../../tenancy/activity.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import type { Device, Origin, SessionCookie } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Permit } from '../../authentication/proofs/index.ts';
import { anonymous, record } from '../../events/journal/index.ts';
import { mintSignedToken, refreshTokenHash } from '../access-tokens/index.ts';
import type { KeyRing, ApplicationJwts } from '../signing-keys/index.ts';
import type { TokenBits } from '../status-lists/index.ts';
import { findIssued, lockForStepUp, raiseSession } from './refresh-store.ts';
import { endSession } from './session-administration.ts';
import {
  type ClientSessionMaterial,
  countLogin,
  type DirectRequest,
  draftClientSession,
  draftSession,
  loginChanges,
  type Redemption,
  type SessionDraft,
  type SessionMaterial,
  type SessionRequest,
} from './session-drafts.ts';
import {
  findOpenedBy,
  insertSessions,
  insertSessionWithin,
  type NewClientSession,
  type NewSession,
  type OpenedRow,
  redeemAll,
} from './session-store.ts';
import {
  type GrantedScope,
  type SessionFacts,
  bitOf,
  clientTokenResponse,
  customClaimsOf,
  factsOf,
  resolveClaims,
  tokenResponse,
} from './session-tokens.ts';

const OPEN_BATCH = { size: 32, flights: 4 };
const REDEEM_BATCH = { size: 64, flights: 2, slowAfterMs: 20 };

const MAX_WORKSPACES = 10_000;

/** Within this time a second use of a code keeps the session: pages in React's strict mode exchange a code twice. */
const SECOND_USE_MS = 5000;

/** `workspace_unknown`: the user is not a member of the requested workspace. */
type NotOpened = 'refused' | 'workspace_unknown';

/** The tokens of a session, or the cookie that continues it. */
export type OpenedSession = TokenAnswer | { readonly cookie: SessionCookie };

/** The tokens of an application and their session. */
interface ClientTokens extends Omit<TokenAnswer, 'refresh_token'>, GrantedScope {
  readonly refresh_token?: string;
  readonly session: SessionFacts;
}

/** A session, and the `jti` of its first refresh token after its creation or after a step-up. */
interface FirstTokens {
  readonly id: SessionId;
  readonly jti: string;
}

/** Rolls back the transaction that opened no session. */
class SessionNotOpened extends Error {
  readonly row: Exclude<OpenedRow, { readonly outcome: 'opened' }>;

  constructor(row: SessionNotOpened['row']) {
    super(`The session was not opened: ${row.outcome}.`);
    this.row = row;
  }
}

/** Rolls back the transaction of a failed step-up. */
class NotSteppedUp extends Error {}

/**
 * Opens sessions, and mints their tokens. Created once, so that requests of all routes share their statements (ADR 46).
 */
export class SessionService {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #activity: CountActivity;
  readonly #keys: KeyRing;
  readonly #jwts: ApplicationJwts;
  readonly #bits: TokenBits;
  readonly #noteLogin: NoteUse<UserId>;
  /** The workspaces of users who log in to a workspace other than the default one. */
  readonly #workspaces = new Cache<string, WorkspaceId>(MAX_WORKSPACES);
  readonly #insert;
  readonly #redeem;

  constructor(
    gate: Gate,
    clock: Clock,
    activity: CountActivity,
    keys: KeyRing,
    jwts: ApplicationJwts,
    bits: TokenBits,
    noteLogin: NoteUse<UserId>,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#activity = activity;
    this.#keys = keys;
    this.#jwts = jwts;
    this.#bits = bits;
    this.#noteLogin = noteLogin;
    this.#insert = batched((all: readonly NewSession[]) => insertSessions(gate, all), OPEN_BATCH);
    this.#redeem = batched(
      (all: readonly NewClientSession[]) => redeemAll(gate, all),
      REDEEM_BATCH,
    );
  }

  /**
   * Opens a session for a permit. Returns `refused` if, since the decision, the user was deactivated or their
   * credentials changed, or the flow has ended or changed.
   */
  open(tenant: Tenant, request: DirectRequest): Promise<TokenAnswer | NotOpened>;
  open(tenant: Tenant, request: SessionRequest): Promise<OpenedSession | NotOpened>;
  async open(tenant: Tenant, request: SessionRequest): Promise<OpenedSession | NotOpened> {
    const material = await this.#takeMaterial(tenant);
    const draft = draftSession(tenant, request, material, this.#clock.now());
    const row = await this.#insertInWorkspace(tenant, draft, material.auditKey);
    if (row.outcome === 'opened') return this.#respond(tenant, draft, row);
    this.#bits.giveBack(tenant.id, material.bit);
    return row.outcome;
  }

  /**
   * Opens a session in the same transaction as `change`, which creates or changes the user and decides: neither is
   * committed without the other.
   */
  openFirst(
    tenant: Tenant,
    request: Omit<DirectRequest, 'permit'>,
    change: (tx: TenantTx) => Promise<Permit>,
  ): Promise<TokenAnswer | NotOpened>;
  openFirst(
    tenant: Tenant,
    request: Omit<SessionRequest, 'permit'>,
    change: (tx: TenantTx) => Promise<Permit>,
  ): Promise<OpenedSession | NotOpened>;
  async openFirst(
    tenant: Tenant,
    request: Omit<SessionRequest, 'permit'>,
    change: (tx: TenantTx) => Promise<Permit>,
  ): Promise<OpenedSession | NotOpened> {
    const material = await this.#takeMaterial(tenant);
    const openIn = (workspaceId: WorkspaceId) => async (tx: TenantTx) => {
      const permit = await change(tx);
      const draft = draftSession(tenant, { ...request, permit }, material, this.#clock.now());
      const changes = loginChanges(material.auditKey, tenant, draft.session, workspaceId);
      const row = await insertSessionWithin(tx, { ...draft.session, changes });
      if (row.outcome === 'opened') return { draft, row };
      throw new SessionNotOpened(row);
    };
    let workspaceId = request.workspaceId ?? DEFAULT_WORKSPACE;
    for (;;) {
      try {
        const { draft, row } = await this.#gate.into(tenant.id).transaction(openIn(workspaceId));
        return await this.#respond(tenant, draft, row);
      } catch (error) {
        // After a broken connection it is unknown whether the session was written: its bit is not used again.
        if (!(error instanceof SessionNotOpened)) throw error;
        if (error.row.outcome !== 'elsewhere') {
          this.#bits.giveBack(tenant.id, material.bit);
          return error.row.outcome;
        }
        workspaceId = error.row.workspace_id;
      }
    }
  }

  /**
   * Opens the session of an application for a code, once. Returns `refused` if the login, user or consent that the
   * code depends on has ended; `used` if the code opened a session before, which ends unless it was opened a moment
   * ago (RFC 6749 §4.1.2); `stale` if the client has changed since it authenticated.
   */
  async redeemCode(
    tenant: Tenant,
    redemption: Redemption,
    device: Device,
  ): Promise<ClientTokens | 'used' | 'refused' | 'stale'> {
    const material = await this.#takeClientMaterial(tenant);
    const now = this.#clock.now();
    const draft = draftClientSession(tenant, redemption, device, material, now);
    const { session } = draft;
    const row = await this.#redeem(session);
    if (row.outcome !== 'opened') {
      this.#bits.giveBack(tenant.id, material.bit);
      if (row.outcome === 'used') {
        await this.#endForSecondUse(tenant, redemption, device.from, now);
      }
      return row.outcome;
    }
    const { userId, workspaceId, clientId, scopes, targets, target, jkt } = redemption;
    const details = redemption.detailsNow ?? redemption.details;
    const subject = {
      userId,
      sessionId: session.id,
      endsAt: session.endsAt,
      accessVersion: 0,
      bit: session.bit,
      customClaims: resolveClaims(tenant.config.custom_claims, row.metadata ?? undefined),
      client: { id: clientId, scopes, targets, details },
      target,
      jkt,
      authentication: row,
      row: { ...row, workspace_id: workspaceId },
    };
    const signing = { key: material.key, jwts: this.#jwts };
    const response = await clientTokenResponse(signing, tenant, subject, draft.refreshToken, now);
    const { refresh_token: refreshToken, ...tokens } = response;
    return {
      ...tokens,
      ...(redemption.isRefreshable && { refresh_token: refreshToken }),
      session: factsOf(session.id, userId, row),
    };
  }

  /**
   * Raises a session to the login that `change` decides on, in one transaction, and returns new tokens. The previous
   * refresh token is rejected from then on, so a stolen copy does not gain the higher level.
   * @param jti of the new refresh token
   */
  async stepUp(
    tenant: Tenant,
    { id, from, jti }: FirstTokens & { readonly from: Origin },
    change: (tx: TenantTx) => Promise<Permit>,
  ): Promise<TokenAnswer | 'refused'> {
    const key = await this.#keys.signer(tenant.id);
    const raise = async (tx: TenantTx) => {
      const permit = await change(tx);
      const { userId, acr } = permit;
      if (permit.tenantId !== tenant.id) throw new Error('A permit of another tenant.');
      const locked = await lockForStepUp(tx, id, permit);
      if (!locked) throw new NotSteppedUp();
      const sliding = tx.now.getTime() + tenant.config.refresh_token_ttl * 1000;
      const expiresAt = new Date(Math.min(sliding, locked.endsAt.getTime()));
      const fields = { jti, userId, sessionId: id, issuedAt: tx.now, expiresAt, client: null };
      const token = mintSignedToken(key, tenant, { ...fields, sessionEndsAt: locked.endsAt });
      const next = { hash: refreshTokenHash(token), kid: key.kid, expiresAt };
      await raiseSession(tx, id, permit, next);
      const by = { kind: 'user', subject: userId, sessionId: id, from } as const;
      const target = { kind: 'session', id } as const;
      await record(tx, by, { action: 'auth.stepped_up', target, details: { acr } });
    };
    try {
      await this.#gate.into(tenant.id).transaction(raise);
    } catch (error) {
      if (error instanceof NotSteppedUp) return 'refused';
      throw error;
    }
    return (await this.tokensOf(tenant, { id, jti })) ?? 'refused';
  }

  /**
   * Mints the first tokens of a session again, since tokens are not stored. The access token is also the same, unless
   * the user's permissions have changed. Undefined if the session has ended, or its refresh token was used.
   */
  async tokensOf(tenant: Tenant, { id, jti }: FirstTokens): Promise<TokenAnswer | undefined> {
    const now = this.#clock.now();
    const row = await findIssued(this.#gate.into(tenant.id), id, now);
    const key = row && (await this.#keys.signerNamed(tenant.id, row.kid));
    if (!key) return undefined;
    const { issued_at: issuedAt, ends_at: endsAt, user_id: userId } = row;
    const fields = { jti, userId, sessionId: id, issuedAt, expiresAt: row.expires_at };
    const token = mintSignedToken(key, tenant, { ...fields, sessionEndsAt: endsAt, client: null });
    if (!refreshTokenHash(token).equals(row.hash)) return undefined;
    const subject = {
      userId,
      sessionId: id,
      endsAt,
      accessVersion: row.access_version,
      bit: await bitOf(this.#bits, tenant, { id, endsAt }, row),
      customClaims: await customClaimsOf(this.#gate, tenant, userId),
      client: null,
      authentication: row,
      isRepeatable: true,
      row,
    };
    const response = tokenResponse(key, tenant, subject, token, issuedAt);
    const elapsedMs = now.getTime() - issuedAt.getTime();
    return { ...response, expires_in: response.expires_in - Math.floor(elapsedMs / 1000) };
  }

  async #takeMaterial({ id }: Tenant): Promise<SessionMaterial> {
    const [key, auditKey, bit] = await Promise.all([
      this.#keys.signer(id),
      this.#getAuditKey(id),
      this.#bits.take(id),
    ]);
    return { key, auditKey, bit };
  }

  async #takeClientMaterial(tenant: Tenant): Promise<ClientSessionMaterial> {
    const refreshKey = await this.#keys.refreshKey(tenant.id);
    const { key, auditKey, bit } = await this.#takeMaterial(tenant);
    return { key, auditKey, bit, refreshKey };
  }

  async #getAuditKey(tenantId: TenantId): Promise<AuditKey> {
    const key = await this.#keys.auditKeys.find(tenantId);
    if (!key) throw new Error(`The tenant ${tenantId} has no data key.`);
    return key;
  }

  /**
   * Opens a session in the login's workspace. The audit entry contains the workspace and is authenticated before it
   * is written, so the workspace is predicted: the requested one, the last one, or the default. If the database
   * determines another workspace, nothing is written, and the statement is retried with that workspace.
   */
  async #insertInWorkspace(tenant: Tenant, { session }: SessionDraft, auditKey: AuditKey) {
    const name = `${tenant.id} ${session.permit.userId}`;
    let workspaceId = session.workspaceId ?? this.#workspaces.get(name) ?? DEFAULT_WORKSPACE;
    for (;;) {
      const changes = loginChanges(auditKey, tenant, session, workspaceId);
      const row = await this.#insert({ ...session, changes });
      if (row.outcome !== 'elsewhere') return row;
      workspaceId = row.workspace_id;
      if (workspaceId === DEFAULT_WORKSPACE) this.#workspaces.delete(name);
      else this.#workspaces.set(name, workspaceId);
    }
  }

  async #respond(
    tenant: Tenant,
    { key, cookie, refreshToken, session }: SessionDraft,
    row: OpenedRow & { readonly outcome: 'opened' },
  ): Promise<OpenedSession> {
    const { userId, authTime, acr, amr } = session.permit;
    this.#noteLogin(tenant.id, userId);
    countLogin(this.#activity, tenant.id, session);
    if (cookie) {
      cookie.opened(session.id);
      return { cookie };
    }
    const subject = {
      userId,
      sessionId: session.id,
      endsAt: session.endsAt,
      accessVersion: 0,
      bit: session.bit,
      customClaims: await customClaimsOf(this.#gate, tenant, userId),
      client: null,
      authentication: { auth_time: authTime, acr, amr },
      isRepeatable: session.flow !== undefined,
      row,
    };
    return tokenResponse(key, tenant, subject, refreshToken, session.now);
  }

  async #endForSecondUse(
    { id }: Tenant,
    { codeHash, endsAtSecondUse }: Redemption,
    from: Origin,
    now: Date,
  ): Promise<void> {
    const before = endsAtSecondUse ? undefined : new Date(now.getTime() - SECOND_USE_MS);
    await this.#gate.into(id).transaction(async (tx) => {
      const opened = await findOpenedBy(tx, codeHash, before);
      if (opened) await endSession(tx, anonymous(from), opened, 'code_reused');
    });
  }
}
