import { AppError } from '@keywright/contract/errors';
import { enrolTotp } from '@keywright/contract/routes/flow-enrolment';
import { beginPasskey } from '@keywright/contract/routes/passkeys';
import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Router } from '../../../tenancy/router.ts';
import { passkeyView, totpView } from '../../pages/hosted/index.ts';
import { begin } from './beginnings.ts';
import type { Interactions } from './interaction.ts';
import type { Visit } from './visit.ts';
import type { StepCall } from './step-call.ts';

/** The pages that show something for a proof: undefined if the button is none of theirs. */
export type FactorPages = (call: StepCall, visit: Visit) => Promise<Html | undefined>;

interface Dependencies {
  readonly clock: Clock;
  readonly interactions: Interactions;
  readonly perform: Router['perform'];
}

export function createFactorPages({ clock, interactions, perform }: Dependencies): FactorPages {
  return async (call, visit) => {
    if (call.fields.action === 'passkey') return passkeyPage(call, visit);
    if (call.fields.action === 'enrol') return totpPage(call, visit);
    return undefined;
  };

  async function passkeyPage(call: StepCall, visit: Visit): Promise<Html> {
    const { tenant, interaction, device } = call;
    // Without an identifier: the passkey tells whose login it is.
    const flow = interaction.flow ?? (await begin(perform, call, {}));
    const given = {
      tenant,
      device,
      params: { flow_id: flow.id },
      body: { flow_token: flow.token },
    };
    const { options } = await perform(beginPasskey, given);
    const next = { ...interaction, flow };
    const { flow: cookie = '' } = visit.cookies;
    const request = await interactions.seal(tenant.id, cookie, next, clock.now());
    return passkeyView({ request, token: visit.token, options });
  }

  /** The key is derived from the flow: shown again, it is the same. */
  async function totpPage({ tenant, device, interaction }: StepCall, visit: Visit): Promise<Html> {
    const { flow } = interaction;
    if (!flow) throw new AppError('FLOW_ENDED');
    const given = {
      tenant,
      device,
      params: { flow_id: flow.id },
      body: { flow_token: flow.token },
    };
    const { secret: key, uri } = await perform(enrolTotp, given);
    return totpView({ request: visit.request, token: visit.token, key, uri });
  }
}
