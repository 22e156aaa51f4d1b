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
  token: Type.Optional(presentedToken('The subject’s access token or API key.')),
  subject: Type.Optional(SubjectIdSchema),
  workspace_id: Type.Optional(WorkspaceIdSchema),
};

const EXAMPLE_CHECK = { subject: exampleOf(UserIdSchema), scope: 'read:users write:users' };

export const explain = route({
  id: 'access.explain',
  method: 'POST',
  path: `${API_BASE}/explain`,
  access: { scope: 'read:audit', administrator: true },
  summary: 'Explain why a subject is or is not allowed to do something',
  description:
    'Returns whether the subject holds all of the scopes, with the same decision as `POST /access/v1/evaluation`, and why. It names the role, agent, key or delegation that grants each scope, what denies access, and which change removed a scope, who made it and when. Requires the scopes to read what the response shows: `read:users` and `read:roles` for a user, `read:sessions` for a session’s token, `read:agents` and `read:apikeys` for an agent.',
  body: closed({ ...whom, scope: ScopesText }, { examples: [EXAMPLE_CHECK] }),
  ok: { status: 200, body: Explanation },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'NOT_FOUND'],
});
