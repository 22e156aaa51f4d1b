import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindPasskeyRoutes } from './routes.ts';

export const passkeysModule = defineModule('passkeys', (core, use) => ({
  routes: (router) =>
    bindPasskeyRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(journalModule),
      ...use(messagesModule),
    }),
}));
