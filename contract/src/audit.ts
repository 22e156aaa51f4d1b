/** The actions of the audit log, each with its meaning. */
export const AUDIT_ACTIONS = {
  'auth.login':
    'A user signed in. details.method names the method: password, message, passkey or provider.',
  'auth.stepped_up':
    'A user signed in again in the same session, with stronger or more recent authentication.',
  'auth.code_redeemed': 'An application exchanged a user’s authorization code for tokens.',
  'auth.login_failed':
    'A login was rejected. details.reason names the cause; details.method, details.browser and details.system describe the attempt.',
  'auth.breach_check_failed':
    'Passwords were accepted without a breach check because a source was unavailable. details.source names the source.',
  'auth.logout': 'A user signed out.',
  'auth.denied': 'An authenticated caller was denied access.',
  'auth.impersonated':
    'A system administrator started an impersonation in the tenant. details.reason contains the reason.',
  'auth.impersonation_ended': 'A system administrator ended an impersonation in the tenant.',
  'auth.token_exchanged':
    'A token was exchanged for one that lets an agent or an application act for a user.',
  'auth.identity_asserted':
    'An application received an identity assertion for its user, for another authorization server.',
  'auth.assertion_redeemed':
    'An application received an access token for an identity assertion from an identity provider.',
  'auth.token_issued':
    'A token was issued to an agent or an OAuth client itself. details.by names the authentication method.',
  'auth.token_refused': 'A token request was rejected. details.reason names the cause.',
  'users.exported': 'Users were exported. details.users is the number of users.',
  'user.created': 'A user was created or registered.',
  'user.updated': 'A user was updated.',
  'user.reclaimed':
    'The owner of an unverified identifier took over its account. The account’s credentials, other identifiers, sessions and delegations were removed.',
  'user.recovery_sent': 'An administrator sent a recovery message to a user.',
  'user.unlocked': 'An administrator lifted the limits on sign-ins of a user.',
  'user.export_requested': 'A user requested a copy of their data.',
  'user.exported': 'A user downloaded the copy of their data.',
  'user.recovered':
    'A user set a new password after verifying an identifier. All sessions of the user ended.',
  'identifier.added': 'A user added and verified an identifier.',
  'identifier.removed': 'A user removed an identifier.',
  'identifier.made_primary': 'A user changed their primary identifier.',
  'identifier.restored':
    'The owner of a verified identifier undid identifier changes of its user. All sessions of the user ended.',
  'identifier.verified': 'A user verified an identifier.',
  'identifier.released':
    'The owner of an unverified identifier verified it. It was removed from the account that had it before.',
  'invitation.created': 'A person was invited to the tenant.',
  'invitation.resent': 'The message of an invitation was resent.',
  'invitation.revoked': 'An invitation was revoked.',
  'invitation.accepted': 'A user accepted an invitation and received its roles and workspaces.',
  'invitation.declined': 'An invited person declined the invitation.',
  'invitation.refused':
    'An invitation could not be accepted and granted nothing. details.reason names the cause.',
  'user.deleted': 'A user was deleted.',
  'user.disabled':
    'A user was disabled, together with their sessions, agents, keys and delegations.',
  'session.revoked':
    'A session, all sessions of a user or all sessions of the tenant ended. details.reason names the cause.',
  'role.created': 'A role was created.',
  'role.updated': 'A role was updated.',
  'role.deleted': 'A role was deleted.',
  'workspace.created': 'A workspace was created.',
  'workspace.updated': 'A workspace was updated.',
  'workspace.deleted': 'A workspace was deleted.',
  'workspace.member_added': 'A user was added to a workspace.',
  'workspace.member_removed': 'A user was removed from a workspace.',
  'tenant.created': 'The tenant was created.',
  'tenant.updated': 'The tenant was updated.',
  'key.rotated': 'A new signing key was published.',
  'key.retired': 'A signing key was retired immediately.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was updated.',
  'agent.deleted': 'An agent was deleted.',
  'apikey.created': 'An API key was created.',
  'apikey.rotated': 'An API key was rotated.',
  'apikey.revoked': 'An API key was revoked.',
  'apikey.reported': 'An API key was reported as leaked.',
  'delegation.created': 'A user delegated access to an agent.',
  'delegation.revoked': 'A delegation was revoked.',
  'device.approved': 'A user approved an application’s login on a device.',
  'device.denied': 'A user denied an application’s login on a device.',
  'consent.granted': 'A user granted consent to an application.',
  'consent.revoked': 'A user’s consent to an application was revoked.',
  'factor.begun': 'A user received the key for an authenticator app but has not confirmed it yet.',
  'factor.added': 'A user added a second factor.',
  'factor.updated': 'A second factor was renamed, or recovery codes were replaced.',
  'factor.suspicious':
    'A second factor was suspended after too many wrong codes, or a passkey was rejected as a possible copy.',
  'factor.removed': 'A user’s second factor was removed.',
  'identity.linked': 'An identity at a provider was linked to a user.',
  'identity.unlinked': 'A user unlinked an identity at a provider.',
  'identity_provider.created': 'An identity provider was added.',
  'identity_provider.updated': 'An identity provider was updated.',
  'identity_provider.domain_added':
    'A domain was added to an identity provider. It takes effect after it is verified.',
  'identity_provider.domain_verified':
    'A domain was verified. Its users now sign in only at the identity provider.',
  'identity_provider.domain_removed':
    'A domain was removed from an identity provider. Its users can use other login methods again.',
  'identity_provider.tested': 'A login at an identity provider was tested.',
  'identity_provider.deleted': 'An identity provider was deleted.',
  'client.created': 'An OAuth client was registered.',
  'client.updated': 'An OAuth client was updated.',
  'client.deleted': 'An OAuth client was deleted.',
  'registration_token.created': 'A registration token was created.',
  'registration_token.deleted': 'A registration token was deleted.',
  'client.tested': 'A login to an OAuth client was tested.',
  'client.secret_created': 'An additional secret was created for an OAuth client.',
  'client.secret_deleted': 'A secret of an OAuth client was deleted.',
  'signals.stream_created': 'A receiver created a stream of shared signals.',
  'signals.stream_updated': 'A stream of shared signals was updated.',
  'signals.stream_paused':
    'A stream of shared signals was paused because every push to its receiver failed for a day.',
  'signals.stream_deleted': 'A stream of shared signals was deleted.',
  'resource.created': 'A resource was registered.',
  'resource.updated': 'A resource was updated.',
  'resource.deleted': 'A resource was deleted.',
  'webhook.created': 'A webhook endpoint was registered.',
  'webhook.updated': 'A webhook endpoint was updated.',
  'webhook.deleted': 'A webhook endpoint was deleted.',
  'webhook.disabled': 'A webhook endpoint was disabled by the service.',
  'webhook.rotated': 'The secret of a webhook endpoint was rotated.',
  'webhook.tested': 'A test event was sent to a webhook endpoint.',
  'webhook.replayed': 'Events were resent to a webhook endpoint.',
  'auth.message_sent':
    'A mail server accepted a message to a user. details contains its kind and the masked recipient.',
  'message.failed': 'A message could not be delivered. details.reason names the cause.',
  'branding.text_changed': 'A text used on pages and in messages was changed.',
  'messaging.template_changed': 'The text of a message was changed.',
  'messaging.tested': 'A test message was sent.',
  'messaging.suppressed': 'A recipient was suppressed after a bounce or a complaint.',
  'messaging.suppression_removed': 'A recipient is no longer suppressed.',
  'messaging.failing':
    'The tenant’s mail server rejected the login or TLS, or its SMS provider rejected the login.',
  'sms.paused':
    'Too few of the codes sent to phone numbers in a country were used. No codes are sent there for an hour.',
  'system.work': 'Work across tenants. Visible to system administrators only.',
} as const satisfies Record<string, string>;

/**
 * What the audit log records as the reason for work across tenants, in `details.reason` of `system.work`. The console
 * has a sentence for each.
 */
export const SYSTEM_WORK = [
  'list tenants',
  'search tenants',
  'create tenant {name}',
  'read tenant {tenant}',
  'count dependents of {tenant}',
  'change tenant {tenant}',
  'try a change of tenant {tenant}',
  'delete tenant {tenant}',
  'impersonate in {tenant}: {reason}',
  'end impersonation in {tenant}',
  'export tenant {tenant}',
  'import tenant {tenant}',
  'rotate the signing key of {tenant}',
  'create a system administrator',
  'recover a system administrator',
  'accept a moved database',
  'read the state of the installation',
  'look at the published keys',
  'make {key} the master key',
  'list {records} of {tenant}',
] as const;

type Filled<Text extends string> = Text extends `${infer Start}{${string}}${infer Rest}`
  ? `${Start}${string}${Filled<Rest>}`
  : Text;

/** The reason for work across tenants. */
export type SystemWork = Filled<(typeof SYSTEM_WORK)[number]>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The prefix of actions that only system administrators can see. */
export const SYSTEM_ACTIONS = 'system.';

/** Kinds of actors. `impersonator`: a system administrator acting inside a tenant; `app`: an OAuth client, on behalf of a
 * user or for itself. */
export const ACTOR_KINDS = [
  'user',
  'impersonator',
  'agent',
  'delegate',
  'app',
  'system',
  'anonymous',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Kinds of targets. */
export const TARGET_KINDS = [
  'user',
  'invitation',
  'session',
  'role',
  'workspace',
  'tenant',
  'signing_key',
  'agent',
  'api_key',
  'delegation',
  'webhook',
  'identity_provider',
  'registration_token',
  'client',
  'resource',
  'consent',
  'factor',
  'message',
  'identifier',
  'route',
  'installation',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** `failure`: rejected because of the presented data. `denied`: rejected because of the caller. */
export const OUTCOMES = ['success', 'failure', 'denied'] as const;
export type Outcome = (typeof OUTCOMES)[number];
