import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { authorizeModule } from '../authorize/module.ts';
import { grantsModule } from '../grants/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';

export const inAppLoginsModule = defineModule('in-app logins', (_core, use) => ({
  routes(router) {
    const { reader, contexts, grants } = use(authorizeModule);
    const { seals, pushedRequests } = use(grantsModule);
    const { clientAuthentication } = use(tokenEndpointModule);
    const { flows } = use(flowsModule);
    const { dpop } = use(accessTokensModule);
    // Not needed at startup.
    const loadService = lazy(async () => {
      const { InAppLoginService, InAppRequests } = await import('./in-app-login-service.ts');
      const requests = new InAppRequests(reader, contexts, grants);
      const { perform } = router;
      return new InAppLoginService(
        clientAuthentication,
        requests,
        seals,
        pushedRequests,
        flows,
        perform,
      );
    });
    router.addAll(CHALLENGE_ROUTES, async ({ tenant, body, headers, device, proof }, fail) => {
      const key = await dpop.prove(tenant, proof, fail);
      const { authorization } = headers;
      const service = await loadService();
      return service.logIn({ tenant, body, authorization, device, key }, fail);
    });
  },
}));
