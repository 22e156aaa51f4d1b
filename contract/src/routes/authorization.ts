import Type from 'typebox';
import { ErrorBody } from '../errors.ts';
import { exampleOf } from '../example.ts';
import { SubjectIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { Explanation } from '../records/explanation.ts';
import { presentedToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';

/** How many checks one request may hold. */
const MAX_CHECKS = 100;

/** Who is asked about: by a token in hand, or by name. */
const whom = {
  token: Type.Optional(presentedToken('About whom: their access token or API key.')),
  subject: Type.Optional(SubjectIdSchema),
  workspace_id: Type.Optional(WorkspaceIdSchema),
};

const EXAMPLE_CHECK = { subject: exampleOf(UserIdSchema), scope: 'read:users write:users' };

const Decision = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether nothing is missing.' }),
    missing: Type.Array(Type.String({ description: 'One of the scopes that were asked about.' }), {
      description: 'The scopes that they lack.',
    }),
  },
  {
    $id: 'Decision',
    description: 'Whether somebody may do something.',
    examples: [{ allowed: false, missing: ['write:users'] }],
  },
);

export const authorize = route({
  id: 'authorization.check',
  method: 'POST',
  path: `${API_BASE}/authorize`,
  access: 'caller',
  begins: 'unconfirmed',
  summary: 'Ask whether somebody may do something',
  description:
    'Anybody who is logged in may ask about an access token or an API key that they have; asking about another subject takes `read:users` or `read:agents`. Revocation counts at once. An invalid token and an unknown subject are granted nothing, and the answer does not say why. With `workspace_id`: a user has to be a member (everybody is one of `ws_default`) or hold `*:*`, an agent has to be of that workspace, and who acts for a user needs both. Up to 100 checks go in one request as `checks`; each result is what the check alone would be answered.',
  maxBodyBytes: 256 * 1024,
  body: closed(
    {
      ...whom,
      scope: Type.Optional(ScopesText),
      checks: Type.Optional(
        Type.Array(closed({ ...whom, scope: ScopesText }), {
          minItems: 1,
          maxItems: MAX_CHECKS,
          description: 'Several in one request, in place of the fields above.',
        }),
      ),
    },
    { examples: [EXAMPLE_CHECK] },
  ),
  ok: {
    status: 200,
    body: Type.Union([
      Decision,
      Type.Object({
        results: Type.Array(Type.Union([Decision, ErrorBody]), {
          description: 'One for each of `checks`, in their order.',
        }),
      }),
    ]),
  },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});

export const explain = route({
  id: 'authorization.explain',
  method: 'POST',
  path: `${API_BASE}/explain`,
  access: { scope: 'read:audit', administrator: true },
  summary: 'Ask why somebody may do something, or may not',
  description:
    'One check as for `POST /authorize`, and beside the same answer the reasons: which role, agent, key or delegation gives each scope, what is in the way, and which change took a scope away, by whom and when. What the answer tells of takes its own scope too: `read:users` and `read:roles` for a user, `read:sessions` for a token of a session, `read:agents` and `read:apikeys` for an agent.',
  body: closed({ ...whom, scope: ScopesText }, { examples: [EXAMPLE_CHECK] }),
  ok: { status: 200, body: Explanation },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
