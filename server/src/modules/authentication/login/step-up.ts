import { refresh as refreshRoute } from '@keywright/contract/routes/auth';
import { beginStepUp } from '@keywright/contract/routes/step-up';
import { askedIn } from '../../../platform/texts/locales.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { findCapturedAddress } from '../../identity/users/index.ts';
import {
  type OfferStepUp,
  findIdentifierOf,
  type RefreshService,
} from '../../tokens/sessions/index.ts';
import type { Flows } from '../flows/index.ts';

/** Rejects a refresh with the flow after which its session goes on. */
export function createOfferStepUp(flows: Flows): OfferStepUp {
  return async (tenant, { sessionId, identifier, acr }, fail) => {
    const request = { purpose: 'step_up', identifier, workspaceId: undefined } as const;
    const { flow, flow_token } = await flows.begin(tenant, { ...request, stepsUp: sessionId, acr });
    return fail('STEP_UP_REQUIRED', { stepUp: { acr }, flow: { ...flow, flow_token } });
  };
}

interface Dependencies {
  readonly gate: Gate;
  readonly flows: Flows;
  readonly refreshes: RefreshService;
  readonly offerStepUp: OfferStepUp;
}

export function bindStepUpRoutes(
  router: Router,
  { gate, flows, refreshes, offerStepUp }: Dependencies,
): void {
  router.add(refreshRoute, async ({ tenant, body, from }, fail) => {
    const request = { token: body.refresh_token, from, client: null, offerStepUp };
    return (await refreshes.refreshDirect(tenant, request, fail)).answer;
  });

  router.add(beginStepUp, async ({ tenant, caller, body, headers }, fail) => {
    const { subject, sessionId: stepsUp } = caller;
    const data = gate.into(tenant.id);
    const identifier =
      (await findCapturedAddress(data, tenant, subject)) ??
      (await data.transaction((tx) => findIdentifierOf(tx, subject))) ??
      fail('TOKEN_INVALID');
    const request = { purpose: 'step_up', identifier, workspaceId: undefined } as const;
    return flows.begin(tenant, { ...request, stepsUp, acr: body.acr, locale: askedIn(headers) });
  });
}
