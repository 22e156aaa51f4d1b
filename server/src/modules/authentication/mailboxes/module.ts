import { proveCode, proveLink, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { MailboxService } from './mailbox-service.ts';

export const mailboxesModule = defineModule('mailboxes', (core, use) => {
  const { notes } = use(journalModule);
  const { flows, challenges, deviceTokens } = use(flowsModule);
  const messages = use(messagesModule);
  const mailboxes = new MailboxService(core, notes, messages, flows, challenges, deviceTokens);
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
    },
  };
});
