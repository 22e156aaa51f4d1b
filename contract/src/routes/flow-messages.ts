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
      description: 'The address or the phone number, masked.',
      examples: ['a…@e….com'],
    }),
    resend_after: Type.Integer({
      description: 'Seconds until another message can be requested.',
      examples: [30],
    }),
    flow: LoginFlow,
  },
  { $id: 'SentMessage', description: 'A message was sent, unless no user could use it.' },
);

export const sendFlowMessage = route({
  id: 'flows.message',
  method: 'POST',
  path: `${FLOW}/message`,
  access: 'tenant',
  summary: 'Send a code and a link for a flow',
  description:
    'Sends a message to the identifier of the flow: by mail to an address, or by SMS, without a link, to a phone number that its user has verified. As the second factor, if the tenant accepts codes as second factors (`mfa_methods`), sends only a code, to a verified identifier of the user. The response is the same whether or not a user has the identifier. If the message is requested again, it repeats the code and the link; both are valid for 10 minutes.',
  params,
  body: closed({
    flow_token: FlowToken,
    channel: Type.Optional(
      Type.Enum([...MESSAGE_CHANNELS], {
        description: 'How the message is sent; default: as the identifier can be reached.',
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
    'A flow ends after five wrong codes, and so does the link of the message; another message does not allow more. 20 codes an hour can be tried for a recipient, over all flows. A user who proves an unverified address takes over its account: the password, the factors, the other addresses, the sessions and the delegations of the user who registered it end.',
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
    'Only the flow that requested the message can use its link: any other flow gets `LINK_ELSEWHERE`, and the link is not used up. A link can be used once.',
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
