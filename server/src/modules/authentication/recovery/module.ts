import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { recoverUser } from '@keywright/contract/routes/user-recovery';
import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { passwordsModule } from '../passwords/module.ts';
import { RecoveryService } from './recovery-service.ts';

export const recoveryModule = defineModule('recovery', (core, use) => {
  const { notify } = use(messagesModule);
  const { passwordPolicy } = use(passwordsModule);
  const { flows, challenges } = use(flowsModule);
  const recovery = new RecoveryService(core, notify, passwordPolicy, flows, challenges);
  return {
    routes(router) {
      router.add(recoverUser, ({ tenant, caller, params }, fail) =>
        recovery.recover(tenant, caller, params.user_id, fail),
      );
      router.add(setNewPassword, ({ tenant, params, body, device }, fail) =>
        recovery.setNewPassword(tenant, params.flow_id, body, device, fail),
      );
    },
  };
});
