import { defineModule } from '../../../tenancy/module.ts';
import { journalModule } from '../../events/journal/index.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { flowsModule } from '../flows/index.ts';
import { bindSecondFactorRoutes } from './routes.ts';
import { createTotpStore } from './totp-store.ts';

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
