/** What the audit log tells of, and what each means. */
export const AUDIT_ACTIONS = {
  'auth.login': 'A user logged in.',
  'auth.login_failed': 'A login was refused; details.reason says why.',
  'auth.logout': 'A user logged out.',
  'auth.denied': 'Somebody known asked for what they may not do.',
  'auth.impersonated': 'A system administrator got a token to act inside the tenant.',
  'auth.token_exchanged': 'A token was exchanged for one by which an agent acts for a user.',
  'auth.token_issued': 'An agent was given a token of its own; details.by says on what grounds.',
  'auth.token_refused': 'A client was refused a token; details.reason says why.',
  'user.created': 'A user was created, or registered.',
  'user.updated': 'A user was changed.',
  'user.deleted': 'A user was deleted.',
  'user.disabled': 'A user was disabled, with their sessions, agents, keys and delegations.',
  'session.revoked': 'A session, or all sessions of a user, were ended.',
  'role.created': 'A role was created.',
  'role.updated': 'A role was changed.',
  'role.deleted': 'A role was deleted.',
  'workspace.created': 'A workspace was created.',
  'workspace.updated': 'A workspace was changed.',
  'workspace.deleted': 'A workspace was deleted.',
  'workspace.member_added': 'A user was put into a workspace.',
  'workspace.member_removed': 'A user was taken out of a workspace.',
  'tenant.created': 'The tenant was created.',
  'tenant.updated': 'The tenant was changed.',
  'key.rotated': 'A new signing key was published.',
  'key.retired': 'A signing key was retired at once.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was changed.',
  'agent.deleted': 'An agent was deleted.',
  'apikey.created': 'An API key was created.',
  'apikey.rotated': 'An API key got a successor.',
  'apikey.revoked': 'An API key was revoked.',
  'apikey.reported': 'Somebody reported an API key as found.',
  'delegation.created': 'A user let an agent act for them.',
  'delegation.revoked': 'An agent may no longer act for a user.',
  'webhook.created': 'An endpoint was registered.',
  'webhook.updated': 'An endpoint was changed.',
  'webhook.deleted': 'An endpoint was deleted.',
  'webhook.disabled': 'An endpoint was switched off.',
  'webhook.rotated': 'An endpoint got another secret.',
  'webhook.replayed': 'Events were sent to an endpoint again, or for a test.',
  'system.work': 'Somebody worked across tenants. Only system administrators see this.',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** Actions that only system administrators see begin with this. */
export const SYSTEM_ACTIONS = 'system.';

/** Who can do something. `impersonator`: a system administrator acting inside a tenant. */
export const ACTOR_KINDS = [
  'user',
  'impersonator',
  'agent',
  'delegate',
  'system',
  'anonymous',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What can be acted on. */
export const TARGET_KINDS = [
  'user',
  'session',
  'role',
  'workspace',
  'tenant',
  'signing_key',
  'agent',
  'api_key',
  'delegation',
  'webhook',
  'identifier',
  'route',
  'installation',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** `failure`: refused for what was presented. `denied`: refused for who presented it. */
export const OUTCOMES = ['success', 'failure', 'denied'] as const;
export type Outcome = (typeof OUTCOMES)[number];
