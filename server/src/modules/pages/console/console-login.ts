import { fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { ownCallerOf } from '../../../tenancy/own-caller.ts';
import type { ImpersonationService } from '../../authentication/impersonation/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import type { BrowserLogins } from '../../tokens/sessions/index.ts';

/** The user whose cookie the console sends, with what they may do now: no more than with a token of the same login. */
export function createAuthenticateUser(browserLogins: BrowserLogins, clock: Clock): Authenticate {
  return async (tenant, { token, isAgain = false }, from) => {
    const found = await browserLogins.findConsoleUser(tenant, token, clock.now(), !isAgain);
    if (!found) return fail('BROWSER_SESSION_REQUIRED');
    const { sessionId, row } = found;
    const { user_id: userId, workspace_id: workspaceId, acr, amr, scopes, roles } = row;
    const { auth_time: authTime, expires_at: expiresAt } = row;
    const login = { userId, workspaceId, sessionId, acr, authTime, expiresAt };
    const isSystemAdministrator = tenant.id === DEFAULT_TENANT && roles.includes(SYSTEM_ADMIN);
    const { access_version: accessVersion } = row;
    const held = { scopes, roles, amr, accessVersion, isSystemAdministrator };
    return { claimed: ownCallerOf(tenant, login, from, held), alive: undefined };
  };
}

interface InsideDependencies {
  readonly browserLogins: BrowserLogins;
  readonly impersonations: ImpersonationService;
  readonly directory: TenantDirectory;
  readonly clock: Clock;
}

/**
 * A system administrator inside another tenant, by the cookie of their own one: who is one now, and has begun it with a reason in
 * this session. Everybody else gets the same answer, whatever they lack.
 */
export function createAuthenticateInside(dependencies: InsideDependencies): Authenticate {
  const { browserLogins, impersonations, directory, clock } = dependencies;
  return async (tenant, { token, isAgain = false }, from) => {
    const home = (await directory.findById(DEFAULT_TENANT)) ?? fail('BROWSER_SESSION_REQUIRED');
    const found = await browserLogins.findConsoleUser(home, token, clock.now(), !isAgain);
    if (!found) return fail('BROWSER_SESSION_REQUIRED');
    const { sessionId, row } = found;
    const { user_id: userId, acr, amr } = row;
    if (!row.roles.includes(SYSTEM_ADMIN)) return fail('IMPERSONATION_REQUIRED');
    const authentication = { auth_time: epochSeconds(row.auth_time), acr, amr: [...amr] };
    const administrator = { userId, sessionId, authentication };
    const claimed = await impersonations.findCaller(tenant, administrator, from);
    return { claimed: claimed ?? fail('IMPERSONATION_REQUIRED'), alive: undefined };
  };
}
