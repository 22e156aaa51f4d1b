import Type, { type Static } from 'typebox';
import { MESSAGE_CHANNELS, MESSAGE_KIND_NAMES } from './messages.ts';
import {
  Fields,
  Reason,
  Scopes,
  aConsent,
  aDelegation,
  aFactor,
  aRole,
  aSession,
  aSigningKey,
  aTenant,
  aUser,
  aWebhook,
  aWorkspace,
  anAgent,
  anApiKey,
  anIdentity,
  anInvitation,
  anSmsPause,
} from './event-data.ts';
import { type EventKind, kind } from './event-kind.ts';
import { exampleOf } from './example.ts';
import {
  ApiKeyIdSchema,
  EventIdSchema,
  MessageIdSchema,
  FactorIdSchema,
  SessionIdSchema,
  TenantIdSchema,
  WorkspaceIdSchema,
} from './ids.ts';
import { KEY_ALGORITHMS } from './records/signing-key.ts';
import { IdentifierRecord } from './records/user.ts';
import { SESSION_END_REASONS } from './records/session.ts';

/** Every event type. Each event is written in the transaction of the change. */
export const EVENTS = {
  'user.created': kind(true, 'A user was created or registered.', 'user_id', {
    ...aUser,
    identifiers: Type.Array(
      Type.Object({
        type: IdentifierRecord.properties.type,
        identifier: IdentifierRecord.properties.identifier,
      }),
      { description: 'Identifiers that the user can sign in with.' },
    ),
  }),
  'user.updated': kind(true, 'A user was updated.', 'user_id', { ...aUser, fields: Fields }),
  'user.reclaimed': kind(
    true,
    'The owner of an unverified identifier took over its account.',
    'user_id',
    aUser,
  ),
  'password.recovered': kind(false, 'A user set a new password in a recovery.', 'user_id', aUser),
  'identifier.verified': kind(false, 'A user verified an identifier.', 'user_id', {
    ...aUser,
    identifier: IdentifierRecord.properties.identifier,
  }),
  'user.invited': kind(false, 'A person was invited.', 'invitation_id', anInvitation),
  'invitation.accepted': kind(false, 'A user accepted an invitation.', 'invitation_id', {
    ...anInvitation,
    ...aUser,
  }),
  'user.deleted': kind(true, 'A user was deleted.', 'user_id', aUser),
  'user.login': kind(true, 'A user signed in.', 'user_id', {
    ...aUser,
    session_id: SessionIdSchema,
    workspace_id: WorkspaceIdSchema,
    new_device: Type.Boolean({
      description:
        'Whether the device was unknown: the login presented no `device_token` from an earlier login of the user.',
    }),
  }),
  'user.logout': kind(true, 'A user signed out.', 'user_id', {
    ...aUser,
    session_id: SessionIdSchema,
  }),
  'session.created': kind(true, 'A session was opened.', 'session_id', {
    ...aSession,
    workspace_id: WorkspaceIdSchema,
  }),
  'session.revoked': kind(true, 'A session ended before its expiry.', 'session_id', {
    ...aSession,
    reason: Type.Enum([...SESSION_END_REASONS], { description: 'Why the session ended.' }),
  }),
  'role.assigned': kind(true, 'A user was assigned a role.', 'user_id', { ...aUser, ...aRole }),
  'workspace.created': kind(true, 'A workspace was created.', 'workspace_id', {
    ...aWorkspace,
    name: Type.String({ description: 'Display name.', examples: ['Research'] }),
  }),

  'role.unassigned': kind(false, 'A role was removed from a user.', 'user_id', {
    ...aUser,
    ...aRole,
  }),
  'role.created': kind(false, 'A role was created.', 'role', { ...aRole, scopes: Scopes }),
  'role.updated': kind(false, 'A role was updated.', 'role', { ...aRole, fields: Fields }),
  'role.deleted': kind(false, 'A role was deleted.', 'role', aRole),
  'workspace.updated': kind(false, 'A workspace was updated.', 'workspace_id', {
    ...aWorkspace,
    fields: Fields,
  }),
  'workspace.deleted': kind(false, 'A workspace was deleted.', 'workspace_id', aWorkspace),
  'workspace.member_added': kind(false, 'A user was added to a workspace.', 'user_id', {
    ...aUser,
    ...aWorkspace,
  }),
  'workspace.member_removed': kind(false, 'A user was removed from a workspace.', 'user_id', {
    ...aUser,
    ...aWorkspace,
  }),
  'tenant.updated': kind(false, 'The tenant was updated.', 'tenant_id', {
    ...aTenant,
    fields: Fields,
  }),
  'key.rotated': kind(false, 'A new signing key was published.', 'key_id', {
    ...aSigningKey,
    algorithm: Type.Enum([...KEY_ALGORITHMS], { description: 'Algorithm of the key.' }),
    signs_from: Type.String({
      format: 'date-time',
      description: 'When the key starts to sign.',
    }),
  }),
  'key.retired': kind(false, 'A signing key was retired immediately.', 'key_id', aSigningKey),
  'agent.created': kind(false, 'An agent was created.', 'agent_id', anAgent),
  'agent.updated': kind(false, 'An agent was updated.', 'agent_id', { ...anAgent, fields: Fields }),
  'agent.deleted': kind(false, 'An agent was deleted.', 'agent_id', anAgent),
  'apikey.created': kind(false, 'An API key was created.', 'key_id', anApiKey),
  'apikey.rotated': kind(false, 'An API key was rotated.', 'key_id', {
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
  'delegation.created': kind(false, 'A user delegated access to an agent.', 'delegation_id', {
    ...aDelegation,
    scopes: Scopes,
  }),
  'delegation.revoked': kind(false, 'A delegation was revoked.', 'delegation_id', aDelegation),
  'consent.granted': kind(false, 'A user granted consent to an application.', 'consent_id', {
    ...aConsent,
    scopes: Type.Array(Type.String(), {
      description: 'All scopes that the user has granted to the application.',
      examples: [['openid', 'email']],
    }),
  }),
  'consent.revoked': kind(
    false,
    'A user’s consent to an application was revoked.',
    'consent_id',
    aConsent,
  ),
  'factor.added': kind(false, 'A user added a second factor.', 'user_id', aFactor),
  'factor.removed': kind(false, 'A user’s second factor was removed.', 'user_id', aFactor),
  'factor.suspicious': kind(
    false,
    'A second factor was suspended after too many wrong codes, or a passkey was rejected as a possible copy.',
    'user_id',
    {
      factor_id: Type.Optional(FactorIdSchema),
      channel: Type.Optional(
        Type.Enum([...MESSAGE_CHANNELS], {
          description: 'For codes that are sent to the user, instead of `factor_id`: the channel.',
          examples: ['sms'],
        }),
      ),
      ...aUser,
      reason: Type.String({
        description:
          '`too_many_failures`, or `counter_not_increased` if the signature counter of a passkey did not increase.',
        examples: ['too_many_failures'],
      }),
    },
  ),
  'identity.linked': kind(
    false,
    'An identity at a provider was linked to a user.',
    'user_id',
    anIdentity,
  ),
  'identity.unlinked': kind(
    false,
    'An identity at a provider was unlinked from a user.',
    'user_id',
    anIdentity,
  ),
  'webhook.created': kind(false, 'A webhook endpoint was registered.', 'webhook_id', aWebhook),
  'webhook.updated': kind(false, 'A webhook endpoint was updated.', 'webhook_id', {
    ...aWebhook,
    fields: Fields,
  }),
  'webhook.deleted': kind(false, 'A webhook endpoint was deleted.', 'webhook_id', aWebhook),
  'webhook.disabled': kind(false, 'A webhook endpoint was disabled by the service.', 'webhook_id', {
    ...aWebhook,
    reason: Type.String({
      description: 'Why the endpoint was disabled.',
      examples: ['The endpoint returned 410.'],
    }),
  }),
  'message.failed': kind(false, 'A message could not be delivered.', 'message_id', {
    message_id: MessageIdSchema,
    kind: Type.Enum([...MESSAGE_KIND_NAMES], { description: 'Purpose of the message.' }),
    reason: Reason,
  }),
  'messaging.failing': kind(
    false,
    'The mail server or the SMS provider rejected the login, or the mail server rejected TLS, five times in a row.',
    'tenant_id',
    { ...aTenant, reason: Reason },
  ),
  'sms.paused': kind(
    false,
    'Too few of the codes in the last 50 text messages to a country were used. No codes are sent there for an hour.',
    'tenant_id',
    { ...aTenant, ...anSmsPause },
  ),
  'webhook.test': kind(
    false,
    'A test of a webhook endpoint, sent only to that endpoint.',
    'webhook_id',
    aWebhook,
  ),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];
export const EventTypeSchema = Type.Enum([...EVENT_TYPES], {
  description: 'Type of the event.',
});

/** The data of an event of this type. */
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>;

/** The envelope (SPEC events): the body of a delivery, and an item of the event log. */
export const EventRecord = Type.Object(
  {
    id: EventIdSchema,
    type: EventTypeSchema,
    created_at: Type.String({ format: 'date-time', description: 'Time of the event.' }),
    data: Type.Object(
      { tenant_id: TenantIdSchema },
      {
        additionalProperties: true,
        description: 'Data of the event. Its fields depend on the type.',
        examples: [exampleOf(EVENTS['user.created'].data)],
      },
    ),
  },
  { $id: 'Event', description: 'An event. The fields of `data` depend on `type`.' },
);
export type EventRecord = Static<typeof EventRecord> & {
  readonly data: Readonly<Record<string, unknown>>;
};
