// Made from the contract by `npm run generate`.

/** What the data of an event holds, by the kind of the event. */
export interface EventData {
  /** A new user was created, or registered. */
  readonly 'user.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Identifiers that the user can log in with. */
    readonly identifiers: readonly ({
      /** Type of the identifier. */
      readonly type: 'email' | 'phone';
      /** Normalized: lower case, the domain in ASCII; or a phone number in E.164 form. */
      readonly identifier: string;
    })[];
  };
  /** A user was changed. */
  readonly 'user.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An account passed to the owner of its address. */
  readonly 'user.reclaimed': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user replaced a forgotten password. */
  readonly 'password.recovered': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user proved that an address is theirs. */
  readonly 'identifier.verified': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Normalized: lower case, the domain in ASCII; or a phone number in E.164 form. */
    readonly identifier: string;
  };
  /** A person was invited. */
  readonly 'user.invited': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an invitation: `inv_<id>`. */
    readonly invitation_id: string;
  };
  /** A user accepted an invitation. */
  readonly 'invitation.accepted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an invitation: `inv_<id>`. */
    readonly invitation_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user was deleted. */
  readonly 'user.deleted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user logged in. */
  readonly 'user.login': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of a session: `session:<id>`. */
    readonly session_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Whether it presented no `device_token` of an earlier login of the user. */
    readonly new_device: boolean;
  };
  /** A user logged out. */
  readonly 'user.logout': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of a session: `session:<id>`. */
    readonly session_id: string;
  };
  /** A session was opened. */
  readonly 'session.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a session: `session:<id>`. */
    readonly session_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A session ended before its expiry. */
  readonly 'session.revoked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a session: `session:<id>`. */
    readonly session_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Why it ended. */
    readonly reason: 'logout' | 'revoked' | 'refresh_token_reused' | 'password_changed' | 'deactivated' | 'account_reclaimed' | 'identifiers_restored' | 'user_deleted' | 'workspace_deleted' | 'consent_revoked' | 'client_deleted' | 'code_reused' | 'replaced' | 'restored';
  };
  /** A user was assigned a role. */
  readonly 'role.assigned': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A workspace was created. */
  readonly 'workspace.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Display name. */
    readonly name: string;
  };
  /** A role was removed from a user. */
  readonly 'role.unassigned': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A role was created. */
  readonly 'role.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** A role was changed. */
  readonly 'role.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A role was deleted. */
  readonly 'role.deleted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Name of the role. */
    readonly role: string;
  };
  /** A workspace was changed. */
  readonly 'workspace.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A workspace was deleted. */
  readonly 'workspace.deleted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was added to a workspace. */
  readonly 'workspace.member_added': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was removed from a workspace. */
  readonly 'workspace.member_removed': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** The tenant was changed. */
  readonly 'tenant.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A new signing key was published. */
  readonly 'key.rotated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a signing key: `key_<id>`. */
    readonly key_id: string;
    /** Algorithm of the key. */
    readonly algorithm: 'EdDSA' | 'RS256' | 'ES256';
    /** Time from which the key signs. */
    readonly signs_from: string;
  };
  /** A signing key was retired immediately. */
  readonly 'key.retired': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a signing key: `key_<id>`. */
    readonly key_id: string;
  };
  /** An agent was created. */
  readonly 'agent.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An agent was changed. */
  readonly 'agent.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An agent was deleted. */
  readonly 'agent.deleted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key was created. */
  readonly 'apikey.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key was rotated. */
  readonly 'apikey.rotated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Id of an API key: `key_<id>`. */
    readonly successor_id: string;
  };
  /** An API key was revoked. */
  readonly 'apikey.revoked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** `revoked`, `rotated` or `leaked`. */
    readonly reason: string;
  };
  /** A user delegated access to an agent. */
  readonly 'delegation.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** A delegation was revoked. */
  readonly 'delegation.revoked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** A user consented to an application. */
  readonly 'consent.granted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a consent: `cns_<id>`. */
    readonly consent_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an OAuth client: `client_<id>`, or the https address of its metadata document. */
    readonly client_id: string;
    /** All scopes that the user grants to it. */
    readonly scopes: readonly string[];
  };
  /** The consent of a user to an application was revoked. */
  readonly 'consent.revoked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a consent: `cns_<id>`. */
    readonly consent_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an OAuth client: `client_<id>`, or the https address of its metadata document. */
    readonly client_id: string;
  };
  /** A user added a second factor. */
  readonly 'factor.added': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a factor: `fct_<id>`. */
    readonly factor_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Type of the factor. */
    readonly type: 'totp' | 'passkey' | 'recovery_codes';
  };
  /** A second factor of a user was removed. */
  readonly 'factor.removed': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a factor: `fct_<id>`. */
    readonly factor_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Type of the factor. */
    readonly type: 'totp' | 'passkey' | 'recovery_codes';
  };
  /** A second factor was suspended after too many wrong codes, or a passkey may have been copied. */
  readonly 'factor.suspicious': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a factor: `fct_<id>`. */
    readonly factor_id?: string;
    /** Instead of `factor_id`, for codes that are sent: how they were sent. */
    readonly channel?: 'email' | 'sms';
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Why: `too_many_failures`, or `counter_not_increased`: the signature counter of a passkey did not increase. */
    readonly reason: string;
  };
  /** An identity at a provider was linked to a user. */
  readonly 'identity.linked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an identity provider: `idp_<id>`. */
    readonly provider_id: string;
  };
  /** An identity at a provider was unlinked from a user. */
  readonly 'identity.unlinked': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Id of an identity provider: `idp_<id>`. */
    readonly provider_id: string;
  };
  /** An endpoint was registered. */
  readonly 'webhook.created': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** An endpoint was changed. */
  readonly 'webhook.updated': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An endpoint was deleted. */
  readonly 'webhook.deleted': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** An endpoint was disabled by the service. */
  readonly 'webhook.disabled': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Why it was disabled. */
    readonly reason: string;
  };
  /** A message could not be delivered. */
  readonly 'message.failed': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a message: `msg_<id>`. */
    readonly message_id: string;
    /** What the message was for. */
    readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A code and a sentence. */
    readonly reason: string;
  };
  /** The mail server or the SMS provider rejected the login, or the mail server rejected TLS, five times in a row. */
  readonly 'messaging.failing': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** A code and a sentence. */
    readonly reason: string;
  };
  /** Few of the codes in the last 50 text messages to a country were used: none are sent there for an hour. */
  readonly 'sms.paused': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The country, by its two letters (ISO 3166-1). */
    readonly country: string;
    /** Text messages that were sent. */
    readonly sent: number;
    /** Codes of them that were used. */
    readonly redeemed: number;
    /** Until when no more are sent. */
    readonly paused_until: string;
  };
  /** A test of an endpoint; sent to that endpoint only. */
  readonly 'webhook.test': {
    /** Id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Id of a webhook: `wh_<id>`. */
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
