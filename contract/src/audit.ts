/** The actions of the audit log, each with its meaning. */
export const AUDIT_ACTIONS = {
  'auth.login': 'A user logged in.',
  'auth.stepped_up': 'A user logged in again in the same session, more strongly or more recently.',
  'auth.code_redeemed': 'An application exchanged an authorization code of a user for tokens.',
  'auth.login_failed': 'A login was rejected; details.reason says why.',
  'auth.breach_check_failed':
    'Passwords could not be compared with those of breaches, and were accepted; details.source says where.',
  'auth.logout': 'A user logged out.',
  'auth.denied': 'An authenticated caller was denied access.',
  'auth.impersonated':
    'A system administrator began to act inside the tenant; details.reason says why.',
  'auth.impersonation_ended': 'A system administrator no longer acts inside the tenant.',
  'auth.token_exchanged':
    'A token was exchanged for one with which an agent or an application acts for a user.',
  'auth.identity_asserted':
    'An application got an identity assertion of its user for another authorization server.',
  'auth.assertion_redeemed':
    'An application got an access token for an identity assertion of an identity provider.',
  'auth.token_issued':
    'An agent or an OAuth client was issued a token of its own; details.by says how it authenticated.',
  'auth.token_refused': 'A client was denied a token; details.reason says why.',
  'users.exported': 'Users were exported; details.users is how many.',
  'user.created': 'A user was created, or registered.',
  'user.updated': 'A user was changed.',
  'user.reclaimed':
    'The owner of an unverified address took over its account. Its credentials, other identifiers, sessions and delegations ended.',
  'user.recovery_sent': 'An administrator sent a user the message of a recovery.',
  'user.export_requested': 'A user requested a copy of their data.',
  'user.exported': 'A user read the copy of their data.',
  'user.recovered':
    'A user set a new password after proving an address. All sessions of the user ended.',
  'identifier.added': 'A user added an address after proving it.',
  'identifier.removed': 'A user removed an identifier.',
  'identifier.made_primary': 'A user made a verified identifier the primary one.',
  'identifier.restored':
    'The owner of a verified address undid changes of the identifiers of its user. All sessions of the user ended.',
  'identifier.verified': 'A user proved that an address is theirs.',
  'identifier.released':
    'The owner of an unverified address proved it. It no longer belongs to the account that had it.',
  'invitation.created': 'A person was invited to the tenant.',
  'invitation.resent': 'The message of an invitation was sent again.',
  'invitation.revoked': 'An invitation was revoked.',
  'invitation.accepted': 'A user accepted an invitation, and gained what it grants.',
  'invitation.declined': 'The invited person declined.',
  'invitation.refused':
    'An invitation could not be accepted; details.reason says why. It granted nothing.',
  'user.deleted': 'A user was deleted.',
  'user.disabled': 'A user was disabled, with their sessions, agents, keys and delegations.',
  'session.revoked':
    'A session, all sessions of a user, or all sessions of the tenant ended; details.reason has the reason.',
  'role.created': 'A role was created.',
  'role.updated': 'A role was changed.',
  'role.deleted': 'A role was deleted.',
  'workspace.created': 'A workspace was created.',
  'workspace.updated': 'A workspace was changed.',
  'workspace.deleted': 'A workspace was deleted.',
  'workspace.member_added': 'A user was added to a workspace.',
  'workspace.member_removed': 'A user was removed from a workspace.',
  'tenant.created': 'The tenant was created.',
  'tenant.updated': 'The tenant was changed.',
  'key.rotated': 'A new signing key was published.',
  'key.retired': 'A signing key was retired immediately.',
  'agent.created': 'An agent was created.',
  'agent.updated': 'An agent was changed.',
  'agent.deleted': 'An agent was deleted.',
  'apikey.created': 'An API key was created.',
  'apikey.rotated': 'An API key was rotated.',
  'apikey.revoked': 'An API key was revoked.',
  'apikey.reported': 'An API key was reported as leaked.',
  'delegation.created': 'A user delegated access to an agent.',
  'delegation.revoked': 'A delegation was revoked.',
  'device.approved': 'A user let an application log them in on a device.',
  'device.denied': 'A user did not let an application log them in on a device.',
  'consent.granted': 'A user consented to an application.',
  'consent.revoked': 'The consent of a user to an application was revoked.',
  'factor.begun': 'A user received the key for an authenticator app that is not confirmed yet.',
  'factor.added': 'A user added a second factor.',
  'factor.updated': 'A second factor was renamed, or got new recovery codes.',
  'factor.suspicious':
    'A second factor was suspended after too many wrong codes, or a passkey was rejected as a possible copy.',
  'factor.removed': 'A second factor of a user was removed.',
  'identity.linked': 'An identity at a provider was linked to a user.',
  'identity.unlinked': 'A user unlinked an identity at a provider.',
  'identity_provider.created': 'An identity provider was added.',
  'identity_provider.updated': 'An identity provider was changed.',
  'identity_provider.domain_added':
    'A domain was added to an identity provider. It counts once it is proven.',
  'identity_provider.domain_verified':
    'A domain was proven: its users log in at the identity provider only.',
  'identity_provider.domain_removed':
    'A domain was removed: its users can log in by other methods again.',
  'identity_provider.tested': 'A login at an identity provider was tested.',
  'identity_provider.deleted': 'An identity provider was deleted.',
  'client.created': 'An OAuth client was registered.',
  'client.updated': 'An OAuth client was changed.',
  'client.deleted': 'An OAuth client was deleted.',
  'registration_token.created': 'A registration token was created.',
  'registration_token.deleted': 'A registration token was deleted.',
  'client.secret_created': 'Another secret of an OAuth client was created.',
  'client.secret_deleted': 'A secret of an OAuth client was deleted.',
  'signals.stream_created': 'A receiver of shared signals created a stream.',
  'signals.stream_updated': 'A stream of shared signals was changed.',
  'signals.stream_paused':
    'A stream of shared signals was paused, because every push to its receiver failed for a day.',
  'signals.stream_deleted': 'A stream of shared signals was deleted.',
  'resource.created': 'A resource was registered.',
  'resource.updated': 'A resource was changed.',
  'resource.deleted': 'A resource was deleted.',
  'webhook.created': 'An endpoint was registered.',
  'webhook.updated': 'An endpoint was changed.',
  'webhook.deleted': 'An endpoint was deleted.',
  'webhook.disabled': 'An endpoint was disabled by the service.',
  'webhook.rotated': 'The secret of an endpoint was rotated.',
  'webhook.tested': 'A test event was sent to an endpoint.',
  'webhook.replayed': 'Events were sent to an endpoint again.',
  'auth.message_sent':
    'A mail server accepted a message to a user; details has its kind and the masked address.',
  'message.failed': 'A message could not be delivered; details.reason says why.',
  'branding.text_changed': 'A text of pages and messages was changed.',
  'messaging.template_changed': 'The text of a message was changed.',
  'messaging.tested': 'A test message was sent.',
  'messaging.suppressed': 'An address was suppressed after a bounce or a complaint.',
  'messaging.suppression_removed': 'An address is no longer suppressed.',
  'messaging.failing':
    'The mail server of the tenant rejects the login or TLS, or its SMS provider rejects the login.',
  'sms.paused':
    'Few of the codes sent to phone numbers of a country were used: none are sent there for an hour.',
  'system.work': 'Work across tenants. Visible to system administrators only.',
} as const satisfies Record<string, string>;

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
