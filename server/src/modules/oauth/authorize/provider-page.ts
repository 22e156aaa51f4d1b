import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { BeginOnPage } from '../../authentication/upstream-logins/index.ts';
import { goView } from '../../branding/views/index.ts';
import { returnedAddress } from './addresses.ts';
import type { Interactions } from './interaction.ts';
import { beginForAnybody } from './own-flows.ts';
import { hasPrompt } from './rules.ts';
import type { StepCall } from './step-call.ts';
import { type Visit, sealFor } from './visit.ts';

export interface ProviderPageDependencies {
  readonly clock: Clock;
  readonly interactions: Interactions;
  readonly perform: Router['perform'];
  readonly beginOnPage: BeginOnPage;
}

/** Sends the browser to a provider. If an address was typed, only an identity of its user is accepted. */
export async function providerPage(
  dependencies: ProviderPageDependencies,
  call: StepCall,
  visit: Visit,
): Promise<Html> {
  const { perform, beginOnPage } = dependencies;
  const { tenant, interaction, fields } = call;
  const { flow: own, request } = interaction;
  const begun = own?.providerOf ? own : await beginForAnybody(perform, call);
  const flow = { ...begun, provider: fields.provider ?? '' };
  const sealed = await sealFor(dependencies, visit, { ...interaction, flow });
  const address = await beginOnPage(tenant, {
    flow,
    provider: flow.provider,
    page: returnedAddress(tenant, sealed),
    // An old login there does not meet the client's request.
    asksLogin: hasPrompt(request, 'login') || request.maxAge !== undefined,
  });
  return goView(address, visit.look.texts);
}
