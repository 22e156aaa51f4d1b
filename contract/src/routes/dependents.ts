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
    'How many of each there are, and the newest 20: live sessions, agents that the user answers for, their usable keys, delegations given by the user or held by those agents.',
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
  description: 'How many of each there are, and the newest 20: usable keys, delegations it holds.',
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
    'In one transaction: the user and the agents that they answer for are inactive, their sessions ended, the keys and delegations revoked. Nothing of it works from the answer on, on any node, and none of it comes back when the user is made active again. A second time ends what there is by then. Who does it must hold what the user and those agents hold.',
  params: userPath,
  body: closed({ reason: reason('Laptop stolen') }),
  idempotent: 'each_path',
  ok: { status: 200, body: UserDisabled },
  errors: [
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'SCOPE_NOT_HELD',
    'PRINCIPAL_PROTECTED',
    'LAST_SYSTEM_ADMINISTRATOR',
  ],
});
