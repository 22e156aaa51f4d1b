import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { flowsModule } from '../flows/module.ts';
import { passwordsModule } from '../passwords/module.ts';
import { bindStepUpRoutes, createOfferStepUp } from './step-up.ts';
import { bindLoginRoutes } from './routes.ts';

export const loginModule = defineModule('login', (core, use) => {
  const { flows } = use(flowsModule);
  const { refreshes } = use(sessionsModule);
  const offerStepUp = createOfferStepUp(flows);
  return {
    routes(router) {
      bindLoginRoutes(router, {
        ...core,
        ...use(flowsModule),
        ...use(journalModule),
        ...use(passwordsModule),
        ...use(sessionsModule),
      });
      bindStepUpRoutes(router, { ...core, flows, refreshes, offerStepUp });
    },
  };
});
