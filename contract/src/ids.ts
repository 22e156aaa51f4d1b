import Type, { type TSchema } from 'typebox';
import { EXPECTS } from './expectation.ts';

declare const brand: unique symbol;

/** A string that only its validating function returns: ids of different kinds cannot be mixed. */
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type TenantId = Branded<'tenant'>;
export type WorkspaceId = Branded<'workspace'>;
export type UserId = Branded<'user'>;
export type SessionId = Branded<'session'>;
export type SigningKeyId = Branded<'signing-key'>;
export type AgentId = Branded<'agent'>;
export type ApiKeyId = Branded<'api-key'>;
export type DelegationId = Branded<'delegation'>;
export type WebhookId = Branded<'webhook'>;
export type DeliveryId = Branded<'delivery'>;
export type EventId = Branded<'event'>;
export type AuditEntryId = Branded<'audit-entry'>;
export type MessageId = Branded<'message'>;
export type FactorId = Branded<'factor'>;
export type LoginFlowId = Branded<'login-flow'>;
export type IdentityProviderId = Branded<'identity-provider'>;
export type InvitationId = Branded<'invitation'>;
export type OAuthClientId = Branded<'oauth-client'>;
export type ClientSecretId = Branded<'client-secret'>;
export type RegistrationTokenId = Branded<'registration-token'>;
export type ConsentId = Branded<'consent'>;
export type OAuthResourceId = Branded<'oauth-resource'>;
export type SignalStreamId = Branded<'signal-stream'>;

/** The prefix of each id. The rest is a time-ordered random value, or a slug for tenants and workspaces. */
export const ID_PREFIX = {
  user: 'user:',
  session: 'session:',
  signingKey: 'key_',
  agent: 'service:',
  apiKey: 'key_',
  delegation: 'dlg_',
  webhook: 'wh_',
  delivery: 'job_',
  event: 'evt_',
  auditEntry: 'aud_',
  message: 'msg_',
  factor: 'fct_',
  loginFlow: 'login_',
  identityProvider: 'idp_',
  invitation: 'inv_',
  oauthClient: 'client_',
  consent: 'cns_',
  oauthResource: 'res_',
  clientSecret: 'csec_',
  registrationToken: 'rgt_',
  signalStream: 'stream_',
} as const;

/** 26 lower-case Crockford base32 characters: 128 bits, without i, l, o and u. */
const RANDOM_PART = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const SLUG = '[a-z0-9-]{1,48}';
/** Matches the URL of a client ID metadata document: https, at most 512 characters, without query and fragment. */
const DOCUMENT = 'https://[!$-;=A-Z\\[\\]^-~]{3,504}';

const patterns = {
  tenant: `^org_${SLUG}$`,
  workspace: `^ws_${SLUG}$`,
  user: `^user:${RANDOM_PART}$`,
  session: `^session:${RANDOM_PART}$`,
  signingKey: `^key_${RANDOM_PART}$`,
  agent: `^service:${RANDOM_PART}$`,
  apiKey: `^key_${RANDOM_PART}$`,
  delegation: `^dlg_${RANDOM_PART}$`,
  webhook: `^wh_${RANDOM_PART}$`,
  delivery: `^job_${RANDOM_PART}$`,
  event: `^evt_${RANDOM_PART}$`,
  auditEntry: `^aud_${RANDOM_PART}$`,
  message: `^msg_${RANDOM_PART}$`,
  factor: `^fct_${RANDOM_PART}$`,
  loginFlow: `^login_${RANDOM_PART}$`,
  identityProvider: `^idp_${RANDOM_PART}$`,
  invitation: `^inv_${RANDOM_PART}$`,
  oauthClient: `^(client_${RANDOM_PART}|${DOCUMENT})$`,
  consent: `^cns_${RANDOM_PART}$`,
  oauthResource: `^res_${RANDOM_PART}$`,
  clientSecret: `^csec_${RANDOM_PART}$`,
  registrationToken: `^rgt_${RANDOM_PART}$`,
  signalStream: `^stream_${RANDOM_PART}$`,
} as const;

/** Shared by all documents, so that their examples are consistent. */
const EXAMPLES = {
  tenant: 'org_acme',
  workspace: 'ws_default',
  user: 'user:01m817qnm0e599bza8yqh63kxq',
  session: 'session:01m8184fs0eaf81caj1xgnzy8b',
  signingKey: 'key_01m818h9y0fgqat51yw48zkhsj',
  agent: 'service:01m818y430f26s2vf3yj6pjnc7',
  apiKey: 'key_01m819ay80f9z8f5rn9enqa49h',
  delegation: 'dlg_01m819qrd0f2yaf001zgc1q67z',
  webhook: 'wh_01m81a4jj0e3s8cszcanjxs6wp',
  delivery: 'job_01m81ahcq0f62aw8k358r7b6vk',
  event: 'evt_01m81ay6w0eryb9askh4b11dv7',
  auditEntry: 'aud_01m81bb110ehd9dddr5845jw2f',
  message: 'msg_01m81cz7v4f0wb3s6h1rxqk9ne',
  factor: 'fct_01m81d3kw0e5vrb2v6d0q1n7hx',
  loginFlow: 'login_01m81dgx5zf1c8t4w2yk7q9r6m',
  identityProvider: 'idp_01m81e4vr3f7k2m9x5q0t6w8za',
  invitation: 'inv_01m81e2pq8f3z7c5x9bkt4w6hd',
  oauthClient: 'client_01m81ehc7wfj4r8d2n6y0s5t3b',
  consent: 'cns_01m81ehc7xfj4r8d2n6y0s5t3c',
  oauthResource: 'res_01m81ef6k2fq7v3w9x5z1c8n4b',
  clientSecret: 'csec_01m81ev29mf1z7k3q8w4h6x0cj',
  registrationToken: 'rgt_01m81f0q4vf6c2j9n5t8x3z7wd',
  signalStream: 'stream_01m81fb5x8f4t2v9k6q0w7z3nd',
} as const;

const idText = (kind: keyof typeof patterns, what: string, form: string) =>
  Type.String({
    pattern: patterns[kind],
    description: `ID of ${what}: \`${form}\`.`,
    examples: [EXAMPLES[kind]],
    [EXPECTS]: `an ID of the form ${form}`,
  });

export const TenantIdSchema = Type.Unsafe<TenantId>(idText('tenant', 'a tenant', 'org_<slug>'));
export const WorkspaceIdSchema = Type.Unsafe<WorkspaceId>(
  idText('workspace', 'a workspace', 'ws_<slug>'),
);
export const UserIdSchema = Type.Unsafe<UserId>(idText('user', 'a user', 'user:<id>'));
/** User IDs in a query, separated by commas. */
export const UserIdsText = Type.String({
  pattern: `^user:${RANDOM_PART}(,user:${RANDOM_PART}){0,99}$`,
  description:
    'Only users with these IDs: up to 100, separated by commas. Unknown IDs are ignored.',
  examples: [EXAMPLES.user],
  [EXPECTS]: 'up to 100 IDs of the form user:<id>, separated by commas',
});
/** The kinds of records with a name, by the prefix of their ID. */
const NAMED = [
  ID_PREFIX.user,
  ID_PREFIX.agent,
  ID_PREFIX.apiKey,
  ID_PREFIX.oauthClient,
  ID_PREFIX.oauthResource,
  ID_PREFIX.identityProvider,
  ID_PREFIX.invitation,
  ID_PREFIX.webhook,
] as const;
const NAMED_ID = `((${NAMED.join('|')})${RANDOM_PART}|ws_${SLUG})`;
/** IDs of records with a name in a query, separated by commas. */
export const NamedIdsText = Type.String({
  pattern: `^${NAMED_ID}(,${NAMED_ID}){0,99}$`,
  description:
    'IDs of users, agents, API keys, applications, APIs, identity providers, invitations, webhooks and workspaces: up to 100, separated by commas.',
  examples: [`${EXAMPLES.user},${EXAMPLES.agent}`],
  [EXPECTS]: 'up to 100 IDs of records with a name, separated by commas',
});
export const SessionIdSchema = Type.Unsafe<SessionId>(
  idText('session', 'a session', 'session:<id>'),
);
export const SigningKeyIdSchema = Type.Unsafe<SigningKeyId>(
  idText('signingKey', 'a signing key', 'key_<id>'),
);
export const AgentIdSchema = Type.Unsafe<AgentId>(idText('agent', 'an agent', 'service:<id>'));
/** The subject of a token. */
export const SubjectIdSchema = Type.Unsafe<UserId | AgentId>(
  Type.String({
    pattern: `^(user|service):${RANDOM_PART}$`,
    description: 'ID of a user or an agent: `user:<id>` or `service:<id>`.',
    examples: [EXAMPLES.user],
    [EXPECTS]: 'an ID of the form user:<id> or service:<id>',
  }),
);
export const ApiKeyIdSchema = Type.Unsafe<ApiKeyId>(idText('apiKey', 'an API key', 'key_<id>'));
export const WebhookIdSchema = Type.Unsafe<WebhookId>(idText('webhook', 'a webhook', 'wh_<id>'));
export const DeliveryIdSchema = Type.Unsafe<DeliveryId>(
  idText('delivery', 'a delivery', 'job_<id>'),
);
export const DelegationIdSchema = Type.Unsafe<DelegationId>(
  idText('delegation', 'a delegation', 'dlg_<id>'),
);
export const EventIdSchema = Type.Unsafe<EventId>(idText('event', 'an event', 'evt_<id>'));
export const MessageIdSchema = Type.Unsafe<MessageId>(idText('message', 'a message', 'msg_<id>'));
export const AuditEntryIdSchema = Type.Unsafe<AuditEntryId>(
  idText('auditEntry', 'an audit entry', 'aud_<id>'),
);

export const FactorIdSchema = Type.Unsafe<FactorId>(idText('factor', 'a factor', 'fct_<id>'));
export const LoginFlowIdSchema = Type.Unsafe<LoginFlowId>(
  idText('loginFlow', 'a login flow', 'login_<id>'),
);
export const IdentityProviderIdSchema = Type.Unsafe<IdentityProviderId>(
  idText('identityProvider', 'an identity provider', 'idp_<id>'),
);
export const InvitationIdSchema = Type.Unsafe<InvitationId>(
  idText('invitation', 'an invitation', 'inv_<id>'),
);
export const ConsentIdSchema = Type.Unsafe<ConsentId>(idText('consent', 'a consent', 'cns_<id>'));
export const OAuthClientIdSchema = Type.Unsafe<OAuthClientId>(
  Type.String({
    pattern: patterns.oauthClient,
    description: 'ID of an OAuth client: `client_<id>`, or the https URL of its metadata document.',
    examples: [EXAMPLES.oauthClient],
    [EXPECTS]: 'an ID of the form client_<id>, or an https URL',
  }),
);
export const OAuthResourceIdSchema = Type.Unsafe<OAuthResourceId>(
  idText('oauthResource', 'a resource', 'res_<id>'),
);
export const ClientSecretIdSchema = Type.Unsafe<ClientSecretId>(
  idText('clientSecret', 'a client secret', 'csec_<id>'),
);
export const RegistrationTokenIdSchema = Type.Unsafe<RegistrationTokenId>(
  idText('registrationToken', 'a registration token', 'rgt_<id>'),
);
export const SignalStreamIdSchema = Type.Unsafe<SignalStreamId>(
  idText('signalStream', 'a stream of signals', 'stream_<id>'),
);

/**
 * An ID in a path, `user:…` raw or percent-encoded. Any text is accepted: a malformed ID results in "not found", like
 * an unknown one.
 */
export function pathId(id: TSchema) {
  const { description = '', examples, [EXPECTS]: expected } = id as PathId;
  return Type.String({ description, examples, [EXPECTS]: expected });
}

interface PathId {
  readonly description?: string;
  readonly examples?: unknown;
  readonly [EXPECTS]?: string;
}

function parser<Id extends string>(pattern: string): (text: string) => Id | undefined {
  const expression = new RegExp(pattern);
  return (text) => (expression.test(text) ? (text as Id) : undefined);
}

/** Each parser returns the ID, or undefined if the text is malformed. */
export const parseTenantId = parser<TenantId>(patterns.tenant);
export const parseWorkspaceId = parser<WorkspaceId>(patterns.workspace);
export const parseUserId = parser<UserId>(patterns.user);
export const parseSessionId = parser<SessionId>(patterns.session);
export const parseSigningKeyId = parser<SigningKeyId>(patterns.signingKey);
export const parseAgentId = parser<AgentId>(patterns.agent);
export const parseApiKeyId = parser<ApiKeyId>(patterns.apiKey);
export const parseWebhookId = parser<WebhookId>(patterns.webhook);
export const parseDeliveryId = parser<DeliveryId>(patterns.delivery);
export const parseDelegationId = parser<DelegationId>(patterns.delegation);
export const parseEventId = parser<EventId>(patterns.event);
export const parseFactorId = parser<FactorId>(patterns.factor);
export const parseLoginFlowId = parser<LoginFlowId>(patterns.loginFlow);
export const parseIdentityProviderId = parser<IdentityProviderId>(patterns.identityProvider);
export const parseConsentId = parser<ConsentId>(patterns.consent);
export const parseOAuthClientId = parser<OAuthClientId>(patterns.oauthClient);
export const parseOAuthResourceId = parser<OAuthResourceId>(patterns.oauthResource);
export const parseClientSecretId = parser<ClientSecretId>(patterns.clientSecret);
export const parseRegistrationTokenId = parser<RegistrationTokenId>(patterns.registrationToken);
export const parseSignalStreamId = parser<SignalStreamId>(patterns.signalStream);

/** The default tenant, created on first start. System administrators belong to it. */
export const DEFAULT_TENANT = 'org_default' as TenantId;
/** The default workspace, which every tenant has from its creation. */
export const DEFAULT_WORKSPACE = 'ws_default' as WorkspaceId;
export const parseInvitationId = parser<InvitationId>(patterns.invitation);
