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
  searchText,
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
  description: 'Newest first. If you send several filters, all of them must match.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    sort: SORT_BY_AGE,
    search: Type.Optional(searchText('Any part of the name, or the ID. Case-insensitive.')),
    workspace_id: Type.Optional(WorkspaceIdSchema),
    owner_id: Type.Optional(UserIdSchema),
    is_active: Type.Optional(booleanText('Only active or only inactive agents.')),
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
    'Without `scopes`, the agent has no permissions. Without `workspace_id`, it belongs to `ws_default`. Without `owner_id`, the caller owns it. You cannot grant permissions that you do not hold, or scopes of resources that require such permissions.',
  maxBodyBytes: 128 * 1024,
  body: closed({
    name: displayName('Invoice importer'),
    description: Type.Optional(description('Reads the users to bill them.')),
    scopes: Type.Optional(
      agentScopes('Scopes of the agent. You can only assign scopes that you are allowed to grant.'),
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
  summary: 'Get an agent',
  description: 'Returns the agent with its scopes and authentication methods.',
  params: agentPath,
  ok: { status: 200, body: AgentRecord },
  errors: ['NOT_FOUND'],
});

export const updateAgent = route({
  id: 'agents.update',
  method: 'PATCH',
  path: `${BASE}/:agent_id`,
  access: { scope: 'write:agents', administrator: true },
  summary: 'Update an agent',
  description:
    'Changes to `scopes`, `workspace_id`, `is_active`, `jwks` and `trusts` take effect with the next request: tokens issued before are rejected. Keys of an inactive agent do not work. If the agent becomes active again, its unexpired keys work again. You cannot update an agent that holds permissions that you do not hold.',
  params: agentPath,
  maxBodyBytes: 128 * 1024,
  body: closed(
    {
      name: Type.Optional(displayName('Invoice importer')),
      description: Type.Optional(description('Reads the users to bill them.')),
      scopes: Type.Optional(agentScopes('Replaces the scopes of the agent.')),
      is_active: Type.Optional(Type.Boolean({ description: 'Whether the agent is active.' })),
      workspace_id: Type.Optional(WorkspaceIdSchema),
      owner_id: Type.Optional(UserIdSchema),
      jwks: Type.Optional(
        Type.Union([AgentKeySet, Type.Null()], {
          description: 'Replaces the agent’s keys. `null` removes them.',
        }),
      ),
      trusts: Type.Optional(AgentTrusts),
    },
    {
      minProperties: 1,
      $id: 'AgentPatch',
      description: 'Only the fields that you send are changed.',
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
    'Permanently deletes the agent, its keys and the delegations to it. With `dry_run=true`, returns the agent’s dependents and changes nothing.',
  params: agentPath,
  query: closed({ dry_run: Type.Optional(DRY_RUN) }),
  ok: {
    status: 200,
    body: Type.Union([deleted(AgentIdSchema), AgentDryRun]),
  },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'SCOPE_NOT_HELD'],
});
