import { getDecisionPoint, getDecisionPointOfIssuer } from '@keywright/contract/routes/discovery';
import { evaluate, evaluateAll } from '@keywright/contract/routes/evaluation';
import { Cacheable } from '../../../platform/http/replies.ts';
import { issuerOf } from '../../../tenancy/directory.ts';
import type { Router } from '../../../tenancy/router.ts';
import { KEY_SET_MAX_AGE_SECONDS } from '../../tokens/signing-keys/index.ts';

/** A tenant's own issuer need not lead to this service, so the identifier is the tenant's address here. */
export function bindDecisionPointMetadata(router: Router, baseUrl: () => string): void {
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
