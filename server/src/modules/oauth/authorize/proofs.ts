import { AppError } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { confirmEnrolledTotp } from '@keywright/contract/routes/flow-enrolment';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { proveCode, proveLink } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { provePassword } from '@keywright/contract/routes/login-flows';
import { provePasskey } from '@keywright/contract/routes/passkeys';
import type { Router } from '../../../tenancy/router.ts';
import type { Step, StepCall } from './step-call.ts';

export type Proofs = ReturnType<typeof createProofs>;

/** The steps of a login that has begun, by the name of their button. */
export function createProofs(perform: Router['perform']) {
  return {
    password: async (call) => {
      const { token, secret, ...given } = stepOf(call);
      await perform(provePassword, { ...given, body: { flow_token: token, secret } });
      return { interaction: call.interaction };
    },
    code: async (call) => {
      const { token, code, ...given } = stepOf(call);
      await perform(proveCode, { ...given, body: { flow_token: token, code } });
      return { interaction: call.interaction };
    },
    link: async (call) => {
      const { token, ...given } = stepOf(call);
      const body = { flow_token: token, link_token: call.fields.link_token ?? '' };
      await perform(proveLink, { ...given, body });
      return { interaction: call.interaction };
    },
    totp: async (call) => {
      const { token, code, ...given } = stepOf(call);
      await perform(proveTotp, { ...given, body: { flow_token: token, code } });
      return { interaction: call.interaction };
    },
    recovery_code: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const answer = await perform(proveRecoveryCode, {
        ...given,
        body: { flow_token: token, code },
      });
      return { interaction: call.interaction, codes: [answer.recovery_code] };
    },
    new_password: async (call) => {
      const { token, secret, ...given } = stepOf(call);
      await perform(setNewPassword, { ...given, body: { flow_token: token, secret } });
      return { interaction: call.interaction };
    },
    confirm_totp: async (call) => {
      const { token, code, ...given } = stepOf(call);
      const body = { flow_token: token, code };
      const { recovery_codes: codes } = await perform(confirmEnrolledTotp, { ...given, body });
      return { interaction: call.interaction, codes };
    },
    prove_passkey: async (call) => {
      const { token, ...given } = stepOf(call);
      const credential = credentialIn(call.fields.credential);
      await perform(provePasskey, { ...given, body: { flow_token: token, credential } });
      return { interaction: call.interaction };
    },
  } satisfies Record<string, Step>;
}

/** @throws AppError FLOW_ENDED when none has begun */
function stepOf({ interaction: { flow }, tenant, device, fields }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  const { secret = '', code = '' } = fields;
  // People type spaces between the digits of a code.
  const typed = { secret, code: code.replaceAll(/\s/g, '') };
  return { tenant, device, params: { flow_id: flow.id }, token: flow.token, ...typed };
}

function credentialIn(text = ''): BodyOf<typeof provePasskey>['credential'] {
  try {
    return JSON.parse(text) as BodyOf<typeof provePasskey>['credential'];
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}
