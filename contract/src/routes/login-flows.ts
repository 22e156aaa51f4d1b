import Type from 'typebox';
import { LoginFlowIdSchema, pathId, WorkspaceIdSchema } from '../ids.ts';
import {
  StartedFlow,
  FlowAnswer,
  FlowToken,
  InvitationToken,
  LinkToken,
  LoginFlow,
  RequestedAcr,
} from '../records/login-flow.ts';
import { LocaleText } from '../locale.ts';
import { PresentedDeviceToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { IdentifierText, SecretText } from './fields.ts';

const FLOWS = `${API_BASE}/auth/flows` as const;
const FLOW = `${FLOWS}/:flow_id` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });

export const startFlow = route({
  id: 'flows.begin',
  method: 'POST',
  path: FLOWS,
  access: 'tenant',
  summary: 'Start a login in steps',
  description:
    'The response is the same for known and unknown identifiers. A flow ends after 15 minutes; the oldest of more than 20 with the same identifier, from the same network or known device, ends earlier. Without `identifier`, it needs a passkey, which identifies the user. With `continue`, the token of a link that was opened elsewhere, instead of `identifier`: a flow that needs the code of the same message. With the purpose `invitation` and the token of an invitation, instead of `identifier`: a flow that accepts the invitation. Starting it changes nothing. With `device_token`, from an earlier login of the user, the flow counts as one of a known device in all its steps, which need not repeat the token. The response does not depend on whether the token belongs to the user.',
  body: closed(
    {
      purpose: Type.Optional(
        Type.Enum(['login', 'recovery', 'invitation'], {
          description:
            '`login` leads to a session. `recovery`: for users who have forgotten their password. A message to the identifier, the second factor if the user has one, and a new password lead to a session. `invitation`: for people with the token of an invitation. New users set a password, add a passkey, enter the code of a message or come back from a provider; existing users log in. The session accepts the invitation. Default `login`.',
          examples: ['login'],
        }),
      ),
      identifier: Type.Optional(IdentifierText),
      continue: Type.Optional(LinkToken),
      token: Type.Optional(InvitationToken),
      register: Type.Optional(
        Type.Boolean({
          description:
            'An unknown identifier becomes a user when a message to it is confirmed. Default false.',
        }),
      ),
      locale: Type.Optional(LocaleText),
      workspace_id: Type.Optional(WorkspaceIdSchema),
      acr: Type.Optional(RequestedAcr),
      device_token: Type.Optional(PresentedDeviceToken),
    },
    { examples: [{ identifier: 'ada@example.com' }] },
  ),
  ok: { status: 201, body: StartedFlow },
  errors: ['VALIDATION_FAILED', 'FLOW_ENDED', 'TOO_MANY_ATTEMPTS'],
});

export const getFlow = route({
  id: 'flows.get',
  method: 'GET',
  path: FLOW,
  access: 'tenant',
  summary: 'Read a login in progress',
  description: 'The secret of the flow is sent in the header X-Flow-Token.',
  params,
  ok: { status: 200, body: Type.Object({ flow: LoginFlow }) },
  errors: ['FLOW_ENDED'],
});

export const provePassword = route({
  id: 'flows.password',
  method: 'POST',
  path: `${FLOW}/password`,
  access: 'tenant',
  summary: 'Prove the password in a flow',
  description:
    'Attempts are limited as those of a login. A flow that needs nothing more is complete, and the response contains the tokens.',
  params,
  body: closed({
    flow_token: FlowToken,
    secret: SecretText,
    device_token: Type.Optional(PresentedDeviceToken),
  }),
  ok: { status: 200, body: FlowAnswer },
  errors: [
    'VALIDATION_FAILED',
    'STEP_NOT_NEEDED',
    'FLOW_ENDED',
    'INVALID_CREDENTIALS',
    'NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
    'TOO_BUSY',
  ],
});

export const repeatTokens = route({
  id: 'flows.tokens',
  method: 'POST',
  path: `${FLOW}/tokens`,
  access: 'tenant',
  summary: 'Repeat the tokens of a completed flow',
  description:
    'For a client that lost the response of the last step: the same tokens, for refresh_retry_window seconds after the flow was completed, and until the refresh token is used or the session ends. Afterwards, and for a flow that is not complete: `FLOW_ENDED`.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: { status: 200, body: FlowAnswer },
  errors: ['FLOW_ENDED'],
});

export const cancelFlow = route({
  id: 'flows.cancel',
  method: 'POST',
  path: `${FLOW}/cancel`,
  access: 'tenant',
  summary: 'End a flow',
  description: 'A flow that is complete or has ended is not changed.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: { status: 200, body: Type.Object({ flow: LoginFlow }) },
  errors: ['FLOW_ENDED'],
});
