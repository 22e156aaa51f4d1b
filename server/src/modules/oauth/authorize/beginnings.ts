import { AppError } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { login as loginRoute } from '@keywright/contract/routes/auth';
import { sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { beginFlow } from '@keywright/contract/routes/login-flows';
import type { Router } from '../../../tenancy/router.ts';
import { weakestOf } from './demands.ts';
import type { OwnFlow } from './interaction.ts';
import type { Proofs } from './proofs.ts';
import type { Step, StepCall, Stepped } from './step-call.ts';

type Wanted = Partial<BodyOf<typeof beginFlow>>;

/** The steps with which a login begins, by the name of their button. */
export function createBeginnings(perform: Router['perform'], { password }: Proofs) {
  async function send({ tenant, device }: StepCall, flow: OwnFlow): Promise<OwnFlow> {
    const given = { params: { flow_id: flow.id }, body: { flow_token: flow.token } };
    const { sent_to: sentTo } = await perform(sendFlowMessage, { tenant, device, ...given });
    return { ...flow, sentTo };
  }

  /** A flow whose first step is a message. */
  const byMessage =
    (wanted: Wanted): Step =>
    async (call) => {
      const { identifier } = call.fields;
      const given = { ...wanted, ...(identifier && { identifier }) };
      const flow = await send(call, await begin(perform, call, given));
      return { interaction: { ...call.interaction, flow } };
    };

  return {
    async login(call: StepCall): Promise<Stepped> {
      const { identifier, secret } = call.fields;
      const flow = await begin(perform, call, identifier ? { identifier } : {});
      const interaction = { ...call.interaction, flow };
      return secret ? password({ ...call, interaction }) : { interaction };
    },
    register: createRegister(perform),
    send_code: byMessage({}),
    send_recovery: byMessage({ purpose: 'recovery' }),
    send_registration: byMessage({ register: true }),
    async send(call: StepCall): Promise<Stepped> {
      const { flow } = call.interaction;
      if (!flow) throw new AppError('FLOW_ENDED');
      return { interaction: { ...call.interaction, flow: await send(call, flow) } };
    },
  } satisfies Record<string, Step>;
}

/** A login that can lead to what the application demands. */
export async function begin(
  perform: Router['perform'],
  { tenant, device, interaction }: Omit<StepCall, 'fields'>,
  wanted: Wanted,
): Promise<OwnFlow> {
  const acr = weakestOf(interaction.request.acrValues);
  const body = { ...wanted, ...(acr && { acr }) };
  const { flow, flow_token } = await perform(beginFlow, { tenant, device, params: {}, body });
  return { id: flow.id, token: flow_token };
}

/** Registration with a password, where no message can be sent. */
function createRegister(perform: Router['perform']): Step {
  return async ({ tenant, device, interaction, fields }) => {
    const { identifier = '', secret = '' } = fields;
    const body = { identifier, secret, register: true };
    try {
      await perform(loginRoute, { tenant, device, params: {}, body });
      return { interaction };
    } catch (error) {
      // More than the password is needed.
      const offered = error instanceof AppError ? error.options.flow : undefined;
      if (!offered?.flow_token) throw error;
      const flow = { id: offered.id, token: offered.flow_token };
      return { interaction: { ...interaction, flow } };
    }
  };
}
