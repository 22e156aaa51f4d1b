import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { lazy } from '../../../platform/lazy.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { InAppDependencies } from './progress.ts';

interface Dependencies extends InAppDependencies {
  readonly dpop: Dpop;
}

/** What startup does not need. */
const loadService = lazy(() => import('./service.ts'));

export function bindChallengeRoutes(router: Router, dependencies: Dependencies): void {
  const load = lazy(async () => (await loadService()).createLogInInApp(dependencies));
  router.addAll(CHALLENGE_ROUTES, async ({ tenant, body, headers, device, proof }, fail) => {
    const key = await dependencies.dpop.prove(tenant, proof, fail);
    const { authorization } = headers;
    const logIn = await load();
    return logIn({ tenant, body, authorization, device, key }, fail);
  });
}
