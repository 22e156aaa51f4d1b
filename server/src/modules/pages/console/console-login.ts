import { isFresh } from '@keywright/contract/assurance';
import { fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { LEAST_STEP_UP_MAX_AGE } from '@keywright/contract/records/tenant-config';
import { pathTo, type QueryOf } from '@keywright/contract/route';
import { logInToConsole } from '@keywright/contract/routes/console';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { SeeOther } from '../../../platform/http/replies.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { userCallerOf } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ImpersonationService } from '../../authentication/impersonation/index.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';
import type { BrowserLogins, ConsoleUser } from '../../tokens/sessions/index.ts';

/** Authenticates console users by their login cookie. */
export class ConsoleAuthenticator {
  readonly #browserLogins: BrowserLogins;
  readonly #impersonations: ImpersonationService;
  readonly #directory: TenantDirectory;
  readonly #clock: Clock;

  constructor(
    browserLogins: BrowserLogins,
    impersonations: ImpersonationService,
    directory: TenantDirectory,
    clock: Clock,
  ) {
    this.#browserLogins = browserLogins;
    this.#impersonations = impersonations;
    this.#directory = directory;
    this.#clock = clock;
  }

  /** Authenticates a user with their current permissions: no more than those of a token of the same login. */
  readonly authenticateUser: Authenticate = async (tenant, { token, isAgain = false }, from) => {
    const found = await this.#browserLogins.findConsoleUser(
      tenant,
      token,
      this.#clock.now(),
      !isAgain,
    );
    if (!found) return fail('BROWSER_SESSION_REQUIRED');
    const { sessionId, row } = found;
    const { user_id: userId, workspace_id: workspaceId, acr, amr, scopes, roles } = row;
    const { auth_time: authTime, expires_at: expiresAt } = row;
    const login = { userId, workspaceId, sessionId, acr, authTime, expiresAt };
    const isSystemAdministrator = tenant.id === DEFAULT_TENANT && roles.includes(SYSTEM_ADMIN);
    const { access_version: accessVersion } = row;
    const permissions = { scopes, roles, amr, accessVersion, isSystemAdministrator };
    return { claimed: userCallerOf(tenant, login, from, permissions), alive: undefined };
  };

  /**
   * Authenticates a system administrator inside another tenant by the cookie of their home tenant. The caller must be
   * a system administrator now, and must have started the impersonation with a reason in this session. All other
   * users get the same response, whichever condition fails.
   */
  readonly authenticateInside: Authenticate = async (tenant, { token, isAgain = false }, from) => {
    const home =
      (await this.#directory.findById(DEFAULT_TENANT)) ?? fail('BROWSER_SESSION_REQUIRED');
    const found = await this.#browserLogins.findConsoleUser(
      home,
      token,
      this.#clock.now(),
      !isAgain,
    );
    if (!found) return fail('BROWSER_SESSION_REQUIRED');
    const { sessionId, row } = found;
    const { user_id: userId, acr, amr } = row;
    if (!row.roles.includes(SYSTEM_ADMIN)) return fail('IMPERSONATION_REQUIRED');
    const authentication = { auth_time: epochSeconds(row.auth_time), acr, amr: [...amr] };
    const administrator = { userId, sessionId, authentication };
    const claimed = await this.#impersonations.findCaller(tenant, administrator, from);
    return { claimed: claimed ?? fail('IMPERSONATION_REQUIRED'), alive: undefined };
  };
}

/** Logs users in to the console. */
export class ConsoleLogin {
  readonly #browserLogins: BrowserLogins;
  readonly #pageLogins: PageLogins;
  readonly #clock: Clock;

  constructor(browserLogins: BrowserLogins, pageLogins: PageLogins, clock: Clock) {
    this.#browserLogins = browserLogins;
    this.#pageLogins = pageLogins;
    this.#clock = clock;
  }

  async isLoggedIn(tenant: Tenant, cookie: string | undefined): Promise<boolean> {
    return (
      (await this.#browserLogins.findConsoleUser(tenant, cookie, this.#clock.now(), false)) !==
      undefined
    );
  }

  /** Redirects to the console if the login is recent enough; otherwise starts a new login. */
  async logIn(
    tenant: Tenant,
    query: QueryOf<typeof logInToConsole>,
    cookies: { readonly session?: string; readonly flow?: string },
    host: string,
  ) {
    const elsewhere = atIssuer(tenant, host, query);
    if (elsewhere) return new SeeOther(elsewhere);
    const returnTo = pathIn(query.return_to ?? `/console/t/${tenant.id}/`);
    const now = this.#clock.now();
    const found = await this.#browserLogins.findConsoleUser(tenant, cookies.session, now);
    const { console_session_ttl: longest, console_idle_ttl: idle } = tenant.config;
    const mustBeFresh = query.fresh === '1';
    const maxAge = mustBeFresh ? freshAge(tenant, returnTo) : Math.min(longest, idle);
    if (found && !(mustBeFresh && !isRecent(found, maxAge, now))) return new SeeOther(returnTo);
    return this.#pageLogins.start(tenant, cookies.flow, { returnTo, requirements: { maxAge } });
  }
}

/** Returns the path with its leading slash, which the contract guarantees. */
function pathIn(path: string): `/${string}` {
  return `/${path.slice(1)}`;
}

/** Inside another tenant that tenant's setting applies, so the lowest value that a tenant can set is required. */
function freshAge({ config }: Tenant, returnTo: string): number {
  return returnTo.startsWith('/console/in/') ? LEAST_STEP_UP_MAX_AGE : config.step_up_max_age;
}

/** The same page at the issuer's host, where cookies are valid; undefined if the request already uses that host. */
function atIssuer(
  { id, issuer }: Tenant,
  host: string,
  query: QueryOf<typeof logInToConsole>,
): URL | undefined {
  const issuerUrl = new URL(issuer);
  if ([issuerUrl.host, issuerUrl.hostname].includes(host)) return undefined;
  const address = new URL(pathTo(logInToConsole, { tenant_id: id }), issuerUrl);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

function isRecent({ row }: ConsoleUser, maxAge: number, now: Date): boolean {
  const authentication = { auth_time: epochSeconds(row.auth_time), acr: row.acr };
  return isFresh(authentication, { maxAge }, epochSeconds(now));
}
