import { fail } from '@keywright/contract/errors';
import {
  type Challenge,
  IN_APP_STEPS,
  type InAppNeed,
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
import { startPasskey, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Device } from '../../../tenancy/caller.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

export type ChallengeBody = BodyOf<typeof authorizeChallenge>;
export type StepName = keyof typeof CHALLENGE_STEPS;

/** A step named by a field of the request body. */
export interface RequestedStep {
  readonly name: StepName;
  readonly value: string;
}

const STEP_NAMES = Object.keys(CHALLENGE_STEPS) as StepName[];

/** @returns the step in a request, if it has one; `several` if it has more than one */
export function stepIn(body: ChallengeBody): RequestedStep | 'several' | undefined {
  const [step, ...others] = STEP_NAMES.flatMap((name) => {
    const value = body[name];
    return value === undefined ? [] : [{ name, value }];
  });
  return others.length > 0 ? 'several' : step;
}

/** Returns the next steps that an application can show. If there are none, the login can only continue on pages. */
export function inAppNeeds(needs: readonly FlowNeed[]): InAppNeed[] {
  return needs.flatMap(({ step: name, channels }) => {
    const step = IN_APP_STEPS.find((candidate) => candidate === name);
    return step ? [{ step, ...(channels && { channels }) }] : [];
  });
}

interface StepCall {
  readonly tenant: Tenant;
  readonly device: Device;
  readonly flow: { readonly id: string; readonly token: string };
  readonly value: string;
  /** The token of an earlier login on this device. */
  readonly deviceToken: string | undefined;
}

/** The fields of a response other than the next step. */
export type StepOutput = Pick<
  Challenge,
  'sent_to' | 'resend_after' | 'passkey_options' | 'recovery_code'
>;

/** The flow after a step. */
export interface StepResult {
  readonly flow: LoginFlow;
  readonly deviceToken?: string | undefined;
  readonly output?: StepOutput;
}

/**
 * Runs the steps of a login inside an application. Each step calls its API route, with the same limits and audit
 * entries.
 */
export class InAppSteps {
  readonly #perform: Router['perform'];
  readonly #steps: Readonly<Record<StepName, (call: StepCall) => Promise<StepResult>>> = {
    password: (call) => this.#provePassword(call),
    message: (call) => this.#sendMessage(call),
    message_code: (call) => this.#proveCode(call),
    totp_code: (call) => this.#proveTotp(call),
    recovery_code: (call) => this.#proveRecoveryCode(call),
    passkey_options: (call) => this.#startPasskey(call),
    passkey: (call) => this.#provePasskey(call),
  };

  constructor(perform: Router['perform']) {
    this.#perform = perform;
  }

  run(name: StepName, call: StepCall): Promise<StepResult> {
    return this.#steps[name](call);
  }

  async #provePassword(call: StepCall): Promise<StepResult> {
    const body = { ...tokensOf(call), secret: call.value };
    return proven(await this.#perform(provePassword, { ...targetOf(call), body }));
  }

  async #sendMessage(call: StepCall): Promise<StepResult> {
    const channel = call.value as BodyOf<typeof sendFlowMessage>['channel'];
    const body = { flow_token: call.flow.token, ...(channel && { channel }) };
    const { flow, ...output } = await this.#perform(sendFlowMessage, { ...targetOf(call), body });
    return { flow, output };
  }

  async #proveCode(call: StepCall): Promise<StepResult> {
    const body = { ...tokensOf(call), code: call.value };
    return proven(await this.#perform(proveCode, { ...targetOf(call), body }));
  }

  async #proveTotp(call: StepCall): Promise<StepResult> {
    const body = { flow_token: call.flow.token, code: call.value };
    return proven(await this.#perform(proveTotp, { ...targetOf(call), body }));
  }

  async #proveRecoveryCode(call: StepCall): Promise<StepResult> {
    const body = { flow_token: call.flow.token, code: call.value };
    const answer = await this.#perform(proveRecoveryCode, { ...targetOf(call), body });
    return { ...proven(answer), output: { recovery_code: answer.recovery_code } };
  }

  async #startPasskey(call: StepCall): Promise<StepResult> {
    const body = { flow_token: call.flow.token };
    const { flow, options } = await this.#perform(startPasskey, { ...targetOf(call), body });
    return { flow, output: { passkey_options: options } };
  }

  async #provePasskey(call: StepCall): Promise<StepResult> {
    const body = { ...tokensOf(call), credential: credentialIn(call.value) };
    return proven(await this.#perform(provePasskey, { ...targetOf(call), body }));
  }
}

function targetOf({ tenant, device, flow }: StepCall) {
  return { tenant, device, params: { flow_id: flow.id } };
}

function tokensOf({ flow, deviceToken }: StepCall) {
  return {
    flow_token: flow.token,
    ...(deviceToken !== undefined && { device_token: deviceToken }),
  };
}

function proven({
  flow,
  device_token: deviceToken,
}: {
  readonly flow: LoginFlow;
  readonly device_token?: string;
}): StepResult {
  return { flow, deviceToken };
}

/** The route validates the format of the credential. */
function credentialIn(text: string): BodyOf<typeof provePasskey>['credential'] {
  try {
    return JSON.parse(text) as BodyOf<typeof provePasskey>['credential'];
  } catch {
    return fail('VALIDATION_FAILED', { errors: [{ path: '/passkey', message: 'must be JSON' }] });
  }
}
