import { AppError } from '@keywright/contract/errors';
import { enrolTotp } from '@keywright/contract/routes/flow-enrolment';
import { beginPasskey } from '@keywright/contract/routes/passkeys';
import type { Html } from '../../../platform/http/pages/html.ts';
import { passkeyView, totpView } from '../../pages/hosted/index.ts';
import { beginForAnybody } from './own-flows.ts';
import { sealFor } from './onward.ts';
import { providerPage, type ProviderPageDependencies } from './provider-page.ts';
import type { Visit } from './visit.ts';
import type { StepCall } from './step-call.ts';

/** The pages that show something for a proof: undefined if the button is none of theirs. */
export type FactorPages = (call: StepCall, visit: Visit) => Promise<Html | undefined>;

export function createFactorPages(dependencies: ProviderPageDependencies): FactorPages {
  const { perform } = dependencies;
  return async (call, visit) => {
    if (call.fields.action === 'passkey') return passkeyPage(call, visit);
    if (call.fields.action === 'provider') return providerPage(dependencies, call, visit);
    if (call.fields.action === 'enrol') return totpPage(call, visit);
    return undefined;
  };

  async function passkeyPage(call: StepCall, visit: Visit): Promise<Html> {
    const { tenant, interaction, device } = call;
    const flow = interaction.flow ?? (await beginForAnybody(perform, call));
    const given = {
      tenant,
      device,
      params: { flow_id: flow.id },
      body: { flow_token: flow.token },
    };
    const { options } = await perform(beginPasskey, given);
    const next = { ...interaction, flow };
    const request = await sealFor(dependencies, visit, next);
    return passkeyView({ request, token: visit.token, look: visit.look, options });
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
    const { request, token, look } = visit;
    return totpView({ request, token, look, key, uri });
  }
}
