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
import { confirmEnrolledTotp, enrollTotp } from '@keywright/contract/routes/flow-enrollment';
import {
  addPasskey,
  enrollPasskey,
  offerEnrolledPasskey,
  offerPasskey,
} from '@keywright/contract/routes/passkeys';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { FactorService, RecoveryCodeService } from './factor-service.ts';
import { PasskeyEnrollmentService } from './passkey-enrollment-service.ts';
import { TotpEnrollmentService } from './totp-enrollment-service.ts';

export const factorsModule = defineModule('factors', (core, use) => {
  const { flows } = use(flowsModule);
  const { notices } = use(messagesModule);
  const recoveryCodes = new RecoveryCodeService(core.gate, core.dataKeys);
  return {
    routes(router) {
      bindFactors(router, new FactorService(core.gate, notices));
      bindTotp(router, new TotpEnrollmentService(core, flows, notices, recoveryCodes));
      bindPasskeys(router, new PasskeyEnrollmentService(core, flows, notices, recoveryCodes));
      router.add(createRecoveryCodes, ({ tenant, caller }, fail) =>
        recoveryCodes.renew(tenant, caller, fail),
      );
    },
    // Authenticators that were never confirmed.
    sweeps: [expiring('user_factors', 'expires_at')],
  };
});

function bindFactors(router: Router, factors: FactorService): void {
  router.add(listFactors, async ({ tenant, caller, query }, fail) =>
    listedWhole(query, await factors.list(tenant, caller), fail),
  );
  router.add(getFactor, ({ tenant, caller, params }, fail) =>
    factors.get(tenant, caller, params.factor_id, fail),
  );
  router.add(updateFactor, ({ tenant, caller, params, body }, fail) =>
    factors.rename(tenant, caller, params.factor_id, body.name, fail),
  );
  router.add(deleteFactor, async ({ tenant, caller, params }, fail) => ({
    ...(await factors.remove(tenant, caller, params.factor_id, fail)),
    deleted: true as const,
  }));
  router.add(listUserFactors, async ({ tenant, caller, params, query }, fail) =>
    listedWhole(query, await factors.listOfUser(tenant, caller, params.user_id, fail), fail),
  );
  router.add(deleteUserFactor, async ({ tenant, caller, params }, fail) => ({
    id: await factors.removeOfUser(tenant, caller, params, fail),
    deleted: true as const,
  }));
}

function bindTotp(router: Router, enrollment: TotpEnrollmentService): void {
  router.add(addTotp, ({ tenant, caller, body }, fail) =>
    enrollment.add(tenant, caller, body.name, fail),
  );
  router.add(confirmTotp, ({ tenant, caller, params, body }, fail) =>
    enrollment.confirm(tenant, caller, { id: params.factor_id, code: body.code }, fail),
  );
  router.add(enrollTotp, ({ tenant, params, body }, fail) =>
    enrollment.showInFlow(tenant, { id: params.flow_id, token: body.flow_token }, fail),
  );
  router.add(confirmEnrolledTotp, ({ tenant, params, body, device }, fail) => {
    const { flow_token: token, code, name } = body;
    const flow = { id: params.flow_id, token };
    return enrollment.confirmInFlow(tenant, flow, { name, code, device }, fail);
  });
}

function bindPasskeys(router: Router, enrollment: PasskeyEnrollmentService): void {
  router.add(offerPasskey, async ({ tenant, caller }, fail) => ({
    options: await enrollment.offer(tenant, caller, fail),
  }));
  router.add(addPasskey, ({ tenant, caller, body: { credential, name } }, fail) =>
    enrollment.add(tenant, caller, { credential, name }, fail),
  );
  router.add(offerEnrolledPasskey, ({ tenant, params, body }, fail) =>
    enrollment.offerInFlow(tenant, { id: params.flow_id, token: body.flow_token }, fail),
  );
  router.add(enrollPasskey, ({ tenant, params, body, device }, fail) => {
    const { flow_token: token, credential, name } = body;
    const flow = { id: params.flow_id, token };
    return enrollment.addInFlow(tenant, flow, { credential, name }, device, fail);
  });
}
