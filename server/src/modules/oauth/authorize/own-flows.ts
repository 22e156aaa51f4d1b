import { AppError } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { beginFlow } from '@keywright/contract/routes/login-flows';
import type { Router } from '../../../tenancy/router.ts';
import { weakestOf } from './demands.ts';
import type { Interaction, OwnFlow } from './interaction.ts';
import type { Step, StepCall, Stepped } from './step-call.ts';

export type Wanted = Partial<BodyOf<typeof beginFlow>>;

const begunWith = ({ fields: { action, identifier = '' } }: StepCall) => `${action} ${identifier}`;

/** Flows are reused, because people mistype and many new flows of an address end the oldest. */
export async function beginOrResume(
  perform: Router['perform'],
  call: StepCall,
  wanted: Wanted,
): Promise<OwnFlow> {
  const { held } = call.interaction;
  if (held && held.begunWith === begunWith(call)) {
    const { begunWith: _begunWith, ...flow } = held;
    return flow;
  }
  const { identifier } = call.fields;
  return begin(perform, call, { ...wanted, ...(identifier && { identifier }) });
}

/** A first proof. If it fails, the flow is kept for the next try. */
export async function keeping(
  call: StepCall,
  flow: OwnFlow,
  prove: (interaction: Interaction) => Promise<Stepped>,
): Promise<Stepped> {
  const { held: _held, ...interaction } = call.interaction;
  try {
    return await prove(interaction);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isOver = error.code === 'FLOW_ENDED' || error.code === 'STEP_NOT_NEEDED';
    const held = { ...flow, begunWith: begunWith(call) };
    return { interaction: isOver ? interaction : { ...interaction, held }, refused: error };
  }
}

/** A flow that was kept for too long is replaced by a new one. */
export function anew(step: Step): Step {
  return async (call) => {
    const stepped = await step(call);
    const { held, ...interaction } = call.interaction;
    const isOver = held !== undefined && stepped.refused?.code === 'FLOW_ENDED';
    return isOver ? step({ ...call, interaction }) : stepped;
  };
}

/** A login that can meet the application's requirements. */
async function begin(
  perform: Router['perform'],
  { tenant, device, interaction, locale }: Omit<StepCall, 'fields'>,
  wanted: Wanted,
): Promise<OwnFlow> {
  const acr = weakestOf(interaction.request.acrValues);
  const body = { ...wanted, ...(acr && { acr }), ...(locale && { locale }) };
  const { flow, flow_token } = await perform(beginFlow, { tenant, device, params: {}, body });
  const { identifier } = wanted;
  return { id: flow.id, token: flow_token, ...(identifier !== undefined && { identifier }) };
}

/** Without an identifier: a passkey or a provider identifies the user. */
export async function beginForAnybody(
  perform: Router['perform'],
  call: StepCall,
): Promise<OwnFlow> {
  return { ...(await begin(perform, call, { register: true })), providerOf: 'anybody' };
}
