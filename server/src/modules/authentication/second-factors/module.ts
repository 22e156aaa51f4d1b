import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { SecondFactorService, SecondFactorVerifier } from './second-factor-service.ts';

export const secondFactorsModule = defineModule('second-factors', (core, use) => {
  const { flows } = use(flowsModule);
  const { notes } = use(journalModule);
  const { notices } = use(messagesModule);
  const secondFactorVerifier = new SecondFactorVerifier(core);
  const secondFactors = new SecondFactorService(
    core.gate,
    flows,
    secondFactorVerifier,
    notes,
    notices,
  );
  return {
    offer: { secondFactorVerifier },
    routes(router) {
      router.add(proveTotp, ({ tenant, params, body, device }, fail) => {
        const flow = { id: params.flow_id, token: body.flow_token };
        return secondFactors.proveTotp(tenant, flow, body.code, device, fail);
      });
      router.add(proveRecoveryCode, ({ tenant, params, body, device }, fail) => {
        const flow = { id: params.flow_id, token: body.flow_token };
        return secondFactors.proveRecoveryCode(tenant, flow, body.code, device, fail);
      });
    },
  };
});
