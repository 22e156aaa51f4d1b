import type { QueryOf } from '@keywright/contract/route';
import {
  type AccountSection,
  showAccount,
  showAccountByIssuer,
  submitAccount,
  submitAccountByIssuer,
} from '@keywright/contract/routes/account';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { type AccountDependencies, fieldsOf, show, submit } from './account-page.ts';
import type { AgentRequest } from './account-section.ts';

export const accountModule = defineModule('account', (core, use) => ({
  routes(router) {
    const { browserLogins } = use(sessionsModule);
    const { performAs } = router;
    const given = { ...core, ...use(authorizeModule), ...use(brandModule) };
    bindAccountRoutes(router, { ...given, browserLogins, performAs });
  },
}));

function bindAccountRoutes(router: Router, dependencies: AccountDependencies): void {
  const { findLook } = dependencies;
  const shown = [showAccount, showAccountByIssuer];
  router.addAll(shown, async ({ tenant, query, cookies, device, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { section = 'overview', done, cursor, error } = query;
    // Without a handoff, as with one that is worth nothing.
    const handoff = error === undefined ? query.handoff : '';
    const wanted = { cursor, agentRequest: agentRequestOf(section, query) };
    const fields = { section, ...fieldsOf(wanted) };
    const look = await findLook(tenant, wishes, { action: 'account', fields });
    const visit = { tenant, section, wanted, handoff, cookies, device, token: form.field, look };
    return show(dependencies, visit, done);
  });

  const submitted = [submitAccount, submitAccountByIssuer];
  router.addAll(
    submitted,
    async ({ tenant, body, cookies, device, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const { section } = body;
      const look = await findLook(tenant, wishes, { action: 'account', fields: { section } });
      const visit = { tenant, section, cookies, device, token: form.field, look };
      return submit(dependencies, visit, body, fail);
    },
  );
}

function agentRequestOf(
  section: AccountSection,
  { agent, scope, days }: QueryOf<typeof showAccount>,
): AgentRequest | undefined {
  if (section !== 'agents' || agent === undefined || scope === undefined) return undefined;
  return { agent, scope, days };
}
