import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import {
  createOpenFirstSession,
  createOpenSession,
  createStepUp,
  createTokensOf,
  sessionsModule,
} from '../../tokens/sessions/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { challengesModule } from '../challenges/index.ts';
import { journalModule } from '../../events/journal/index.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { createDeviceTokens, type DeviceTokens } from './device-tokens.ts';
import { createTellOfDevice, type TellOfDevice } from './new-device.ts';
import { bindFlowRoutes } from './routes.ts';
import { Flows } from './service.ts';

interface Offer {
  readonly flows: Flows;
  readonly deviceTokens: DeviceTokens;
  readonly tellOfDevice: TellOfDevice;
}

export const flowsModule = defineModule<Offer>('flows', (core, use) => {
  const { gate, clock, masterKeys } = core;
  const sessions = {
    ...core,
    ...use(sessionsModule),
    ...use(signingKeysModule),
    ...use(statusListsModule),
  };
  const deviceTokens = createDeviceTokens(masterKeys);
  const { notify } = use(messagesModule);
  const tellOfDevice = createTellOfDevice(gate, notify);
  const flows = new Flows({
    gate,
    clock,
    ...use(journalModule),
    openSession: createOpenSession(sessions),
    openSessionWithin: createOpenFirstSession(sessions),
    stepUp: createStepUp(sessions),
    tokensOf: createTokensOf(sessions),
    deviceTokens,
    tellOfDevice,
    notify,
  });
  return {
    offer: { flows, deviceTokens, tellOfDevice },
    routes: (router) => bindFlowRoutes(router, { ...core, ...use(challengesModule), flows }),
    sweeps: [expiring('login_flows', 'expires_at', DAY_SECONDS)],
  };
});
