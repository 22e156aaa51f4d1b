import { defineModule } from '../../../tenancy/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindStepUpRoutes } from './routes.ts';
import { createOfferStepUp } from './service.ts';

/** Refreshes, and the stronger logins that they or their users ask for. */
export const stepUpModule = defineModule('step-up', (core, use) => {
  const { flows } = use(flowsModule);
  const { refresh } = use(sessionsModule);
  const offerStepUp = createOfferStepUp(flows);
  return {
    routes: (router) => bindStepUpRoutes(router, { ...core, flows, refresh, offerStepUp }),
  };
});
