import type { QueryOf } from '@keywright/contract/route';
import {
  type AccountSection,
  showAccount,
  showAccountByIssuer,
  submitAccount,
  submitAccountByIssuer,
} from '@keywright/contract/routes/account';
import { requireIssuer } from '../../../tenancy/tenant.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { LookService } from '../../branding/brand/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { AccountPage, fieldsOf } from './account-page.ts';
import type { AgentRequest } from './account-section.ts';

export const accountModule = defineModule('account', ({ gate, clock }, use) => ({
  routes(router) {
    const { browserLogins } = use(sessionsModule);
    const { pageLogins } = use(authorizeModule);
    const { performAs } = router;
    const page = new AccountPage(gate, clock, browserLogins, pageLogins, performAs);
    bindAccount(router, page, use(brandModule).looks);
  },
}));

function bindAccount(router: Router, page: AccountPage, looks: LookService): void {
  const shown = [showAccount, showAccountByIssuer];
  router.addAll(shown, async ({ tenant, query, cookies, device, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { section = 'overview', done, cursor, error } = query;
    // A failed login is treated like an invalid handoff.
    const handoff = error === undefined ? query.handoff : '';
    const sectionQuery = { cursor, agentRequest: agentRequestOf(section, query) };
    const fields = { section, ...fieldsOf(sectionQuery) };
    const look = await looks.find(tenant, wishes, { action: 'account', fields });
    const request = { tenant, section, cookies, device, token: form.field, look };
    return page.show({ ...request, query: sectionQuery, handoff }, done);
  });

  const submitted = [submitAccount, submitAccountByIssuer];
  router.addAll(
    submitted,
    async ({ tenant, body, cookies, device, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const { section } = body;
      const look = await looks.find(tenant, wishes, { action: 'account', fields: { section } });
      const request = { tenant, section, cookies, device, token: form.field, look };
      return page.submit(request, body, fail);
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
