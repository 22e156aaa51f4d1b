import Type from 'typebox';
import { pathId, UserIdSchema } from '../ids.ts';
import { UserPermissions } from '../records/user-permissions.ts';
import { API_BASE, route } from '../route.ts';

export const getUserPermissions = route({
  id: 'users.permissions',
  method: 'GET',
  path: `${API_BASE}/users/:user_id/permissions`,
  access: { scope: 'read:users', administrator: true },
  summary: 'List a user’s permissions',
  description:
    'Returns the scopes that `POST /access/v1/evaluation` currently uses, with the roles that grant each of them. Also requires `read:roles`.',
  params: Type.Object({ user_id: pathId(UserIdSchema) }),
  ok: { status: 200, body: UserPermissions },
  errors: ['SCOPE_REQUIRED', 'NOT_FOUND'],
});
