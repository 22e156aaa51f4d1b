import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindSecondFactorRoutes } from './routes.ts';
import { createTotpStore } from './second-factor-store.ts';

export const secondFactorsModule = defineModule('second-factors', (core, use) => {
  const totps = createTotpStore(core.gate);
  return {
    offer: { totps },
    routes: (router) =>
      bindSecondFactorRoutes(router, {
        ...core,
        ...use(flowsModule),
        ...use(journalModule),
        ...use(messagesModule),
        totps,
      }),
  };
});
