import Type from 'typebox';
import { AgentRecord } from '../records/agent.ts';
import { UserMetadata, UserRecord } from '../records/user.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { SecretText } from './fields.ts';

export const getMe = route({
  id: 'me.get',
  method: 'GET',
  path: `${API_BASE}/me`,
  access: 'caller',
  begins: 'unconfirmed',
  summary: 'Get the caller',
  description: 'Returns the user, or the agent for its own token or key.',
  ok: { status: 200, body: Type.Union([UserRecord, AgentRecord]) },
  errors: ['TOKEN_INVALID', 'IMPERSONATION_REFUSED'],
});

export const getCallerPermissions = route({
  id: 'me.permissions',
  method: 'GET',
  path: `${API_BASE}/me/permissions`,
  access: 'caller',
  summary: 'Get what the caller may do',
  description:
    'For this credential: the roles and scopes of the token or key that the request came with, or in the console the current ones of the user.',
  ok: {
    status: 200,
    body: Type.Object({
      roles: Type.Array(Type.String(), { description: 'Names of roles.', examples: [['admin']] }),
      scopes: Type.Array(Type.String(), {
        description: 'Scopes of the form `action:resource`; either part may be `*`.',
        examples: [['read:users']],
      }),
    }),
  },
  errors: [],
});

export const updateMe = route({
  id: 'me.update',
  method: 'PATCH',
  path: `${API_BASE}/me`,
  access: 'user',
  summary: 'Change the caller’s user_metadata or password',
  description:
    'A new password requires `current_password` and, of a user with a second factor, a recent login with it. It ends every other session of the user.',
  body: closed(
    {
      user_metadata: Type.Optional(UserMetadata),
      password: Type.Optional(SecretText),
      current_password: Type.Optional(SecretText),
    },
    { minProperties: 1, examples: [{ user_metadata: { theme: 'dark' } }] },
  ),
  ok: { status: 200, body: UserRecord },
  errors: [
    'VALIDATION_FAILED',
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'CURRENT_PASSWORD_WRONG',
    'TOO_MANY_ATTEMPTS',
    'TOO_BUSY',
  ],
});
