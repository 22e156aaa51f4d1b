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
    is_active: Type.Boolean({ description: 'False once it has expired.' }),
    created_at: CreatedAt,
    expires_at: expiresAt('When it expires.'),
    last_used_at: timestampOrNull(
      'When the agent last got a token to act for the user, to the minute; such a token lasts 15 minutes at most.',
    ),
  },
  {
    $id: 'Delegation',
    description: 'What an agent may do on behalf of a user (RFC 8693).',
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
      description: 'The delegation that a new one would replace.',
    }),
  },
  {
    $id: 'DelegationPreview',
    description:
      'What an agent could do on behalf of a user: of the scopes that it requests, those that both of them hold.',
  },
);
export type DelegationPreview = Static<typeof DelegationPreview>;
