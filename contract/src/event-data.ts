// Schemas of the data of events.

import Type from 'typebox';
import {
  AgentIdSchema,
  ApiKeyIdSchema,
  ConsentIdSchema,
  DelegationIdSchema,
  FactorIdSchema,
  InvitationIdSchema,
  OAuthClientIdSchema,
  IdentityProviderIdSchema,
  SessionIdSchema,
  SigningKeyIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WebhookIdSchema,
  WorkspaceIdSchema,
} from './ids.ts';
import { FACTOR_TYPES } from './records/factor.ts';

export const Fields = Type.Array(Type.String(), {
  description: 'Names of the changed fields.',
  examples: [['name']],
});
export const Scopes = Type.Array(Type.String(), {
  description: 'Scopes, each of the form `<action>:<resource>`.',
  examples: [['read:users']],
});
const Role = Type.String({ description: 'Name of the role.', examples: ['reader'] });

export const Reason = Type.String({
  description: 'A code, followed by a sentence.',
  examples: ['smtp_550: 550 5.1.1 No such user'],
});

/** Why text messages to a country are paused. */
export const anSmsPause = {
  country: Type.String({
    description: 'Two-letter country code (ISO 3166-1).',
    examples: ['DE'],
  }),
  sent: Type.Integer({ description: 'Number of text messages sent.', examples: [50] }),
  redeemed: Type.Integer({ description: 'Number of their codes that were used.', examples: [3] }),
  paused_until: Type.String({
    format: 'date-time',
    description: 'Time until which no codes are sent there.',
    examples: ['2026-11-22T09:30:00.000Z'],
  }),
};

export const aUser = { user_id: UserIdSchema };
export const aSession = { session_id: SessionIdSchema, user_id: UserIdSchema };
export const anAgent = { agent_id: AgentIdSchema };
export const anApiKey = { key_id: ApiKeyIdSchema, agent_id: AgentIdSchema };
export const aDelegation = {
  delegation_id: DelegationIdSchema,
  user_id: UserIdSchema,
  agent_id: AgentIdSchema,
};
export const aFactor = {
  factor_id: FactorIdSchema,
  user_id: UserIdSchema,
  type: Type.Enum([...FACTOR_TYPES], { description: 'Type of the factor.' }),
};
export const aConsent = {
  consent_id: ConsentIdSchema,
  user_id: UserIdSchema,
  client_id: OAuthClientIdSchema,
};
export const anInvitation = { invitation_id: InvitationIdSchema };
export const anIdentity = { ...aUser, provider_id: IdentityProviderIdSchema };
export const aWorkspace = { workspace_id: WorkspaceIdSchema };
export const aRole = { role: Role };
export const aTenant = { tenant_id: TenantIdSchema };
export const aSigningKey = { key_id: SigningKeyIdSchema };
export const aWebhook = { webhook_id: WebhookIdSchema };
