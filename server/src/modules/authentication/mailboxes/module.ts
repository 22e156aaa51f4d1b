import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindMailboxRoutes } from './routes.ts';

export const mailboxesModule = defineModule('mailboxes', (core, use) => ({
  routes: (router) =>
    bindMailboxRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(journalModule),
      ...use(messagesModule),
      ...use(statusListsModule),
    }),
}));
