import Type, { type Static } from 'typebox';
import { AgentIdSchema, DelegationIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, GrantedScopes, nameOf, timestampOrNull } from './record-fields.ts';

export const DelegationRecord = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    agent_name: nameOf('Display name of the agent.', 'Invoice importer'),
    scopes: GrantedScopes,
    is_active: Type.Boolean({
      description: 'Whether the delegation is live. False after it expires.',
    }),
    created_at: CreatedAt,
    expires_at: expiresAt('When the delegation expires.'),
    last_used_at: timestampOrNull(
      'When the agent last got a token to act for the user, to the minute. Such a token is valid for at most 15 minutes.',
    ),
  },
  {
    $id: 'Delegation',
    description: 'Permission for an agent to act on behalf of a user (RFC 8693).',
  },
);
export type DelegationRecord = Static<typeof DelegationRecord>;

export const DelegationPreview = Type.Object(
  {
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    agent_name: nameOf('Display name of the agent.', 'Invoice importer'),
    scopes: GrantedScopes,
    delegation_id: Type.Union([DelegationIdSchema, Type.Null()], {
      description: 'The existing delegation that a new one would replace.',
    }),
  },
  {
    $id: 'DelegationPreview',
    description:
      'What an agent would be allowed to do on behalf of a user: the requested scopes that both of them hold.',
  },
);
export type DelegationPreview = Static<typeof DelegationPreview>;
