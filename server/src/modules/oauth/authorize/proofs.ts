import { AppError } from '@keywright/contract/errors';
import { proveCode, proveLink } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { provePassword } from '@keywright/contract/routes/login-flows';
import type { Router } from '../../../tenancy/router.ts';
import type { Step, StepCall, Stepped } from './step-call.ts';

export type Proofs = ReturnType<typeof createProofs>;

/** The steps of a login that was started, by the name of their button. */
export function createProofs(perform: Router['perform']) {
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
export function stepOf({ interaction: { flow }, tenant, device, fields }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  const { secret = '', code = '' } = fields;
  // People type spaces between the digits of a code.
  const typed = { secret, code: code.replaceAll(/\s/g, '') };
  return { tenant, device, params: { flow_id: flow.id }, token: flow.token, ...typed };
}
