import Type from 'typebox';
import { AgentIdSchema, DelegationIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { DelegationPreview, DelegationRecord } from '../records/delegation.ts';
import { API_BASE, route } from '../route.ts';
import { ScopeSchema, ScopesText } from '../scope-schema.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/me/delegations` as const;
const delegationPath = Type.Object({ delegation_id: pathId(DelegationIdSchema) });

export const DEFAULT_DELEGATION_DAYS = 90;

export const DelegationDays = Type.Integer({
  minimum: 1,
  maximum: 365,
  description: `Lifetime in days. Default: ${DEFAULT_DELEGATION_DAYS}.`,
  examples: [DEFAULT_DELEGATION_DAYS],
});

export const createDelegation = route({
  id: 'delegations.create',
  method: 'POST',
  path: BASE,
  access: 'user',
  summary: 'Delegate to an agent',
  description:
    'The agent can then use token exchange to get tokens that act for the user. Each token is valid for 15 minutes and has the scopes that the user, the agent and the delegation have in common. A new delegation to the same agent replaces the previous one.',
  body: closed({
    agent_id: AgentIdSchema,
    scopes: Type.Array(ScopeSchema, {
      minItems: 1,
      maxItems: 128,
      uniqueItems: true,
      description: 'Scopes to delegate. The user must hold them.',
    }),
    expires_in_days: Type.Optional(DelegationDays),
  }),
  idempotent: true,
  ok: { status: 201, body: DelegationRecord },
  errors: ['TOKEN_INVALID', 'NOT_FOUND', 'SCOPE_NOT_HELD', 'VALIDATION_FAILED'],
});

export const previewDelegation = route({
  id: 'delegations.preview',
  method: 'GET',
  path: `${API_BASE}/me/agents/:agent_id`,
  access: 'user',
  summary: 'Preview a delegation to an agent',
  description:
    'Returns the agent, and which of the requested scopes both the agent and the user hold. Returns 404 if there are none. The account page calls this route before it asks the user to approve the agent.',
  params: Type.Object({ agent_id: pathId(AgentIdSchema) }),
  query: closed({ scope: ScopesText }),
  ok: { status: 200, body: DelegationPreview },
  errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
});

export const listDelegations = route({
  id: 'delegations.list',
  method: 'GET',
  path: BASE,
  access: 'user',
  summary: 'List the caller’s delegations',
  description: 'Delegations that the caller gave and has not revoked, newest first.',
  query: closed({ ...listQuery, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(DelegationRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const getDelegation = route({
  id: 'delegations.get',
  method: 'GET',
  path: `${BASE}/:delegation_id`,
  access: 'user',
  summary: 'Get one of the caller’s delegations',
  description: 'A delegation that the caller gave.',
  params: delegationPath,
  ok: { status: 200, body: DelegationRecord },
  errors: ['NOT_FOUND'],
});

export const deleteDelegation = route({
  id: 'delegations.delete',
  method: 'DELETE',
  path: `${BASE}/:delegation_id`,
  access: 'user',
  summary: 'Revoke a delegation',
  description: 'Tokens issued under the delegation are rejected immediately.',
  params: delegationPath,
  ok: { status: 200, body: deleted(DelegationIdSchema) },
  errors: ['NOT_FOUND'],
});
