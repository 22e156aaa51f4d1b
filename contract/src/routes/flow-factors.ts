import Type from 'typebox';
import { LoginFlowIdSchema, pathId } from '../ids.ts';
import { RecoveryCode, TotpCode } from '../records/factor.ts';
import { FlowAnswer, FlowToken } from '../records/login-flow.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

const FLOW = `${API_BASE}/auth/flows/:flow_id` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });

const LIMITS =
  'A flow ends after five wrong codes. A user can try 20 codes per hour, counted separately for each known device. After 100 wrong codes in a row, the factor is suspended until the user uses another factor; a known device can try another 100.';

export const proveTotp = route({
  id: 'flows.totp',
  method: 'POST',
  path: `${FLOW}/totp`,
  access: 'tenant',
  summary: 'Prove an authenticator app in a flow',
  description: `Each code is accepted once. ${LIMITS}`,
  params,
  body: closed({ flow_token: FlowToken, code: TotpCode }),
  ok: { status: 200, body: FlowAnswer },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'CODE_WRONG', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});

export const proveRecoveryCode = route({
  id: 'flows.recovery_code',
  method: 'POST',
  path: `${FLOW}/recovery-code`,
  access: 'tenant',
  summary: 'Prove a recovery code in a flow',
  description: `Uses up the recovery code and returns a new code that replaces it. ${LIMITS}`,
  params,
  body: closed({ flow_token: FlowToken, code: RecoveryCode }),
  ok: {
    status: 200,
    body: Type.Object(
      { ...FlowAnswer.properties, recovery_code: RecoveryCode },
      {
        $id: 'RecoveryFlowAnswer',
        description: 'The state of the flow after a recovery code, with the replacement code.',
      },
    ),
  },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'CODE_WRONG', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});
