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
const ESTIMATE = 'Present when the number is an estimate: above 10,000.';

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
    expires_at: expiresAt('When it expires.'),
  },
  { $id: 'DependentSession', description: 'A live session, abbreviated.' },
);

const DependentAgent = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: nameOf('Display name.', 'Invoice importer'),
    is_active: Type.Boolean({ description: 'Whether it is active.' }),
    api_keys: Type.Integer({ description: 'Number of its usable keys.', examples: [1] }),
    created_at: CreatedAt,
  },
  { $id: 'DependentAgent', description: 'An agent, abbreviated.' },
);

const DependentApiKey = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: nameOf('Display name.', 'importer, production'),
    prefix: nameOf('The first 12 characters of the key, to recognize it.', 'svc_sk_EXAMP'),
    created_at: CreatedAt,
    expires_at: expiresAt('When it expires.'),
  },
  { $id: 'DependentApiKey', description: 'A usable API key, abbreviated.' },
);

const DependentDelegation = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    scopes: GrantedScopes,
    created_at: CreatedAt,
    expires_at: expiresAt('When it expires.'),
  },
  { $id: 'DependentDelegation', description: 'A live delegation, abbreviated.' },
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
    'Dependents of a user: live sessions, owned agents, usable keys of those, and live delegations that the user gave or that those agents hold.',
});
export type UserDependents = Static<typeof UserDependents>;

export const AgentDependents = Type.Object(aboutAgent, {
  $id: 'AgentDependents',
  description: 'Dependents of an agent: its usable keys, and live delegations that it holds.',
});
export type AgentDependents = Static<typeof AgentDependents>;

const dryRun = { dry_run: Type.Literal(true, { description: 'Nothing was changed.' }) };

export const UserDryRun = Type.Object(
  { ...dryRun, ...aboutUser },
  {
    $id: 'UserDryRun',
    description: 'What would be deleted or revoked with the user.',
  },
);
export const AgentDryRun = Type.Object(
  { ...dryRun, ...aboutAgent },
  {
    $id: 'AgentDryRun',
    description: 'What would be deleted or revoked with the agent.',
  },
);

export const UserDisabled = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    is_active: Type.Literal(false, { description: 'The user can no longer log in.' }),
    ended: Type.Object(ofUsers, { description: 'For each kind, how many ended, and the newest.' }),
  },
  { $id: 'UserDisabled', description: 'What ended when the user was disabled.' },
);
export type UserDisabled = Static<typeof UserDisabled>;
