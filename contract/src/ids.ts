import Type from 'typebox';

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

export const TenantIdSchema = Type.Unsafe<TenantId>(
  Type.String({ pattern: patterns.tenant, description: 'org_<slug>' }),
);
export const WorkspaceIdSchema = Type.Unsafe<WorkspaceId>(
  Type.String({ pattern: patterns.workspace, description: 'ws_<slug>' }),
);
export const UserIdSchema = Type.Unsafe<UserId>(
  Type.String({ pattern: patterns.user, description: 'user:<id>' }),
);
export const SessionIdSchema = Type.Unsafe<SessionId>(
  Type.String({ pattern: patterns.session, description: 'session:<id>' }),
);
export const SigningKeyIdSchema = Type.Unsafe<SigningKeyId>(
  Type.String({ pattern: patterns.signingKey, description: 'key_<id>' }),
);
export const AgentIdSchema = Type.Unsafe<AgentId>(
  Type.String({ pattern: patterns.agent, description: 'service:<id>' }),
);
/** Whom a token can speak for. */
export const SubjectIdSchema = Type.Unsafe<UserId | AgentId>(
  Type.String({
    pattern: `^(user|service):${RANDOM_PART}$`,
    description: 'user:<id> or service:<id>',
  }),
);
export const ApiKeyIdSchema = Type.Unsafe<ApiKeyId>(
  Type.String({ pattern: patterns.apiKey, description: 'key_<id>' }),
);
export const WebhookIdSchema = Type.Unsafe<WebhookId>(
  Type.String({ pattern: patterns.webhook, description: 'wh_<id>' }),
);
export const DeliveryIdSchema = Type.Unsafe<DeliveryId>(
  Type.String({ pattern: patterns.delivery, description: 'job_<id>' }),
);
export const DelegationIdSchema = Type.Unsafe<DelegationId>(
  Type.String({ pattern: patterns.delegation, description: 'dlg_<id>' }),
);
export const EventIdSchema = Type.Unsafe<EventId>(
  Type.String({ pattern: patterns.event, description: 'evt_<id>' }),
);
export const AuditEntryIdSchema = Type.Unsafe<AuditEntryId>(
  Type.String({ pattern: patterns.auditEntry, description: 'aud_<id>' }),
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
