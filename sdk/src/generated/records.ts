// Made from the contract by `npm run generate`.

/** The codes that the service answers with. */
export type ServiceErrorCode =
  | 'VALIDATION_FAILED'
  | 'JSON_INVALID'
  | 'REQUEST_MALFORMED'
  | 'TENANT_NOT_FOUND'
  | 'IDENTIFIER_TAKEN'
  | 'ROLE_UNKNOWN'
  | 'SLUG_TAKEN'
  | 'ROLE_TAKEN'
  | 'DOMAIN_TAKEN'
  | 'CLAIM_RESERVED'
  | 'IN_USE'
  | 'ROTATION_UNDER_WAY'
  | 'TOO_MANY_WEBHOOKS'
  | 'KEY_SIGNS'
  | 'APIKEY_ROTATED'
  | 'APIKEY_ENDED'
  | 'DEFAULT_TENANT_PROTECTED'
  | 'DEFAULT_WORKSPACE_PROTECTED'
  | 'BUILTIN_ROLE_PROTECTED'
  | 'LAST_SYSTEM_ADMINISTRATOR'
  | 'CURRENT_PASSWORD_WRONG'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'EVENT_UNKNOWN'
  | 'GRANT_TYPE_UNSUPPORTED'
  | 'GRANT_INVALID'
  | 'SCOPE_INVALID'
  | 'TARGET_INVALID'
  | 'EXCHANGE_REFUSED'
  | 'DELEGATION_REQUIRED'
  | 'TOKEN_INVALID'
  | 'TENANT_MISMATCH'
  | 'CLIENT_INVALID'
  | 'INVALID_CREDENTIALS'
  | 'MFA_REQUIRED'
  | 'REFRESH_TOKEN_REUSED'
  | 'SCOPE_REQUIRED'
  | 'SCOPE_NOT_HELD'
  | 'PRINCIPAL_PROTECTED'
  | 'SYSTEM_ADMINISTRATOR_REQUIRED'
  | 'ADMINISTRATOR_REQUIRED'
  | 'USER_REQUIRED'
  | 'VISITOR_REFUSED'
  | 'SELF_VERIFICATION_REFUSED'
  | 'TENANT_INACTIVE'
  | 'NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'BODY_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
  | 'TOO_MANY_UNFINISHED'
  | 'INTERNAL'
  | 'UNAVAILABLE';

/** An e-mail address or a phone number of a user. */
export interface Identifier {
  readonly type: 'email' | 'phone';
  readonly identifier: string;
  readonly verified: boolean;
}

/** What a login answers. */
export interface LoginAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** A signed JWT; good for one use. */
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  readonly user: {
    /** user:<id> */
    readonly id: string;
    /** org_<slug> */
    readonly tenant_id: string;
    readonly identifiers: readonly Identifier[];
  };
  /** For the next login of this user from this device; good for 90 days. */
  readonly device_token: string;
}

/** What a refresh answers. */
export interface TokenAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** A signed JWT; good for one use. */
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  readonly user: {
    /** user:<id> */
    readonly id: string;
    /** org_<slug> */
    readonly tenant_id: string;
    readonly identifiers: readonly Identifier[];
  };
}

export interface TokenStatus {
  readonly active: boolean;
  readonly jti?: string;
  readonly token_type?: 'access';
  readonly iss?: string;
  /** user:<id> or service:<id> */
  readonly sub?: string;
  readonly aud?: string;
  /** Seconds since the epoch. */
  readonly iat?: number;
  /** Seconds since the epoch. */
  readonly exp?: number;
  /** org_<slug> */
  readonly tenant_id?: string;
  /** ws_<slug> */
  readonly workspace_id?: string;
  readonly roles?: readonly string[];
  readonly scopes?: readonly string[];
  /** The scopes, joined by spaces (RFC 9068). */
  readonly scope?: string;
  /** session:<id> */
  readonly sid?: string;
  /** The client that asked for the token (RFC 9068 §2.2): an agent, or `keywright` where users log in directly. */
  readonly client_id?: string;
  /** key_<id> */
  readonly key_id?: string;
  /** Goes up when the permissions of the subject change. */
  readonly ver?: number;
  readonly act?: {
    readonly sub: string;
    /** org_<slug> */
    readonly tenant_id?: string;
    /** dlg_<id> */
    readonly delegation_id?: string;
    /** key_<id> */
    readonly key_id?: string;
    readonly ver?: number;
    readonly act?: {
      readonly sub: string;
      /** org_<slug> */
      readonly tenant_id?: string;
      /** dlg_<id> */
      readonly delegation_id?: string;
      /** key_<id> */
      readonly key_id?: string;
      readonly ver?: number;
      readonly act?: {
        readonly sub: string;
        /** org_<slug> */
        readonly tenant_id?: string;
        /** dlg_<id> */
        readonly delegation_id?: string;
        /** key_<id> */
        readonly key_id?: string;
        readonly ver?: number;
      };
    };
  };
  readonly status?: {
    readonly status_list: {
      /** The number of the bit. */
      readonly idx: number;
      /** The address of the list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}

export interface Decision {
  /** Whether nothing is missing. */
  readonly allowed: boolean;
  /** The scopes that they lack. */
  readonly missing: readonly string[];
}

/** What an entry of the audit log tells. */
export interface ExplainedChange {
  readonly action: 'auth.login' | 'auth.login_failed' | 'auth.logout' | 'auth.denied' | 'auth.exchange' | 'auth.token_issued' | 'auth.token_refused' | 'user.created' | 'user.updated' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.replayed' | 'system.work';
  readonly at: string;
  readonly by: {
    readonly kind: 'user' | 'visitor' | 'agent' | 'delegate' | 'system' | 'anonymous';
    /** user:<id>, service:<id>, or the name of a part of the service. */
    readonly sub: string | null;
    /** The user whom a delegate acts for. */
    readonly on_behalf_of: string | null;
  };
  readonly target: {
    readonly kind: 'user' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identifier' | 'route' | 'installation';
    /** Its id or name. */
    readonly name: string | null;
  };
  readonly details: {
    readonly scopes_gained?: readonly string[];
    readonly scopes_lost?: readonly string[];
    readonly roles_gained?: readonly string[];
    readonly roles_lost?: readonly string[];
    readonly fields?: readonly string[];
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
}

/** Why somebody may do something, or not. */
export interface Explanation {
  readonly allowed: boolean;
  /** As `POST /authorize` answers it. */
  readonly missing: readonly string[];
  /** What gives each scope. */
  readonly because: readonly ({
    readonly kind: 'role' | 'agent' | 'api_key' | 'delegation' | 'visit';
    /** The name of a role, the id of anything else. */
    readonly name: string;
    /** One of the scopes that were asked about. */
    readonly scope: string;
    /** The scope of it that covers the one asked about. */
    readonly held: string;
  })[];
  /** For each scope that was there once: the change that took it away last. */
  readonly lost: readonly {
    /** One of the scopes that were asked about. */
    readonly scope: string;
    readonly change: ExplainedChange;
  }[];
  /** What is in the way of them as a whole, or narrows what they have. */
  readonly facts: readonly ({
    readonly code: 'token_malformed' | 'token_of_another_tenant' | 'token_not_genuine' | 'token_of_another_kind' | 'token_expired' | 'token_addressed_elsewhere' | 'token_outdated' | 'token_narrower' | 'visit_over' | 'user_unknown' | 'user_inactive' | 'session_unknown' | 'session_ended' | 'agent_unknown' | 'agent_inactive' | 'api_key_unknown' | 'api_key_revoked' | 'api_key_expired' | 'api_key_narrower' | 'delegation_unknown' | 'delegation_revoked' | 'delegation_expired' | 'delegation_narrower' | 'workspace_inactive' | 'workspace_outside';
    /** A sentence for people. */
    readonly detail: string;
    /** The id of what it is about. */
    readonly name?: string;
    /** Those that it keeps back. */
    readonly scopes?: readonly string[];
    readonly reason?: string;
    /** Since when. */
    readonly at?: string;
    readonly change?: ExplainedChange;
  })[];
}

/** What the token endpoint answers. */
export interface ClientTokenAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  /** The scopes of the token, joined by spaces. */
  readonly scope: string;
  /** After an exchange: that it is an access token. */
  readonly issued_token_type?: string;
}

/** The body of an error of the token endpoint: what OAuth clients read, and `detail` and `code` as everywhere. */
export interface OAuthError {
  /** A code of RFC 6749 §5.2, such as invalid_client. */
  readonly error: string;
  /** A sentence for people. */
  readonly detail: string;
  /** A stable code for programs, such as TOKEN_INVALID. */
  readonly code: string;
  /** With VALIDATION_FAILED: each thing that is wrong, by JSON pointer. */
  readonly errors?: readonly {
    readonly path: string;
    readonly message: string;
  }[];
  /** The detail, in the characters of RFC 6749. */
  readonly error_description: string;
}

/** A person who logs in. */
export interface User {
  /** user:<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly identifiers: readonly Identifier[];
  readonly roles: readonly string[];
  readonly workspaces: readonly string[];
  readonly is_active: boolean;
  /** Free data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep. */
  readonly metadata: {
    readonly [name: string]: unknown;
  };
  /** Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
  readonly user_metadata: {
    readonly [name: string]: unknown;
  };
  readonly created_at: string;
}

/** A public key (RFC 7517). */
export type AgentKey = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use?: 'sig';
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use?: 'sig';
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly use?: 'sig';
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
};

/** Public keys that the agent signs its assertions with. */
export interface AgentKeySet {
  readonly keys: readonly AgentKey[];
}

/** An outside issuer, and which of its tokens stand for the agent. */
export interface AgentTrust {
  /** The `iss` of the tokens, letter by letter; its keys are found by OpenID discovery. */
  readonly issuer: string;
  /** The one `aud` of the tokens. */
  readonly audience: string;
  /** The `sub` of the tokens, letter by letter. */
  readonly subject?: string;
  /** What else a token has to say: a claim and its value, or a list of values. */
  readonly claims?: {
    readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[];
  };
  /** Default true: a token with a `jti` is good once. False where the workload can not get a new one, as with Kubernetes. */
  readonly single_use?: boolean;
}

/** A machine that acts by itself: a service account. */
export interface Agent {
  /** service:<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /** The user who answers for the agent; null when a visiting administrator made it. */
  readonly owner_id: string | null;
  /** Public keys that the agent signs its assertions with. */
  readonly jwks: AgentKeySet | null;
  /** Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`. */
  readonly trusts: readonly AgentTrust[];
  readonly is_active: boolean;
  readonly created_at: string;
}

/** What a user lets an agent do in their name (RFC 8693). */
export interface Delegation {
  /** dlg_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** user:<id> */
  readonly user_id: string;
  /** service:<id> */
  readonly agent_id: string;
  readonly scopes: readonly string[];
  /** Whether it has not expired yet. */
  readonly is_active: boolean;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Where a page stands in its list. */
export interface ListMeta {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly total_is_estimate?: true;
  readonly next_cursor?: string;
}

export interface ReachedSession {
  /** session:<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface ReachedAgent {
  /** service:<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  readonly name: string;
  readonly is_active: boolean;
  /** How many of its keys are usable. */
  readonly api_keys: number;
  readonly created_at: string;
}

export interface ReachedApiKey {
  /** key_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** service:<id> */
  readonly agent_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface ReachedDelegation {
  /** dlg_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** user:<id> */
  readonly user_id: string;
  /** service:<id> */
  readonly agent_id: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at: string;
}

export interface UserDryRun {
  readonly dry_run: true;
  /** user:<id> */
  readonly user_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly is_active: boolean;
  readonly sessions: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedSession[];
  };
  readonly agents: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedAgent[];
  };
  readonly api_keys: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedApiKey[];
  };
  readonly delegations: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedDelegation[];
  };
}

/** What hangs on a user: living sessions, the agents that they answer for, usable keys of those, and living delegations that the user gave or that those agents hold. */
export interface UserReach {
  /** user:<id> */
  readonly user_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly is_active: boolean;
  readonly sessions: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedSession[];
  };
  readonly agents: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedAgent[];
  };
  readonly api_keys: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedApiKey[];
  };
  readonly delegations: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedDelegation[];
  };
}

/** What ended when the user was disabled. */
export interface UserDisabled {
  /** user:<id> */
  readonly user_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly is_active: false;
  readonly ended: {
    readonly sessions: {
      readonly total: number;
      readonly total_is_estimate?: true;
      readonly items: readonly ReachedSession[];
    };
    readonly agents: {
      readonly total: number;
      readonly total_is_estimate?: true;
      readonly items: readonly ReachedAgent[];
    };
    readonly api_keys: {
      readonly total: number;
      readonly total_is_estimate?: true;
      readonly items: readonly ReachedApiKey[];
    };
    readonly delegations: {
      readonly total: number;
      readonly total_is_estimate?: true;
      readonly items: readonly ReachedDelegation[];
    };
  };
}

/** One login of one user on one device. Its refresh token is never shown. */
export interface Session {
  /** session:<id> */
  readonly id: string;
  /** user:<id> */
  readonly user_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  readonly device_info: {
    readonly user_agent: string | null;
    readonly ip_address: string;
    /** Not looked up: no address leaves the service. */
    readonly location: null;
  };
  readonly created_at: string;
  readonly expires_at: string;
  readonly is_active: boolean;
}

/** A part of a tenant. */
export interface Workspace {
  /** ws_<slug> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly name: string;
  readonly slug: string;
  readonly is_active: boolean;
  readonly created_at: string;
}

/** That a user belongs to a workspace. */
export interface Member {
  /** user:<id> */
  readonly user_id: string;
  /** ws_<slug> */
  readonly workspace_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
}

/** A named set of scopes. */
export interface Role {
  readonly name: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly is_builtin: boolean;
  readonly created_at: string;
}

/** What is given is changed. */
export interface AgentPatch {
  readonly name?: string;
  readonly description?: string;
  readonly scopes?: readonly string[];
  readonly is_active?: boolean;
  /** ws_<slug> */
  readonly workspace_id?: string;
  /** user:<id> */
  readonly owner_id?: string;
  readonly jwks?: AgentKeySet | null;
  /** Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`. */
  readonly trusts?: readonly AgentTrust[];
}

export interface AgentDryRun {
  readonly dry_run: true;
  /** service:<id> */
  readonly agent_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly is_active: boolean;
  readonly api_keys: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedApiKey[];
  };
  readonly delegations: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedDelegation[];
  };
}

/** What hangs on an agent: its usable keys, and living delegations that it holds. */
export interface AgentReach {
  /** service:<id> */
  readonly agent_id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly is_active: boolean;
  readonly api_keys: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedApiKey[];
  };
  readonly delegations: {
    readonly total: number;
    readonly total_is_estimate?: true;
    readonly items: readonly ReachedDelegation[];
  };
}

/** A secret by which an agent proves who it is. */
export interface ApiKey {
  /** key_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** service:<id> */
  readonly agent_id: string;
  readonly name: string;
  /** The first 12 characters of the key, to know it by. */
  readonly prefix: string;
  /** Of the scopes of its agent, those that the key has; null: all of them. */
  readonly scopes: readonly string[] | null;
  /** Addresses and networks that the key is good from; null: any. */
  readonly allowed_ips: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** To the minute. */
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** revoked, rotated or leaked. */
  readonly revoke_reason: string | null;
  /** The key that took its place when it was rotated. */
  readonly successor_id: string | null;
}

/** An API key as the answer that creates it shows it. */
export interface CreatedApiKey {
  /** key_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** service:<id> */
  readonly agent_id: string;
  readonly name: string;
  /** The first 12 characters of the key, to know it by. */
  readonly prefix: string;
  /** Of the scopes of its agent, those that the key has; null: all of them. */
  readonly scopes: readonly string[] | null;
  /** Addresses and networks that the key is good from; null: any. */
  readonly allowed_ips: readonly string[] | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** To the minute. */
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** revoked, rotated or leaked. */
  readonly revoke_reason: string | null;
  /** The key that took its place when it was rotated. */
  readonly successor_id: string | null;
  /** The key itself: shown now and never again. */
  readonly key: string;
}

/** An endpoint that events are delivered to. */
export interface Webhook {
  /** wh_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly url: string;
  readonly events: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
  readonly is_active: boolean;
  /** Why the service switched it off; null when it did not. */
  readonly disabled_reason: string | null;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** After a rotation: until when the secret before is good too. */
  readonly overlap_ends_at: string | null;
  readonly created_at: string;
}

export interface WebhookWithSecret {
  /** wh_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly url: string;
  readonly events: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
  readonly is_active: boolean;
  /** Why the service switched it off; null when it did not. */
  readonly disabled_reason: string | null;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** After a rotation: until when the secret before is good too. */
  readonly overlap_ends_at: string | null;
  readonly created_at: string;
  /** Signing secret: shown now and never again. */
  readonly secret: string;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  /** job_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  /** wh_<id> */
  readonly webhook_id: string;
  /** evt_<id> */
  readonly event_id: string;
  readonly event_type: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_attempt_at: string | null;
  /** Of the last attempt; null when there was no answer. */
  readonly response_status: number | null;
  /** The first 1,024 bytes of the last answer. */
  readonly response_body: string | null;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  readonly created_at: string;
}

/** A key that signs tokens. Its private half is never shown. */
export interface SigningKey {
  /** key_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly algorithm: 'EdDSA';
  /** The public key, base64url. */
  readonly public_key: string;
  /** Published in the key set. */
  readonly is_active: boolean;
  /** next: published, signs later; current: signs; previous: published until its last token has expired; retired: no longer published. */
  readonly state: 'next' | 'current' | 'previous' | 'retired';
  readonly created_at: string;
  readonly signs_from: string;
}

/** Something that happened. `data` is of the form of its `type`. */
export interface Event {
  /** evt_<id> */
  readonly id: string;
  readonly type: 'user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test';
  readonly created_at: string;
  readonly data: {
    /** org_<slug> */
    readonly tenant_id: string;
    readonly [name: string]: unknown;
  };
}

/** Who did what, on what, from where, and how it came out. */
export interface AuditEntry {
  /** aud_<id> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly created_at: string;
  readonly actor: {
    readonly kind: 'user' | 'visitor' | 'agent' | 'delegate' | 'system' | 'anonymous';
    /** user:<id>, service:<id>, or the name of a part of the service. */
    readonly id: string | null;
    /** The user whom a delegate acts for. */
    readonly on_behalf_of: string | null;
    /** The session, API key or grant that was used. */
    readonly credential: string | null;
  };
  readonly action: 'auth.login' | 'auth.login_failed' | 'auth.logout' | 'auth.denied' | 'auth.exchange' | 'auth.token_issued' | 'auth.token_refused' | 'user.created' | 'user.updated' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.replayed' | 'system.work';
  readonly target: {
    readonly kind: 'user' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identifier' | 'route' | 'installation';
    readonly id: string | null;
  };
  readonly outcome: 'success' | 'failure' | 'denied';
  /** The IP address that the request came from. */
  readonly address: string | null;
  /** As in the header `x-request-id` of the answer, and in the log. */
  readonly request_id: string | null;
  /** How many of the same kind this entry stands for: 1 but for floods. */
  readonly count: number;
  readonly details: {
    readonly scopes_gained?: readonly string[];
    readonly scopes_lost?: readonly string[];
    readonly roles_gained?: readonly string[];
    readonly roles_lost?: readonly string[];
    readonly fields?: readonly string[];
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
  /** Which only the service can make and check: it wrote the entry, just so. Entries from before there were MACs have none. */
  readonly mac?: string;
  /** Its place in the chain, from 1; null until it is sealed, seconds later. */
  readonly position: number | null;
  /** `hash` of the entry before it; null for the first. */
  readonly previous_hash: string | null;
  /** SHA-256 of the canonical JSON (RFC 8785) of all the fields but this one. */
  readonly hash: string | null;
}

/** The head that a tenant’s audit log had, signed. */
export interface AuditCheckpoint {
  /** org_<slug> */
  readonly tenant_id: string;
  /** Of the last entry that it covers. */
  readonly position: number;
  /** A JWS (EdDSA, typ audit-checkpoint+jwt) with tenant_id, position, hash and iat, signed with a key of the tenant. */
  readonly token: string;
  readonly created_at: string;
}

export interface TenantConfig {
  /** Only `password` works in this version; `magic_link`, `oauth` and `passkey` are planned. A list without a method that works is rejected. */
  readonly allowed_login_methods: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[];
  /** Second factors are planned. Until this version has one, `true` is rejected: nobody could log in. */
  readonly require_mfa: boolean;
  readonly password_min_length: number;
  readonly password_require_special: boolean;
  /** Life of an access token. */
  readonly session_timeout: number;
  /** Life of a refresh token; each use starts it anew. */
  readonly refresh_token_ttl: number;
  /** After this long a session ends, however often it was refreshed. */
  readonly refresh_token_absolute_ttl: number;
  /** For this long a used refresh token yields its successor once more. */
  readonly refresh_retry_window: number;
  readonly login_attempts_limit: number;
  readonly login_attempts_window: number;
  /** Attempts of one address within the window, for any identifiers; null: ten times login_attempts_limit. */
  readonly login_attempts_address_limit: number | null;
  /** Registrations within an hour, from any address. */
  readonly registrations_limit: number;
  /** Registrations from one address within an hour. */
  readonly registrations_address_limit: number;
  readonly allow_registration: boolean;
  /** `aud` of access tokens; null: the issuer. */
  readonly audience: string | null;
  /** Origins whose scripts may read answers in a browser: https, or http on a loopback host. */
  readonly allowed_origins: readonly string[];
  /** Claims added to the access tokens of users. */
  readonly custom_claims: {
    readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[] | {
      readonly metadata: string;
    } | {
      readonly user_metadata: string;
      /** Accepts that users can put any value into this claim of their own tokens. */
      readonly user_writable: true;
    };
  };
}

export interface TenantBranding {
  /** An https address. */
  readonly logo_url?: string;
  /** #rrggbb */
  readonly primary_color?: string;
  /** #rrggbb */
  readonly secondary_color?: string;
  readonly company_name?: string;
  readonly support_email?: string;
}

export interface TenantMessaging {
  readonly email?: {
    readonly provider?: string;
    readonly smtp_host?: string;
    readonly smtp_port?: number;
    readonly smtp_username?: string;
    readonly smtp_password?: string;
    readonly from_address?: string;
  };
  readonly sms?: {
    readonly provider?: string;
    readonly account_sid?: string;
    readonly auth_token?: string;
  };
}

/** An organisation, wholly separate from every other. */
export interface Tenant {
  /** org_<slug> */
  readonly id: string;
  /** org_<slug> */
  readonly tenant_id: string;
  readonly name: string;
  readonly slug: string;
  readonly domains: readonly string[];
  readonly issuer: string;
  readonly config: TenantConfig;
  readonly branding: TenantBranding;
  readonly messaging: TenantMessaging;
  readonly is_active: boolean;
  readonly created_at: string;
}

export interface TenantConfigPatch {
  /** Only `password` works in this version; `magic_link`, `oauth` and `passkey` are planned. A list without a method that works is rejected. */
  readonly allowed_login_methods?: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[] | null;
  /** Second factors are planned. Until this version has one, `true` is rejected: nobody could log in. */
  readonly require_mfa?: boolean | null;
  readonly password_min_length?: number | null;
  readonly password_require_special?: boolean | null;
  /** Life of an access token. */
  readonly session_timeout?: number | null;
  /** Life of a refresh token; each use starts it anew. */
  readonly refresh_token_ttl?: number | null;
  /** After this long a session ends, however often it was refreshed. */
  readonly refresh_token_absolute_ttl?: number | null;
  /** For this long a used refresh token yields its successor once more. */
  readonly refresh_retry_window?: number | null;
  readonly login_attempts_limit?: number | null;
  readonly login_attempts_window?: number | null;
  /** Attempts of one address within the window, for any identifiers; null: ten times login_attempts_limit. */
  readonly login_attempts_address_limit?: number | null;
  /** Registrations within an hour, from any address. */
  readonly registrations_limit?: number | null;
  /** Registrations from one address within an hour. */
  readonly registrations_address_limit?: number | null;
  readonly allow_registration?: boolean | null;
  /** `aud` of access tokens; null: the issuer. */
  readonly audience?: string | null;
  /** Origins whose scripts may read answers in a browser: https, or http on a loopback host. */
  readonly allowed_origins?: readonly string[] | null;
  /** Claims added to the access tokens of users. */
  readonly custom_claims?: {
    readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[] | {
      readonly metadata: string;
    } | {
      readonly user_metadata: string;
      /** Accepts that users can put any value into this claim of their own tokens. */
      readonly user_writable: true;
    };
  } | null;
}

export interface TenantBrandingPatch {
  /** An https address. */
  readonly logo_url?: string | null;
  /** #rrggbb */
  readonly primary_color?: string | null;
  /** #rrggbb */
  readonly secondary_color?: string | null;
  readonly company_name?: string | null;
  readonly support_email?: string | null;
}

export interface TenantEmailPatch {
  readonly provider?: string | null;
  readonly smtp_host?: string | null;
  readonly smtp_port?: number | null;
  readonly smtp_username?: string | null;
  readonly smtp_password?: string | null;
  readonly from_address?: string | null;
}

export interface TenantSmsPatch {
  readonly provider?: string | null;
  readonly account_sid?: string | null;
  readonly auth_token?: string | null;
}

export interface TenantMessagingPatch {
  readonly email?: TenantEmailPatch | null;
  readonly sms?: TenantSmsPatch | null;
}

export interface TenantDryRun {
  readonly dry_run: true;
  readonly tenant: Tenant;
  readonly affected: readonly {
    readonly setting: string;
    /** How many users it would touch. */
    readonly users: number;
    readonly effect: string;
  }[];
}

export interface ExchangeAnswer {
  /** A signed JWT for the other tenant. */
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds; 900 at the most. */
  readonly expires_in: number;
  /** org_<slug> */
  readonly tenant_id: string;
}

/** Public signing keys of a tenant (RFC 7517, RFC 8037). */
export interface JsonWebKeySet {
  readonly keys: readonly {
    readonly kty: 'OKP';
    readonly crv: 'Ed25519';
    /** The public key, base64url. */
    readonly x: string;
    readonly kid: string;
    readonly alg: 'EdDSA';
    readonly use: 'sig';
  }[];
}

/** Metadata of an OAuth 2.0 authorization server (RFC 8414). */
export interface AuthorizationServerMetadata {
  /** The `iss` of every token of the tenant. */
  readonly issuer: string;
  /** Where agents get access tokens. */
  readonly token_endpoint: string;
  /** The public signing keys of the tenant. */
  readonly jwks_uri: string;
  /** Required by RFC 8414. Empty: there is no authorization endpoint. */
  readonly response_types_supported: readonly string[];
  readonly grant_types_supported: readonly string[];
  /** `none` is for grants in which a token of an outside issuer is the proof. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
  /** Algorithms of `private_key_jwt`. */
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  /** The reference of the API. */
  readonly service_documentation: string;
}

export interface Health {
  readonly status: 'ok' | 'degraded' | 'draining';
  readonly database: 'ok' | 'unavailable';
  readonly cache: 'ok' | 'unavailable';
  readonly timestamp: string;
}
