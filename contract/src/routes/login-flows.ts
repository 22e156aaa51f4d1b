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
import { PersonName } from '../records/profile.ts';
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
  summary: 'Start a login flow',
  description:
    'Starts a login in steps. The response is the same for known and unknown identifiers. A flow ends after 15 minutes. More than 20 flows with the same identifier from the same network or known device end the oldest one. Without `identifier`, the flow needs a passkey, which identifies the user. With `continue` instead of `identifier`, the token of a link that was opened elsewhere, the flow needs the code from the same message. With the purpose `invitation` and the token of an invitation instead of `identifier`, the flow accepts the invitation; starting it changes nothing. With `device_token` from an earlier login of the user, all steps of the flow count as coming from a known device, without sending the token again. The response does not depend on whether the token belongs to the user.',
  body: closed(
    {
      purpose: Type.Optional(
        Type.Enum(['login', 'recovery', 'invitation'], {
          description:
            '`login` (default) opens a session. `recovery` is for users who have forgotten their password: a message to the identifier, the second factor if the user has one, and a new password open a session. `invitation` is for people with the token of an invitation: new users set a password, add a passkey, enter the code from a message or return from a provider, and existing users sign in. The session accepts the invitation.',
          examples: ['login'],
        }),
      ),
      identifier: Type.Optional(IdentifierText),
      continue: Type.Optional(LinkToken),
      token: Type.Optional(InvitationToken),
      register: Type.Optional(
        Type.Boolean({
          description:
            'Whether an unknown identifier becomes a user after its message is confirmed. Default: false.',
        }),
      ),
      name: Type.Optional(
        Type.Union([PersonName, Type.Null()], {
          description:
            'Name of the user whom the flow creates. It does not change existing users. Default: the name in the invitation, if there is one. Needed if `registration_name` is `required` and the flow can register `identifier` or accepts an invitation.',
          examples: ['Ada Lovelace'],
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
  summary: 'Get a login flow',
  description: 'Send the secret of the flow in the header X-Flow-Token.',
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
    'The limits on login attempts apply. If the flow needs no more steps, it is complete, and the response contains the tokens.',
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
  summary: 'Get the tokens of a completed flow again',
  description:
    'For clients that lost the response to the last step. Returns the same tokens for refresh_retry_window seconds after the flow was completed, until the refresh token is used or the session ends. Afterward, and for a flow that is not complete, fails with `FLOW_ENDED`.',
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
  summary: 'End a login flow',
  description: 'Has no effect on a flow that is complete or has ended.',
  params,
  body: closed({ flow_token: FlowToken }),
  ok: { status: 200, body: Type.Object({ flow: LoginFlow }) },
  errors: ['FLOW_ENDED'],
});
