import { isFresh } from '@keywright/contract/assurance';
import { LEAST_STEP_UP_MAX_AGE } from '@keywright/contract/records/tenant-config';
import { pathTo, type QueryOf } from '@keywright/contract/route';
import { showAccount } from '@keywright/contract/routes/account';
import {
  findConsoleSession,
  findConsoleTenant,
  logInToConsole,
} from '@keywright/contract/routes/console';
import { reference, root } from '@keywright/contract/routes/service';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { SeeOther, Page } from '../../../platform/http/replies.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { impersonationModule } from '../../authentication/impersonation/module.ts';
import type { FindLook, Look } from '../../branding/brand/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { shell } from '../../branding/views/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import type { BrowserLogins, ConsoleUser } from '../../tokens/sessions/index.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { createAuthenticateInside, createAuthenticateUser } from './console-login.ts';

export const consoleModule = defineModule('console', ({ clock, directory }, use) => {
  const { browserLogins } = use(sessionsModule);
  return {
    authenticateBrowser: createAuthenticateUser(browserLogins, clock),
    authenticateInside: createAuthenticateInside({
      browserLogins,
      impersonations: use(impersonationModule).impersonations,
      directory,
      clock,
    }),
    routes(router) {
      const { pageLogins } = use(authorizeModule);
      bindConsoleRoutes(router, { browserLogins, pageLogins, clock });
      bindHome(router, use(brandModule).findLook);
    },
  };
});

interface Dependencies {
  readonly browserLogins: BrowserLogins;
  readonly pageLogins: PageLogins;
  readonly clock: Clock;
}

function bindConsoleRoutes(router: Router, dependencies: Dependencies): void {
  const { browserLogins, pageLogins, clock } = dependencies;
  router.add(findConsoleTenant, ({ tenant: { id } }) => ({ tenant_id: id }));
  router.add(findConsoleSession, async ({ tenant, cookies }) => {
    const found = await browserLogins.findConsoleUser(tenant, cookies.session, clock.now(), false);
    return { is_logged_in: found !== undefined };
  });
  router.add(logInToConsole, async ({ tenant, query, cookies, host }) => {
    const elsewhere = atIssuer(tenant, host, query);
    if (elsewhere) return new SeeOther(elsewhere);
    const returnTo = pathIn(query.return_to ?? `/console/t/${tenant.id}/`);
    const now = clock.now();
    const found = await browserLogins.findConsoleUser(tenant, cookies.session, now);
    const { console_session_ttl: longest, console_idle_ttl: idle } = tenant.config;
    const isNeeded = query.fresh === '1';
    const maxAge = isNeeded ? freshAge(tenant, returnTo) : Math.min(longest, idle);
    if (found && !(isNeeded && !isRecent(found, maxAge, now))) return new SeeOther(returnTo);
    return pageLogins.start(tenant, cookies.flow, { returnTo, requirements: { maxAge } });
  });
}

/** Every path that the contract lets through begins with a slash. */
function pathIn(path: string): `/${string}` {
  return `/${path.slice(1)}`;
}

/** Inside another tenant its own setting counts, which may be the least. */
function freshAge({ config }: Tenant, returnTo: string): number {
  return returnTo.startsWith('/console/in/') ? LEAST_STEP_UP_MAX_AGE : config.step_up_max_age;
}

/** A cookie counts at the issuer's host alone. */
function atIssuer(
  { id, issuer }: Tenant,
  host: string,
  query: QueryOf<typeof logInToConsole>,
): URL | undefined {
  const own = new URL(issuer);
  if ([own.host, own.hostname].includes(host)) return undefined;
  const address = new URL(pathTo(logInToConsole, { tenant_id: id }), own);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

function isRecent({ row }: ConsoleUser, maxAge: number, now: Date): boolean {
  const made = { auth_time: epochSeconds(row.auth_time), acr: row.acr };
  return isFresh(made, { maxAge }, epochSeconds(now));
}

/** The page at `/`. Its links lead to the issuer's host, because cookies of logins are valid only there. */
function bindHome(router: Router, findLook: FindLook): void {
  router.add(root, async ({ tenant, wishes }) => {
    const look = await findLook(tenant, wishes, { action: root.path, fields: {} });
    const at = (path: string) => new URL(path, tenant.issuer).href;
    const links = {
      console: at('/console'),
      account: at(pathAtIssuer(tenant, showAccount.path)),
      reference: at(reference.path),
    };
    return new Page(homeView({ look, links }));
  });
}

interface HomePage {
  readonly look: Look;
  readonly links: Readonly<Record<'console' | 'account' | 'reference', string>>;
}

/** The page at `/`, for people who open the URL of the service. */
function homeView({ look, links }: HomePage): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('home.title') },
    html`<h2><a href="${links.console}">${texts.text('home.console')}</a></h2>
      <p class="hint">${texts.text('home.console_about')}</p>
      <h2><a href="${links.account}">${texts.text('home.account')}</a></h2>
      <p class="hint">${texts.text('home.account_about')}</p>
      <h2><a href="${links.reference}">${texts.text('home.reference')}</a></h2>
      <p class="hint">${texts.text('home.reference_about')}</p>
      <h2>${texts.text('home.docs')}</h2>
      <p class="hint">${texts.html('home.docs_about', { folder: 'docs/guide' })}</p>`,
  );
}
