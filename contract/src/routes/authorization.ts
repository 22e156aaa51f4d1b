import Type from 'typebox';
import { ErrorBody } from '../errors.ts';
import { SubjectIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { Explanation } from '../records/explanation.ts';
import { PresentedToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';

/** How many checks one request may hold. */
export const MAX_CHECKS = 100;

/** Who is asked about: by a token in hand, or by name. */
const whom = {
  token: Type.Optional(PresentedToken),
  subject: Type.Optional(SubjectIdSchema),
  workspace_id: Type.Optional(WorkspaceIdSchema),
};

const Decision = Type.Object(
  {
    allowed: Type.Boolean({ description: 'Whether nothing is missing.' }),
    missing: Type.Array(Type.String(), { description: 'The scopes that they lack.' }),
  },
  { $id: 'Decision' },
);

export const authorize = route({
  id: 'authorization.check',
  method: 'POST',
  path: `${API_BASE}/authorize`,
  access: 'caller',
  summary: 'Ask whether somebody may do something',
  description:
    'About an access token or API key in hand anybody who is logged in may ask; about a subject that is not oneself, who has `read:users` or `read:agents`. Revocation counts at once. A token that is not good, and a subject that there is not, lack everything; why is never told here. With `workspace_id`: a user has to be a member (everybody is one of `ws_default`) or hold `*:*`, an agent has to be of that workspace, and who acts for a user needs both. Up to 100 checks go in one request as `checks`; each result is what the check alone would be answered.',
  maxBodyBytes: 256 * 1024,
  body: closed({
    ...whom,
    scope: Type.Optional(ScopesText),
    checks: Type.Optional(
      Type.Array(closed({ ...whom, scope: ScopesText }), {
        minItems: 1,
        maxItems: MAX_CHECKS,
      }),
    ),
  }),
  ok: {
    status: 200,
    body: Type.Union([
      Decision,
      Type.Object({ results: Type.Array(Type.Union([Decision, ErrorBody])) }),
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
  body: closed({ ...whom, scope: ScopesText }),
  ok: { status: 200, body: Explanation },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
