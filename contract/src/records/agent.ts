import Type, { type Static } from 'typebox';
import { AgentKeySet, AgentTrusts } from './agent-proofs.ts';
import { AgentIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const AgentRecord = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: Type.String(),
    description: Type.String(),
    scopes: Type.Array(Type.String()),
    owner_id: Type.Union([UserIdSchema, Type.Null()], {
      description:
        'The user who answers for the agent; null when a visiting administrator made it.',
    }),
    jwks: Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that the agent signs its assertions with.',
    }),
    trusts: AgentTrusts,
    is_active: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Agent', description: 'A machine that acts by itself: a service account.' },
);
export type AgentRecord = Static<typeof AgentRecord>;
