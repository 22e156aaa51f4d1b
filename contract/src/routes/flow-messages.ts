import Type from 'typebox';
import { LoginFlowIdSchema, pathId } from '../ids.ts';
import { FlowAnswer, FlowToken, LinkToken, LoginFlow, MessageCode } from '../records/login-flow.ts';
import { MESSAGE_CHANNELS } from '../messages.ts';
import { PresentedDeviceToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

const FLOW = `${API_BASE}/auth/flows/:flow_id` as const;
const params = Type.Object({ flow_id: pathId(LoginFlowIdSchema) });

const SentMessage = Type.Object(
  {
    sent_to: Type.String({
      description: 'The recipient’s email address or phone number, masked.',
      examples: ['a…@e….com'],
    }),
    resend_after: Type.Integer({
      description: 'Seconds until another message can be requested.',
      examples: [30],
    }),
    flow: LoginFlow,
  },
  { $id: 'SentMessage', description: 'A message was sent, unless no user can use it.' },
);

export const sendFlowMessage = route({
  id: 'flows.message',
  method: 'POST',
  path: `${FLOW}/message`,
  access: 'tenant',
  summary: 'Send a code and a link for a flow',
  description:
    'Sends a message to the identifier of the flow: by email, or by SMS and without a link to a phone number that the user has verified. As a second factor, if the tenant accepts codes as second factors (`mfa_methods`), sends only a code, to a verified identifier of the user. The response is the same whether or not a user has the identifier. If you request the message again, it repeats the code and the link. Both are valid for 10 minutes.',
  params,
  body: closed({
    flow_token: FlowToken,
    channel: Type.Optional(
      Type.Enum([...MESSAGE_CHANNELS], {
        description: 'Delivery channel. Default: depends on the identifier.',
      }),
    ),
  }),
  ok: { status: 200, body: SentMessage },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'DESTINATION_REFUSED', 'TOO_MANY_MESSAGES'],
});

export const proveCode = route({
  id: 'flows.code',
  method: 'POST',
  path: `${FLOW}/code`,
  access: 'tenant',
  summary: 'Prove the code of a message in a flow',
  description:
    'A flow and the link of its message end after five wrong codes; another message does not allow more. A recipient can receive 20 attempts per hour across all flows. A user who proves an unverified identifier takes over its account: the password, factors, other identifiers, sessions and delegations of the user who registered it are removed.',
  params,
  body: closed({
    flow_token: FlowToken,
    code: MessageCode,
    device_token: Type.Optional(PresentedDeviceToken),
  }),
  ok: { status: 200, body: FlowAnswer },
  errors: ['STEP_NOT_NEEDED', 'FLOW_ENDED', 'CODE_WRONG', 'NOT_FOUND', 'TOO_MANY_ATTEMPTS'],
});

export const proveLink = route({
  id: 'flows.link',
  method: 'POST',
  path: `${FLOW}/link`,
  access: 'tenant',
  summary: 'Prove the link of a message in a flow',
  description:
    'Only the flow that requested the message can use its link. Any other flow gets `LINK_ELSEWHERE`, and the link remains unused. A link can be used once.',
  params,
  body: closed({
    flow_token: FlowToken,
    link_token: LinkToken,
    device_token: Type.Optional(PresentedDeviceToken),
  }),
  ok: { status: 200, body: FlowAnswer },
  errors: [
    'STEP_NOT_NEEDED',
    'FLOW_ENDED',
    'CODE_WRONG',
    'LINK_ELSEWHERE',
    'NOT_FOUND',
    'TOO_MANY_ATTEMPTS',
  ],
});
