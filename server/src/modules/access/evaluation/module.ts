import { getDecisionPoint, getDecisionPointOfIssuer } from '@keywright/contract/routes/discovery';
import * as contract from '@keywright/contract/routes/evaluation';
import { explain } from '@keywright/contract/routes/explain';
import { getUserPermissions } from '@keywright/contract/routes/user-permissions';
import { Cacheable, preparedOf } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';
import { DecisionService } from './decision-service.ts';
import { readCheck } from './evaluation-rules.ts';
import { EvaluationService, ExplanationService } from './evaluation-service.ts';

export const evaluationModule = defineModule('evaluation', ({ gate, clock, baseUrl }, use) => ({
  routes(router) {
    const { bearer } = use(bearerModule);
    const { accessTokens } = use(accessTokensModule);
    const decisions = new DecisionService(gate, bearer);
    const explanations = new ExplanationService(gate, clock, decisions, bearer, accessTokens);
    const evaluations = new EvaluationService(decisions, explanations);

    router.addAll(
      [contract.evaluate, contract.evaluateByIssuer],
      async ({ tenant, caller, body }, fail) =>
        preparedOf(await evaluations.evaluate(tenant, caller.claimed, body, fail)),
    );
    router.addAll(
      [contract.evaluateAll, contract.evaluateAllByIssuer],
      async ({ tenant, caller, body }, fail) =>
        preparedOf(await evaluations.evaluateAll(tenant, caller.claimed, body, fail)),
    );
    router.add(explain, async ({ tenant, caller, body }, fail) => {
      const check = readCheck(body, fail);
      const explanation = await explanations.explain(tenant, caller, check, fail);
      return explanation === 'workspace_unknown' ? fail('NOT_FOUND') : explanation;
    });
    router.add(getUserPermissions, ({ tenant, caller, params }, fail) =>
      decisions.listPermissionsOfUser(tenant.id, caller, params.user_id, fail),
    );
    bindMetadata(router, baseUrl);
  },
}));

/** A tenant's own issuer need not resolve to this service, so the identifier is the tenant's address here. */
function bindMetadata(router: Router, baseUrl: () => string): void {
  router.addAll([getDecisionPoint, getDecisionPointOfIssuer], ({ tenant }) => {
    const identifier = issuerOf(tenant.id, baseUrl());
    const metadata = {
      policy_decision_point: identifier,
      access_evaluation_endpoint: `${identifier}${contract.evaluate.path}`,
      access_evaluations_endpoint: `${identifier}${contract.evaluateAll.path}`,
    };
    return new Cacheable(JSON.stringify(metadata), KEY_SET_MAX_AGE_SECONDS);
  });
}
