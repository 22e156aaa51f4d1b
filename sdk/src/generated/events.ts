// Made from the contract by `npm run generate`.

/** What the data of an event holds, by the kind of the event. */
export interface EventData {
  /** A new user was created, or registered. */
  readonly 'user.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** What the user can log in with. */
    readonly identifiers: readonly ({
      /** What the identifier is. */
      readonly type: 'email' | 'phone';
      /** Normalised: lower case, the domain in ASCII; or a phone number in E.164 form. */
      readonly identifier: string;
    })[];
  };
  /** A user was changed. */
  readonly 'user.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A user was deleted. */
  readonly 'user.deleted': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
  };
  /** A user logged in. */
  readonly 'user.login': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of a session: `session:<id>`. */
    readonly session_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user logged out. */
  readonly 'user.logout': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of a session: `session:<id>`. */
    readonly session_id: string;
  };
  /** A session was opened. */
  readonly 'session.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a session: `session:<id>`. */
    readonly session_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A session was ended before its time. */
  readonly 'session.revoked': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a session: `session:<id>`. */
    readonly session_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** Why it ended. */
    readonly reason: 'logout' | 'revoked' | 'refresh_token_reused' | 'password_changed' | 'deactivated' | 'user_deleted' | 'workspace_deleted';
  };
  /** A user gained a role. */
  readonly 'role.assigned': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A workspace was created. */
  readonly 'workspace.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Its name, for people. */
    readonly name: string;
  };
  /** A user lost a role. */
  readonly 'role.unassigned': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A role was created. */
  readonly 'role.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** A role was changed. */
  readonly 'role.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A role was deleted. */
  readonly 'role.deleted': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A workspace was changed. */
  readonly 'workspace.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A workspace was deleted. */
  readonly 'workspace.deleted': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was put into a workspace. */
  readonly 'workspace.member_added': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** A user was taken out of a workspace. */
  readonly 'workspace.member_removed': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id: string;
  };
  /** The tenant was changed. */
  readonly 'tenant.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A new signing key was published. */
  readonly 'key.rotated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a signing key: `key_<id>`. */
    readonly key_id: string;
    /** From when on it signs. */
    readonly signs_from: string;
  };
  /** A signing key was retired at once. */
  readonly 'key.retired': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a signing key: `key_<id>`. */
    readonly key_id: string;
  };
  /** An agent was created. */
  readonly 'agent.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An agent was changed. */
  readonly 'agent.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An agent was deleted. */
  readonly 'agent.deleted': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key was created. */
  readonly 'apikey.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An API key got a successor. */
  readonly 'apikey.rotated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** The id of an API key: `key_<id>`. */
    readonly successor_id: string;
  };
  /** An API key was revoked. */
  readonly 'apikey.revoked': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of an API key: `key_<id>`. */
    readonly key_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** `revoked`, `rotated` or `leaked`. */
    readonly reason: string;
  };
  /** A user let an agent act for them. */
  readonly 'delegation.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** An agent may no longer act for a user. */
  readonly 'delegation.revoked': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a delegation: `dlg_<id>`. */
    readonly delegation_id: string;
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
  };
  /** An endpoint was registered. */
  readonly 'webhook.created': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** An endpoint was changed. */
  readonly 'webhook.updated': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An endpoint was deleted. */
  readonly 'webhook.deleted': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
  };
  /** An endpoint was switched off. */
  readonly 'webhook.disabled': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a webhook: `wh_<id>`. */
    readonly webhook_id: string;
    /** Why it was switched off. */
    readonly reason: string;
  };
  /** Somebody tried an endpoint; sent to that one only. */
  readonly 'webhook.test': {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** The id of a webhook: `wh_<id>`. */
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
