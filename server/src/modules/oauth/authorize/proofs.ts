import { AppError } from '@keywright/contract/errors';
import { proveCode, proveLink } from '@keywright/contract/routes/flow-messages';
import { setNewPassword } from '@keywright/contract/routes/flow-recovery';
import { provePassword } from '@keywright/contract/routes/login-flows';
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
    new_password: async (call) => {
      const { token, secret, ...given } = stepOf(call);
      await perform(setNewPassword, { ...given, body: { flow_token: token, secret } });
      return { interaction: call.interaction };
    },
  } satisfies Record<string, Step>;
}

/** @throws AppError FLOW_ENDED when none has begun */
export function stepOf({ interaction: { flow }, tenant, device, fields }: StepCall) {
  if (!flow) throw new AppError('FLOW_ENDED');
  const { secret = '', code = '' } = fields;
  // People type spaces between the digits of a code.
  const typed = { secret, code: code.replaceAll(/\s/g, '') };
  return { tenant, device, params: { flow_id: flow.id }, token: flow.token, ...typed };
}
