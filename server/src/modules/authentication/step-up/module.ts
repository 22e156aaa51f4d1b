import { defineModule } from '../../../tenancy/module.ts';
import { createRefresh } from '../../tokens/sessions/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { flowsModule } from '../flows/index.ts';
import { bindStepUpRoutes } from './routes.ts';
import { createOfferStepUp } from './service.ts';

/** Refreshes, and the stronger logins that they or their users ask for. */
export const stepUpModule = defineModule('step-up', (core, use) => {
  const { flows } = use(flowsModule);
  const tokens = { ...core, ...use(signingKeysModule), ...use(statusListsModule) };
  const refresh = createRefresh({ ...tokens, offerStepUp: createOfferStepUp(flows) });
  return { routes: (router) => bindStepUpRoutes(router, { ...core, flows, refresh }) };
});
