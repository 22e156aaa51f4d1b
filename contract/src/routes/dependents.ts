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
    'The number of each, and the newest 20: live sessions, owned agents, their usable keys, delegations given by the user or held by those agents.',
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
  description: 'The number of each, and the newest 20: usable keys, and delegations that it holds.',
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
    'In one transaction, the user and the agents that they own become inactive, their sessions end, and their keys and delegations are revoked. When the response arrives, none of it works any more on any node. It is not restored when the user is made active again. Repeating it ends what was created since. The caller must hold the permissions of the user and of those agents.',
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
