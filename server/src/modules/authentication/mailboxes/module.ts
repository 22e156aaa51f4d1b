import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/index.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { challengesModule } from '../challenges/index.ts';
import { flowsModule } from '../flows/index.ts';
import { bindMailboxRoutes } from './routes.ts';

export const mailboxesModule = defineModule('mailboxes', (core, use) => ({
  routes: (router) =>
    bindMailboxRoutes(router, {
      ...core,
      ...use(challengesModule),
      ...use(flowsModule),
      ...use(journalModule),
      ...use(messagesModule),
      ...use(statusListsModule),
    }),
}));
