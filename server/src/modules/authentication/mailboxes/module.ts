import { proveCode, proveLink, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { recoverUser } from '@keywright/contract/routes/user-recovery';
import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { passwordsModule } from '../passwords/module.ts';
import { RecoveryService } from './recovery-service.ts';
import { MailboxService } from './mailbox-service.ts';

export const mailboxesModule = defineModule('mailboxes', (core, use) => {
  const { notes } = use(journalModule);
  const { flows, challenges, deviceTokens } = use(flowsModule);
  const { notices, limits } = use(messagesModule);
  const mailboxes = new MailboxService(
    core,
    notes,
    notices,
    limits,
    flows,
    challenges,
    deviceTokens,
  );
  const { passwordPolicy } = use(passwordsModule);
  const recovery = new RecoveryService(core, notices, passwordPolicy, flows, challenges);
  return {
    routes(router) {
      router.add(sendFlowMessage, ({ tenant, params, body, device }, fail) =>
        mailboxes.send(tenant, params.flow_id, body, device, fail),
      );
      router.add(proveCode, ({ tenant, params, body, device }, fail) =>
        mailboxes.proveCode(tenant, params.flow_id, body, device, fail),
      );
      router.add(proveLink, ({ tenant, params, body, device }, fail) =>
        mailboxes.proveLink(tenant, params.flow_id, body, device, fail),
      );
      router.add(recoverUser, ({ tenant, caller, params }, fail) =>
        recovery.recover(tenant, caller, params.user_id, fail),
      );
      router.add(setNewPassword, ({ tenant, params, body, device }, fail) =>
        recovery.setNewPassword(tenant, params.flow_id, body, device, fail),
      );
    },
  };
});
