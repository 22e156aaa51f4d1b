import { AppError } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { confirmEnrolledTotp } from '@keywright/contract/routes/flow-enrolment';
import { proveRecoveryCode, proveTotp } from '@keywright/contract/routes/flow-factors';
import { enrolPasskey, provePasskey } from '@keywright/contract/routes/passkeys';
import type { Router } from '../../../tenancy/router.ts';
import { proven, stepOf } from './proofs.ts';
import type { Step, StepCall } from './step-call.ts';

/** The steps of second factors and passkeys, by the name of their button. */
export function createFactorProofs(perform: Router['perform']) {
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
