import { defineModule } from '../../../tenancy/module.ts';
import { breachedPasswordsModule } from '../breached-passwords/module.ts';
import { flowsModule } from '../flows/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { bindLoginRoutes } from './routes.ts';

export const loginModule = defineModule('login', (core, use) => ({
  routes: (router) =>
    bindLoginRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(journalModule),
      ...use(breachedPasswordsModule),
      ...use(sessionsModule),
    }),
}));
