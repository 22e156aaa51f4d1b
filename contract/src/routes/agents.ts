import Type from 'typebox';
import { AgentIdSchema, pathId, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { AgentDryRun } from '../records/dependents.ts';
import { AgentRecord } from '../records/agent.ts';
import { AgentKeySet, AgentTrusts } from '../records/agent-proofs.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import {
  booleanText,
  description,
  displayName,
  agentScopes,
  SORT_BY_AGE,
  deleted,
  DRY_RUN,
} from './fields.ts';

const BASE = `${API_BASE}/agents` as const;
const agentPath = Type.Object({ agent_id: pathId(AgentIdSchema) });

export const listAgents = route({
  id: 'agents.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:agents', administrator: true },
  summary: 'List agents',
  description: 'The newest first. Several filters must all match.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    workspace_id: Type.Optional(WorkspaceIdSchema),
    owner_id: Type.Optional(UserIdSchema),
    is_active: Type.Optional(booleanText('Only active ones, or only inactive ones.')),
  }),
  ok: { status: 200, body: listOf(AgentRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const createAgent = route({
  id: 'agents.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:agents', administrator: true },
  summary: 'Create an agent',
  description:
    'Without `scopes` the agent has no permissions, without `workspace_id` it belongs to `ws_default`, and without `owner_id` the caller owns it. Callers cannot grant permissions that they do not hold, nor scopes of resources that require them.',
  maxBodyBytes: 128 * 1024,
  body: closed({
    name: displayName('Invoice importer'),
    description: Type.Optional(description('Reads the users to bill them.')),
    scopes: Type.Optional(
      agentScopes('Scopes of the agent: only those that the caller may grant.'),
    ),
    workspace_id: Type.Optional(WorkspaceIdSchema),
    owner_id: Type.Optional(UserIdSchema),
    jwks: Type.Optional(AgentKeySet),
    trusts: Type.Optional(AgentTrusts),
  }),
  idempotent: true,
  ok: { status: 201, body: AgentRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const getAgent = route({
  id: 'agents.get',
  method: 'GET',
  path: `${BASE}/:agent_id`,
  access: { scope: 'read:agents', administrator: true },
  summary: 'Read an agent',
  description: 'Returns the agent with its scopes and its authentication methods.',
  params: agentPath,
  ok: { status: 200, body: AgentRecord },
  errors: ['NOT_FOUND'],
});

export const updateAgent = route({
  id: 'agents.update',
  method: 'PATCH',
  path: `${BASE}/:agent_id`,
  access: { scope: 'write:agents', administrator: true },
  summary: 'Change an agent',
  description:
    'A change of `scopes`, `workspace_id`, `is_active`, `jwks` or `trusts` takes effect with the next request: previously issued tokens are rejected. The keys of an inactive agent do not work; once it is active again, those that have not expired do. Callers cannot change an agent that holds more than they do.',
  params: agentPath,
  maxBodyBytes: 128 * 1024,
  body: closed(
    {
      name: Type.Optional(displayName('Invoice importer')),
      description: Type.Optional(description('Reads the users to bill them.')),
      scopes: Type.Optional(agentScopes('Replaces the scopes of the agent.')),
      is_active: Type.Optional(Type.Boolean({ description: 'Whether it is active.' })),
      workspace_id: Type.Optional(WorkspaceIdSchema),
      owner_id: Type.Optional(UserIdSchema),
      jwks: Type.Optional(
        Type.Union([AgentKeySet, Type.Null()], {
          description: 'Replaces the keys of the agent; null removes them.',
        }),
      ),
      trusts: Type.Optional(AgentTrusts),
    },
    {
      minProperties: 1,
      $id: 'AgentPatch',
      description: 'Fields that are present are changed.',
      examples: [{ scopes: ['read:users', 'read:sessions'] }],
    },
  ),
  ok: { status: 200, body: AgentRecord },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});

export const deleteAgent = route({
  id: 'agents.delete',
  method: 'DELETE',
  path: `${BASE}/:agent_id`,
  access: { scope: 'delete:agents', administrator: true },
  summary: 'Delete an agent',
  description:
    'Deletes the agent irreversibly, with its keys and the delegations to it. `dry_run=true` returns the dependents of the agent, and changes nothing.',
  params: agentPath,
  query: closed({ dry_run: Type.Optional(DRY_RUN) }),
  ok: {
    status: 200,
    body: Type.Union([deleted(AgentIdSchema), AgentDryRun]),
  },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});
