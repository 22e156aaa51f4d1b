import Type, { type Static } from 'typebox';
import { AgentKeySet, AgentTrusts } from './agent-proofs.ts';
import { CreatedAt, nameOf } from './record-fields.ts';
import { AgentScopeSchema } from '../scope-schema.ts';
import { AgentIdSchema, TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const AgentRecord = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: nameOf('Display name.', 'Invoice importer'),
    description: nameOf('Purpose of the agent. Can be empty.', 'Reads the users to bill them.'),
    scopes: Type.Array(AgentScopeSchema, {
      description:
        'Permissions of the agent, and the scopes of resources that it can request. The agent cannot get any other scopes.',
    }),
    owner_id: Type.Union([UserIdSchema, Type.Null()], {
      description:
        'The user who owns the agent; `null` if an impersonating administrator created it.',
    }),
    jwks: Type.Union([AgentKeySet, Type.Null()], {
      description: 'Public keys that verify the agent’s assertions; `null` if there are none.',
    }),
    trusts: AgentTrusts,
    is_active: Type.Boolean({
      description:
        'Whether the agent is active. Keys and tokens of an inactive agent are rejected.',
    }),
    created_at: CreatedAt,
  },
  { $id: 'Agent', description: 'A machine identity: a service account.' },
);
export type AgentRecord = Static<typeof AgentRecord>;
