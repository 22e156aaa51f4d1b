import type { Acr } from '@keywright/contract/authentication';
import type {
  ConsentId,
  OAuthClientId,
  SessionId,
  UserId,
  WorkspaceId,
} from '@keywright/contract/ids';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantData } from '../../../tenancy/gate.ts';
import { readSessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import { requiresSecondFactor } from '../../identity/roles/index.ts';
import { findBarredAddress, findUnverified } from '../../identity/users/index.ts';
import { endSession } from './administration-store.ts';
import {
  adopt,
  type BrowserSessionRow,
  type BrowserUse,
  createFindBySecret,
  lockBoth,
  WRITTEN_AFTER_MS,
  type ConsoleUserRow,
  createFindConsoleUser,
} from './browser-logins-store.ts';
import { hasDemands, isAccepted } from './login-policy.ts';
import { lacksOwnFactor } from './refresh-store.ts';
import { recordEnd } from './session-administration.ts';

/** A login of a browser, and what its user allows a client. */
export interface BrowserLogin {
  readonly sessionId: SessionId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly authTime: Date;
  readonly acr: Acr;
  /** What the user may do now. */
  readonly scopes: readonly string[];
  /** The first of the user, for pages. */
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
        /** Where the user has agreed that codes are sent. */
        readonly redirectOrigins: readonly string[];
      }
    | undefined;
  /** Of the client that this was read for; null unless it is active. */
  readonly clientVersion: number | null;
}

/** The logins that cookies continue. */
export interface BrowserLogins {
  /** Undefined if the tenant would not accept it today. */
  find(
    tenant: Tenant,
    cookie: string | undefined,
    clientId: OAuthClientId | null,
    now: Date,
  ): Promise<BrowserLogin | undefined>;
  /** For its end: whatever the tenant demands of logins today. */
  findEndable(
    tenant: Tenant,
    cookie: string | undefined,
    now: Date,
  ): Promise<BrowserLogin | undefined>;
  /** Notes that a login was used, which restarts its idle timeout. Written in the background. */
  noteUse(tenant: Tenant, login: UsedLogin, now: Date): void;
}

type UsedLogin = Pick<BrowserLogin, 'sessionId' | 'usedAt' | 'expiresAt'>;

export function createBrowserLogins(
  gate: Gate,
  note: NoteUse<SessionId, BrowserUse>,
): BrowserLogins {
  const findBySecret = createFindBySecret(gate);

  async function findByCookie(
    { id: tenantId }: Tenant,
    cookie: string | undefined,
    client: OAuthClientId | null,
    now: Date,
  ): Promise<{ readonly sessionId: SessionId; readonly row: BrowserSessionRow } | undefined> {
    const read = readSessionCookie(cookie);
    const row = read && (await findBySecret({ tenantId, ...read, client, now }));
    return row && { sessionId: read.session, row };
  }

  return {
    async find(tenant, cookie, clientId, now) {
      const found = await findByCookie(tenant, cookie, clientId, now);
      if (!found || !(await isGoodEnough(gate.into(tenant.id), tenant, found.row)))
        return undefined;
      return loginOf(found.sessionId, found.row);
    },
    async findEndable(tenant, cookie, now) {
      const found = await findByCookie(tenant, cookie, null, now);
      return found && loginOf(found.sessionId, found.row);
    },
    noteUse({ id: tenantId, config }, { sessionId, usedAt, expiresAt }, now) {
      if (now.getTime() - usedAt.getTime() < WRITTEN_AFTER_MS) return;
      note(tenantId, sessionId, { now, idleSeconds: config.browser_session_idle_ttl, expiresAt });
    },
  };
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

/** Whether the tenant would accept a login like this today. */
export async function isGoodEnough(
  data: TenantData,
  tenant: Tenant,
  row: Pick<BrowserSessionRow, 'user_id' | 'acr' | 'amr' | 'provider_id'>,
): Promise<boolean> {
  const { config } = tenant;
  if ((await findBarredAddress(data, tenant, row)) !== undefined) return false;
  if (await lacksOwnFactor(data, row)) return false;
  if (!hasDemands(config)) return true;
  const requires = row.acr === 'aal1' && (await requiresSecondFactor(data, config, row.user_id));
  if (await findUnverified(data, config, row.user_id)) return false;
  return isAccepted(row, config, requires);
}

/**
 * Ends the login that a new one in the same browser takes the place of. The applications of the same user continue; those
 * of somebody else end with it.
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
    const ended = await endSession(tx, id, 'replaced');
    const by = { kind: 'user', subject: userId, sessionId: id, from } as const;
    if (ended) await recordEnd(tx, by, ended, 'replaced');
  });
}

/** The user of a login in a browser, as the console accepts it. */
export interface ConsoleUser {
  readonly sessionId: SessionId;
  readonly row: ConsoleUserRow;
}

/**
 * Nothing where the cookie is worth nothing, or the login was made or last used too long ago for the console.
 * @param isUse whether it counts as used now; default true
 */
export type FindConsoleUser = (
  tenant: Tenant,
  cookie: string | undefined,
  now: Date,
  isUse?: boolean,
) => Promise<ConsoleUser | undefined>;

export function createFindUserOfConsole(
  gate: Gate,
  { noteUse }: Pick<BrowserLogins, 'noteUse'>,
): FindConsoleUser {
  const findBySecret = createFindConsoleUser(gate);
  return async (tenant, cookie, now, isUse = true) => {
    const read = readSessionCookie(cookie);
    if (!read) return undefined;
    const { console_idle_ttl: idle, console_session_ttl: longest } = tenant.config;
    const row = await findBySecret({
      ...read,
      tenantId: tenant.id,
      now,
      usedAfter: new Date(now.getTime() - idle * 1000),
      madeAfter: new Date(now.getTime() - longest * 1000),
    });
    const data = gate.into(tenant.id);
    if (!row || !(await isGoodEnough(data, tenant, row))) return undefined;
    const { session: sessionId } = read;
    const { used_at: usedAt, expires_at: expiresAt } = row;
    if (isUse) noteUse(tenant, { sessionId, usedAt, expiresAt }, now);
    return { sessionId, row };
  };
}
