import {
  startFlow,
  cancelFlow,
  getFlow,
  repeatTokens,
} from '@keywright/contract/routes/login-flows';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { journalModule } from '../../events/journal/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { Challenges } from './challenge-service.ts';
import { FlowCompletion } from './flow-completion.ts';
import { FlowInvitations } from './flow-invitations.ts';
import { Flows } from './flow-service.ts';
import { FlowStart } from './flow-start.ts';
import { DeviceTokens, NewDevices } from './known-devices.ts';

const TOKEN_HEADER = 'x-flow-token';

export const flowsModule = defineModule('flows', (core, use) => {
  const { notes } = use(journalModule);
  const { queue, limits, notices } = use(messagesModule);
  const { sessions } = use(sessionsModule);
  const deviceTokens = new DeviceTokens(core.masterKeys);
  const newDevices = new NewDevices(core.gate, notices);
  const invitations = new FlowInvitations(core, notes);
  const challenges = new Challenges(core, queue, limits);
  const completion = new FlowCompletion(
    core,
    notices,
    sessions,
    deviceTokens,
    newDevices,
    invitations,
  );
  const flows = new Flows(core, deviceTokens, invitations, completion);
  const start = new FlowStart(core, flows, challenges, invitations, deviceTokens);
  return {
    offer: { challenges, flows, deviceTokens, newDevices, flowInvitations: invitations },
    routes(router) {
      router.add(startFlow, start.start);
      router.add(getFlow, async ({ tenant, params, headers }, fail) => {
        const header = headers[TOKEN_HEADER];
        const token = typeof header === 'string' ? header : undefined;
        return { flow: await flows.read(tenant, params.flow_id, token, fail) };
      });
      router.add(repeatTokens, ({ tenant, params, body }, fail) =>
        flows.repeatTokens(tenant, params.flow_id, body.flow_token, fail),
      );
      router.add(cancelFlow, async ({ tenant, params, body }, fail) => ({
        flow: await flows.cancel(tenant, params.flow_id, body.flow_token, fail),
      }));
    },
    sweeps: [
      expiring('login_flows', 'expires_at', DAY_SECONDS),
      expiring('challenges', 'expires_at', 3600),
    ],
  };
});
