import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { Decision } from '../records/decision.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';

/** The maximum number of evaluations in a request. */
const MAX_EVALUATIONS = 100;

/** Receivers ignore unknown fields (OpenID AuthZEN §10.1.1), so objects are not closed. */
const attributes = (description: string) => Type.Optional(Type.Object({}, { description }));

const IGNORED = 'Further attributes; they do not change the decision.';

const Subject = Type.Object(
  {
    type: Type.String({
      maxLength: 64,
      description: '`user`, `agent`, or `token` for the holder of the token.',
      examples: ['user'],
    }),
    id: secret({
      maxLength: 8192,
      description: '`user:<id>`, `service:<id>`, or the access token or API key itself.',
      examples: [exampleOf(UserIdSchema)],
    }),
    properties: attributes(IGNORED),
  },
  { $id: 'Subject', description: 'Who would act (OpenID AuthZEN §5.1).' },
);

const Action = Type.Object(
  {
    name: Type.String({
      maxLength: 64,
      description: 'The action of the scope, such as `read`, or `*`.',
      examples: ['read'],
    }),
    properties: attributes(IGNORED),
  },
  { $id: 'Action', description: 'What would be done (OpenID AuthZEN §5.3).' },
);

const Resource = Type.Object(
  {
    type: Type.String({
      maxLength: 64,
      description: 'The resource of the scope: `users` with `read` checks `read:users`.',
      examples: ['users'],
    }),
    id: Type.String({
      maxLength: 1024,
      description:
        'Required by AuthZEN. Scopes apply to a type: the id does not change the decision.',
      examples: ['*'],
    }),
    properties: Type.Optional(
      Type.Object(
        { workspace_id: Type.Optional(WorkspaceIdSchema) },
        { description: 'With `workspace_id`, the subject must belong to that workspace.' },
      ),
    ),
  },
  { $id: 'Resource', description: 'What would be acted on (OpenID AuthZEN §5.2).' },
);

const Context = Type.Object(
  {
    explain: Type.Optional(
      Type.Boolean({
        description:
          'Adds the response of `POST /explain` to the decision. Requires the scopes of that route.',
        examples: [false],
      }),
    ),
  },
  { $id: 'EvaluationContext', description: 'The environment (OpenID AuthZEN §5.4).' },
);

const EXAMPLE = {
  subject: { type: 'user', id: exampleOf(UserIdSchema) },
  action: { name: 'read' },
  resource: { type: 'users', id: '*' },
};

export const evaluate = route({
  id: 'access.evaluation',
  method: 'POST',
  path: '/access/v1/evaluation',
  access: 'caller',
  begins: 'unconfirmed',
  requestId: 'echo',
  summary: 'Evaluate whether a subject may do something',
  description:
    'OpenID AuthZEN Authorization API 1.0 §6. Any caller may evaluate a token that they have, and themselves; evaluating another subject requires `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied like one without permissions. With `workspace_id`: a user must be a member (all users are members of `ws_default`) or hold `*:*`, an agent must belong to that workspace, and for an agent that acts for a user both must hold.',
  body: Type.Object(
    { subject: Subject, action: Action, resource: Resource, context: Type.Optional(Context) },
    { examples: [EXAMPLE] },
  ),
  ok: { status: 200, body: Decision },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'ADMINISTRATOR_REQUIRED'],
});

export const evaluateByIssuer = atIssuer(evaluate, {
  id: 'access.evaluation_by_issuer',
  path: `${ISSUER_PATH}${evaluate.path}`,
  summary: 'Evaluate whether a subject may do something, at the address of the issuer',
});

const defaults = {
  subject: Type.Optional(Subject),
  action: Type.Optional(Action),
  resource: Type.Optional(Resource),
  context: Type.Optional(Context),
};

const evaluations = {
  maxItems: MAX_EVALUATIONS,
  description: 'The evaluations, in the order of the decisions. An invalid one is denied.',
  examples: [[{ action: { name: 'read' } }, { action: { name: 'write' } }]],
};

const options = Type.Optional(
  Type.Object(
    {
      evaluations_semantic: Type.Optional(
        Type.Enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'], {
          description:
            '`execute_all`, the default, returns all decisions; the others end with the first that is denied or permitted.',
          examples: ['execute_all'],
        }),
      ),
    },
    { description: 'How the evaluations are processed (OpenID AuthZEN §7.1.2).' },
  ),
);

export const evaluateAll = route({
  id: 'access.evaluations',
  method: 'POST',
  path: '/access/v1/evaluations',
  access: 'caller',
  begins: 'unconfirmed',
  requestId: 'echo',
  summary: 'Request up to 100 evaluations',
  description:
    'OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` next to `evaluations` are the defaults of each. Each decision equals that of a single evaluation. An invalid evaluation is denied, with the reason in `context.error`; the others are decided. Without `evaluations` the request is a single evaluation.',
  maxBodyBytes: 256 * 1024,
  body: Type.Object(
    {
      ...defaults,
      evaluations: Type.Optional(Type.Array(Type.Object(defaults), evaluations)),
      options,
    },
    { examples: [{ ...EXAMPLE, evaluations: [{}, { action: { name: 'write' } }] }] },
  ),
  // OpenID AuthZEN §7.2.1: one invalid evaluation does not fail the others.
  checkedBody: Type.Object({
    ...defaults,
    evaluations: Type.Optional(Type.Array(Type.Unknown(), { maxItems: MAX_EVALUATIONS })),
    options,
  }),
  ok: {
    status: 200,
    body: Type.Union([
      Decision,
      Type.Object({
        evaluations: Type.Array(Decision, { description: 'The decisions, in order.' }),
      }),
    ]),
  },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'ADMINISTRATOR_REQUIRED'],
});

export const evaluateAllByIssuer = atIssuer(evaluateAll, {
  id: 'access.evaluations_by_issuer',
  path: `${ISSUER_PATH}${evaluateAll.path}`,
  summary: 'Request up to 100 evaluations, at the address of the issuer',
});
