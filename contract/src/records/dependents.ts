import Type, { type Static, type TSchema } from 'typebox';
import { exampleOf } from '../example.ts';
import {
  AgentIdSchema,
  ApiKeyIdSchema,
  DelegationIdSchema,
  SessionIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WorkspaceIdSchema,
} from '../ids.ts';
import { CreatedAt, expiresAt, GrantedScopes, nameOf } from './record-fields.ts';

/** The number of listed items per kind; all items are counted. */
export const DEPENDENT_ITEMS = 20;

/** Description of `total_is_estimate`. */
const ESTIMATE = 'Present if the number is an estimate because it exceeds 10,000.';

/** The number of items, and the newest items. */
function partOf<Item extends TSchema>(item: Item, of: string) {
  return Type.Object(
    {
      total: Type.Integer({ description: 'Number of items.', examples: [1] }),
      total_is_estimate: Type.Optional(Type.Literal(true, { description: ESTIMATE })),
      items: Type.Array(item, { maxItems: DEPENDENT_ITEMS, description: 'The newest 20.' }),
    },
    { description: of, examples: [{ total: 1, items: [exampleOf(item)] }] },
  );
}

const DependentSession = Type.Object(
  {
    id: SessionIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    created_at: CreatedAt,
    expires_at: expiresAt('When the session expires.'),
  },
  { $id: 'DependentSession', description: 'Summary of a live session.' },
);

const DependentAgent = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: nameOf('Display name.', 'Invoice importer'),
    is_active: Type.Boolean({ description: 'Whether the agent is active.' }),
    api_keys: Type.Integer({ description: 'Number of usable keys of the agent.', examples: [1] }),
    created_at: CreatedAt,
  },
  { $id: 'DependentAgent', description: 'Summary of an agent.' },
);

const DependentApiKey = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: nameOf('Display name.', 'importer, production'),
    prefix: nameOf('The first 12 characters of the key, to help recognize it.', 'svc_sk_EXAMP'),
    created_at: CreatedAt,
    expires_at: expiresAt('When the key expires.'),
  },
  { $id: 'DependentApiKey', description: 'Summary of a usable API key.' },
);

const DependentDelegation = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    scopes: GrantedScopes,
    created_at: CreatedAt,
    expires_at: expiresAt('When the delegation expires.'),
  },
  { $id: 'DependentDelegation', description: 'Summary of a live delegation.' },
);

const ofAgents = {
  api_keys: partOf(DependentApiKey, 'Usable API keys.'),
  delegations: partOf(DependentDelegation, 'Live delegations.'),
};
const ofUsers = {
  sessions: partOf(DependentSession, 'Live sessions.'),
  agents: partOf(DependentAgent, 'Agents that the user owns.'),
  ...ofAgents,
};

const aboutUser = {
  user_id: UserIdSchema,
  tenant_id: TenantIdSchema,
  is_active: Type.Boolean({ description: 'Whether the account is active.' }),
  ...ofUsers,
};
const aboutAgent = {
  agent_id: AgentIdSchema,
  tenant_id: TenantIdSchema,
  is_active: Type.Boolean({ description: 'Whether the account is active.' }),
  ...ofAgents,
};

export const UserDependents = Type.Object(aboutUser, {
  $id: 'UserDependents',
  description:
    'Dependents of a user: live sessions, owned agents, the usable keys of those agents, and live delegations given by the user or held by those agents.',
});
export type UserDependents = Static<typeof UserDependents>;

export const AgentDependents = Type.Object(aboutAgent, {
  $id: 'AgentDependents',
  description: 'Dependents of an agent: usable keys, and live delegations that the agent holds.',
});
export type AgentDependents = Static<typeof AgentDependents>;

const dryRun = {
  dry_run: Type.Literal(true, { description: 'Always `true`: nothing was changed.' }),
};

export const UserDryRun = Type.Object(
  { ...dryRun, ...aboutUser },
  {
    $id: 'UserDryRun',
    description: 'The records that would be deleted or revoked together with the user.',
  },
);
export const AgentDryRun = Type.Object(
  { ...dryRun, ...aboutAgent },
  {
    $id: 'AgentDryRun',
    description: 'The records that would be deleted or revoked together with the agent.',
  },
);

export const UserDisabled = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    is_active: Type.Literal(false, {
      description: 'Always `false`: the user can no longer sign in.',
    }),
    ended: Type.Object(ofUsers, {
      description: 'For each type, how many ended, and the newest of them.',
    }),
  },
  { $id: 'UserDisabled', description: 'The records that ended when the user was disabled.' },
);
export type UserDisabled = Static<typeof UserDisabled>;
