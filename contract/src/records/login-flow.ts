import Type, { type Static } from 'typebox';
import { LoginFlowIdSchema, TenantIdSchema } from '../ids.ts';
import { EXPECTS } from '../expectation.ts';
import { MESSAGE_CHANNELS } from '../messages.ts';
import { InviterName } from './invitation.ts';
import { PersonName } from './profile.ts';
import { expiresAt } from './record-fields.ts';
import { LoginAnswer, secret } from './tokens.ts';

/**
 * The purpose of a flow. `login`: a session. `recovery`: a session, with a new password. `step_up`: a stronger login
 * in the same session. `invitation`: a session for a user who thereby accepts an invitation. `linking`: a session,
 * with an identity at a provider linked to its user.
 */
const FLOW_PURPOSES = ['login', 'recovery', 'step_up', 'invitation', 'linking'] as const;
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];

const FlowPurposeSchema = Type.Enum([...FLOW_PURPOSES], {
  description:
    'Purpose of the flow. `login` opens a session. `recovery` opens a session after the user sets a new password. `step_up` makes the authentication of an existing session stronger or more recent. `invitation` opens a session that accepts an invitation. `linking` applies if an identity at a provider has the verified email address of a user: after that user proves the account, the identity is linked and a session opens.',
  examples: ['login'],
});

/** The possible next steps, each at `/auth/flows/<id>/<step>` with a dash for each underscore. */
const FLOW_STEPS = [
  'password',
  'message',
  'code',
  'link',
  'totp',
  'passkey',
  'oauth',
  'recovery_code',
  'new_password',
  'enroll',
] as const;
export type FlowStep = (typeof FLOW_STEPS)[number];

const Need = Type.Object({
  step: Type.Enum([...FLOW_STEPS], {
    description: 'Name of the step. `enroll`: the user must add a factor at `…/enroll/<method>`.',
    examples: ['password'],
  }),
  methods: Type.Optional(
    Type.Array(Type.Enum(['passkey', 'totp']), {
      description: 'With `enroll`: the factors that can be added.',
      examples: [['passkey', 'totp']],
    }),
  ),
  channels: Type.Optional(
    Type.Array(Type.Enum([...MESSAGE_CHANNELS]), {
      description:
        'With `message`: the available channels. They depend on the type of the identifier, or for a second factor on the codes that the tenant accepts.',
      examples: [['email']],
    }),
  ),
  provider: Type.Optional(
    Type.String({
      description:
        'With `oauth`, if the email address belongs to a provider’s domain: the only provider that can be used.',
      examples: ['idp_01m81e4vr3f7k2m9x5q0t6w8za'],
    }),
  ),
});
export type FlowNeed = Static<typeof Need>;

export const LoginFlow = Type.Object(
  {
    id: LoginFlowIdSchema,
    tenant_id: TenantIdSchema,
    purpose: FlowPurposeSchema,
    status: Type.Enum(['needs', 'complete', 'ended'], {
      description:
        '`needs`: a step from `needs` comes next. `complete`: the flow opened a session. `ended`: the flow can no longer open a session.',
      examples: ['needs'],
    }),
    needs: Type.Array(Need, {
      description:
        'The possible next steps. Before the first proof, they are the same for every identifier, except in a flow with an invitation.',
    }),
    expires_at: expiresAt('The latest time when the flow ends.'),
  },
  { $id: 'LoginFlow', description: 'A login in progress.' },
);
export type LoginFlow = Static<typeof LoginFlow>;

const EXAMPLE_FLOW_TOKEN = 'lft_4mYzK8r1Xq0c7n2V5b9d3f6h8j1k4m7p0q3s6t9v2w5';

export const RequestedAcr = Type.Enum(['aal1', 'aal2', 'phr'], {
  description:
    'Minimum assurance of the session. With `aal2`, a user without a second factor adds one in the flow. With `phr`, a user without a passkey adds one.',
  examples: ['aal2'],
});

/** Sent only in bodies and in a header, because any holder of the token can continue the flow. */
export const FlowToken = secret({
  minLength: 1,
  maxLength: 256,
  description: 'Secret of the flow, from the response that started it.',
  examples: [EXAMPLE_FLOW_TOKEN],
});

/** The token from the URL of a link in a message, or from its fragment. */
export const LinkToken = secret({
  minLength: 1,
  maxLength: 256,
  description: 'The token from a link in a message.',
  examples: ['chl_01jdq3xbt7q2v9k4m8p6r1w5yz.Zm9yIGV4YW1wbGUsIG5vdCBhIHRva2VuIG9mIGFueWJvZHk'],
});

/** The token from the fragment of an invitation link. */
export const InvitationToken = secret({
  minLength: 1,
  maxLength: 256,
  description: 'The token of an invitation, from the link in its message.',
  examples: ['inv_01m81e2pq8f3z7c5x9bkt4w6hd.Zm9yIGV4YW1wbGUsIG5vdCBhIHRva2VuIG9mIGFueWJvZHk'],
});

export const MessageCode = secret({
  pattern: '^([0-9]{6}|[0-9]{8}|[0-9]{10})$',
  [EXPECTS]: '6, 8 or 10 digits',
  description:
    'The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes.',
  examples: ['49203911'],
});

/** Displayed to a user who opens a link in another browser, so that they notice a login that they did not start. */
const FlowOrigin = Type.Object(
  {
    begun_at: Type.String({
      format: 'date-time',
      description: 'When the message was requested.',
      examples: ['2026-11-22T08:30:00.000Z'],
    }),
    user_agent: Type.Union([Type.String(), Type.Null()], {
      description: 'User agent of the browser that requested the message.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    }),
  },
  { $id: 'FlowOrigin', description: 'Origin of the request for the message with the link.' },
);

/** Returned with an error: the flow that can continue the login. */
export const OfferedFlow = Type.Object(
  {
    ...LoginFlow.properties,
    flow_token: Type.Optional(FlowToken),
  },
  { $id: 'OfferedFlow', description: 'The flow to continue the login in.' },
);
export type OfferedFlow = Static<typeof OfferedFlow>;

/** The data that a page displays to the invited user. */
const FlowInvitation = Type.Object(
  {
    identifier: Type.String({
      description: 'The invited email address.',
      examples: ['ada@example.com'],
    }),
    name: Type.Union([PersonName, Type.Null()], {
      description: 'Name of the invited person, as the inviter wrote it.',
      examples: ['Ada Lovelace'],
    }),
    invited_by_name: InviterName,
    expires_at: expiresAt('When the invitation expires.'),
  },
  { $id: 'FlowInvitation', description: 'The invitation that a flow accepts.' },
);

export const StartedFlow = Type.Object(
  {
    flow: LoginFlow,
    flow_token: FlowToken,
    origin: Type.Optional(FlowOrigin),
    invitation: Type.Optional(FlowInvitation),
  },
  { $id: 'BegunFlow', description: 'A new flow, with its secret.' },
);
export type StartedFlow = Static<typeof StartedFlow>;

export const FlowAnswer = Type.Object(
  { flow: LoginFlow, ...Type.Partial(LoginAnswer).properties },
  {
    $id: 'FlowAnswer',
    description: 'The state of the flow after a step, with the tokens if the flow is complete.',
  },
);
export type FlowAnswer = Static<typeof FlowAnswer>;
