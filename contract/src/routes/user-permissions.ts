import Type from 'typebox';
import { pathId, UserIdSchema } from '../ids.ts';
import { UserPermissions } from '../records/user-permissions.ts';
import { API_BASE, route } from '../route.ts';

export const getUserPermissions = route({
  id: 'users.permissions',
  method: 'GET',
  path: `${API_BASE}/users/:user_id/permissions`,
  access: { scope: 'read:users', administrator: true },
  summary: 'List what a user may do, and why',
  description:
    'The scopes as `POST /access/v1/evaluation` decides on them now, each with the roles that grant it. Also requires `read:roles`.',
  params: Type.Object({ user_id: pathId(UserIdSchema) }),
  ok: { status: 200, body: UserPermissions },
  errors: ['SCOPE_REQUIRED', 'NOT_FOUND'],
});
