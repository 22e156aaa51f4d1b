import Type, { type Static } from 'typebox';
import { AgentIdSchema, DelegationIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';
import { CreatedAt, expiresAt, GrantedScopes } from './record-fields.ts';

export const DelegationRecord = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    scopes: GrantedScopes,
    is_active: Type.Boolean({ description: 'Whether it has not expired yet.' }),
    created_at: CreatedAt,
    expires_at: expiresAt('When it ends by itself.'),
  },
  {
    $id: 'Delegation',
    description: 'What a user lets an agent do in their name (RFC 8693).',
  },
);
export type DelegationRecord = Static<typeof DelegationRecord>;
