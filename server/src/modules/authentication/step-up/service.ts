import type { OfferStepUp } from '../../tokens/sessions/index.ts';
import type { Flows } from '../flows/index.ts';

/** Rejects a refresh with the flow after which its session goes on. */
export function createOfferStepUp(flows: Flows): OfferStepUp {
  return async (tenant, { sessionId, identifier, acr }, fail) => {
    const request = { purpose: 'step_up', identifier, workspaceId: undefined } as const;
    const { flow, flow_token } = await flows.begin(tenant, { ...request, stepsUp: sessionId, acr });
    return fail('STEP_UP_REQUIRED', { stepUp: { acr }, flow: { ...flow, flow_token } });
  };
}
