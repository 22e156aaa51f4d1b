import type { Fail } from '@keywright/contract/errors';
import type { Decision } from '@keywright/contract/records/decision';
import { explain } from '@keywright/contract/routes/explain';
import { requireAccess } from '../../../tenancy/authorization.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { checkOf, type Evaluation, requireMayAsk } from './checks.ts';
import type { Decide } from './decide.ts';
import type { Explain } from './explain.ts';
import { InvalidEvaluation } from './evaluations.ts';
import { presentDecision, presentExplained, presentInvalid, UNKNOWN_SCOPE } from './present.ts';

type Refuse = Fail<'SCOPE_REQUIRED' | 'ADMINISTRATOR_REQUIRED'>;

/** Decides evaluations, after checking that the caller may request all of them. */
export type Evaluate = (
  tenant: Tenant,
  caller: Caller,
  evaluations: readonly (Evaluation | InvalidEvaluation)[],
  fail: Refuse,
) => Promise<Decision>[];

export function createEvaluate(decide: Decide, tellWhy: Explain): Evaluate {
  return (tenant, caller, evaluations, fail) => {
    const asked = evaluations.map(read);
    const checks = asked.flatMap(({ check }) => check ?? []);
    requireMayAsk(caller, checks, fail);
    if (asked.some(({ isExplained }) => isExplained)) requireAccess(explain, caller);
    return asked.map(async ({ check, denied, isExplained }) => {
      if (!check) return denied;
      return isExplained
        ? presentExplained(await tellWhy(tenant, caller, check, fail))
        : presentDecision(await decide(tenant, check));
    });
  };
}

/** What an evaluation checks; or its denial, if there is nothing to check. */
function read(one: Evaluation | InvalidEvaluation) {
  if (one instanceof InvalidEvaluation) return { denied: presentInvalid(one), isExplained: false };
  const check = checkOf(one);
  const isExplained = one.context?.explain === true;
  return check ? { check, isExplained } : { denied: UNKNOWN_SCOPE, isExplained };
}
