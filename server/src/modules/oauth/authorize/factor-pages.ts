import { AppError } from '@keywright/contract/errors';
import { enrolTotp } from '@keywright/contract/routes/flow-enrolment';
import { beginPasskey, offerEnrolledPasskey } from '@keywright/contract/routes/passkeys';
import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { UpstreamLoginService } from '../../authentication/upstream-logins/index.ts';
import { newPasskeyView, passkeyView, qrOf, totpView, goView } from '../../branding/views/index.ts';
import {
  carrying,
  type Visit,
  sealFor,
  returnedAddress,
  type Interactions,
} from './interaction.ts';
import { beginForAnybody, type StepCall } from './login-steps.ts';
import { hasPrompt } from './request-parameters.ts';

/** The pages that show something for a proof. Undefined: the button is for another page. */
export type FactorPages = (call: StepCall, visit: Visit) => Promise<Html | undefined>;

export function createFactorPages(dependencies: ProviderPageDependencies): FactorPages {
  const { perform } = dependencies;
  return async (call, visit) => {
    if (call.fields.action === 'passkey') return passkeyPage(call, visit);
    if (call.fields.action === 'provider') return providerPage(dependencies, call, visit);
    if (call.fields.action === 'enrol') return totpPage(call, visit);
    if (call.fields.action === 'enrol_passkey') return newPasskeyPage(call, visit);
    return undefined;
  };

  async function passkeyPage(call: StepCall, visit: Visit): Promise<Html> {
    const { interaction } = call;
    const flow = interaction.flow ?? (await beginForAnybody(perform, call));
    const next = { ...interaction, flow };
    const { options } = await perform(beginPasskey, begunIn({ ...call, interaction: next }));
    const request = await sealFor(dependencies, visit, next);
    return passkeyView({ ...carrying(visit, request), options });
  }

  async function newPasskeyPage(call: StepCall, { request, token, look }: Visit): Promise<Html> {
    const { options } = await perform(offerEnrolledPasskey, begunIn(call));
    return newPasskeyView({ request, token, look, options });
  }

  /** The key is derived from the flow, so it is the same when it is shown again. */
  async function totpPage(call: StepCall, { request, token, look }: Visit): Promise<Html> {
    const { secret: key, uri } = await perform(enrolTotp, begunIn(call));
    const qr = await qrOf(uri, look.texts.text('totp.qr'));
    return totpView({ request, token, look, key, uri, qr });
  }
}

/** @throws AppError FLOW_ENDED if none was started */
function begunIn({ tenant, device, interaction: { flow } }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  return { tenant, device, params: { flow_id: flow.id }, body: { flow_token: flow.token } };
}

interface ProviderPageDependencies {
  readonly clock: Clock;
  readonly interactions: Interactions;
  readonly perform: Router['perform'];
  readonly upstreamLogins: UpstreamLoginService;
}

/** Sends the browser to a provider. If an address was typed, only an identity of its user is accepted. */
async function providerPage(
  dependencies: ProviderPageDependencies,
  call: StepCall,
  visit: Visit,
): Promise<Html> {
  const { perform, upstreamLogins } = dependencies;
  const { tenant, interaction, fields } = call;
  const { flow: own, request } = interaction;
  const begun = own?.providerOf ? own : await beginForAnybody(perform, call);
  const flow = { ...begun, provider: fields.provider ?? '' };
  const sealed = await sealFor(dependencies, visit, { ...interaction, flow });
  const address = await upstreamLogins.beginOnPage(tenant, {
    flow,
    provider: flow.provider,
    page: returnedAddress(tenant, sealed),
    // An old login there does not meet the client's request.
    asksLogin: hasPrompt(request, 'login') || request.maxAge !== undefined,
  });
  return goView(address, visit.look.texts);
}
