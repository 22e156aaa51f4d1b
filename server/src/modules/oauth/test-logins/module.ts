import {
  finishTestLogin,
  openTestLogin,
  startTestLogin,
} from '@keywright/contract/routes/test-logins';
import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { authorizeModule } from '../authorize/module.ts';
import { clientsModule } from '../clients/module.ts';
import { grantsModule } from '../grants/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { GrantRedemption, UserinfoService } from '../token-endpoint/index.ts';

export const testLoginsModule = defineModule('test logins', (core, use) => ({
  routes(router) {
    const { interactions, reader } = use(authorizeModule);
    const { seals, codes } = use(grantsModule);
    const { clients, noteClientUse } = use(clientsModule);
    const { sessions, browserLogins } = use(sessionsModule);
    const { idTokens, subjects } = use(idTokensModule);
    const { bearer } = use(bearerModule);
    const { dpop } = use(accessTokensModule);
    const { jwts } = use(signingKeysModule);
    const { resources } = use(resourcesModule);
    const { spentStatements } = use(proofsModule);
    const { looks } = use(brandModule);
    // Only administrators test logins, so the code is loaded on first use.
    const load = lazy(async () => {
      const { SealedTests } = await import('./test-login.ts');
      const { TestLoginStart } = await import('./test-login-start.ts');
      const { TestLoginResults } = await import('./test-login-result.ts');
      const { gate, clock } = core;
      const tests = new SealedTests(seals, spentStatements, clock);
      const redemption = new GrantRedemption(sessions, idTokens, resources, noteClientUse);
      const userinfo = new UserinfoService(gate, bearer, dpop, subjects, jwts);
      return {
        start: new TestLoginStart(clock, clients, reader, interactions, browserLogins, tests),
        results: new TestLoginResults(core, clients, codes, redemption, userinfo, tests),
      };
    });
    router.add(startTestLogin, async ({ tenant, caller, params, body }, fail) => {
      const { start } = await load();
      return start.start(tenant, caller, params.client_id, body, fail);
    });
    router.add(openTestLogin, async ({ tenant, query, cookies }, fail) => {
      const { start } = await load();
      return start.open(tenant, query.test, cookies, fail);
    });
    router.add(
      finishTestLogin,
      async ({ tenant, query, cookies: { flow }, from, wishes }, fail) => {
        const { results } = await load();
        const look = await looks.find(tenant, wishes);
        return results.show({ tenant, query, flow, from, look }, fail);
      },
    );
  },
}));
