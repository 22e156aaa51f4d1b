import type { Decision } from '@keywright/contract/records/decision';
import {
  evaluate,
  evaluateAll,
  evaluateAllByIssuer,
  evaluateByIssuer,
} from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import { getUserPermissions } from '@keywright/contract/routes/user-permissions';
import type { Clock } from '../../../platform/clock.ts';
import { preparedOf } from '../../../platform/http/replies.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { FindActive } from '../../authentication/bearer/index.ts';
import type { InspectToken } from '../../tokens/access-tokens/index.ts';
import { readCheck } from './checks.ts';
import { createDecide } from './decide.ts';
import { createEvaluate } from './evaluate.ts';
import { cutOff, readEvaluations } from './evaluations.ts';
import { createExplain } from './explain.ts';
import { createFindUserPermissions } from './user-permissions.ts';
import { createFindSubject } from './subject.ts';
import { createFindEffectivePermissions } from './effective-permissions.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly findActive: FindActive;
  readonly inspect: InspectToken;
}

export function bindEvaluationRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, findActive } = dependencies;
  const findEffectivePermissions = createFindEffectivePermissions(gate);
  const decide = createDecide(findActive, findEffectivePermissions);
  const findSubject = createFindSubject(dependencies);
  const tellWhy = createExplain({ gate, decide, findSubject, findEffectivePermissions });
  const findUserPermissions = createFindUserPermissions(gate, findEffectivePermissions);
  const evaluations = createEvaluate(decide, tellWhy);

  router.addAll([evaluate, evaluateByIssuer], async ({ tenant, caller, body }, fail) => {
    const [decision] = evaluations(tenant, caller.claimed, [body], fail);
    return preparedOf((await decision) as Decision);
  });
  router.addAll([evaluateAll, evaluateAllByIssuer], async ({ tenant, caller, body }, fail) => {
    const asked = readEvaluations(body, fail);
    const decisions = await Promise.all(evaluations(tenant, caller.claimed, [asked].flat(), fail));
    return preparedOf(
      Array.isArray(asked)
        ? { evaluations: cutOff(decisions, body.options?.evaluations_semantic) }
        : (decisions[0] as Decision),
    );
  });
  router.add(explain, async ({ tenant, caller, body }, fail) => {
    const explained = await tellWhy(tenant, caller, readCheck(body, fail), fail);
    return explained === 'workspace_unknown' ? fail('NOT_FOUND') : explained;
  });
  router.add(getUserPermissions, ({ tenant, caller, params }, fail) =>
    findUserPermissions(tenant.id, caller, params.user_id, fail),
  );
}
