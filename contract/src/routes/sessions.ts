import Type from 'typebox';
import { OAuthClientIdSchema, pathId, SessionIdSchema, UserIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { SESSION_STATES, SessionRecord } from '../records/session.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { booleanText, revoked, SORT_BY_AGE } from './fields.ts';

export const listSessions = route({
  id: 'sessions.list',
  method: 'GET',
  path: `${API_BASE}/sessions`,
  access: 'caller',
  summary: 'List sessions',
  description:
    'Without `read:sessions`, lists the caller’s own sessions. With it, lists the sessions of all users, or of `user_id`. With `client_id`, lists only those that users opened at that OAuth client. Ended sessions are kept, with the reason, until 30 days after the latest possible expiry (`refresh_token_absolute_ttl`).',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    user_id: Type.Optional(UserIdSchema),
    client_id: Type.Optional(OAuthClientIdSchema),
    state: Type.Optional(
      Type.Enum([...SESSION_STATES], {
        description:
          '`active`. `ended`: signed out, revoked or ended in another way. `expired`: not refreshed in time.',
      }),
    ),
    is_active: Type.Optional(
      booleanText('Only sessions that are active, or only those that have ended or expired.'),
    ),
  }),
  ok: { status: 200, body: listOf(SessionRecord) },
  errors: ['VALIDATION_FAILED', 'SCOPE_REQUIRED', 'PRINCIPAL_PROTECTED'],
});

export const deleteSession = route({
  id: 'sessions.delete',
  method: 'DELETE',
  path: `${API_BASE}/sessions/:session_id`,
  access: 'caller',
  summary: 'End a session',
  description:
    'Ends one of the caller’s own sessions, or with `delete:sessions` any session. Its access and refresh tokens are rejected immediately.',
  params: Type.Object({ session_id: pathId(SessionIdSchema) }),
  ok: { status: 200, body: revoked(SessionIdSchema) },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});

export const deleteSessions = route({
  id: 'sessions.delete_all',
  method: 'DELETE',
  path: `${API_BASE}/sessions`,
  access: 'caller',
  summary: 'End all sessions of a user',
  description: 'Ends all sessions of the caller, or with `delete:sessions` of any user.',
  query: closed({ user_id: UserIdSchema }),
  ok: {
    status: 200,
    body: Type.Object({
      user_id: UserIdSchema,
      revoked: Type.Integer({ description: 'Number of ended sessions.', examples: [2] }),
    }),
  },
  errors: ['NOT_FOUND', 'SCOPE_NOT_HELD', 'PRINCIPAL_PROTECTED'],
});
