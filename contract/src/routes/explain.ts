import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { SubjectIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { Explanation } from '../records/explanation.ts';
import { presentedToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';

/** Who is asked about: by a token in hand, or by name. */
const whom = {
  token: Type.Optional(presentedToken('About whom: their access token or API key.')),
  subject: Type.Optional(SubjectIdSchema),
  workspace_id: Type.Optional(WorkspaceIdSchema),
};

const EXAMPLE_CHECK = { subject: exampleOf(UserIdSchema), scope: 'read:users write:users' };

export const explain = route({
  id: 'access.explain',
  method: 'POST',
  path: `${API_BASE}/explain`,
  access: { scope: 'read:audit', administrator: true },
  summary: 'Ask why somebody may do something, or may not',
  description:
    'Whether somebody has all of the scopes, as `POST /access/v1/evaluation` decides it, and the reasons: which role, agent, key or delegation gives each scope, what is in the way, and which change took a scope away, by whom and when. What the answer tells of takes its own scope too: `read:users` and `read:roles` for a user, `read:sessions` for a token of a session, `read:agents` and `read:apikeys` for an agent.',
  body: closed({ ...whom, scope: ScopesText }, { examples: [EXAMPLE_CHECK] }),
  ok: { status: 200, body: Explanation },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
