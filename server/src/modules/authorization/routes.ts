import { errorBody } from '@keywright/contract/errors';
import { authorize } from '@keywright/contract/routes/authorization';
import type { Router } from '../../tenancy/router.ts';
import { readChecks, requireMayAsk } from './checks.ts';
import type { Decide } from './decide.ts';

export function bindAuthorizationRoutes(router: Router, decide: Decide): void {
  router.add(authorize, async ({ tenant, caller, body }, fail) => {
    const checks = readChecks(body, fail);
    if (!Array.isArray(checks)) {
      requireMayAsk(caller, [checks], fail);
      const decision = await decide(tenant, checks);
      return decision === 'workspace_unknown' ? fail('NOT_FOUND') : decision;
    }
    requireMayAsk(caller, checks, fail);
    const decisions = await Promise.all(checks.map((check) => decide(tenant, check)));
    // SPEC authentication 7b, for each of them.
    const results = decisions.map((one) =>
      one === 'workspace_unknown' ? errorBody('NOT_FOUND') : one,
    );
    return { results };
  });
}
