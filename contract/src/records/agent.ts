import Type, { type Static } from 'typebox';
import { AgentKeySet, AgentTrusts } from './agent-proofs.ts';
import { CreatedAt, GrantedScopes, nameOf } from './record-fields.ts';
import { AgentIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const AgentRecord = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: nameOf('Its name, for people.', 'Invoice importer'),
    description: nameOf('What it is for; may be empty.', 'Reads the users to bill them.'),
    scopes: GrantedScopes,
    owner_id: Type.Union([UserIdSchema, Type.Null()], {
      description:
        'The user who answers for the agent; null when an impersonating administrator made it.',
    }),
    jwks: Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that the agent signs its assertions with; null: none.',
    }),
    trusts: AgentTrusts,
    is_active: Type.Boolean({ description: 'Inactive, neither its keys nor its tokens work.' }),
    created_at: CreatedAt,
  },
  { $id: 'Agent', description: 'A machine that acts by itself: a service account.' },
);
export type AgentRecord = Static<typeof AgentRecord>;
