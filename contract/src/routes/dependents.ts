import Type from 'typebox';
import { AgentIdSchema, pathId, UserIdSchema } from '../ids.ts';
import { AgentDependents, UserDisabled, UserDependents } from '../records/dependents.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { reason } from './fields.ts';

const userPath = Type.Object({ user_id: pathId(UserIdSchema) });

export const getUserDependents = route({
  id: 'users.dependents',
  method: 'GET',
  path: `${API_BASE}/users/:user_id/dependents`,
  access: { scope: 'read:users', administrator: true },
  summary: 'List the dependents of a user',
  description:
    'Returns the number of each type and the newest 20: live sessions, owned agents and their usable keys, and delegations that the user gave or that those agents hold.',
  params: userPath,
  ok: { status: 200, body: UserDependents },
  errors: ['NOT_FOUND'],
});

export const getAgentDependents = route({
  id: 'agents.dependents',
  method: 'GET',
  path: `${API_BASE}/agents/:agent_id/dependents`,
  access: { scope: 'read:agents', administrator: true },
  summary: 'List the dependents of an agent',
  description:
    'Returns the number of each type and the newest 20: usable keys, and delegations that the agent holds.',
  params: Type.Object({ agent_id: pathId(AgentIdSchema) }),
  ok: { status: 200, body: AgentDependents },
  errors: ['NOT_FOUND'],
});

export const disableUser = route({
  id: 'users.disable',
  method: 'POST',
  path: `${API_BASE}/users/:user_id/disable`,
  access: { scope: 'write:users', administrator: true },
  summary: 'Disable a user and end their dependents',
  description:
    'In one transaction, the user and their agents become inactive, their sessions end, and their keys and delegations are revoked. When you receive the response, none of these works on any node. Reactivating the user does not restore them. If you call this route again, it ends everything created since. You must hold the permissions of the user and of those agents.',
  params: userPath,
  body: closed({ reason: reason('Laptop stolen') }),
  idempotent: 'each_path',
  ok: { status: 200, body: UserDisabled },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'LAST_ADMINISTRATOR',
  ],
});
