import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import type { Router } from '../../../tenancy/router.ts';
import { type CheckDependencies, checkRecoveryCode, checkTotp } from './check.ts';
import { createStep, type StepDependencies } from './step.ts';
import type { TotpStore } from './second-factor-store.ts';

export function bindSecondFactorRoutes(
  router: Router,
  dependencies: StepDependencies & CheckDependencies & { readonly totps: TotpStore },
): void {
  const { flows } = dependencies;
  const step = createStep(dependencies);

  router.add(proveTotp, async ({ tenant, params, body, device }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'totp', fail);
    const given = { flow, code: body.code, device };
    const check = (code: Parameters<typeof checkTotp>[1]) => checkTotp(dependencies, code);
    const { answer } = await step(tenant, 'totp', given, check, fail);
    return answer;
  });

  router.add(proveRecoveryCode, async ({ tenant, params, body, device }, fail) => {
    const flow = await flows.open(tenant, params.flow_id, body.flow_token, 'recovery_code', fail);
    const given = { flow, code: body.code, device };
    const check = (code: Parameters<typeof checkRecoveryCode>[1]) =>
      checkRecoveryCode(dependencies, code);
    const { answer, checked } = await step(tenant, 'recovery_code', given, check, fail);
    return { ...answer, recovery_code: checked.next };
  });
}
