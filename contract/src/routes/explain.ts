import Type from 'typebox';
import { exampleOf } from '../example.ts';
import { SubjectIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { Explanation } from '../records/explanation.ts';
import { presentedToken } from '../records/tokens.ts';
import { API_BASE, route } from '../route.ts';
import { ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';

/** The subject, identified by one of its tokens or by ID. */
const whom = {
  token: Type.Optional(presentedToken('Their access token or API key.')),
  subject: Type.Optional(SubjectIdSchema),
  workspace_id: Type.Optional(WorkspaceIdSchema),
};

const EXAMPLE_CHECK = { subject: exampleOf(UserIdSchema), scope: 'read:users write:users' };

export const explain = route({
  id: 'access.explain',
  method: 'POST',
  path: `${API_BASE}/explain`,
  access: { scope: 'read:audit', administrator: true },
  summary: 'Explain why a subject may do something, or may not',
  description:
    'Whether the subject holds all of the scopes, as `POST /access/v1/evaluation` decides it, and why: which role, agent, key or delegation grants each scope, what denies it, and which change removed a scope, by whom and when. The response requires the scopes to read what it shows: `read:users` and `read:roles` for a user, `read:sessions` for a token of a session, `read:agents` and `read:apikeys` for an agent.',
  body: closed({ ...whom, scope: ScopesText }, { examples: [EXAMPLE_CHECK] }),
  ok: { status: 200, body: Explanation },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
