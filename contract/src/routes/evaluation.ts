import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { atIssuer, ISSUER_PATH } from '../issuer-routes.ts';
import { Decision } from '../records/decision.ts';
import { secret } from '../records/tokens.ts';
import { route } from '../route.ts';

/** The maximum number of evaluations in a request. */
export const MAX_EVALUATIONS = 100;

/** Receivers ignore unknown fields (OpenID AuthZEN §10.1.1), so objects are not closed. */
const attributes = (description: string) => Type.Optional(Type.Object({}, { description }));

const IGNORED = 'Additional attributes. They do not affect the decision.';

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
  { $id: 'Subject', description: 'The subject that would act (OpenID AuthZEN §5.1).' },
);

const Action = Type.Object(
  {
    name: Type.String({
      maxLength: 64,
      description: 'Action of the scope, such as `read`, or `*`.',
      examples: ['read'],
    }),
    properties: attributes(IGNORED),
  },
  { $id: 'Action', description: 'The action to evaluate (OpenID AuthZEN §5.3).' },
);

const Resource = Type.Object(
  {
    type: Type.String({
      maxLength: 64,
      description:
        'Resource of the scope. For example, `users` with the action `read` checks `read:users`.',
      examples: ['users'],
    }),
    id: Type.String({
      maxLength: 1024,
      description:
        'Required by AuthZEN. Scopes apply to a whole type, so the ID does not affect the decision.',
      examples: ['*'],
    }),
    properties: Type.Optional(
      Type.Object(
        { workspace_id: Type.Optional(WorkspaceIdSchema) },
        { description: 'Workspace that the subject must belong to.' },
      ),
    ),
  },
  { $id: 'Resource', description: 'The resource to act on (OpenID AuthZEN §5.2).' },
);

const Context = Type.Object(
  {
    explain: Type.Optional(
      Type.Boolean({
        description:
          'Whether to include the response of `POST /explain`. Requires the scopes of that route.',
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
  summary: 'Evaluate whether a subject is allowed to do something',
  description:
    'OpenID AuthZEN Authorization API 1.0 §6. Any caller can evaluate itself, or a token that it has. Other subjects require `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied in the same way as a subject without permissions. With `workspace_id`, a user must be a member of the workspace or hold `*:*`, and an agent must belong to it. For an agent that acts for a user, both conditions apply. All users are members of `ws_default`.',
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
  summary: 'Evaluate whether a subject is allowed to do something, at the issuer URL',
});

const defaults = {
  subject: Type.Optional(Subject),
  action: Type.Optional(Action),
  resource: Type.Optional(Resource),
  context: Type.Optional(Context),
};

const evaluations = {
  maxItems: MAX_EVALUATIONS,
  description:
    'The evaluations. Decisions are returned in the same order. An invalid evaluation is denied.',
  examples: [[{ action: { name: 'read' } }, { action: { name: 'write' } }]],
};

const options = Type.Optional(
  Type.Object(
    {
      evaluations_semantic: Type.Optional(
        Type.Enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'], {
          description:
            '`execute_all` (default) returns all decisions. The others stop after the first denied or permitted decision.',
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
  summary: 'Evaluate up to 100 requests',
  description:
    'OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` at the top level are defaults for each entry in `evaluations`. Each decision equals that of a single evaluation. An invalid evaluation is denied with the reason in `context.error`, and the others are still decided. Without `evaluations`, the request is a single evaluation.',
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
        evaluations: Type.Array(Decision, {
          description: 'The decisions, in the order of the evaluations.',
        }),
      }),
    ]),
  },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'ADMINISTRATOR_REQUIRED'],
});

export const evaluateAllByIssuer = atIssuer(evaluateAll, {
  id: 'access.evaluations_by_issuer',
  path: `${ISSUER_PATH}${evaluateAll.path}`,
  summary: 'Evaluate up to 100 requests, at the issuer URL',
});
