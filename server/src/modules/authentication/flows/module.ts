import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createOpenSession } from '../../tokens/sessions/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { createDeviceTokens } from './device-tokens.ts';
import { bindFlowRoutes } from './routes.ts';
import { Flows } from './service.ts';

export const flowsModule = defineModule<{ readonly flows: Flows }>('flows', (core, use) => {
  const { gate, clock, masterKeys } = core;
  const sessions = { ...core, ...use(signingKeysModule), ...use(statusListsModule) };
  const flows = new Flows({
    gate,
    clock,
    openSession: createOpenSession(sessions),
    deviceTokens: createDeviceTokens(masterKeys),
  });
  return {
    offer: { flows },
    routes: (router) => bindFlowRoutes(router, gate, clock, flows),
    sweeps: [expiring('login_flows', 'expires_at', DAY_SECONDS)],
  };
});
