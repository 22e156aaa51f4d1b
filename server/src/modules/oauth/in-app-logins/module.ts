import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { lazy } from '../../../platform/lazy.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { authorizeModule } from '../authorize/module.ts';
import { codesModule } from '../codes/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import type { InAppDependencies } from './in-app-login-service.ts';

export const inAppLoginsModule = defineModule('in-app logins', (_core, use) => ({
  routes(router) {
    bindChallengeRoutes(router, {
      ...use(dpopModule),
      ...use(flowsModule),
      ...use(codesModule),
      identify: use(tokenEndpointModule).clientAuthentication,
      ...use(authorizeModule),
      perform: router.perform,
    });
  },
}));

interface Dependencies extends InAppDependencies {
  readonly dpop: Dpop;
}

/** What startup does not need. */
const loadService = lazy(() => import('./in-app-login-service.ts'));

function bindChallengeRoutes(router: Router, dependencies: Dependencies): void {
  const load = lazy(async () => (await loadService()).createLogInInApp(dependencies));
  router.addAll(CHALLENGE_ROUTES, async ({ tenant, body, headers, device, proof }, fail) => {
    const key = await dependencies.dpop.prove(tenant, proof, fail);
    const { authorization } = headers;
    const logIn = await load();
    return logIn({ tenant, body, authorization, device, key }, fail);
  });
}
