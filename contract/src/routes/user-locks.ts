import Type from 'typebox';
import { pathId, UserIdSchema } from '../ids.ts';
import { UserLock } from '../records/user-lock.ts';
import { API_BASE, route } from '../route.ts';

const userPath = Type.Object({ user_id: pathId(UserIdSchema) });

export const getUserLocks = route({
  id: 'users.get_locks',
  method: 'GET',
  path: `${API_BASE}/users/:user_id/locks`,
  access: { scope: 'read:users' },
  summary: 'List the sign-in limits that a user has reached',
  description:
    'Lists the limits on wrong passwords and codes that the user has reached. They do not apply on devices where the user has signed in before. The limits of networks and devices are not listed, nor are suspended factors: see `GET /users/:user_id/factors`.',
  params: userPath,
  ok: {
    status: 200,
    body: Type.Object({
      locks: Type.Array(UserLock, { description: 'Limits that reject sign-ins now.' }),
    }),
  },
  errors: ['NOT_FOUND', 'PRINCIPAL_PROTECTED'],
});

export const unlockUser = route({
  id: 'users.unlock',
  method: 'POST',
  path: `${API_BASE}/users/:user_id/unlock`,
  access: { scope: 'write:users' },
  summary: 'Unlock a user',
  description:
    'Resets the limits on wrong passwords and codes of a user, so that they can sign in again without waiting. Returns the limits that had been reached. A suspended factor remains suspended. You cannot unlock yourself, or users who hold permissions that you do not hold.',
  params: userPath,
  ok: {
    status: 200,
    body: Type.Object({
      unlocked: Type.Array(UserLock, { description: 'Limits that rejected sign-ins until now.' }),
    }),
  },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});
