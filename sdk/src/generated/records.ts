// Made from the contract by `npm run generate`.

/** The codes that the service answers with. */
export type ServiceErrorCode =
  | 'VALIDATION_FAILED'
  | 'JSON_INVALID'
  | 'REQUEST_MALFORMED'
  | 'TENANT_NOT_FOUND'
  | 'IDENTIFIER_TAKEN'
  | 'FORM_TOO_OLD'
  | 'ROLE_UNKNOWN'
  | 'SLUG_TAKEN'
  | 'ROLE_TAKEN'
  | 'DOMAIN_TAKEN'
  | 'CLAIM_RESERVED'
  | 'IN_USE'
  | 'ROTATION_IN_PROGRESS'
  | 'TOO_MANY_WEBHOOKS'
  | 'KEY_IN_USE'
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
  | 'BROWSER_SESSION_REQUIRED'
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
  | 'ORIGIN_REFUSED'
  | 'USER_REQUIRED'
  | 'IMPERSONATION_REFUSED'
  | 'SELF_VERIFICATION_REFUSED'
  | 'TENANT_INACTIVE'
  | 'NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'BODY_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
  | 'TOO_MANY_INCOMPLETE_REQUESTS'
  | 'INTERNAL'
  | 'UNAVAILABLE';

/** An e-mail address or a phone number of a user. */
export interface Identifier {
  /** What the identifier is. */
  readonly type: 'email' | 'phone';
  /** Normalised: lower case, the domain in ASCII; or a phone number in E.164 form. */
  readonly identifier: string;
  /** Whether it is known to be theirs. */
  readonly verified: boolean;
}

/** What a login answers. */
export interface LoginAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** A signed JWT; good for one use. */
  readonly refresh_token: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  /** Who logged in. */
  readonly user: {
    /** The id of a user: `user:<id>`. */
    readonly id: string;
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** All that the user has. */
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
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives. */
  readonly expires_in: number;
  /** Who logged in. */
  readonly user: {
    /** The id of a user: `user:<id>`. */
    readonly id: string;
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** All that the user has. */
    readonly identifiers: readonly Identifier[];
  };
}

/** Whether a token is active, and if so its claims (RFC 7662 §2.2). */
export interface TokenStatus {
  /** Whether the token is good right now. */
  readonly active: boolean;
  /** The id of the token. */
  readonly jti?: string;
  /** Always `access`. */
  readonly token_type?: 'access';
  /** The issuer: the tenant. */
  readonly iss?: string;
  /** user:<id> or service:<id> */
  readonly sub?: string;
  /** Whom the token is for. */
  readonly aud?: string;
  /** When it was issued, in seconds since the epoch. */
  readonly iat?: number;
  /** When it expires, in seconds since the epoch. */
  readonly exp?: number;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id?: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id?: string;
  /** The names of the roles of the subject. */
  readonly roles?: readonly string[];
  /** What the token allows. */
  readonly scopes?: readonly string[];
  /** The scopes, joined by spaces (RFC 9068). */
  readonly scope?: string;
  /** The id of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that asked for the token (RFC 9068 §2.2): an agent, or `keywright` where users log in directly. */
  readonly client_id?: string;
  /** The id of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1): a refresh keeps it. */
  readonly auth_time?: number;
  /** How the user authenticated (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** By which methods the user authenticated (RFC 8176): `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Goes up when the permissions of the subject change. */
  readonly ver?: number;
  /** Who acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>` or `service:<id>`. */
    readonly sub: string;
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** The id of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** The id of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** Who acted before, for the actor around. */
    readonly act?: {
      /** `user:<id>` or `service:<id>`. */
      readonly sub: string;
      /** The id of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** The id of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** The id of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** Who acted before, for the actor around. */
      readonly act?: {
        /** `user:<id>` or `service:<id>`. */
        readonly sub: string;
        /** The id of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** The id of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** The id of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** Where it stands whether the token was revoked. */
  readonly status?: {
    /** The bit that says it. */
    readonly status_list: {
      /** The number of the bit. */
      readonly idx: number;
      /** The address of the list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}

/** Who would do it (OpenID AuthZEN §5.1). */
export interface Subject {
  /** `user`, `agent`, or `token` for whoever presents the token. */
  readonly type: string;
  /** `user:<id>`, `service:<id>`, or the access token or API key itself. */
  readonly id: string;
  /** Further attributes; they do not change the decision. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What would be done (OpenID AuthZEN §5.3). */
export interface Action {
  /** The action of the scope: `read`, `write`, `delete` or `*`. */
  readonly name: string;
  /** Further attributes; they do not change the decision. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What it would be done to (OpenID AuthZEN §5.2). */
export interface Resource {
  /** The resource of the scope: `users` with `read` asks for `read:users`. */
  readonly type: string;
  /** Scopes are for a type: whichever id it is, the decision is the same. */
  readonly id?: string;
  /** With `workspace_id`: the subject has to belong to that workspace. */
  readonly properties?: {
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
  };
}

/** The environment (OpenID AuthZEN §5.4). */
export interface EvaluationContext {
  /** Adds to the decision what `POST /explain` answers. It takes what that route takes. */
  readonly explain?: boolean;
}

/** What an entry of the audit log tells. */
export interface ExplainedChange {
  /** What was done. */
  readonly action: 'auth.login' | 'auth.login_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.token_exchanged' | 'auth.token_issued' | 'auth.token_refused' | 'user.created' | 'user.updated' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.replayed' | 'system.work';
  /** When it was done. */
  readonly at: string;
  /** Who did it. */
  readonly by: {
    /** What the actor is. */
    readonly kind: 'user' | 'impersonator' | 'agent' | 'delegate' | 'system' | 'anonymous';
    /** `user:<id>`, `service:<id>`, or the name of a part of the service. */
    readonly sub: string | null;
    /** The user whom a delegate acts for. */
    readonly on_behalf_of: string | null;
  };
  /** What it was done to. */
  readonly target: {
    /** What the target is. */
    readonly kind: 'user' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identifier' | 'route' | 'installation';
    /** Its id or name. */
    readonly name: string | null;
  };
  /** What else there is to tell; further fields depend on the action. */
  readonly details: {
    /** Scopes that the target has from then on. */
    readonly scopes_gained?: readonly string[];
    /** Scopes that the target no longer has. */
    readonly scopes_lost?: readonly string[];
    /** Roles that the user has from then on. */
    readonly roles_gained?: readonly string[];
    /** Roles that the user no longer has. */
    readonly roles_lost?: readonly string[];
    /** Names of the fields that changed. */
    readonly fields?: readonly string[];
    /** Why it was refused, or the reason that was given. */
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
}

/** The result of an access evaluation (OpenID AuthZEN §5.5). */
export interface Decision {
  /** Whether the subject may do it. */
  readonly decision: boolean;
  /** There when it is denied, or an explanation was asked for. */
  readonly context?: {
    /** Why it is denied; more with `explain`. */
    readonly reasons: readonly ({
      /** What it is, for programs. */
      readonly code: 'scope_missing' | 'scope_invalid' | 'workspace_unknown' | 'token_malformed' | 'token_of_another_tenant' | 'signature_invalid' | 'token_of_another_kind' | 'token_expired' | 'token_addressed_elsewhere' | 'token_outdated' | 'token_narrower' | 'impersonation_ended' | 'user_unknown' | 'user_inactive' | 'session_unknown' | 'session_ended' | 'agent_unknown' | 'agent_inactive' | 'api_key_unknown' | 'api_key_revoked' | 'api_key_expired' | 'api_key_narrower' | 'delegation_unknown' | 'delegation_revoked' | 'delegation_expired' | 'delegation_narrower' | 'workspace_inactive' | 'workspace_outside';
      /** A sentence for people. */
      readonly detail: string;
      /** The id of what it is about. */
      readonly name?: string;
      /** Those that it keeps back. */
      readonly scopes?: readonly string[];
      /** Why a session or a key ended. */
      readonly reason?: string;
      /** Since when. */
      readonly at?: string;
      readonly change?: ExplainedChange;
    })[];
    /** What gives each scope. */
    readonly because?: readonly ({
      /** What gives the scope. */
      readonly kind: 'role' | 'agent' | 'api_key' | 'delegation' | 'impersonation';
      /** The name of a role, the id of anything else. */
      readonly name: string;
      /** The scope that it gives. */
      readonly scope: string;
      /** The scope of it that covers the one asked about. */
      readonly held: string;
    })[];
    /** For each scope that was there once: the change that took it away last. */
    readonly lost?: readonly {
      /** One of the scopes that were asked about. */
      readonly scope: string;
      readonly change: ExplainedChange;
    }[];
  };
}

/** Why somebody may do something, or not. */
export interface Explanation {
  /** Whether nothing is missing. */
  readonly allowed: boolean;
  /** The scopes that they lack. */
  readonly missing: readonly string[];
  /** What gives each scope. */
  readonly because: readonly ({
    /** What gives the scope. */
    readonly kind: 'role' | 'agent' | 'api_key' | 'delegation' | 'impersonation';
    /** The name of a role, the id of anything else. */
    readonly name: string;
    /** The scope that it gives. */
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
    /** What it is, for programs. */
    readonly code: 'scope_missing' | 'scope_invalid' | 'workspace_unknown' | 'token_malformed' | 'token_of_another_tenant' | 'signature_invalid' | 'token_of_another_kind' | 'token_expired' | 'token_addressed_elsewhere' | 'token_outdated' | 'token_narrower' | 'impersonation_ended' | 'user_unknown' | 'user_inactive' | 'session_unknown' | 'session_ended' | 'agent_unknown' | 'agent_inactive' | 'api_key_unknown' | 'api_key_revoked' | 'api_key_expired' | 'api_key_narrower' | 'delegation_unknown' | 'delegation_revoked' | 'delegation_expired' | 'delegation_narrower' | 'workspace_inactive' | 'workspace_outside';
    /** A sentence for people. */
    readonly detail: string;
    /** The id of what it is about. */
    readonly name?: string;
    /** Those that it keeps back. */
    readonly scopes?: readonly string[];
    /** Why a session or a key ended. */
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
  /** How the token is sent (RFC 6750). */
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
    /** Where: a JSON pointer, or `/` and a parameter. */
    readonly path: string;
    /** What is expected there. */
    readonly message: string;
  }[];
  /** The detail, in the characters of RFC 6749. */
  readonly error_description: string;
}

/** A person who logs in. */
export interface User {
  /** The id of a user: `user:<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** What the user can log in with: each unique within the tenant. */
  readonly identifiers: readonly Identifier[];
  /** The names of their roles. */
  readonly roles: readonly string[];
  /** Those that the user belongs to. */
  readonly workspaces: readonly string[];
  /** Inactive, the user cannot log in. */
  readonly is_active: boolean;
  /** Free data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep. */
  readonly metadata: {
    readonly [name: string]: unknown;
  };
  /** Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
  readonly user_metadata: {
    readonly [name: string]: unknown;
  };
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A public key (RFC 7517). */
export type AgentKey = {
  /** The type of the key (RFC 8037). */
  readonly kty: 'OKP';
  /** The curve. */
  readonly crv: 'Ed25519';
  /** The public key, base64url. */
  readonly x: string;
  /** The name of the key, as the header of an assertion gives it. */
  readonly kid: string;
  /** For signatures. */
  readonly use?: 'sig';
  /** The one algorithm that the key is for. Without it: any that fits its type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  /** The type of the key (RFC 7518 §6.2). */
  readonly kty: 'EC';
  /** The curve. */
  readonly crv: 'P-256';
  /** The x coordinate, base64url. */
  readonly x: string;
  /** The y coordinate, base64url. */
  readonly y: string;
  /** The name of the key, as the header of an assertion gives it. */
  readonly kid: string;
  /** For signatures. */
  readonly use?: 'sig';
  /** The one algorithm that the key is for. Without it: any that fits its type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  /** The type of the key (RFC 7518 §6.3). */
  readonly kty: 'RSA';
  /** The modulus, base64url: 2048 to 4096 bits. */
  readonly n: string;
  /** The exponent, base64url. */
  readonly e: string;
  /** The name of the key, as the header of an assertion gives it. */
  readonly kid: string;
  /** For signatures. */
  readonly use?: 'sig';
  /** The one algorithm that the key is for. Without it: any that fits its type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
};

/** Public keys that the agent signs its assertions with. */
export interface AgentKeySet {
  /** Ed25519, P-256, or RSA of 2048 to 4096 bits; several while one replaces another. */
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
  /** Default true: a token with a `jti` is good once. False where the workload cannot get a new one, as with Kubernetes. */
  readonly single_use?: boolean;
}

/** A machine that acts by itself: a service account. */
export interface Agent {
  /** The id of an agent: `service:<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** What it is for; may be empty. */
  readonly description: string;
  /** What it may do: a list of `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** The user who answers for the agent; null when an impersonating administrator made it. */
  readonly owner_id: string | null;
  /** Public keys that the agent signs its assertions with; null: none. */
  readonly jwks: AgentKeySet | null;
  /** Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`. */
  readonly trusts: readonly AgentTrust[];
  /** Inactive, neither its keys nor its tokens work. */
  readonly is_active: boolean;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** What a user lets an agent do in their name (RFC 8693). */
export interface Delegation {
  /** The id of a delegation: `dlg_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** What it may do: a list of `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** Whether it has not expired yet. */
  readonly is_active: boolean;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it ends by itself. */
  readonly expires_at: string;
}

/** Where a page stands in its list. */
export interface ListMeta {
  /** The number of this page, from 1. */
  readonly page: number;
  /** How many a page holds at the most. */
  readonly limit: number;
  /** How many there are in the whole list. */
  readonly total: number;
  /** There when `total` is an estimate: above 10,000. */
  readonly total_is_estimate?: true;
  /** What the next page is asked for by, as `cursor`. Absent on the last page. */
  readonly next_cursor?: string;
}

/** A live session, abbreviated. */
export interface DependentSession {
  /** The id of a session: `session:<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it expires. */
  readonly expires_at: string;
}

/** An agent, abbreviated. */
export interface DependentAgent {
  /** The id of an agent: `service:<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** Whether it works. */
  readonly is_active: boolean;
  /** How many of its keys are usable. */
  readonly api_keys: number;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A usable API key, abbreviated. */
export interface DependentApiKey {
  /** The id of an API key: `key_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The first 12 characters of the key, to know it by. */
  readonly prefix: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it expires. */
  readonly expires_at: string;
}

/** A live delegation, abbreviated. */
export interface DependentDelegation {
  /** The id of a delegation: `dlg_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** What it may do: a list of `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it expires. */
  readonly expires_at: string;
}

/** What would be deleted or revoked with the user. */
export interface UserDryRun {
  /** Nothing was changed. */
  readonly dry_run: true;
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account works. */
  readonly is_active: boolean;
  /** Live sessions. */
  readonly sessions: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentSession[];
  };
  /** Agents that the user answers for. */
  readonly agents: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentAgent[];
  };
  /** Usable API keys. */
  readonly api_keys: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** What depends on a user: live sessions, the agents that they answer for, usable keys of those, and live delegations that the user gave or that those agents hold. */
export interface UserDependents {
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account works. */
  readonly is_active: boolean;
  /** Live sessions. */
  readonly sessions: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentSession[];
  };
  /** Agents that the user answers for. */
  readonly agents: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentAgent[];
  };
  /** Usable API keys. */
  readonly api_keys: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** What ended when the user was disabled. */
export interface UserDisabled {
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The user can no longer log in. */
  readonly is_active: false;
  /** How many of each ended, and the newest. */
  readonly ended: {
    /** Live sessions. */
    readonly sessions: {
      /** How many there are. */
      readonly total: number;
      /** There when the number is an estimate: above 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentSession[];
    };
    /** Agents that the user answers for. */
    readonly agents: {
      /** How many there are. */
      readonly total: number;
      /** There when the number is an estimate: above 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentAgent[];
    };
    /** Usable API keys. */
    readonly api_keys: {
      /** How many there are. */
      readonly total: number;
      /** There when the number is an estimate: above 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentApiKey[];
    };
    /** Live delegations. */
    readonly delegations: {
      /** How many there are. */
      readonly total: number;
      /** There when the number is an estimate: above 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentDelegation[];
    };
  };
}

/** One login of one user on one device. Its refresh token is never shown. */
export interface Session {
  /** The id of a session: `session:<id>`. */
  readonly id: string;
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Where the login came from. */
  readonly device_info: {
    /** `User-Agent` of the login, at most 512 characters; null: there was none. */
    readonly user_agent: string | null;
    /** The IP address that the login came from. */
    readonly ip_address: string;
    /** Not looked up: no address leaves the service. */
    readonly location: null;
  };
  /** What continues it: `api` a refresh token of a login, `browser` a cookie, `client` a refresh token of an OAuth client. */
  readonly kind: 'api' | 'browser' | 'client';
  /** The OAuth client that it was opened for; null: a direct login. */
  readonly client_id: string | null;
  /** The browser session that it was opened from, and ends with; null: none. */
  readonly parent_id: string | null;
  /** What the user let the client do; null: a direct login, with all that the user may do. */
  readonly scopes: readonly string[] | null;
  /** When the user authenticated (ISO 8601, UTC). */
  readonly auth_time: string;
  /** How the user authenticated (OpenID Connect Core §2): `aal1` with one factor, `aal2` with two of different kinds, `phr` with a phishing-resistant one. */
  readonly acr: 'aal1' | 'aal2' | 'phr';
  /** By which methods the user authenticated (RFC 8176): `pwd` is a password. */
  readonly amr: readonly string[];
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it ends unless it is refreshed. */
  readonly expires_at: string;
  /** Neither ended nor expired. */
  readonly is_active: boolean;
}

/** A part of a tenant. */
export interface Workspace {
  /** The id of a workspace: `ws_<slug>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The part of the id behind `ws_`. */
  readonly slug: string;
  /** Inactive, nobody can log in to it. */
  readonly is_active: boolean;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** That a user belongs to a workspace. */
export interface Member {
  /** The id of a user: `user:<id>`. */
  readonly user_id: string;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
}

/** A named set of scopes. */
export interface Role {
  /** Its name, unique within the tenant. */
  readonly name: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** What it is for; may be empty. */
  readonly description: string;
  /** What it may do: a list of `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** Comes with the service, and cannot be changed. */
  readonly is_builtin: boolean;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** What is given is changed. */
export interface AgentPatch {
  /** Its name, for people: one line. */
  readonly name?: string;
  /** What it is for. */
  readonly description?: string;
  /** What it may do, in place of what it may do now. */
  readonly scopes?: readonly string[];
  /** Whether it works. */
  readonly is_active?: boolean;
  /** The id of a workspace: `ws_<slug>`. */
  readonly workspace_id?: string;
  /** The id of a user: `user:<id>`. */
  readonly owner_id?: string;
  /** In place of the keys that it has; null takes them away. */
  readonly jwks?: AgentKeySet | null;
  /** Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`. */
  readonly trusts?: readonly AgentTrust[];
}

/** What would be deleted or revoked with the agent. */
export interface AgentDryRun {
  /** Nothing was changed. */
  readonly dry_run: true;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account works. */
  readonly is_active: boolean;
  /** Usable API keys. */
  readonly api_keys: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** What depends on an agent: its usable keys, and live delegations that it holds. */
export interface AgentDependents {
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account works. */
  readonly is_active: boolean;
  /** Usable API keys. */
  readonly api_keys: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** How many there are. */
    readonly total: number;
    /** There when the number is an estimate: above 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** A secret by which an agent proves who it is. */
export interface ApiKey {
  /** The id of an API key: `key_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The first 12 characters of the key, to know it by. */
  readonly prefix: string;
  /** Of the scopes of its agent, those that the key has; null: all of them. */
  readonly scopes: readonly string[] | null;
  /** Addresses and networks that the key is good from; null: any. */
  readonly allowed_ips: readonly string[] | null;
  /** Who created it: `user:<id>` or `service:<id>`. */
  readonly created_by: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it stops working. */
  readonly expires_at: string;
  /** When it was last used, to the minute; null: never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it was not. */
  readonly revoked_at: string | null;
  /** `revoked`, `rotated` or `leaked`; null: it was not revoked. */
  readonly revoke_reason: string | null;
  /** The key that took its place when it was rotated. */
  readonly successor_id: string | null;
}

/** An API key as the answer that creates it shows it. */
export interface CreatedApiKey {
  /** The id of an API key: `key_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The first 12 characters of the key, to know it by. */
  readonly prefix: string;
  /** Of the scopes of its agent, those that the key has; null: all of them. */
  readonly scopes: readonly string[] | null;
  /** Addresses and networks that the key is good from; null: any. */
  readonly allowed_ips: readonly string[] | null;
  /** Who created it: `user:<id>` or `service:<id>`. */
  readonly created_by: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** When it stops working. */
  readonly expires_at: string;
  /** When it was last used, to the minute; null: never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it was not. */
  readonly revoked_at: string | null;
  /** `revoked`, `rotated` or `leaked`; null: it was not revoked. */
  readonly revoke_reason: string | null;
  /** The key that took its place when it was rotated. */
  readonly successor_id: string | null;
  /** The key itself: shown now and never again. */
  readonly key: string;
}

/** An endpoint that events are delivered to. */
export interface Webhook {
  /** The id of a webhook: `wh_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Where deliveries are sent. */
  readonly url: string;
  /** The kinds of events that it is sent. */
  readonly events: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
  /** Inactive, it is sent nothing. */
  readonly is_active: boolean;
  /** Why the service switched it off; null when it did not. */
  readonly disabled_reason: string | null;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** After a rotation: until when the secret before is good too. */
  readonly overlap_ends_at: string | null;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A webhook as the answers show it that make a secret. */
export interface WebhookWithSecret {
  /** The id of a webhook: `wh_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Where deliveries are sent. */
  readonly url: string;
  /** The kinds of events that it is sent. */
  readonly events: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
  /** Inactive, it is sent nothing. */
  readonly is_active: boolean;
  /** Why the service switched it off; null when it did not. */
  readonly disabled_reason: string | null;
  /** Since when every delivery has failed; null when the last one did not. */
  readonly failing_since: string | null;
  /** After a rotation: until when the secret before is good too. */
  readonly overlap_ends_at: string | null;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** Signing secret: shown now and never again. */
  readonly secret: string;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  /** The id of a delivery: `job_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The id of a webhook: `wh_<id>`. */
  readonly webhook_id: string;
  /** The id of an event: `evt_<id>`. */
  readonly event_id: string;
  /** The kind of the event. */
  readonly event_type: string;
  /** `pending`: an attempt is due or under way; `failed`: there will be none. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** How many were made. */
  readonly attempts: number;
  /** When the next one is due; null: there will be none. */
  readonly next_attempt_at: string | null;
  /** When the last one was made; null: none was. */
  readonly last_attempt_at: string | null;
  /** Of the last attempt; null when there was no answer. */
  readonly response_status: number | null;
  /** The first 1,024 bytes of the last answer. */
  readonly response_body: string | null;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A key that signs tokens. Its private half is never shown. */
export interface SigningKey {
  /** The id of a signing key: `key_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** With Ed25519. */
  readonly algorithm: 'EdDSA';
  /** The public key, base64url. */
  readonly public_key: string;
  /** Published in the key set. */
  readonly is_active: boolean;
  /** next: published, signs later; current: signs; previous: published until its last token has expired; retired: no longer published. */
  readonly state: 'next' | 'current' | 'previous' | 'retired';
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** From when on it signs. */
  readonly signs_from: string;
}

/** Something that happened. `data` is of the form of its `type`. */
export interface Event {
  /** The id of an event: `evt_<id>`. */
  readonly id: string;
  /** A kind of event. */
  readonly type: 'user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test';
  /** When it happened. */
  readonly created_at: string;
  /** What happened; its fields depend on the kind. */
  readonly data: {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    readonly [name: string]: unknown;
  };
}

/** Who did what, on what, from where, and how it came out. */
export interface AuditEntry {
  /** The id of an audit entry: `aud_<id>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
  /** Who did it. */
  readonly actor: {
    /** What the actor is; `impersonator` is a system administrator acting inside the tenant. */
    readonly kind: 'user' | 'impersonator' | 'agent' | 'delegate' | 'system' | 'anonymous';
    /** `user:<id>`, `service:<id>`, or the name of a part of the service. */
    readonly id: string | null;
    /** The user whom a delegate acts for. */
    readonly on_behalf_of: string | null;
    /** The session, API key or grant that was used. */
    readonly credential: string | null;
  };
  /** What was done. */
  readonly action: 'auth.login' | 'auth.login_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.token_exchanged' | 'auth.token_issued' | 'auth.token_refused' | 'user.created' | 'user.updated' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.replayed' | 'system.work';
  /** What it was done to. */
  readonly target: {
    /** What the target is. */
    readonly kind: 'user' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identifier' | 'route' | 'installation';
    /** Its id or its name. */
    readonly id: string | null;
  };
  /** `failure`: rejected for what was presented; `denied`: rejected for who presented it. */
  readonly outcome: 'success' | 'failure' | 'denied';
  /** The IP address that the request came from. */
  readonly address: string | null;
  /** As in the header `x-request-id` of the answer, and in the log. */
  readonly request_id: string | null;
  /** How many of the same kind this entry stands for: 1 but for floods. */
  readonly count: number;
  /** What else there is to tell; further fields depend on the action. */
  readonly details: {
    /** Scopes that the target has from then on. */
    readonly scopes_gained?: readonly string[];
    /** Scopes that the target no longer has. */
    readonly scopes_lost?: readonly string[];
    /** Roles that the user has from then on. */
    readonly roles_gained?: readonly string[];
    /** Roles that the user no longer has. */
    readonly roles_lost?: readonly string[];
    /** Names of the fields that changed. */
    readonly fields?: readonly string[];
    /** Why it was refused, or the reason that was given. */
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
  /** Which only the service can make and check: it wrote the entry, just so. An entry without one is forged. */
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
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Of the last entry that it covers. */
  readonly position: number;
  /** A JWS (EdDSA, typ audit-checkpoint+jwt) with tenant_id, position, hash and iat, signed with a key of the tenant. */
  readonly token: string;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** The settings of a tenant. Every one has a default; times are in seconds. */
export interface TenantConfig {
  /** Only `password` works in this version; `magic_link`, `oauth` and `passkey` are planned. A list without a method that works is rejected. */
  readonly allowed_login_methods: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[];
  /** Second factors are planned. Until this version has one, `true` is rejected: nobody could log in. */
  readonly require_mfa: boolean;
  /** The least length of a new password, in characters. */
  readonly password_min_length: number;
  /** Whether a new password needs a character that is neither a letter nor a digit. */
  readonly password_require_special: boolean;
  /** Life of an access token, in seconds. */
  readonly session_timeout: number;
  /** Life of a refresh token, in seconds; each use starts it anew. */
  readonly refresh_token_ttl: number;
  /** After so many seconds a session ends, however often it was refreshed. */
  readonly refresh_token_absolute_ttl: number;
  /** For so many seconds a used refresh token yields its successor once more. */
  readonly refresh_retry_window: number;
  /** Login attempts for one identifier within the window. */
  readonly login_attempts_limit: number;
  /** The window in which login attempts are counted, in seconds. */
  readonly login_attempts_window: number;
  /** Attempts of one address within the window, for any identifiers; null: ten times login_attempts_limit. */
  readonly login_attempts_address_limit: number | null;
  /** Registrations within an hour, from any address. */
  readonly registrations_limit: number;
  /** Registrations from one address within an hour. */
  readonly registrations_address_limit: number;
  /** Whether a login with `register` creates a user. */
  readonly allow_registration: boolean;
  /** `aud` of access tokens; null: the issuer. */
  readonly audience: string | null;
  /** Origins whose scripts may read answers in a browser: https, or http on a loopback host. */
  readonly allowed_origins: readonly string[];
  /** Claims added to the access tokens of users. */
  readonly custom_claims: {
    readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[] | {
      /** Where in the metadata the value is: a JSON pointer (RFC 6901). */
      readonly metadata: string;
    } | {
      /** Where in the metadata the value is: a JSON pointer (RFC 6901). */
      readonly user_metadata: string;
      /** Accepts that users can put any value into this claim of their own tokens. */
      readonly user_writable: true;
    };
  };
}

/** How the pages and mails of the tenant look. What is not set is absent. */
export interface TenantBranding {
  /** The address of a logo, over https. */
  readonly logo_url?: string;
  /** A color: `#rrggbb`. */
  readonly primary_color?: string;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string;
  /** The name that people know. */
  readonly company_name?: string;
  /** Where people ask for help. */
  readonly support_email?: string;
}

/** How messages are sent. What is not set is absent; secrets are masked. */
export interface TenantMessaging {
  /** How mails are sent. */
  readonly email?: {
    /** The name of the provider. */
    readonly provider?: string;
    /** The host name or address of the mail server. */
    readonly smtp_host?: string;
    /** The port of the mail server. */
    readonly smtp_port?: number;
    /** The user name at the mail server. */
    readonly smtp_username?: string;
    /** The password at the mail server; reads as `********`. */
    readonly smtp_password?: string;
    /** The sender of mails. */
    readonly from_address?: string;
  };
  /** How text messages are sent. */
  readonly sms?: {
    /** The name of the provider. */
    readonly provider?: string;
    /** The account at the provider. */
    readonly account_sid?: string;
    /** The token of the account; reads as `********`. */
    readonly auth_token?: string;
  };
}

/** An organisation, wholly separate from every other. */
export interface Tenant {
  /** The id of a tenant: `org_<slug>`. */
  readonly id: string;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Its name, for people. */
  readonly name: string;
  /** The part of the id behind `org_`. */
  readonly slug: string;
  /** Host names that lead to the tenant. */
  readonly domains: readonly string[];
  /** The `iss` of its tokens. */
  readonly issuer: string;
  readonly config: TenantConfig;
  readonly branding: TenantBranding;
  readonly messaging: TenantMessaging;
  /** Inactive, every request to it is answered 403. */
  readonly is_active: boolean;
  /** When it was created (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Settings to change; null takes one back to its default. */
export interface TenantConfigPatch {
  /** Only `password` works in this version; `magic_link`, `oauth` and `passkey` are planned. A list without a method that works is rejected. */
  readonly allowed_login_methods?: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[] | null;
  /** Second factors are planned. Until this version has one, `true` is rejected: nobody could log in. */
  readonly require_mfa?: boolean | null;
  /** The least length of a new password, in characters. */
  readonly password_min_length?: number | null;
  /** Whether a new password needs a character that is neither a letter nor a digit. */
  readonly password_require_special?: boolean | null;
  /** Life of an access token, in seconds. */
  readonly session_timeout?: number | null;
  /** Life of a refresh token, in seconds; each use starts it anew. */
  readonly refresh_token_ttl?: number | null;
  /** After so many seconds a session ends, however often it was refreshed. */
  readonly refresh_token_absolute_ttl?: number | null;
  /** For so many seconds a used refresh token yields its successor once more. */
  readonly refresh_retry_window?: number | null;
  /** Login attempts for one identifier within the window. */
  readonly login_attempts_limit?: number | null;
  /** The window in which login attempts are counted, in seconds. */
  readonly login_attempts_window?: number | null;
  /** Attempts of one address within the window, for any identifiers; null: ten times login_attempts_limit. */
  readonly login_attempts_address_limit?: number | null;
  /** Registrations within an hour, from any address. */
  readonly registrations_limit?: number | null;
  /** Registrations from one address within an hour. */
  readonly registrations_address_limit?: number | null;
  /** Whether a login with `register` creates a user. */
  readonly allow_registration?: boolean | null;
  /** `aud` of access tokens; null: the issuer. */
  readonly audience?: string | null;
  /** Origins whose scripts may read answers in a browser: https, or http on a loopback host. */
  readonly allowed_origins?: readonly string[] | null;
  /** Claims added to the access tokens of users. */
  readonly custom_claims?: {
    readonly [name: string]: string | number | boolean | readonly (string | number | boolean)[] | {
      /** Where in the metadata the value is: a JSON pointer (RFC 6901). */
      readonly metadata: string;
    } | {
      /** Where in the metadata the value is: a JSON pointer (RFC 6901). */
      readonly user_metadata: string;
      /** Accepts that users can put any value into this claim of their own tokens. */
      readonly user_writable: true;
    };
  } | null;
}

/** Settings to change; null removes one. */
export interface TenantBrandingPatch {
  /** The address of a logo, over https. */
  readonly logo_url?: string | null;
  /** A color: `#rrggbb`. */
  readonly primary_color?: string | null;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string | null;
  /** The name that people know. */
  readonly company_name?: string | null;
  /** Where people ask for help. */
  readonly support_email?: string | null;
}

/** How mails are sent: settings to change; null removes one. */
export interface TenantEmailPatch {
  /** The name of the provider. */
  readonly provider?: string | null;
  /** The host name or address of the mail server. */
  readonly smtp_host?: string | null;
  /** The port of the mail server. */
  readonly smtp_port?: number | null;
  /** The user name at the mail server. */
  readonly smtp_username?: string | null;
  /** The password at the mail server; reads as `********`. */
  readonly smtp_password?: string | null;
  /** The sender of mails. */
  readonly from_address?: string | null;
}

/** How text messages are sent: settings to change; null removes one. */
export interface TenantSmsPatch {
  /** The name of the provider. */
  readonly provider?: string | null;
  /** The account at the provider. */
  readonly account_sid?: string | null;
  /** The token of the account; reads as `********`. */
  readonly auth_token?: string | null;
}

/** Groups of settings to change; null removes a whole group. */
export interface TenantMessagingPatch {
  /** How mails are sent: settings to change; null removes one. */
  readonly email?: TenantEmailPatch | null;
  /** How text messages are sent: settings to change; null removes one. */
  readonly sms?: TenantSmsPatch | null;
}

/** What a change would mean, instead of the change. */
export interface TenantDryRun {
  /** Nothing was changed. */
  readonly dry_run: true;
  readonly tenant: Tenant;
  /** Whom the change would touch. */
  readonly affected: readonly {
    /** The name of the setting. */
    readonly setting: string;
    /** How many users it would touch. */
    readonly users: number;
    /** What it would mean for them. */
    readonly effect: string;
  }[];
}

/** A token to work inside another tenant. */
export interface ImpersonationAnswer {
  /** A signed JWT for the other tenant. */
  readonly access_token: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Seconds; 900 at the most. */
  readonly expires_in: number;
  /** The id of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
}

/** Public signing keys of a tenant (RFC 7517, RFC 8037). */
export interface JsonWebKeySet {
  /** Those that sign, will sign, or have signed tokens that are still good. */
  readonly keys: readonly {
    /** The type of the key (RFC 8037). */
    readonly kty: 'OKP';
    /** The curve. */
    readonly crv: 'Ed25519';
    /** The public key, base64url. */
    readonly x: string;
    /** The id of the key, as in the header of tokens. */
    readonly kid: string;
    /** With Ed25519. */
    readonly alg: 'EdDSA';
    /** For signatures. */
    readonly use: 'sig';
  }[];
}

/** Metadata of a policy decision point (OpenID AuthZEN §9). */
export interface PolicyDecisionPointMetadata {
  /** The identifier that the address of this document is made from. */
  readonly policy_decision_point: string;
  /** Where one evaluation is asked for. */
  readonly access_evaluation_endpoint: string;
  /** Where several are asked for at once. */
  readonly access_evaluations_endpoint: string;
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
  /** Values of `grant_type` that the token endpoint takes. */
  readonly grant_types_supported: readonly string[];
  /** `none` is for grants in which a token of an outside issuer is the proof. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
  /** Algorithms of `private_key_jwt`. */
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  /** The reference of the API. */
  readonly service_documentation: string;
}

/** Whether the service can take requests. */
export interface Health {
  /** `degraded`: the database does not answer; `draining`: the process is ending. */
  readonly status: 'ok' | 'degraded' | 'draining';
  /** Whether the database answers. */
  readonly database: 'ok' | 'unavailable';
  /** Whether the cache of the process works. */
  readonly cache: 'ok' | 'unavailable';
  /** The time of the service (ISO 8601, UTC). */
  readonly timestamp: string;
}
