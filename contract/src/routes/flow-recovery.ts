import Type from 'typebox';
import { LoginFlowIdSchema, pathId } from '../ids.ts';
import { FlowAnswer, FlowToken } from '../records/login-flow.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { SecretText } from './fields.ts';

export const setNewPassword = route({
  id: 'flows.new_password',
  method: 'POST',
  path: `${API_BASE}/auth/flows/:flow_id/new-password`,
  access: 'tenant',
  summary: 'Set a new password in a flow',
  description:
    'Sets the password in a recovery, after the message and the second factor. All sessions of the user end, and their verified identifiers are notified. With an invitation, creates the invited person’s account. An account that was registered with the email address but not verified is transferred to that person (`user.reclaimed`).',
  params: Type.Object({ flow_id: pathId(LoginFlowIdSchema) }),
  body: closed({ flow_token: FlowToken, secret: SecretText }),
  ok: { status: 200, body: FlowAnswer },
  errors: ['VALIDATION_FAILED', 'STEP_NOT_NEEDED', 'FLOW_ENDED', 'NOT_FOUND', 'TOO_BUSY'],
});
