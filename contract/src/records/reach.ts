import Type, { type Static, type TSchema } from 'typebox';
import {
  AgentIdSchema,
  ApiKeyIdSchema,
  DelegationIdSchema,
  SessionIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WorkspaceIdSchema,
} from '../ids.ts';

/** So many of each kind are named; all are counted. */
export const REACH_ITEMS = 20;

const Time = Type.String({ format: 'date-time' });

/** How many there are, and the newest of them. */
function partOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    total: Type.Integer(),
    total_is_estimate: Type.Optional(Type.Literal(true)),
    items: Type.Array(item, { maxItems: REACH_ITEMS }),
  });
}

const ReachedSession = Type.Object(
  {
    id: SessionIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'ReachedSession' },
);

const ReachedAgent = Type.Object(
  {
    id: AgentIdSchema,
    tenant_id: TenantIdSchema,
    workspace_id: WorkspaceIdSchema,
    name: Type.String(),
    is_active: Type.Boolean(),
    api_keys: Type.Integer({ description: 'How many of its keys are usable.' }),
    created_at: Time,
  },
  { $id: 'ReachedAgent' },
);

const ReachedApiKey = Type.Object(
  {
    id: ApiKeyIdSchema,
    tenant_id: TenantIdSchema,
    agent_id: AgentIdSchema,
    name: Type.String(),
    prefix: Type.String(),
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'ReachedApiKey' },
);

const ReachedDelegation = Type.Object(
  {
    id: DelegationIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    agent_id: AgentIdSchema,
    scopes: Type.Array(Type.String()),
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'ReachedDelegation' },
);

const ofAgents = { api_keys: partOf(ReachedApiKey), delegations: partOf(ReachedDelegation) };
const ofUsers = {
  sessions: partOf(ReachedSession),
  agents: partOf(ReachedAgent),
  ...ofAgents,
};

const aboutUser = {
  user_id: UserIdSchema,
  tenant_id: TenantIdSchema,
  is_active: Type.Boolean(),
  ...ofUsers,
};
const aboutAgent = {
  agent_id: AgentIdSchema,
  tenant_id: TenantIdSchema,
  is_active: Type.Boolean(),
  ...ofAgents,
};

export const UserReach = Type.Object(aboutUser, {
  $id: 'UserReach',
  description:
    'What hangs on a user: living sessions, the agents that they answer for, usable keys of those, and living delegations that the user gave or that those agents hold.',
});
export type UserReach = Static<typeof UserReach>;

export const AgentReach = Type.Object(aboutAgent, {
  $id: 'AgentReach',
  description: 'What hangs on an agent: its usable keys, and living delegations that it holds.',
});
export type AgentReach = Static<typeof AgentReach>;

const dryRun = { dry_run: Type.Literal(true) };

export const UserDryRun = Type.Object({ ...dryRun, ...aboutUser }, { $id: 'UserDryRun' });
export const AgentDryRun = Type.Object({ ...dryRun, ...aboutAgent }, { $id: 'AgentDryRun' });

export const UserDisabled = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    is_active: Type.Literal(false),
    ended: Type.Object(ofUsers),
  },
  { $id: 'UserDisabled', description: 'What ended when the user was disabled.' },
);
export type UserDisabled = Static<typeof UserDisabled>;
