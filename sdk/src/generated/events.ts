// Made from the contract by `npm run generate`.

/** What the data of an event holds, by the kind of the event. */
export interface EventData {
  /** A new user was created, or registered. */
  readonly 'user.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    readonly identifiers: readonly ({
      readonly type: 'email' | 'phone';
      readonly identifier: string;
    })[];
  };
  /** A user was changed. */
  readonly 'user.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A user was deleted. */
  readonly 'user.deleted': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
  };
  /** A user logged in. */
  readonly 'user.login': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** session:<id> */
    readonly session_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
  };
  /** A user logged out. */
  readonly 'user.logout': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** session:<id> */
    readonly session_id: string;
  };
  /** A session was opened. */
  readonly 'session.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** session:<id> */
    readonly session_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
  };
  /** A session was ended before its time. */
  readonly 'session.revoked': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** session:<id> */
    readonly session_id: string;
    /** user:<id> */
    readonly user_id: string;
    readonly reason: 'logout' | 'revoked' | 'refresh_token_reused' | 'password_changed' | 'deactivated' | 'user_deleted' | 'workspace_deleted';
  };
  /** A user gained a role. */
  readonly 'role.assigned': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A workspace was created. */
  readonly 'workspace.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
    readonly name: string;
  };
  /** A user lost a role. */
  readonly 'role.unassigned': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A role was created. */
  readonly 'role.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** A role was changed. */
  readonly 'role.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A role was deleted. */
  readonly 'role.deleted': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** The role's name. */
    readonly role: string;
  };
  /** A workspace was changed. */
  readonly 'workspace.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A workspace was deleted. */
  readonly 'workspace.deleted': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
  };
  /** A user was put into a workspace. */
  readonly 'workspace.member_added': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
  };
  /** A user was taken out of a workspace. */
  readonly 'workspace.member_removed': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** ws_<slug> */
    readonly workspace_id: string;
  };
  /** The tenant was changed. */
  readonly 'tenant.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** A new signing key was published. */
  readonly 'key.rotated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** key_<id> */
    readonly key_id: string;
    readonly signs_from: string;
  };
  /** A signing key was retired at once. */
  readonly 'key.retired': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** key_<id> */
    readonly key_id: string;
  };
  /** An agent was created. */
  readonly 'agent.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** service:<id> */
    readonly agent_id: string;
  };
  /** An agent was changed. */
  readonly 'agent.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** service:<id> */
    readonly agent_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An agent was deleted. */
  readonly 'agent.deleted': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** service:<id> */
    readonly agent_id: string;
  };
  /** An API key was created. */
  readonly 'apikey.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** key_<id> */
    readonly key_id: string;
    /** service:<id> */
    readonly agent_id: string;
  };
  /** An API key got a successor. */
  readonly 'apikey.rotated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** key_<id> */
    readonly key_id: string;
    /** service:<id> */
    readonly agent_id: string;
    /** key_<id> */
    readonly successor_id: string;
  };
  /** An API key was revoked. */
  readonly 'apikey.revoked': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** key_<id> */
    readonly key_id: string;
    /** service:<id> */
    readonly agent_id: string;
    readonly reason: string;
  };
  /** A user let an agent act for them. */
  readonly 'delegation.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** dlg_<id> */
    readonly delegation_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** service:<id> */
    readonly agent_id: string;
    /** `<action>:<resource>` each. */
    readonly scopes: readonly string[];
  };
  /** An agent may no longer act for a user. */
  readonly 'delegation.revoked': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** dlg_<id> */
    readonly delegation_id: string;
    /** user:<id> */
    readonly user_id: string;
    /** service:<id> */
    readonly agent_id: string;
  };
  /** An endpoint was registered. */
  readonly 'webhook.created': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** wh_<id> */
    readonly webhook_id: string;
  };
  /** An endpoint was changed. */
  readonly 'webhook.updated': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** wh_<id> */
    readonly webhook_id: string;
    /** Names of the fields that changed. */
    readonly fields: readonly string[];
  };
  /** An endpoint was deleted. */
  readonly 'webhook.deleted': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** wh_<id> */
    readonly webhook_id: string;
  };
  /** An endpoint was switched off. */
  readonly 'webhook.disabled': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** wh_<id> */
    readonly webhook_id: string;
    readonly reason: string;
  };
  /** Somebody tried an endpoint; sent to that one only. */
  readonly 'webhook.test': {
    /** org_<slug> */
    readonly tenant_id: string;
    /** wh_<id> */
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
