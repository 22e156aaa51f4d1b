import type { Decision } from '@keywright/contract/records/decision';
import { getDecisionPoint, getDecisionPointOfIssuer } from '@keywright/contract/routes/discovery';
import {
  evaluate,
  evaluateAll,
  evaluateAllByIssuer,
  evaluateByIssuer,
} from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import { getUserPermissions } from '@keywright/contract/routes/user-permissions';
import type { Clock } from '../../../platform/clock.ts';
import { preparedOf, Cacheable } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { type InspectToken, createInspectToken } from '../../tokens/access-tokens/index.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createDecide, createFindEffectivePermissions } from './decisions.ts';
import { readCheck } from './evaluation-rules.ts';
import {
  createEvaluate,
  cutOff,
  readEvaluations,
  createFindUserPermissions,
} from './evaluation-service.ts';
import { createExplain, createFindSubject } from './explanation-service.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly bearer: BearerService;
  readonly inspect: InspectToken;
}

function bindEvaluationRoutes(router: Router, dependencies: Dependencies): void {
  const { gate, bearer } = dependencies;
  const findEffectivePermissions = createFindEffectivePermissions(gate);
  const decide = createDecide(bearer, findEffectivePermissions);
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

/** A tenant's own issuer need not lead to this service, so the identifier is the tenant's address here. */
function bindDecisionPointMetadata(router: Router, baseUrl: () => string): void {
  router.addAll([getDecisionPoint, getDecisionPointOfIssuer], ({ tenant }) => {
    const identifier = issuerOf(tenant.id, baseUrl());
    const metadata = {
      policy_decision_point: identifier,
      access_evaluation_endpoint: `${identifier}${evaluate.path}`,
      access_evaluations_endpoint: `${identifier}${evaluateAll.path}`,
    };
    return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
  });
}

export const evaluationModule = defineModule('evaluation', (core, use) => {
  const inspect = createInspectToken(use(signingKeysModule).keys);
  return {
    routes(router) {
      bindEvaluationRoutes(router, { ...core, ...use(bearerModule), inspect });
      bindDecisionPointMetadata(router, core.baseUrl);
    },
  };
});
