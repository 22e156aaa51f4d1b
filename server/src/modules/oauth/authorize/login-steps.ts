import { AppError } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { TextLocale } from '@keywright/contract/locale';
import type { BodyOf } from '@keywright/contract/route';
import { login as loginRoute } from '@keywright/contract/routes/auth';
import type { submitStep } from '@keywright/contract/routes/authorize';
import { confirmEnrolledTotp } from '@keywright/contract/routes/flow-enrolment';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { sendFlowMessage, proveCode, proveLink } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { provePassword, beginFlow } from '@keywright/contract/routes/login-flows';
import { enrolPasskey, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { captorOf } from '../../identity/users/index.ts';
import type { Interaction, OwnFlow } from './interaction.ts';
import { weakestOf } from './request-parameters.ts';

/** The steps of a login, by the name of their button. Each does what the route of that name does. */
export function createSteps({ perform }: Pick<Router, 'perform'>): ReadonlyMap<string, Step> {
  const proofs = createProofs(perform);
  const beginnings = createBeginnings(perform, proofs);
  const all = { ...beginnings, ...proofs, ...createFactorProofs(perform) };
  return new Map(Object.entries(all));
}

/** What was typed into the form of a page. */
export type Fields = BodyOf<typeof submitStep>;

/** A step of a login: what was typed, and on which device, which holds the cookie of the session that it may open. */
export interface StepCall {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly fields: Fields;
  readonly device: Device;
  /** The language of messages; undefined: that of the tenant. */
  readonly locale: TextLocale | undefined;
}

/** How a login continues. It is complete when the cookie of its device has a value. */
export interface Stepped {
  readonly interaction: Interaction;
  /** Of the device, once the login is over. */
  readonly deviceToken?: string | undefined;
  /** Recovery codes, which are shown only once. */
  readonly codes?: readonly string[];
  /** A message was sent, and its link leads back to this page. */
  readonly isSent?: true;
  /** An error after which the flow is kept for another try. */
  readonly refused?: AppError;
}

type Step = (call: StepCall) => Promise<Stepped>;

/** The first steps of a login, by the name of their button. */
function createBeginnings(perform: Router['perform'], { password }: Proofs) {
  async function send({ tenant, device }: StepCall, flow: OwnFlow): Promise<OwnFlow> {
    const given = { params: { flow_id: flow.id }, body: { flow_token: flow.token } };
    const { sent_to: sentTo } = await perform(sendFlowMessage, { tenant, device, ...given });
    return { ...flow, sentTo };
  }

  /** A flow whose first step is a message. */
  const byMessage = (wanted: Wanted): Step =>
    anew(async (call) => {
      const begun = await beginOrResume(perform, call, wanted);
      return keeping(call, begun, async (interaction) => ({
        interaction: { ...interaction, flow: await send(call, begun) },
        isSent: true,
      }));
    });

  return {
    login: anew(async (call) => {
      const { tenant, interaction, fields } = call;
      const isCaptured = isOfProvider(tenant, fields.identifier);
      // An unknown identity becomes a user, if the tenant allows registration.
      const wanted = isCaptured ? { register: true } : {};
      const begun = await beginOrResume(perform, call, wanted);
      const flow: OwnFlow = isCaptured ? { ...begun, providerOf: 'one' } : begun;
      // Only the provider should see a password.
      if (isCaptured || !fields.secret) return { interaction: onlyWith(interaction, flow) };
      return keeping(call, begun, (held) =>
        password({ ...call, interaction: onlyWith(held, flow) }),
      );
    }),
    register: createRegister(perform),
    send_code: byMessage({}),
    send_recovery: byMessage({ purpose: 'recovery' }),
    send_registration: byMessage({ register: true }),
    async send(call: StepCall): Promise<Stepped> {
      const { flow } = call.interaction;
      if (!flow) throw new AppError('FLOW_ENDED');
      const interaction = { ...call.interaction, flow: await send(call, flow) };
      return { interaction, isSent: true };
    },
  } satisfies Record<string, Step>;
}

function onlyWith({ held: _held, ...interaction }: Interaction, flow: OwnFlow): Interaction {
  return { ...interaction, flow };
}

function isOfProvider(tenant: Tenant, text = ''): boolean {
  const parsed = parseIdentifier(text);
  return parsed !== undefined && captorOf(tenant, parsed.identifier) !== undefined;
}

/** Registration with a password, if no message can be sent. */
function createRegister(perform: Router['perform']): Step {
  return async ({ tenant, device, interaction, fields }) => {
    const { identifier = '', secret = '' } = fields;
    const body = { identifier, secret, register: true };
    try {
      return proven(
        { interaction },
        await perform(loginRoute, { tenant, device, params: {}, body }),
      );
    } catch (error) {
      // The password is not enough.
      const offered = error instanceof AppError ? error.options.flow : undefined;
      if (!offered?.flow_token) throw error;
      const flow = { id: offered.id, token: offered.flow_token };
      return { interaction: { ...interaction, flow } };
    }
  };
}

type Proofs = ReturnType<typeof createProofs>;

/** The steps of a login that was started, by the name of their button. */
function createProofs(perform: Router['perform']) {
  return {
    password: async (call) => {
      const { token, secret, ...given } = stepOf(call);
      const body = { flow_token: token, secret };
      return proven(call, await perform(provePassword, { ...given, body }));
    },
    code: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const body = { flow_token: token, code };
      return proven(call, await perform(proveCode, { ...given, body }));
    },
    link: async (call) => {
      const { token, ...given } = stepOf(call);
      const body = { flow_token: token, link_token: call.fields.link_token ?? '' };
      return proven(call, await perform(proveLink, { ...given, body }));
    },
    new_password: async (call) => {
      const { token, secret, ...given } = stepOf(call);
      const body = { flow_token: token, secret };
      return proven(call, await perform(setNewPassword, { ...given, body }));
    },
  } satisfies Record<string, Step>;
}

/** After a proof: its answer has a token of the device if it completes the login. */
export function proven(
  { interaction }: Pick<StepCall, 'interaction'>,
  { device_token: deviceToken }: { readonly device_token?: string },
): Stepped {
  return { interaction, deviceToken };
}

/** @throws AppError FLOW_ENDED if none was started */
function stepOf({ interaction: { flow }, tenant, device, fields }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  const { secret = '', code = '' } = fields;
  // People type spaces between the digits of a code.
  const typed = { secret, code: code.replaceAll(/\s/g, '') };
  return { tenant, device, params: { flow_id: flow.id }, token: flow.token, ...typed };
}

/** The steps of second factors and passkeys, by the name of their button. */
function createFactorProofs(perform: Router['perform']) {
  return {
    totp: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const body = { flow_token: token, code };
      return proven(call, await perform(proveTotp, { ...given, body }));
    },
    recovery_code: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const body = { flow_token: token, code };
      const answer = await perform(proveRecoveryCode, { ...given, body });
      return { ...proven(call, answer), codes: [answer.recovery_code] };
    },
    confirm_totp: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const body = { flow_token: token, code };
      const answer = await perform(confirmEnrolledTotp, { ...given, body });
      return { ...proven(call, answer), codes: answer.recovery_codes };
    },
    confirm_passkey: async (call) => {
      const { token, ...given } = stepOf(call);
      const credential = credentialIn<BodyOf<typeof enrolPasskey>['credential']>(call);
      const body = { flow_token: token, credential };
      const answer = await perform(enrolPasskey, { ...given, body });
      const { recovery_codes: codes } = answer;
      return { ...proven(call, answer), ...(codes && { codes }) };
    },
    prove_passkey: async (call) => {
      const { token, ...given } = stepOf(call);
      const credential = credentialIn<BodyOf<typeof provePasskey>['credential']>(call);
      const body = { flow_token: token, credential };
      return proven(call, await perform(provePasskey, { ...given, body }));
    },
  } satisfies Record<string, Step>;
}

/** The browser's response. The route checks its format. */
function credentialIn<Credential>({ fields: { credential = '' } }: StepCall): Credential {
  try {
    return JSON.parse(credential) as Credential;
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}

type Wanted = Partial<BodyOf<typeof beginFlow>>;

const begunWith = ({ fields: { action, identifier = '' } }: StepCall) => `${action} ${identifier}`;

/** Flows are reused, because people mistype and many new flows of an address end the oldest. */
async function beginOrResume(
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
async function keeping(
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
function anew(step: Step): Step {
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
