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
  summary: 'Get what blocks the sign-ins of a user',
  description:
    'Limits on wrong passwords and codes that the user has reached. On devices where the user has signed in before, sign-ins with a password still work. The limits of a network or a device are not listed.',
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
  summary: 'Unlock the sign-ins of a user',
  description:
    'Forgets the wrong passwords and codes of a user, so that they can sign in again without waiting. Returns the limits that had been reached. You cannot unlock yourself, or act on users who hold permissions that you do not hold.',
  params: userPath,
  ok: {
    status: 200,
    body: Type.Object({
      unlocked: Type.Array(UserLock, { description: 'Limits that rejected sign-ins until now.' }),
    }),
  },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});
