import { errorBody } from '@keywright/contract/errors';
import { authorize, explain } from '@keywright/contract/routes/authorization';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { FindActive } from '../../authentication/bearer/index.ts';
import type { InspectToken } from '../../tokens/access-tokens/index.ts';
import { readCheck, readChecks, requireMayAsk } from './checks.ts';
import { createDecide } from './decide.ts';
import { createExplain } from './explain.ts';
import { createFindMatter } from './matter.ts';
import { createFindStanding } from './standings.ts';

interface Parts {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly findActive: FindActive;
  readonly inspect: InspectToken;
}

export function bindAuthorizationRoutes(router: Router, parts: Parts): void {
  const { gate, findActive } = parts;
  const findStanding = createFindStanding(gate);
  const decide = createDecide(findActive, findStanding);
  const findMatter = createFindMatter(parts);
  const tellWhy = createExplain({ gate, decide, findMatter, findStanding });

  router.add(authorize, async ({ tenant, caller, body }, fail) => {
    const checks = readChecks(body, fail);
    if (!Array.isArray(checks)) {
      requireMayAsk(caller.claimed, [checks], fail);
      const decision = await decide(tenant, checks);
      return decision === 'workspace_unknown' ? fail('NOT_FOUND') : decision;
    }
    requireMayAsk(caller.claimed, checks, fail);
    const decisions = await Promise.all(checks.map((check) => decide(tenant, check)));
    // SPEC authentication 7b, for each of them.
    const results = decisions.map((one) =>
      one === 'workspace_unknown' ? errorBody('NOT_FOUND') : one,
    );
    return { results };
  });
  router.add(explain, ({ tenant, caller, body }, fail) =>
    tellWhy(tenant, caller, readCheck(body, '', fail), fail),
  );
}
