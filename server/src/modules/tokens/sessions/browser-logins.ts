import type { Acr } from '@keywright/contract/authentication';
import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import { batched } from '../../../platform/db/calls.ts';
import type { NoteUse } from '../../../tenancy/activity.ts';
import { type Origin, readSessionCookie } from '../../../tenancy/caller.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { isGoodEnough } from '../../identity/users/index.ts';
import {
  adopt,
  type BrowserUse,
  type ConsoleSecret,
  type ConsoleUserRow,
  findConsoleUsers,
  lockBoth,
  WRITTEN_AFTER_MS,
} from './browser-logins-store.ts';
import { endSession } from './session-administration.ts';
import { type BrowserSecret, type BrowserSessionRow, readBrowserLogins } from './session-store.ts';

/** A browser login, and the user's consent to a client. */
export interface BrowserLogin {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly authTime: Date;
  readonly acr: Acr;
  /** The user's current permissions. */
  readonly scopes: readonly string[];
  /** The user's first identifier, shown on pages. */
  readonly identifier: string;
  /** Its last written use. */
  readonly usedAt: Date;
  readonly expiresAt: Date;
  readonly endsAt: Date;
  readonly consent:
    | {
        readonly id: ConsentId;
        readonly version: number;
        readonly scopes: readonly string[];
        /** The origins that the user has agreed to send codes to. */
        readonly redirectOrigins: readonly string[];
      }
    | undefined;
  /** The version of the client that the login was read for; null unless the client is active. */
  readonly clientVersion: number | null;
}

/** The user of a browser login that the console accepts. */
export interface ConsoleUser {
  readonly sessionId: SessionId;
  readonly row: ConsoleUserRow;
}

type UsedLogin = Pick<BrowserLogin, 'sessionId' | 'usedAt' | 'expiresAt'>;

const BATCH = { size: 64, flights: 2 };

/** Browser logins of cookies. Created once, so that requests of all routes share their statements (ADR 46). */
export class BrowserLogins {
  readonly #gate: Gate;
  readonly #noteUse: NoteUse<SessionId, BrowserUse>;
  readonly #read: (secret: BrowserSecret) => Promise<BrowserSessionRow | undefined>;
  readonly #findConsoleUser: (secret: ConsoleSecret) => Promise<ConsoleUserRow | undefined>;

  constructor(gate: Gate, noteUse: NoteUse<SessionId, BrowserUse>) {
    this.#gate = gate;
    this.#noteUse = noteUse;
    this.#read = batched((all: readonly BrowserSecret[]) => readBrowserLogins(gate, all), BATCH);
    this.#findConsoleUser = batched(
      (all: readonly ConsoleSecret[]) => findConsoleUsers(gate, all),
      BATCH,
    );
  }

  /** Finds the login of a cookie; undefined if the tenant would not accept the login today. */
  async find(
    tenant: Tenant,
    cookie: string | undefined,
    clientId: OAuthClientId | null,
    now: Date,
  ): Promise<BrowserLogin | undefined> {
    const found = await this.#findByCookie(tenant, cookie, clientId, now);
    if (!found || !(await isGoodEnough(this.#gate.into(tenant.id), tenant, found.row))) {
      return undefined;
    }
    return loginOf(found.sessionId, found.row);
  }

  /** Finds a login in order to end it, regardless of the tenant's current login requirements. */
  async findEndable(
    tenant: Tenant,
    cookie: string | undefined,
    now: Date,
  ): Promise<BrowserLogin | undefined> {
    const found = await this.#findByCookie(tenant, cookie, null, now);
    return found && loginOf(found.sessionId, found.row);
  }

  /** Records a use of the login, which restarts its idle timeout. The write happens in the background. */
  noteUse({ id: tenantId, config }: Tenant, login: UsedLogin, now: Date): void {
    const { sessionId, usedAt, expiresAt } = login;
    if (now.getTime() - usedAt.getTime() < WRITTEN_AFTER_MS) return;
    const idleSeconds = config.browser_session_idle_ttl;
    this.#noteUse(tenantId, sessionId, { now, idleSeconds, expiresAt });
  }

  /**
   * Finds the console user of a cookie; undefined if the cookie is invalid, or the login or its last use is too old
   * for the console.
   * @param isUse whether this counts as a use of the login
   */
  async findConsoleUser(
    tenant: Tenant,
    cookie: string | undefined,
    now: Date,
    isUse = true,
  ): Promise<ConsoleUser | undefined> {
    const secret = readSessionCookie(cookie);
    if (!secret) return undefined;
    const { console_idle_ttl: idle, console_session_ttl: longest } = tenant.config;
    const row = await this.#findConsoleUser({
      ...secret,
      tenantId: tenant.id,
      now,
      usedAfter: new Date(now.getTime() - idle * 1000),
      madeAfter: new Date(now.getTime() - longest * 1000),
    });
    const data = this.#gate.into(tenant.id);
    if (!row || !(await isGoodEnough(data, tenant, row))) return undefined;
    const { session: sessionId } = secret;
    const { used_at: usedAt, expires_at: expiresAt } = row;
    if (isUse) this.noteUse(tenant, { sessionId, usedAt, expiresAt }, now);
    return { sessionId, row };
  }

  async #findByCookie(
    { id: tenantId }: Tenant,
    cookie: string | undefined,
    client: OAuthClientId | null,
    now: Date,
  ): Promise<{ readonly sessionId: SessionId; readonly row: BrowserSessionRow } | undefined> {
    const secret = readSessionCookie(cookie);
    const row = secret && (await this.#read({ tenantId, ...secret, client, now }));
    return row && { sessionId: secret.session, row };
  }
}

function loginOf(sessionId: SessionId, row: BrowserSessionRow): BrowserLogin {
  return {
    sessionId,
    userId: row.user_id,
    workspaceId: row.workspace_id,
    authTime: row.auth_time,
    acr: row.acr,
    scopes: row.scopes,
    identifier: row.identifier,
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    endsAt: row.ends_at,
    consent: consentOf(row),
    clientVersion: row.client_version,
  };
}

function consentOf(row: BrowserSessionRow): BrowserLogin['consent'] {
  const { consent_id: id, consent_version: version, consent_scopes: scopes } = row;
  if (!id || version === null) return undefined;
  const redirectOrigins = row.consent_redirect_origins ?? [];
  return { id, version, scopes: scopes ?? [], redirectOrigins };
}

/**
 * Ends the login that a new login in the same browser replaces. If the new login is of the same user, applications
 * remain logged in; otherwise they end with the old login.
 */
export function replaceLogin(
  data: TenantData,
  former: BrowserLogin,
  next: { readonly sessionId: SessionId; readonly userId: UserId },
  from: Origin,
): Promise<void> {
  return data.transaction(async (tx) => {
    const { sessionId: id, userId } = former;
    const isSame = userId === next.userId;
    if (isSame && (await lockBoth(tx, userId, [id, next.sessionId]))) {
      await adopt(tx, id, next.sessionId);
    }
    const by = { kind: 'user', subject: userId, sessionId: id, from } as const;
    await endSession(tx, by, id, 'replaced');
  });
}
