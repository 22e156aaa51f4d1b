import type { SessionId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import { readSessionCookie } from '../../../tenancy/session-cookie.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type BrowserLogins, isGoodEnough } from './browser.ts';
import { type ConsoleUserRow, createFindConsoleUser } from './browser-store.ts';

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
