import { AppError } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { TextLocale } from '@keywright/contract/locale';
import type { BodyOf } from '@keywright/contract/route';
import { login as loginRoute } from '@keywright/contract/routes/auth';
import type { submitStep } from '@keywright/contract/routes/authorize';
import { confirmEnrolledTotp, enrollTotp } from '@keywright/contract/routes/flow-enrollment';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { proveCode, proveLink, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { startFlow, provePassword } from '@keywright/contract/routes/login-flows';
import {
  enrollPasskey,
  provePasskey,
  startPasskey,
  offerEnrolledPasskey,
} from '@keywright/contract/routes/passkeys';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Device } from '../../../tenancy/caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { UpstreamLoginService } from '../../authentication/upstream-logins/index.ts';
import {
  providerRedirectView,
  newPasskeyView,
  passkeyView,
  qrOf,
  totpView,
} from '../../branding/views/index.ts';
import { captorOf } from '../../identity/users/index.ts';
import { hasPrompt, weakestOf } from './authorization-decision.ts';
import {
  type Interaction,
  type InteractionFlow,
  type Interactions,
  type PageRequest,
  providerReturnUrl,
  withInteraction,
} from './interaction.ts';

/** The fields of a form. */
export type StepFields = BodyOf<typeof submitStep>;

/** A submitted step of a login. */
interface StepCall {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly fields: StepFields;
  /** The device. Its session cookie gets a value when the login is complete. */
  readonly device: Device;
  /** The language of messages; undefined for the tenant's language. */
  readonly locale: TextLocale | undefined;
}

/** The result of a step. The login is complete when the session cookie of the device has a value. */
export interface StepResult {
  readonly interaction: Interaction;
  /** The device token, if the login is complete. */
  readonly deviceToken?: string | undefined;
  /** Recovery codes, shown only once. */
  readonly codes?: readonly string[];
  /** A message was sent, and its link leads back to this page. */
  readonly isSent?: true;
  /** An error after which the flow is reused for another attempt. */
  readonly refused?: AppError;
}

type Step = (call: StepCall) => Promise<StepResult>;
type FlowOptions = Partial<BodyOf<typeof startFlow>>;

/** The steps of a login by the name of their button. Each step calls the corresponding API route. */
export class LoginSteps {
  readonly #perform: Router['perform'];
  readonly #steps: Readonly<Record<string, Step>> = {
    login: (call) => this.#retryWithNewFlow(call, (retried) => this.#login(retried)),
    register: (call) => this.#register(call),
    send_code: (call) => this.#startWithMessage(call, {}),
    send_recovery: (call) => this.#startWithMessage(call, { purpose: 'recovery' }),
    send_registration: (call) => this.#startWithMessage(call, registrationOf(call)),
    send: (call) => this.#sendAgain(call),
    password: (call) => this.#provePassword(call),
    code: (call) => this.#proveCode(call),
    link: (call) => this.#proveLink(call),
    new_password: (call) => this.#setNewPassword(call),
    totp: (call) => this.#proveTotp(call),
    recovery_code: (call) => this.#proveRecoveryCode(call),
    confirm_totp: (call) => this.#confirmTotp(call),
    confirm_passkey: (call) => this.#confirmPasskey(call),
    prove_passkey: (call) => this.#provePasskey(call),
  };

  constructor(perform: Router['perform']) {
    this.#perform = perform;
  }

  /** @returns undefined if the button is not a step */
  find(button: string): Step | undefined {
    return Object.hasOwn(this.#steps, button) ? this.#steps[button] : undefined;
  }

  /** Starts a login without an identifier, for a passkey or a provider that identifies the user. */
  async startForAnyUser(call: StepCall): Promise<InteractionFlow> {
    return { ...(await this.#start(call, { register: true })), providerUsers: 'any' };
  }

  async #login(call: StepCall): Promise<StepResult> {
    const { tenant, interaction, fields } = call;
    const isCaptured = isCapturedIdentifier(tenant, fields.identifier);
    // An unknown user is registered if the tenant allows it.
    const started = await this.#startOrReuse(call, isCaptured ? { register: true } : {});
    const flow = isCaptured ? ({ ...started, providerUsers: 'named' } as const) : started;
    // Only the provider should receive the password of a user whose domain it captured.
    if (isCaptured || !fields.secret) return { interaction: withFlow(interaction, flow) };
    return this.#firstProof(call, started, (unfailed) =>
      this.#provePassword({ ...call, interaction: withFlow(unfailed, flow) }),
    );
  }

  /** Registers a user with a password, where no message can be sent. */
  async #register({ tenant, device, interaction, fields }: StepCall): Promise<StepResult> {
    const { identifier = '', secret = '' } = fields;
    const body = { identifier, secret, ...registrationOf({ fields }) };
    try {
      const answer = await this.#perform(loginRoute, { tenant, device, params: {}, body });
      return proven({ interaction }, answer);
    } catch (error) {
      // The password is not enough, so a flow continues the login.
      const offered = error instanceof AppError ? error.options.flow : undefined;
      if (!offered?.flow_token) throw error;
      return {
        interaction: { ...interaction, flow: { id: offered.id, token: offered.flow_token } },
      };
    }
  }

  /** Starts a flow whose first step is a message. */
  #startWithMessage(call: StepCall, options: FlowOptions): Promise<StepResult> {
    return this.#retryWithNewFlow(call, async (retried) => {
      const started = await this.#startOrReuse(retried, options);
      return this.#firstProof(retried, started, async (interaction) => ({
        interaction: { ...interaction, flow: await this.#send(retried, started) },
        isSent: true,
      }));
    });
  }

  async #sendAgain(call: StepCall): Promise<StepResult> {
    const { flow } = call.interaction;
    if (!flow) throw new AppError('FLOW_ENDED');
    const interaction = { ...call.interaction, flow: await this.#send(call, flow) };
    return { interaction, isSent: true };
  }

  async #send({ tenant, device }: StepCall, flow: InteractionFlow): Promise<InteractionFlow> {
    const { sent_to: sentTo } = await this.#perform(sendFlowMessage, {
      tenant,
      device,
      params: { flow_id: flow.id },
      body: { flow_token: flow.token },
    });
    return { ...flow, sentTo };
  }

  async #provePassword(call: StepCall): Promise<StepResult> {
    const { token, secret, ...target } = flowCall(call);
    const body = { flow_token: token, secret };
    return proven(call, await this.#perform(provePassword, { ...target, body }));
  }

  async #proveCode(call: StepCall): Promise<StepResult> {
    const { token, code, ...target } = flowCall(call);
    const body = { flow_token: token, code };
    return proven(call, await this.#perform(proveCode, { ...target, body }));
  }

  async #proveLink(call: StepCall): Promise<StepResult> {
    const { token, ...target } = flowCall(call);
    const body = { flow_token: token, link_token: call.fields.link_token ?? '' };
    return proven(call, await this.#perform(proveLink, { ...target, body }));
  }

  async #setNewPassword(call: StepCall): Promise<StepResult> {
    const { token, secret, ...target } = flowCall(call);
    const body = { flow_token: token, secret };
    return proven(call, await this.#perform(setNewPassword, { ...target, body }));
  }

  async #proveTotp(call: StepCall): Promise<StepResult> {
    const { token, code, ...target } = flowCall(call);
    const body = { flow_token: token, code };
    return proven(call, await this.#perform(proveTotp, { ...target, body }));
  }

  async #proveRecoveryCode(call: StepCall): Promise<StepResult> {
    const { token, code, ...target } = flowCall(call);
    const body = { flow_token: token, code };
    const answer = await this.#perform(proveRecoveryCode, { ...target, body });
    return { ...proven(call, answer), codes: [answer.recovery_code] };
  }

  async #confirmTotp(call: StepCall): Promise<StepResult> {
    const { token, code, ...target } = flowCall(call);
    const body = { flow_token: token, code };
    const answer = await this.#perform(confirmEnrolledTotp, { ...target, body });
    return { ...proven(call, answer), codes: answer.recovery_codes };
  }

  async #confirmPasskey(call: StepCall): Promise<StepResult> {
    const { token, ...target } = flowCall(call);
    const credential = credentialIn<BodyOf<typeof enrollPasskey>['credential']>(call);
    const body = { flow_token: token, credential };
    const answer = await this.#perform(enrollPasskey, { ...target, body });
    const { recovery_codes: codes } = answer;
    return { ...proven(call, answer), ...(codes && { codes }) };
  }

  async #provePasskey(call: StepCall): Promise<StepResult> {
    const { token, ...target } = flowCall(call);
    const credential = credentialIn<BodyOf<typeof provePasskey>['credential']>(call);
    const body = { flow_token: token, credential };
    return proven(call, await this.#perform(provePasskey, { ...target, body }));
  }

  /** Starts a flow that can meet the client's requirements. */
  async #start(
    { tenant, device, interaction, locale }: StepCall,
    options: FlowOptions,
  ): Promise<InteractionFlow> {
    const acr = weakestOf(interaction.request.acrValues);
    const body = { ...options, ...(acr && { acr }), ...(locale && { locale }) };
    const { flow, flow_token } = await this.#perform(startFlow, {
      tenant,
      device,
      params: {},
      body,
    });
    const { identifier } = options;
    return { id: flow.id, token: flow_token, ...(identifier !== undefined && { identifier }) };
  }

  /** Reuses a failed flow: users mistype, and each new flow of an address could end its oldest one. */
  async #startOrReuse(call: StepCall, options: FlowOptions): Promise<InteractionFlow> {
    const { failedFlow } = call.interaction;
    if (failedFlow && failedFlow.startedWith === startedWith(call)) {
      const { startedWith: _startedWith, ...flow } = failedFlow;
      return flow;
    }
    const { identifier } = call.fields;
    return this.#start(call, { ...options, ...(identifier && { identifier }) });
  }

  /** Makes the first proof of a flow. If it fails, the flow can be reused. */
  async #firstProof(
    call: StepCall,
    flow: InteractionFlow,
    prove: (interaction: Interaction) => Promise<StepResult>,
  ): Promise<StepResult> {
    const { failedFlow: _failedFlow, ...interaction } = call.interaction;
    try {
      return await prove(interaction);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const hasEnded = error.code === 'FLOW_ENDED' || error.code === 'STEP_NOT_NEEDED';
      const failedFlow = { ...flow, startedWith: startedWith(call) };
      return {
        interaction: hasEnded ? interaction : { ...interaction, failedFlow },
        refused: error,
      };
    }
  }

  /** Repeats the step with a new flow if the reused flow has ended. */
  async #retryWithNewFlow(call: StepCall, step: Step): Promise<StepResult> {
    const result = await step(call);
    const { failedFlow, ...interaction } = call.interaction;
    const hasEnded = failedFlow !== undefined && result.refused?.code === 'FLOW_ENDED';
    return hasEnded ? step({ ...call, interaction }) : result;
  }
}

function registrationOf({ fields: { name } }: Pick<StepCall, 'fields'>) {
  return { register: true, name: name?.trim() || null };
}

function startedWith({ fields: { action, identifier = '', name = '' } }: StepCall): string {
  return `${action} ${identifier} ${name}`;
}

function withFlow(
  { failedFlow: _failedFlow, ...interaction }: Interaction,
  flow: InteractionFlow,
): Interaction {
  return { ...interaction, flow };
}

/** Whether users with this identifier log in only at an identity provider. */
function isCapturedIdentifier(tenant: Tenant, text = ''): boolean {
  const parsed = parseIdentifier(text);
  return parsed !== undefined && captorOf(tenant, parsed.identifier) !== undefined;
}

/** The result of a proof. The response contains a device token if the login is complete. */
export function proven(
  { interaction }: Pick<StepCall, 'interaction'>,
  { device_token: deviceToken }: { readonly device_token?: string },
): StepResult {
  return { interaction, deviceToken };
}

/** The common arguments of calls for a flow. @throws AppError FLOW_ENDED if no flow was started */
function flowCall({ interaction: { flow }, tenant, device, fields }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  const { secret = '', code: typed = '' } = fields;
  // Users type spaces between the digits of a code.
  const code = typed.replaceAll(/\s/g, '');
  return { tenant, device, params: { flow_id: flow.id }, token: flow.token, secret, code };
}

/** The response of the browser's authenticator. The route validates its format. */
function credentialIn<Credential>({ fields: { credential = '' } }: StepCall): Credential {
  try {
    return JSON.parse(credential) as Credential;
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}

/** Pages that a button opens, to show something that the user needs for a proof. */
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

  /** @returns undefined if the button does not open such a page */
  async open(call: StepCall, page: PageRequest): Promise<Html | undefined> {
    const { action } = call.fields;
    if (action === 'passkey') return this.#passkey(call, page);
    if (action === 'provider') return this.#provider(call, page);
    if (action === 'enroll') return this.#newTotp(call, page);
    if (action === 'enroll_passkey') return this.#newPasskey(call, page);
    return undefined;
  }

  async #passkey(call: StepCall, page: PageRequest): Promise<Html> {
    const flow = call.interaction.flow ?? (await this.#steps.startForAnyUser(call));
    const interaction = { ...call.interaction, flow };
    const { options } = await this.#perform(startPasskey, flowRequest({ ...call, interaction }));
    const request = await this.#interactions.sealFor(page, interaction);
    return passkeyView({ ...withInteraction(page, request), options });
  }

  async #newPasskey(call: StepCall, { request, token, look }: PageRequest): Promise<Html> {
    const { options } = await this.#perform(offerEnrolledPasskey, flowRequest(call));
    return newPasskeyView({ request, token, look, options });
  }

  /** Shows a key that is derived from the flow, so it is the same when the page is shown again. */
  async #newTotp(call: StepCall, { request, token, look }: PageRequest): Promise<Html> {
    const { secret: key, uri } = await this.#perform(enrollTotp, flowRequest(call));
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
    const url = await this.#upstreamLogins.startOnPage(tenant, {
      flow,
      provider: flow.provider,
      page: providerReturnUrl(tenant, sealed),
      // An earlier login at the provider does not meet the client's requirements.
      needsLogin: hasPrompt(request, 'login') || request.maxAge !== undefined,
    });
    return providerRedirectView(url, page.look.texts);
  }
}

/** @throws AppError FLOW_ENDED if no flow was started */
function flowRequest({ tenant, device, interaction: { flow } }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  return { tenant, device, params: { flow_id: flow.id }, body: { flow_token: flow.token } };
}
