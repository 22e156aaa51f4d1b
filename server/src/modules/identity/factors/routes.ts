import {
  addTotp,
  confirmTotp,
  createRecoveryCodes,
  deleteFactor,
  deleteUserFactor,
  getFactor,
  listFactors,
  listUserFactors,
  updateFactor,
} from '@keywright/contract/routes/factors';
import { confirmEnrolledTotp, enrolTotp } from '@keywright/contract/routes/flow-enrolment';
import * as passkeyRoutes from '@keywright/contract/routes/passkeys';
import { listedWhole } from '../../../platform/db/page.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Flows } from '../../authentication/flows/index.ts';
import * as enrol from './totp-enrolment.ts';
import { confirmTotpOfFlow, showTotpOfFlow } from './totp-enrolment.ts';
import { addPasskey, offerPasskey } from './passkeys.ts';
import { enrolPasskeyInFlow, offerPasskeyInFlow } from './passkeys-in-flow.ts';
import {
  getOwnFactor,
  listFactorsOf,
  listOwnFactors,
  removeFactor,
  removeFactorOf,
  rename,
} from './factor-service.ts';

interface Dependencies extends enrol.EnrolmentDependencies {
  readonly flows: Flows;
}

export function bindFactorRoutes(router: Router, dependencies: Dependencies): void {
  const { gate } = dependencies;
  bindEnrolmentInFlows(router, dependencies);
  bindPasskeyRoutes(router, dependencies);

  router.add(listFactors, async ({ tenant, caller, query }, fail) => {
    const own = await listOwnFactors(gate.into(tenant.id), caller);
    return listedWhole(query, own, fail);
  });
  router.add(addTotp, ({ tenant, caller, body }, fail) =>
    enrol.addTotp(dependencies, tenant, caller, body.name, fail),
  );
  router.add(confirmTotp, ({ tenant, caller, params, body }, fail) =>
    enrol.confirmTotp(
      dependencies,
      tenant,
      caller,
      { id: params.factor_id, code: body.code },
      fail,
    ),
  );
  router.add(getFactor, ({ tenant, caller, params }, fail) =>
    getOwnFactor(gate.into(tenant.id), caller, params.factor_id, fail),
  );
  router.add(updateFactor, ({ tenant, caller, params, body }, fail) =>
    rename(gate.into(tenant.id), caller, params.factor_id, body.name, fail),
  );
  router.add(deleteFactor, async ({ tenant, caller, params }, fail) => ({
    ...(await removeFactor(dependencies, tenant, caller, params.factor_id, fail)),
    deleted: true as const,
  }));
  router.add(createRecoveryCodes, ({ tenant, caller }, fail) =>
    enrol.renewRecoveryCodes(dependencies, tenant, caller, fail),
  );
  router.add(listUserFactors, async ({ tenant, caller, params, query }, fail) =>
    listedWhole(
      query,
      await listFactorsOf(gate.into(tenant.id), caller, params.user_id, fail),
      fail,
    ),
  );
  router.add(deleteUserFactor, async ({ tenant, caller, params }, fail) => ({
    id: await removeFactorOf(dependencies, tenant, caller, params, fail),
    deleted: true as const,
  }));
}

function bindEnrolmentInFlows(router: Router, dependencies: Dependencies): void {
  router.add(enrolTotp, ({ tenant, params, body }, fail) =>
    showTotpOfFlow(dependencies, tenant, { flowId: params.flow_id, token: body.flow_token }, fail),
  );
  router.add(confirmEnrolledTotp, ({ tenant, params, body, device }, fail) => {
    const { flow_token: token, code, name } = body;
    const asked = { flowId: params.flow_id, token, code, name, device };
    return confirmTotpOfFlow(dependencies, tenant, asked, fail);
  });
}

function bindPasskeyRoutes(router: Router, dependencies: Dependencies): void {
  router.add(passkeyRoutes.offerPasskey, async ({ tenant, caller }, fail) => ({
    options: await offerPasskey(dependencies, tenant, caller, fail),
  }));
  router.add(passkeyRoutes.addPasskey, ({ tenant, caller, body }, fail) => {
    const { credential, name } = body;
    return addPasskey(dependencies, tenant, caller, { credential, name }, fail);
  });
  router.add(passkeyRoutes.offerEnrolledPasskey, ({ tenant, params, body }, fail) => {
    const asked = { flowId: params.flow_id, token: body.flow_token };
    return offerPasskeyInFlow(dependencies, tenant, asked, fail);
  });
  router.add(passkeyRoutes.enrolPasskey, ({ tenant, params, body, device }, fail) => {
    const { flow_token: token, credential, name } = body;
    const given = { flowId: params.flow_id, token, credential, name, device };
    return enrolPasskeyInFlow(dependencies, tenant, given, fail);
  });
}
