import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/index.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { flowsModule } from '../flows/index.ts';
import { bindPasskeyRoutes } from './routes.ts';

export const passkeyLoginsModule = defineModule('passkey-logins', (core, use) => ({
  routes: (router) =>
    bindPasskeyRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(journalModule),
      ...use(messagesModule),
    }),
}));
