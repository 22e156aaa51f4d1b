import Type, { type Static } from 'typebox';
import { AgentIdSchema, DelegationIdSchema, TenantIdSchema, UserIdSchema } from '../ids.ts';

export const DelegationRecord = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    scopes: Type.Array(Type.String()),
    is_active: Type.Boolean({ description: 'Whether it has not expired yet.' }),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  {
    $id: 'Delegation',
    description: 'What a user lets an agent do in their name (RFC 8693).',
  },
);
export type DelegationRecord = Static<typeof DelegationRecord>;
