import Type from 'typebox';
import { AgentRecord } from '../records/agent.ts';
import { PROFILE } from '../records/profile.ts';
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
  description: 'Returns the user, or the agent if you use an agent’s own token or key.',
  ok: { status: 200, body: Type.Union([UserRecord, AgentRecord]) },
  errors: ['TOKEN_INVALID', 'IMPERSONATION_REFUSED'],
});

export const getCallerPermissions = route({
  id: 'me.permissions',
  method: 'GET',
  path: `${API_BASE}/me/permissions`,
  access: 'caller',
  summary: 'Get the caller’s permissions',
  description:
    'Returns the roles and scopes of the token or key that you send. In the console, returns the user’s current roles and scopes.',
  ok: {
    status: 200,
    body: Type.Object({
      roles: Type.Array(Type.String(), {
        description: 'Roles of the caller.',
        examples: [['admin']],
      }),
      scopes: Type.Array(Type.String(), {
        description: 'Scopes of the form `action:resource`. Either part can be `*`.',
        examples: [['read:users']],
      }),
      tenant_name: Type.String({
        description: 'Display name of the tenant.',
        examples: ['Acme'],
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
  summary: 'Update the caller’s name, picture, user_metadata or password',
  description:
    'A new password requires `current_password`, and for users with a second factor, a recent login with it. It ends all other sessions of the user.',
  body: closed(
    {
      name: Type.Optional(PROFILE.name),
      picture: Type.Optional(PROFILE.picture),
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
