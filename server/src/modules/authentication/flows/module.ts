import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { type Challenges, createChallenges } from './challenge-service.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createDeviceTokens, type DeviceTokens } from './device-tokens.ts';
import { createTellOfDevice, type TellOfDevice } from './new-device.ts';
import { bindFlowRoutes } from './routes.ts';
import { Flows } from './service.ts';

interface Offer {
  readonly challenges: Challenges;
  readonly flows: Flows;
  readonly deviceTokens: DeviceTokens;
  readonly tellOfDevice: TellOfDevice;
}

export const flowsModule = defineModule<Offer>('flows', (core, use) => {
  const { gate, clock, masterKeys } = core;
  const { sessions } = use(sessionsModule);
  const deviceTokens = createDeviceTokens(masterKeys);
  const { notify } = use(messagesModule);
  const challenges = createChallenges({ ...core, ...use(messagesModule) });
  const tellOfDevice = createTellOfDevice(gate, notify);
  const flows = new Flows({
    gate,
    clock,
    ...use(journalModule),
    sessions,
    deviceTokens,
    tellOfDevice,
    notify,
  });
  return {
    offer: { challenges, flows, deviceTokens, tellOfDevice },
    routes: (router) => bindFlowRoutes(router, { ...core, challenges, flows, deviceTokens }),
    sweeps: [
      expiring('login_flows', 'expires_at', DAY_SECONDS),
      expiring('challenges', 'expires_at', 3600),
    ],
  };
});
