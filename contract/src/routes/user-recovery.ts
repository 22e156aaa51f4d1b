import Type from 'typebox';
import { pathId, UserIdSchema } from '../ids.ts';
import { API_BASE, route } from '../route.ts';

export const recoverUser = route({
  id: 'users.recover',
  method: 'POST',
  path: `${API_BASE}/users/:user_id/recovery`,
  access: { scope: 'write:users' },
  summary: 'Send a recovery message to a user',
  description:
    'Sends a link to `magic_link_url` and a code to the user’s first verified email address. With both, the user sets a new password, after proving their second factor if they have one. Nothing changes until then. You cannot act on users who hold permissions that you do not hold.',
  params: Type.Object({ user_id: pathId(UserIdSchema) }),
  ok: {
    status: 200,
    body: Type.Object({
      sent_to: Type.String({ description: 'The email address, masked.', examples: ['j…@e….org'] }),
    }),
  },
  errors: [
    'NOT_FOUND',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'METHOD_NOT_READY',
    'USER_UNREACHABLE',
    'TOO_MANY_MESSAGES',
  ],
});
