import { defineModule } from '../../../tenancy/module.ts';
import { breachedPasswordsModule } from '../breached-passwords/index.ts';
import { flowsModule } from '../flows/index.ts';
import { journalModule } from '../../events/journal/index.ts';
import { sessionsModule } from '../../tokens/sessions/index.ts';
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
