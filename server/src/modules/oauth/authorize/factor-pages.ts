import { AppError } from '@keywright/contract/errors';
import { enrolTotp } from '@keywright/contract/routes/flow-enrolment';
import { beginPasskey, offerEnrolledPasskey } from '@keywright/contract/routes/passkeys';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { UpstreamLoginService } from '../../authentication/upstream-logins/index.ts';
import { goView, newPasskeyView, passkeyView, qrOf, totpView } from '../../branding/views/index.ts';
import { hasPrompt } from './authorization-request.ts';
import {
  type Interactions,
  type PageRequest,
  providerReturnUrl,
  withInteraction,
} from './interaction.ts';
import type { LoginSteps, StepCall } from './login-steps.ts';

/** Pages that a button opens, and that show something which a proof needs. */
export class FactorPages {
  readonly #perform: Router['perform'];
  readonly #interactions: Interactions;
  readonly #steps: LoginSteps;
  readonly #upstreamLogins: UpstreamLoginService;

  constructor(
    perform: Router['perform'],
    interactions: Interactions,
    steps: LoginSteps,
    upstreamLogins: UpstreamLoginService,
  ) {
    this.#perform = perform;
    this.#interactions = interactions;
    this.#steps = steps;
    this.#upstreamLogins = upstreamLogins;
  }

  /** @returns undefined if the button opens no such page */
  async open(call: StepCall, page: PageRequest): Promise<Html | undefined> {
    const { action } = call.fields;
    if (action === 'passkey') return this.#passkey(call, page);
    if (action === 'provider') return this.#provider(call, page);
    if (action === 'enrol') return this.#newTotp(call, page);
    if (action === 'enrol_passkey') return this.#newPasskey(call, page);
    return undefined;
  }

  async #passkey(call: StepCall, page: PageRequest): Promise<Html> {
    const flow = call.interaction.flow ?? (await this.#steps.startForAnyUser(call));
    const interaction = { ...call.interaction, flow };
    const { options } = await this.#perform(beginPasskey, flowCall({ ...call, interaction }));
    const request = await this.#interactions.sealFor(page, interaction);
    return passkeyView({ ...withInteraction(page, request), options });
  }

  async #newPasskey(call: StepCall, { request, token, look }: PageRequest): Promise<Html> {
    const { options } = await this.#perform(offerEnrolledPasskey, flowCall(call));
    return newPasskeyView({ request, token, look, options });
  }

  /** The key is derived from the flow, so it is the same when the page is shown again. */
  async #newTotp(call: StepCall, { request, token, look }: PageRequest): Promise<Html> {
    const { secret: key, uri } = await this.#perform(enrolTotp, flowCall(call));
    const qr = await qrOf(uri, look.texts.text('totp.qr'));
    return totpView({ request, token, look, key, uri, qr });
  }

  /** Redirects the browser to a provider. If an identifier was typed, only an identity of its user is accepted. */
  async #provider(call: StepCall, page: PageRequest): Promise<Html> {
    const { tenant, interaction, fields } = call;
    const { flow: current, request } = interaction;
    const started = current?.providerUsers ? current : await this.#steps.startForAnyUser(call);
    const flow = { ...started, provider: fields.provider ?? '' };
    const sealed = await this.#interactions.sealFor(page, { ...interaction, flow });
    const url = await this.#upstreamLogins.beginOnPage(tenant, {
      flow,
      provider: flow.provider,
      page: providerReturnUrl(tenant, sealed),
      // An old login at the provider does not meet the client's request.
      asksLogin: hasPrompt(request, 'login') || request.maxAge !== undefined,
    });
    return goView(url, page.look.texts);
  }
}

/** @throws AppError FLOW_ENDED if no flow was started */
function flowCall({ tenant, device, interaction: { flow } }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  return { tenant, device, params: { flow_id: flow.id }, body: { flow_token: flow.token } };
}
