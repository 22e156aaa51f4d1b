// Made from the contract by `npm run generate`.

/** What the data of an event holds, by the kind of the event. */
export interface EventData {
  /** A user was created or registered. */
  readonly 'user.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Identifiers that the user can sign in with. */
    readonly identifiers: readonly ({
      /** Type of the identifier. */
      readonly type: 'email' | 'phone';
      /** The normalized identifier: an email address in lower case with its domain in ASCII, or a phone number in E.164 format. */
      readonly identifier: string;
    })[];
  };
  /** A user was updated. */
  readonly 'user.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** The owner of an unverified identifier took over its account. */
  readonly 'user.reclaimed': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user set a new password in a recovery. */
  readonly 'password.recovered': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user verified an identifier. */
  readonly 'identifier.verified': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** The normalized identifier: an email address in lower case with its domain in ASCII, or a phone number in E.164 format. */
    readonly identifier: string;
  };
  /** A person was invited. */
  readonly 'user.invited': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an invitation: `inv_<id>`. */
    readonly invitation_id: string;
  };
  /** A user accepted an invitation. */
  readonly 'invitation.accepted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an invitation: `inv_<id>`. */
    readonly invitation_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user was deleted. */
  readonly 'user.deleted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user signed in. */
  readonly 'user.login': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of a session: `session:<id>`. */
    readonly session_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Whether the device was unknown: the login presented no `device_token` from an earlier login of the user. */
    readonly new_device: boolean;
  };
  /** A user signed out. */
  readonly 'user.logout': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of a session: `session:<id>`. */
    readonly session_id: string;
  };
  /** A session was opened. */
  readonly 'session.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a session: `session:<id>`. */
    readonly session_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A session ended before its expiry. */
  readonly 'session.revoked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a session: `session:<id>`. */
    readonly session_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Why the session ended. */
    readonly reason: 'logout' | 'revoked' | 'refresh_token_reused' | 'password_changed' | 'deactivated' | 'account_reclaimed' | 'identifiers_restored' | 'user_deleted' | 'workspace_deleted' | 'consent_revoked' | 'client_deleted' | 'code_reused' | 'replaced' | 'restored';
  };
  /** A user was assigned a role. */
  readonly 'role.assigned': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A workspace was created. */
  readonly 'workspace.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Display name. */
    readonly name: string;
  };
  /** A role was removed from a user. */
  readonly 'role.unassigned': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A role was created. */
  readonly 'role.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
    /** Scopes, each of the form `<action>:<resource>`. */
    readonly scopes: readonly string[];
  };
  /** A role was updated. */
  readonly 'role.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** A role was deleted. */
  readonly 'role.deleted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A workspace was updated. */
  readonly 'workspace.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** A workspace was deleted. */
  readonly 'workspace.deleted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was added to a workspace. */
  readonly 'workspace.member_added': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was removed from a workspace. */
  readonly 'workspace.member_removed': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** The tenant was updated. */
  readonly 'tenant.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** A new signing key was published. */
  readonly 'key.rotated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a signing key: `key_<id>`. */
    readonly key_id: string;
    /** Algorithm of the key. */
    readonly algorithm: 'EdDSA' | 'RS256' | 'ES256';
    /** When the key starts to sign. */
    readonly signs_from: string;
  };
  /** A signing key was retired immediately. */
  readonly 'key.retired': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a signing key: `key_<id>`. */
    readonly key_id: string;
  };
  /** An agent was created. */
  readonly 'agent.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An agent was updated. */
  readonly 'agent.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** An agent was deleted. */
  readonly 'agent.deleted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key was created. */
  readonly 'apikey.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key was rotated. */
  readonly 'apikey.rotated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** ID of an API key: `key_<id>`. */
    readonly successor_id: string;
  };
  /** An API key was revoked. */
  readonly 'apikey.revoked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** `revoked`, `rotated` or `leaked`. */
    readonly reason: string;
  };
  /** A user delegated access to an agent. */
  readonly 'delegation.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Scopes, each of the form `<action>:<resource>`. */
    readonly scopes: readonly string[];
  };
  /** A delegation was revoked. */
  readonly 'delegation.revoked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** A user granted consent to an application. */
  readonly 'consent.granted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a consent: `cns_<id>`. */
    readonly consent_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id: string;
    /** All scopes that the user has granted to the application. */
    readonly scopes: readonly string[];
  };
  /** A user’s consent to an application was revoked. */
  readonly 'consent.revoked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a consent: `cns_<id>`. */
    readonly consent_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id: string;
  };
  /** A user added a second factor. */
  readonly 'factor.added': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a factor: `fct_<id>`. */
    readonly factor_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Type of the factor. */
    readonly type: 'totp' | 'passkey' | 'recovery_codes';
  };
  /** A user’s second factor was removed. */
  readonly 'factor.removed': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a factor: `fct_<id>`. */
    readonly factor_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Type of the factor. */
    readonly type: 'totp' | 'passkey' | 'recovery_codes';
  };
  /** A second factor was suspended after too many wrong codes, or a passkey was rejected as a possible copy. */
  readonly 'factor.suspicious': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a factor: `fct_<id>`. */
    readonly factor_id?: string;
    /** For codes that are sent to the user, instead of `factor_id`: the channel. */
    readonly channel?: 'email' | 'sms';
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** `too_many_failures`, or `counter_not_increased` if the signature counter of a passkey did not increase. */
    readonly reason: string;
  };
  /** An identity at a provider was linked to a user. */
  readonly 'identity.linked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an identity provider: `idp_<id>`. */
    readonly provider_id: string;
  };
  /** An identity at a provider was unlinked from a user. */
  readonly 'identity.unlinked': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an identity provider: `idp_<id>`. */
    readonly provider_id: string;
  };
  /** A webhook endpoint was registered. */
  readonly 'webhook.created': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** A webhook endpoint was updated. */
  readonly 'webhook.updated': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Names of the changed fields. */
    readonly fields: readonly string[];
  };
  /** A webhook endpoint was deleted. */
  readonly 'webhook.deleted': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** A webhook endpoint was disabled by the service. */
  readonly 'webhook.disabled': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Why the endpoint was disabled. */
    readonly reason: string;
  };
  /** A message could not be delivered. */
  readonly 'message.failed': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a message: `msg_<id>`. */
    readonly message_id: string;
    /** Purpose of the message. */
    readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A code, followed by a sentence. */
    readonly reason: string;
  };
  /** The mail server or the SMS provider rejected the login, or the mail server rejected TLS, five times in a row. */
  readonly 'messaging.failing': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** A code, followed by a sentence. */
    readonly reason: string;
  };
  /** Too few of the codes in the last 50 text messages to a country were used. No codes are sent there for an hour. */
  readonly 'sms.paused': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Two-letter country code (ISO 3166-1). */
    readonly country: string;
    /** Number of text messages sent. */
    readonly sent: number;
    /** Number of their codes that were used. */
    readonly redeemed: number;
    /** Time until which no codes are sent there. */
    readonly paused_until: string;
  };
  /** A test of a webhook endpoint, sent only to that endpoint. */
  readonly 'webhook.test': {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** ID of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
}

/** An event of one kind, as a webhook gets it and as the log of events holds it. */
export interface EventOf<Type extends keyof EventData> {
  /** evt_<id>; the same for every delivery of the event. */
  readonly id: string;
  readonly type: Type;
  readonly created_at: string;
  readonly data: EventData[Type];
}

/** An event of any kind: its `type` tells what its `data` holds. */
export type WebhookEvent = { [Type in keyof EventData]: EventOf<Type> }[keyof EventData];
