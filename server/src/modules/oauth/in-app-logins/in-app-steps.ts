import { fail } from '@keywright/contract/errors';
import {
  IN_APP_STEPS,
  type InAppNeed,
  type Challenge,
} from '@keywright/contract/records/in-app-login';
import type { FlowNeed, LoginFlow } from '@keywright/contract/records/login-flow';
import type { BodyOf } from '@keywright/contract/route';
import {
  type authorizeChallenge,
  CHALLENGE_STEPS,
} from '@keywright/contract/routes/authorize-challenge';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { proveCode, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { provePassword } from '@keywright/contract/routes/login-flows';
import { beginPasskey, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

export type ChallengeBody = BodyOf<typeof authorizeChallenge>;
type StepName = keyof typeof CHALLENGE_STEPS;

/** A step, and what was sent for it. */
export interface SentStep {
  readonly name: StepName;
  readonly value: string;
}

const NAMES = Object.keys(CHALLENGE_STEPS) as StepName[];

/** What a request goes on with. `several`: nothing says which of them was meant to be first. */
export function stepIn(body: ChallengeBody): SentStep | 'several' | undefined {
  const sent = NAMES.flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return sent.length > 1 ? 'several' : sent[0];
}

/** Those of the next steps that an application can draw. Where there are none, only pages lead on. */
export function inAppNeeds(needs: readonly FlowNeed[]): InAppNeed[] {
  return needs.flatMap(({ step: wanted, channels }) => {
    const step = IN_APP_STEPS.find((one) => one === wanted);
    return step ? [{ step, ...(channels && { channels }) }] : [];
  });
}

interface StepCall {
  readonly tenant: Tenant;
  readonly device: Device;
  readonly flow: { readonly id: string; readonly token: string };
  readonly value: string;
  /** Of an earlier login on this device. */
  readonly deviceToken: string | undefined;
}

/** How the flow goes on, and what the application is told beside it. */
export interface Stepped {
  readonly flow: LoginFlow;
  readonly deviceToken?: string | undefined;
  readonly told?: Pick<Challenge, 'sent_to' | 'resend_after' | 'passkey_options' | 'recovery_code'>;
}

type Step = (call: StepCall) => Promise<Stepped>;

/** Each is what the route of a login flow does, with its limits and its record. */
export function createSteps({
  perform,
}: Pick<Router, 'perform'>): Readonly<Record<StepName, Step>> {
  return {
    async password(call) {
      const body = { ...known(call), secret: call.value };
      return proven(await perform(provePassword, { ...at(call), body }));
    },
    async message(call) {
      const channel = call.value as BodyOf<typeof sendFlowMessage>['channel'];
      const body = { flow_token: call.flow.token, ...(channel && { channel }) };
      const { flow, ...told } = await perform(sendFlowMessage, { ...at(call), body });
      return { flow, told };
    },
    async message_code(call) {
      const body = { ...known(call), code: call.value };
      return proven(await perform(proveCode, { ...at(call), body }));
    },
    async totp_code(call) {
      const body = { flow_token: call.flow.token, code: call.value };
      return proven(await perform(proveTotp, { ...at(call), body }));
    },
    async recovery_code(call) {
      const body = { flow_token: call.flow.token, code: call.value };
      const answer = await perform(proveRecoveryCode, { ...at(call), body });
      return { ...proven(answer), told: { recovery_code: answer.recovery_code } };
    },
    async passkey_options(call) {
      const body = { flow_token: call.flow.token };
      const { flow, options } = await perform(beginPasskey, { ...at(call), body });
      return { flow, told: { passkey_options: options } };
    },
    async passkey(call) {
      const body = { ...known(call), credential: credentialIn(call.value) };
      return proven(await perform(provePasskey, { ...at(call), body }));
    },
  };
}

function at({ tenant, device, flow }: StepCall) {
  return { tenant, device, params: { flow_id: flow.id } };
}

function known({ flow, deviceToken }: StepCall) {
  return {
    flow_token: flow.token,
    ...(deviceToken !== undefined && { device_token: deviceToken }),
  };
}

function proven({ flow, device_token: deviceToken }: { flow: LoginFlow; device_token?: string }) {
  return { flow, deviceToken };
}

/** The route checks its form. */
function credentialIn(text: string): BodyOf<typeof provePasskey>['credential'] {
  try {
    return JSON.parse(text) as BodyOf<typeof provePasskey>['credential'];
  } catch {
    return fail('VALIDATION_FAILED', { errors: [{ path: '/passkey', message: 'must be JSON' }] });
  }
}
