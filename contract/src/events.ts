import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { exampleOf } from './example.ts';
import {
  AgentIdSchema,
  ApiKeyIdSchema,
  DelegationIdSchema,
  EventIdSchema,
  SessionIdSchema,
  SigningKeyIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WebhookIdSchema,
  WorkspaceIdSchema,
} from './ids.ts';
import { IdentifierRecord } from './records/user.ts';
import { SESSION_END_REASONS } from './records/session.ts';

/** A kind of event: what it means, and what its data holds. */
interface EventKind {
  readonly meaning: string;
  /** The field of the data that names what the event is about. */
  readonly subject: string;
  /** One of the nine of the specification. Endpoints that name no kinds get these; the rest is asked for by name. */
  readonly isSpecified: boolean;
  readonly data: TSchema;
}

/** `data` of every kind holds the tenant and its subject's id. Fields may be added to a kind, never taken away. */
function kind<
  const IsSpecified extends boolean,
  const P extends TProperties,
  const Subject extends keyof P & string,
>(isSpecified: IsSpecified, meaning: string, subject: Subject, properties: P) {
  const data = Type.Object({ tenant_id: TenantIdSchema, ...properties });
  return { meaning, subject, isSpecified, data } as const satisfies EventKind;
}

const Fields = Type.Array(Type.String(), {
  description: 'Names of the fields that changed.',
  examples: [['name']],
});
const Scopes = Type.Array(Type.String(), {
  description: '`<action>:<resource>` each.',
  examples: [['read:users']],
});
const Role = Type.String({ description: "The role's name.", examples: ['reader'] });

const aUser = { user_id: UserIdSchema };
const aSession = { session_id: SessionIdSchema, user_id: UserIdSchema };
const anAgent = { agent_id: AgentIdSchema };
const anApiKey = { key_id: ApiKeyIdSchema, agent_id: AgentIdSchema };
const aDelegation = {
  delegation_id: DelegationIdSchema,
  user_id: UserIdSchema,
  agent_id: AgentIdSchema,
};
const aWorkspace = { workspace_id: WorkspaceIdSchema };
const aRole = { role: Role };
const aTenant = { tenant_id: TenantIdSchema };
const aSigningKey = { key_id: SigningKeyIdSchema };
const aWebhook = { webhook_id: WebhookIdSchema };

/** Every kind of event. Each is written in the transaction of the change that it tells of. */
export const EVENTS = {
  'user.created': kind(true, 'A new user was created, or registered.', 'user_id', {
    ...aUser,
    identifiers: Type.Array(
      Type.Object({
        type: IdentifierRecord.properties.type,
        identifier: IdentifierRecord.properties.identifier,
      }),
      { description: 'What the user can log in with.' },
    ),
  }),
  'user.updated': kind(true, 'A user was changed.', 'user_id', { ...aUser, fields: Fields }),
  'user.deleted': kind(true, 'A user was deleted.', 'user_id', aUser),
  'user.login': kind(true, 'A user logged in.', 'user_id', {
    ...aUser,
    session_id: SessionIdSchema,
    workspace_id: WorkspaceIdSchema,
  }),
  'user.logout': kind(true, 'A user logged out.', 'user_id', {
    ...aUser,
    session_id: SessionIdSchema,
  }),
  'session.created': kind(true, 'A session was opened.', 'session_id', {
    ...aSession,
    workspace_id: WorkspaceIdSchema,
  }),
  'session.revoked': kind(true, 'A session was ended before its time.', 'session_id', {
    ...aSession,
    reason: Type.Enum([...SESSION_END_REASONS], { description: 'Why it ended.' }),
  }),
  'role.assigned': kind(true, 'A user gained a role.', 'user_id', { ...aUser, ...aRole }),
  'workspace.created': kind(true, 'A workspace was created.', 'workspace_id', {
    ...aWorkspace,
    name: Type.String({ description: 'Its name, for people.', examples: ['Research'] }),
  }),

  'role.unassigned': kind(false, 'A user lost a role.', 'user_id', { ...aUser, ...aRole }),
  'role.created': kind(false, 'A role was created.', 'role', { ...aRole, scopes: Scopes }),
  'role.updated': kind(false, 'A role was changed.', 'role', { ...aRole, fields: Fields }),
  'role.deleted': kind(false, 'A role was deleted.', 'role', aRole),
  'workspace.updated': kind(false, 'A workspace was changed.', 'workspace_id', {
    ...aWorkspace,
    fields: Fields,
  }),
  'workspace.deleted': kind(false, 'A workspace was deleted.', 'workspace_id', aWorkspace),
  'workspace.member_added': kind(false, 'A user was put into a workspace.', 'user_id', {
    ...aUser,
    ...aWorkspace,
  }),
  'workspace.member_removed': kind(false, 'A user was taken out of a workspace.', 'user_id', {
    ...aUser,
    ...aWorkspace,
  }),
  'tenant.updated': kind(false, 'The tenant was changed.', 'tenant_id', {
    ...aTenant,
    fields: Fields,
  }),
  'key.rotated': kind(false, 'A new signing key was published.', 'key_id', {
    ...aSigningKey,
    signs_from: Type.String({ format: 'date-time', description: 'From when on it signs.' }),
  }),
  'key.retired': kind(false, 'A signing key was retired at once.', 'key_id', aSigningKey),
  'agent.created': kind(false, 'An agent was created.', 'agent_id', anAgent),
  'agent.updated': kind(false, 'An agent was changed.', 'agent_id', { ...anAgent, fields: Fields }),
  'agent.deleted': kind(false, 'An agent was deleted.', 'agent_id', anAgent),
  'apikey.created': kind(false, 'An API key was created.', 'key_id', anApiKey),
  'apikey.rotated': kind(false, 'An API key got a successor.', 'key_id', {
    ...anApiKey,
    successor_id: ApiKeyIdSchema,
  }),
  'apikey.revoked': kind(false, 'An API key was revoked.', 'key_id', {
    ...anApiKey,
    reason: Type.String({
      description: '`revoked`, `rotated` or `leaked`.',
      examples: ['revoked'],
    }),
  }),
  'delegation.created': kind(false, 'A user let an agent act for them.', 'delegation_id', {
    ...aDelegation,
    scopes: Scopes,
  }),
  'delegation.revoked': kind(
    false,
    'An agent may no longer act for a user.',
    'delegation_id',
    aDelegation,
  ),
  'webhook.created': kind(false, 'An endpoint was registered.', 'webhook_id', aWebhook),
  'webhook.updated': kind(false, 'An endpoint was changed.', 'webhook_id', {
    ...aWebhook,
    fields: Fields,
  }),
  'webhook.deleted': kind(false, 'An endpoint was deleted.', 'webhook_id', aWebhook),
  'webhook.disabled': kind(false, 'An endpoint was switched off.', 'webhook_id', {
    ...aWebhook,
    reason: Type.String({
      description: 'Why it was switched off.',
      examples: ['The endpoint answered 410.'],
    }),
  }),
  'webhook.test': kind(
    false,
    'Somebody tried an endpoint; sent to that one only.',
    'webhook_id',
    aWebhook,
  ),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
export const EventTypeSchema = Type.Enum([...EVENT_TYPES], { description: 'A kind of event.' });

/** What the data of an event of this kind holds. */
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>;

/** The envelope (SPEC events): what a delivery's body is, and what the log of events holds. */
export const EventRecord = Type.Object(
  {
    id: EventIdSchema,
    type: EventTypeSchema,
    created_at: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: Type.Object(
      { tenant_id: TenantIdSchema },
      {
        additionalProperties: true,
        description: 'What happened; its fields depend on the kind.',
        examples: [exampleOf(EVENTS['user.created'].data)],
      },
    ),
  },
  { $id: 'Event', description: 'Something that happened. `data` is of the form of its `type`.' },
);
export type EventRecord = Static<typeof EventRecord> & {
  readonly data: Readonly<Record<string, unknown>>;
};
