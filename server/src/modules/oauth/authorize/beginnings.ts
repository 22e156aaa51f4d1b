import { AppError } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import { login as loginRoute } from '@keywright/contract/routes/auth';
import { sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { captorOf } from '../../identity/users/index.ts';
import type { Interaction, OwnFlow } from './interaction.ts';
import { anew, beginOrResume, keeping, type Wanted } from './own-flows.ts';
import { type Proofs, proven } from './proofs.ts';
import type { Step, StepCall, Stepped } from './step-call.ts';

/** The first steps of a login, by the name of their button. */
export function createBeginnings(perform: Router['perform'], { password }: Proofs) {
  async function send({ tenant, device }: StepCall, flow: OwnFlow): Promise<OwnFlow> {
    const given = { params: { flow_id: flow.id }, body: { flow_token: flow.token } };
    const { sent_to: sentTo } = await perform(sendFlowMessage, { tenant, device, ...given });
    return { ...flow, sentTo };
  }

  /** A flow whose first step is a message. */
  const byMessage = (wanted: Wanted): Step =>
    anew(async (call) => {
      const begun = await beginOrResume(perform, call, wanted);
      return keeping(call, begun, async (interaction) => ({
        interaction: { ...interaction, flow: await send(call, begun) },
        isSent: true,
      }));
    });

  return {
    login: anew(async (call) => {
      const { tenant, interaction, fields } = call;
      const isCaptured = isOfProvider(tenant, fields.identifier);
      // An unknown identity becomes a user, if the tenant allows registration.
      const wanted = isCaptured ? { register: true } : {};
      const begun = await beginOrResume(perform, call, wanted);
      const flow: OwnFlow = isCaptured ? { ...begun, providerOf: 'one' } : begun;
      // Only the provider should see a password.
      if (isCaptured || !fields.secret) return { interaction: onlyWith(interaction, flow) };
      return keeping(call, begun, (held) =>
        password({ ...call, interaction: onlyWith(held, flow) }),
      );
    }),
    register: createRegister(perform),
    send_code: byMessage({}),
    send_recovery: byMessage({ purpose: 'recovery' }),
    send_registration: byMessage({ register: true }),
    async send(call: StepCall): Promise<Stepped> {
      const { flow } = call.interaction;
      if (!flow) throw new AppError('FLOW_ENDED');
      const interaction = { ...call.interaction, flow: await send(call, flow) };
      return { interaction, isSent: true };
    },
  } satisfies Record<string, Step>;
}

function onlyWith({ held: _held, ...interaction }: Interaction, flow: OwnFlow): Interaction {
  return { ...interaction, flow };
}

function isOfProvider(tenant: Tenant, text = ''): boolean {
  const parsed = parseIdentifier(text);
  return parsed !== undefined && captorOf(tenant, parsed.identifier) !== undefined;
}

/** Registration with a password, if no message can be sent. */
function createRegister(perform: Router['perform']): Step {
  return async ({ tenant, device, interaction, fields }) => {
    const { identifier = '', secret = '' } = fields;
    const body = { identifier, secret, register: true };
    try {
      return proven(
        { interaction },
        await perform(loginRoute, { tenant, device, params: {}, body }),
      );
    } catch (error) {
      // The password is not enough.
      const offered = error instanceof AppError ? error.options.flow : undefined;
      if (!offered?.flow_token) throw error;
      const flow = { id: offered.id, token: offered.flow_token };
      return { interaction: { ...interaction, flow } };
    }
  };
}
