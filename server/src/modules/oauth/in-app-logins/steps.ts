import { fail } from '@keywright/contract/errors';
import type { Challenge } from '@keywright/contract/records/in-app-login';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import type { BodyOf } from '@keywright/contract/route';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { proveCode, sendFlowMessage } from '@keywright/contract/routes/flow-messages';
import { provePassword } from '@keywright/contract/routes/login-flows';
import { beginPasskey, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Device } from '../../../tenancy/device.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { InAppLogin } from './auth-sessions.ts';
import type { StepName } from './rules.ts';

interface StepCall {
  readonly tenant: Tenant;
  readonly device: Device;
  readonly flow: InAppLogin['flow'];
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
