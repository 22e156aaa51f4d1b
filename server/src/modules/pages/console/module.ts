import { showAccount } from '@keywright/contract/routes/account';
import {
  findConsoleSession,
  findConsoleTenant,
  logInToConsole,
} from '@keywright/contract/routes/console';
import { root } from '@keywright/contract/routes/service';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import { pathAtIssuer } from '../../../tenancy/tenant.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { impersonationModule } from '../../authentication/impersonation/module.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { shell } from '../../branding/views/index.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { ConsoleAuthenticator, ConsoleLogin } from './console-login.ts';

export const consoleModule = defineModule('console', ({ clock, directory, docsUrl }, use) => {
  const { browserLogins } = use(sessionsModule);
  const { impersonations } = use(impersonationModule);
  const { authenticateUser, authenticateInside } = new ConsoleAuthenticator(
    browserLogins,
    impersonations,
    directory,
    clock,
  );
  return {
    authenticateBrowser: authenticateUser,
    authenticateInside,
    routes(router) {
      const { pageLogins } = use(authorizeModule);
      bindConsole(router, new ConsoleLogin(browserLogins, pageLogins, clock));
      bindHome(router, use(brandModule).looks, docsUrl);
    },
  };
});

function bindConsole(router: Router, login: ConsoleLogin): void {
  router.add(findConsoleTenant, ({ tenant: { id } }) => ({ tenant_id: id }));
  router.add(findConsoleSession, async ({ tenant, cookies }) => ({
    is_logged_in: await login.isLoggedIn(tenant, cookies.session),
  }));
  router.add(logInToConsole, ({ tenant, query, cookies, host }) =>
    login.logIn(tenant, query, cookies, host),
  );
}

/** Binds the page at `/`. Its links lead to the issuer's host, because login cookies are valid only there. */
function bindHome(router: Router, looks: LookService, docsUrl: () => string): void {
  router.add(root, async ({ tenant, wishes }) => {
    const look = await looks.find(tenant, wishes, { action: root.path, fields: {} });
    const at = (path: string) => new URL(path, tenant.issuer).href;
    const links = {
      console: at('/console'),
      account: at(pathAtIssuer(tenant, showAccount.path)),
      reference: at('/reference'),
      docs: `${docsUrl()}/`,
    };
    return new Page(homeView({ look, links }));
  });
}

interface HomePage {
  readonly look: Look;
  readonly links: Readonly<Record<'console' | 'account' | 'reference' | 'docs', string>>;
}

/** Renders the page at `/`, for people who open the service's URL. */
function homeView({ look, links }: HomePage): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('home.title') },
    html`<h2><a href="${links.console}" class="link">${texts.text('home.console')}</a></h2>
      <p class="hint">${texts.text('home.console_about')}</p>
      <h2><a href="${links.account}" class="link">${texts.text('home.account')}</a></h2>
      <p class="hint">${texts.text('home.account_about')}</p>
      <h2><a href="${links.reference}" class="link">${texts.text('home.reference')}</a></h2>
      <p class="hint">${texts.text('home.reference_about')}</p>
      <h2><a href="${links.docs}" class="link">${texts.text('home.docs')}</a></h2>
      <p class="hint">${texts.text('home.docs_about')}</p>`,
  );
}
