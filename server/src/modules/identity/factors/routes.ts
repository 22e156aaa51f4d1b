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
import { listedWhole } from '../../../platform/db/page.ts';
import type { Router } from '../../../tenancy/router.ts';
import * as enrol from './enrol.ts';
import {
  getOwnFactor,
  listFactorsOf,
  listOwnFactors,
  removeFactor,
  removeFactorOf,
  rename,
} from './service.ts';

export function bindFactorRoutes(router: Router, dependencies: enrol.EnrolmentDependencies): void {
  const { gate } = dependencies;

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
    id: await removeFactor(gate, tenant, caller, params.factor_id, fail),
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
    id: await removeFactorOf(gate.into(tenant.id), caller, params, fail),
    deleted: true as const,
  }));
}
