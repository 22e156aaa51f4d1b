import Type from 'typebox';
import { LoginFlowIdSchema, pathId } from '../ids.ts';
import { FactorRecord, RecoveryCodes, TotpCode, TotpKey } from '../records/factor.ts';
import { FlowAnswer, FlowToken, LoginFlow } from '../records/login-flow.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { displayName } from './fields.ts';

const ENROLL_TOTP = `${API_BASE}/auth/flows/:flow_id/enroll/totp` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });

export const enrollTotp = route({
  id: 'flows.enroll_totp',
  method: 'POST',
  path: ENROLL_TOTP,
  access: 'tenant',
  summary: 'Get the key for an authenticator app in a flow',
  description:
    'Returns a key for a flow that needs `enroll`: the tenant requires a second factor, and the user has none. The key is derived from the flow. It is stored only after you confirm it with a code from the app.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: {
    status: 200,
    body: Type.Object(
      { flow: LoginFlow, ...TotpKey.properties },
      { $id: 'FlowEnrollment', description: 'The key for the authenticator app of a new factor.' },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED'],
});

export const confirmEnrolledTotp = route({
  id: 'flows.confirm_totp',
  method: 'POST',
  path: `${ENROLL_TOTP}/confirm`,
  access: 'tenant',
  summary: 'Confirm an authenticator app in a flow',
  description:
    'The code proves the new factor. The flow is complete, and the response contains the tokens and the recovery codes. Every later login of the user requires a second factor.',
  params,
  body: closed({
    flow_token: FlowToken,
    code: TotpCode,
    name: Type.Optional(displayName('Phone')),
  }),
  ok: {
    status: 200,
    body: Type.Object(
      { ...FlowAnswer.properties, factor: FactorRecord, recovery_codes: RecoveryCodes },
      {
        $id: 'EnrolledFlowAnswer',
        description: 'The state of the flow after a new factor, with the recovery codes.',
      },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'CODE_WRONG', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});
