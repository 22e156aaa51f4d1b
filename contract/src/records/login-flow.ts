import Type, { type Static } from 'typebox';
import { LoginFlowIdSchema, TenantIdSchema } from '../ids.ts';
import { expiresAt } from './record-fields.ts';
import { LoginAnswer, secret } from './tokens.ts';

/** What a flow leads to. `login`: a session. */
const FLOW_PURPOSES = ['login'] as const;
export type FlowPurpose = (typeof FLOW_PURPOSES)[number];

export const FlowPurposeSchema = Type.Enum([...FLOW_PURPOSES], {
  description: 'Purpose of the flow: `login` leads to a session.',
  examples: ['login'],
});

/** What may be done next, each at `/auth/flows/<id>/<step>`, with a dash in place of an underscore. */
const FLOW_STEPS = ['password', 'totp', 'recovery_code'] as const;
export type FlowStep = (typeof FLOW_STEPS)[number];

const Need = Type.Object({
  step: Type.Enum([...FLOW_STEPS], { description: 'Name of the step.', examples: ['password'] }),
});

export const LoginFlow = Type.Object(
  {
    id: LoginFlowIdSchema,
    tenant_id: TenantIdSchema,
    purpose: FlowPurposeSchema,
    status: Type.Enum(['needs', 'complete', 'ended'], {
      description:
        '`needs`: one of the steps in `needs` comes next. `complete`: it has led to a session. `ended`: it can lead to none.',
      examples: ['needs'],
    }),
    needs: Type.Array(Need, {
      description:
        'The possible next steps. Before the first proof they are the same for every identifier.',
    }),
    expires_at: expiresAt('When the flow ends at the latest.'),
  },
  { $id: 'LoginFlow', description: 'A login in progress.' },
);
export type LoginFlow = Static<typeof LoginFlow>;

const EXAMPLE_FLOW_TOKEN = 'lft_4mYzK8r1Xq0c7n2V5b9d3f6h8j1k4m7p0q3s6t9v2w5';

/** Sent in bodies and in a header only: whoever has it continues the flow. */
export const FlowToken = secret({
  minLength: 1,
  maxLength: 128,
  description: 'The secret of the flow, from the answer that began it.',
  examples: [EXAMPLE_FLOW_TOKEN],
});

/** Beside an error: the flow in which the login can continue. */
export const OfferedFlow = Type.Object(
  {
    ...LoginFlow.properties,
    flow_token: Type.Optional(FlowToken),
  },
  { $id: 'OfferedFlow', description: 'The flow in which the login can continue.' },
);
export type OfferedFlow = Static<typeof OfferedFlow>;

export const BegunFlow = Type.Object(
  { flow: LoginFlow, flow_token: FlowToken },
  { $id: 'BegunFlow', description: 'A new flow, and its secret.' },
);
export type BegunFlow = Static<typeof BegunFlow>;

export const FlowAnswer = Type.Object(
  { flow: LoginFlow, ...Type.Partial(LoginAnswer).properties },
  {
    $id: 'FlowAnswer',
    description: 'The state of the flow after a step; with the tokens if it is complete.',
  },
);
export type FlowAnswer = Static<typeof FlowAnswer>;
