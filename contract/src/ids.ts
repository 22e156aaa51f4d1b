import Type from 'typebox';
import { EXPECTS } from './expectation.ts';

declare const brand: unique symbol;

/** A string that only the function that checked it may hand out: ids of different kinds don't mix. */
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

/** What each id begins with. The rest is a time-ordered random value, or a slug for tenants and workspaces. */
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
} as const;

/** 26 lower-case Crockford base32 characters: 128 bits, no i, l, o, u. */
const RANDOM_PART = '[0-7][0-9a-hjkmnp-tv-z]{25}';
const SLUG = '[a-z0-9-]{1,48}';

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
} as const;

const idText = (pattern: string, description: string) =>
  Type.String({ pattern, description, [EXPECTS]: `an id of the form ${description}` });

export const TenantIdSchema = Type.Unsafe<TenantId>(idText(patterns.tenant, 'org_<slug>'));
export const WorkspaceIdSchema = Type.Unsafe<WorkspaceId>(idText(patterns.workspace, 'ws_<slug>'));
export const UserIdSchema = Type.Unsafe<UserId>(idText(patterns.user, 'user:<id>'));
export const SessionIdSchema = Type.Unsafe<SessionId>(idText(patterns.session, 'session:<id>'));
export const SigningKeyIdSchema = Type.Unsafe<SigningKeyId>(
  idText(patterns.signingKey, 'key_<id>'),
);
export const AgentIdSchema = Type.Unsafe<AgentId>(idText(patterns.agent, 'service:<id>'));
/** Whom a token can speak for. */
export const SubjectIdSchema = Type.Unsafe<UserId | AgentId>(
  idText(`^(user|service):${RANDOM_PART}$`, 'user:<id> or service:<id>'),
);
export const ApiKeyIdSchema = Type.Unsafe<ApiKeyId>(idText(patterns.apiKey, 'key_<id>'));
export const WebhookIdSchema = Type.Unsafe<WebhookId>(idText(patterns.webhook, 'wh_<id>'));
export const DeliveryIdSchema = Type.Unsafe<DeliveryId>(idText(patterns.delivery, 'job_<id>'));
export const DelegationIdSchema = Type.Unsafe<DelegationId>(
  idText(patterns.delegation, 'dlg_<id>'),
);
export const EventIdSchema = Type.Unsafe<EventId>(idText(patterns.event, 'evt_<id>'));
export const AuditEntryIdSchema = Type.Unsafe<AuditEntryId>(
  idText(patterns.auditEntry, 'aud_<id>'),
);

/**
 * An id as it stands in a path, `user:…` raw or percent-encoded. Any text is let through: an id that can't
 * exist is answered exactly like one that doesn't.
 */
export const PathId = Type.String();

function parser<Id extends string>(pattern: string): (text: string) => Id | undefined {
  const expression = new RegExp(pattern);
  return (text) => (expression.test(text) ? (text as Id) : undefined);
}

/** Each answers the id, or nothing when the text is not of its form. */
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

/** The tenant that the first start creates; system administrators live in it. */
export const DEFAULT_TENANT = 'org_default' as TenantId;
/** The workspace that every tenant starts with. */
export const DEFAULT_WORKSPACE = 'ws_default' as WorkspaceId;
