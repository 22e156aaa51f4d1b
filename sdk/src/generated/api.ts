// Made from the contract by `npm run generate`.

import type { ApiPromise } from '../client/api-promise.ts';
import type { Listing } from '../client/listing.ts';
import type { CallOptions } from '../client/operation.ts';
import type {
  LoginAnswer,
  TokenAnswer,
  TokenStatus,
  Subject,
  Action,
  Resource,
  EvaluationContext,
  Decision,
  Explanation,
  ClientTokenAnswer,
  User,
  AgentKeySet,
  AgentTrust,
  Agent,
  Delegation,
  UserDryRun,
  UserDependents,
  UserDisabled,
  Session,
  Workspace,
  Member,
  Role,
  AgentPatch,
  AgentDryRun,
  AgentDependents,
  ApiKey,
  CreatedApiKey,
  Webhook,
  WebhookWithSecret,
  Delivery,
  SigningKey,
  Event,
  AuditEntry,
  AuditCheckpoint,
  Tenant,
  TenantConfigPatch,
  TenantBrandingPatch,
  TenantMessagingPatch,
  TenantDryRun,
  ImpersonationAnswer,
  JsonWebKeySet,
  PolicyDecisionPointMetadata,
  AuthorizationServerMetadata,
  Health,
} from './records.ts';

export interface AuthApi {
  /**
   * Log in with an identifier and a secret.
   *
   * An unknown user, a wrong secret and an inactive user get the same answer. With `register`, an unknown identifier becomes a new user. `device_token` of an earlier login of the user shows that this device is known: wrong guesses of others do not lock it out.
   *
   * `POST /api/sso/v1/auth/login`
   *
   * @throws ApiError `VALIDATION_FAILED`, `INVALID_CREDENTIALS`, `MFA_REQUIRED`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  login(body: {
    /** An e-mail address, or a phone number in E.164 form. */
    readonly identifier: string;
    /** A password of at most 256 characters, counted after NFKC. */
    readonly secret: string;
    /** Creates the user if there is none. Default false. */
    readonly register?: boolean;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** From an earlier login of the user on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<LoginAnswer>;

  /**
   * Trade a refresh token for new tokens.
   *
   * A refresh token has one successor. Used again within the retry window and before that successor was used, it yields the same successor; later it is reuse, and the session ends. An address that is refused too often is asked to wait.
   *
   * `POST /api/sso/v1/auth/refresh`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `REFRESH_TOKEN_REUSED`, `TOO_MANY_ATTEMPTS`
   */
  refresh(body: {
    /** The refresh token of the last answer. */
    readonly refresh_token: string;
  }, options?: CallOptions): ApiPromise<TokenAnswer>;

  /**
   * End the session of the access token.
   *
   * Its access tokens and its refresh token are rejected from the next request on. Other sessions of the user go on.
   *
   * `POST /api/sso/v1/auth/logout`
   */
  logout(options?: CallOptions): ApiPromise<{
    /** The id of a session: `session:<id>`. */
    readonly session_id: string;
    /** It has ended. */
    readonly revoked: true;
  }>;

  /**
   * Ask whether a token is active.
   *
   * Answers in the form of RFC 7662. It never tells why a token is not active.
   *
   * `POST /api/sso/v1/auth/verify-token`
   */
  verifyToken(body: {
    /** An access token or an API key. */
    readonly token: string;
  }, options?: CallOptions): ApiPromise<TokenStatus>;

  /**
   * Get an access token as an agent.
   *
   * The token endpoint of OAuth 2.0, in JSON or as a form. `client_credentials`, with an API key or with a signed assertion; `token-exchange` and `jwt-bearer` with the token of an outside issuer that the agent trusts; `token-exchange` with the token of a user, or the id of a delegation, to act for them. A client may authenticate by HTTP Basic too. Parameters that are not known are ignored (RFC 6749 §3.2). No refresh token is issued.
   *
   * `POST /api/sso/v1/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `GRANT_TYPE_UNSUPPORTED`, `GRANT_INVALID`, `SCOPE_INVALID`, `TARGET_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  token(body: {
    /** How the token is asked for: `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** The id of the agent. */
    readonly client_id?: string;
    /** An API key of the agent. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the agent signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `jwt-bearer`: a token of an outside issuer (RFC 7523 §2.1). */
    readonly assertion?: string;
    /** Scopes, joined by spaces. Without it: all that can be given. */
    readonly scope?: string;
    /** With `token-exchange`: whose rights are asked for (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** Who acts for them: the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`. */
    readonly requested_token_type?: string;
    /** The audience of the tenant, and no other. */
    readonly audience?: string | readonly string[];
    /** The audience of the tenant, and no other (RFC 8707). */
    readonly resource?: string | readonly string[];
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Get an access token as an agent, at the address of the issuer.
   *
   * The token endpoint of OAuth 2.0, in JSON or as a form. `client_credentials`, with an API key or with a signed assertion; `token-exchange` and `jwt-bearer` with the token of an outside issuer that the agent trusts; `token-exchange` with the token of a user, or the id of a delegation, to act for them. A client may authenticate by HTTP Basic too. Parameters that are not known are ignored (RFC 6749 §3.2). No refresh token is issued.
   *
   * `POST /t/:tenant_id/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `GRANT_TYPE_UNSUPPORTED`, `GRANT_INVALID`, `SCOPE_INVALID`, `TARGET_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  tokenByIssuer(tenantId: string, body: {
    /** How the token is asked for: `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** The id of the agent. */
    readonly client_id?: string;
    /** An API key of the agent. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the agent signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `jwt-bearer`: a token of an outside issuer (RFC 7523 §2.1). */
    readonly assertion?: string;
    /** Scopes, joined by spaces. Without it: all that can be given. */
    readonly scope?: string;
    /** With `token-exchange`: whose rights are asked for (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** Who acts for them: the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`. */
    readonly requested_token_type?: string;
    /** The audience of the tenant, and no other. */
    readonly audience?: string | readonly string[];
    /** The audience of the tenant, and no other (RFC 8707). */
    readonly resource?: string | readonly string[];
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Impersonate inside a tenant as a system administrator.
   *
   * The token that comes back acts in that tenant only, for 15 minutes at the most; its `act` claim names the administrator. Each impersonation is recorded with its reason.
   *
   * `POST /api/sso/v1/auth/impersonate`
   *
   * @throws ApiError `NOT_FOUND`, `TENANT_INACTIVE`
   */
  impersonate(body: {
    /** The id of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Why; kept in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<ImpersonationAnswer>;
}

export interface AccessApi {
  /**
   * Ask whether a subject may do something.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller may ask about a token in hand and about themselves; asking about another subject takes `read:users` or `read:agents`. Revocation counts at once. An invalid token and an unknown subject are denied like one that holds nothing. With `workspace_id`: a user has to be a member (everybody is one of `ws_default`) or hold `*:*`, an agent has to belong to that workspace, and an agent that acts for a user needs both.
   *
   * `POST /access/v1/evaluation`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `ADMINISTRATOR_REQUIRED`
   */
  evaluation(body: {
    readonly subject: Subject;
    readonly action: Action;
    readonly resource: Resource;
    readonly context?: EvaluationContext;
  }, options?: CallOptions): ApiPromise<Decision>;

  /**
   * Ask whether a subject may do something, at the address of the issuer.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller may ask about a token in hand and about themselves; asking about another subject takes `read:users` or `read:agents`. Revocation counts at once. An invalid token and an unknown subject are denied like one that holds nothing. With `workspace_id`: a user has to be a member (everybody is one of `ws_default`) or hold `*:*`, an agent has to belong to that workspace, and an agent that acts for a user needs both.
   *
   * `POST /t/:tenant_id/access/v1/evaluation`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `ADMINISTRATOR_REQUIRED`
   */
  evaluationByIssuer(tenantId: string, body: {
    readonly subject: Subject;
    readonly action: Action;
    readonly resource: Resource;
    readonly context?: EvaluationContext;
  }, options?: CallOptions): ApiPromise<Decision>;

  /**
   * Ask about up to 100 evaluations at once.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` beside `evaluations` are the defaults of each. Each decision is the one that the evaluation alone would get. Without `evaluations` it is one evaluation, and answered as one.
   *
   * `POST /access/v1/evaluations`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `ADMINISTRATOR_REQUIRED`
   */
  evaluations(body: {
    readonly subject?: Subject;
    readonly action?: Action;
    readonly resource?: Resource;
    readonly context?: EvaluationContext;
    /** The evaluations, in the order of the decisions. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are answered (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all`, the default, answers all; the others end with the first that is denied or permitted. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in order. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Ask about up to 100 evaluations at once, at the address of the issuer.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` beside `evaluations` are the defaults of each. Each decision is the one that the evaluation alone would get. Without `evaluations` it is one evaluation, and answered as one.
   *
   * `POST /t/:tenant_id/access/v1/evaluations`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `ADMINISTRATOR_REQUIRED`
   */
  evaluationsByIssuer(tenantId: string, body: {
    readonly subject?: Subject;
    readonly action?: Action;
    readonly resource?: Resource;
    readonly context?: EvaluationContext;
    /** The evaluations, in the order of the decisions. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are answered (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all`, the default, answers all; the others end with the first that is denied or permitted. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in order. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Ask why somebody may do something, or may not.
   *
   * Whether somebody has all of the scopes, as `POST /access/v1/evaluation` decides it, and the reasons: which role, agent, key or delegation gives each scope, what is in the way, and which change took a scope away, by whom and when. What the answer tells of takes its own scope too: `read:users` and `read:roles` for a user, `read:sessions` for a token of a session, `read:agents` and `read:apikeys` for an agent.
   *
   * `POST /api/sso/v1/explain`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  explain(body: {
    /** About whom: their access token or API key. */
    readonly token?: string;
    /** The id of a user or of an agent: `user:<id>` or `service:<id>`. */
    readonly subject?: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** One scope, or up to 32 of them joined by spaces: all are needed. */
    readonly scope: string;
  }, options?: CallOptions): ApiPromise<Explanation>;
}

export interface MeApi {
  /**
   * Who the token speaks for.
   *
   * A user, or for a token or key of its own an agent.
   *
   * `GET /api/sso/v1/me`
   *
   * @throws ApiError `TOKEN_INVALID`, `IMPERSONATION_REFUSED`
   */
  get(options?: CallOptions): ApiPromise<User | Agent>;

  /**
   * Change own user_metadata or password.
   *
   * A new password needs `current_password`, and ends every other session of the user.
   *
   * `PATCH /api/sso/v1/me`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CURRENT_PASSWORD_WRONG`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  update(body: {
    /** Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
    readonly user_metadata?: {
      readonly [name: string]: unknown;
    };
    /** A password of at most 256 characters, counted after NFKC. */
    readonly password?: string;
    /** A password of at most 256 characters, counted after NFKC. */
    readonly current_password?: string;
  }, options?: CallOptions): ApiPromise<User>;
}

export interface DelegationsApi {
  /**
   * List one’s delegations.
   *
   * Those that the caller gave and that were not taken back, the newest first.
   *
   * `GET /api/sso/v1/me/delegations`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Delegation>;

  /**
   * Let an agent act in one’s name.
   *
   * By a token exchange the agent then gets tokens that act for the user, for 15 minutes each, with what the user, the agent and the delegation have in common. A new delegation to the same agent takes the place of the one before.
   *
   * `POST /api/sso/v1/me/delegations`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `VALIDATION_FAILED`
   */
  create(body: {
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** None that the user does not hold. */
    readonly scopes: readonly string[];
    /** After how many days it ends. Default 90. */
    readonly expires_in_days?: number;
  }, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Read one’s delegation.
   *
   * One that the caller gave.
   *
   * `GET /api/sso/v1/me/delegations/:delegation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(delegationId: string, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Take a delegation back.
   *
   * Tokens that were issued under it are refused from the next request on.
   *
   * `DELETE /api/sso/v1/me/delegations/:delegation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(delegationId: string, options?: CallOptions): ApiPromise<{
    /** The id of a delegation: `dlg_<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;
}

export interface UsersApi {
  /**
   * List users.
   *
   * The newest first, unless `sort` says otherwise. Several filters all have to fit.
   *
   * `GET /api/sso/v1/users`, scope `read:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SYSTEM_ADMINISTRATOR_REQUIRED`, `NOT_FOUND`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age or by first identifier; `-` turns it around. Default `-created_at`. */
    readonly sort?: 'created_at' | '-created_at' | 'identifier' | '-identifier';
    /** The name of a role: lower-case letters, digits, `-` and `_`, at most 64. */
    readonly role?: string;
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** Any part of an e-mail address, in any case; % and _ stand for themselves. */
    readonly email?: string;
    /** Another tenant: for a system administrator only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<User>;

  /**
   * Read a user.
   *
   * With identifiers, roles and workspaces. No secret is ever shown.
   *
   * `GET /api/sso/v1/users/:user_id`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(userId: string, options?: CallOptions): ApiPromise<User>;

  /**
   * Create a user.
   *
   * Without `roles` the user is a `member`. Nobody gives a role that holds more than they do.
   *
   * `POST /api/sso/v1/users`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `TOO_BUSY`
   */
  create(body: {
    /** An e-mail address, or a phone number in E.164 form. */
    readonly identifier: string;
    /** A password of at most 256 characters, counted after NFKC. */
    readonly password: string;
    /** The names of their roles. */
    readonly roles?: readonly string[];
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Change a user.
   *
   * Lists given replace the ones there. A new password, and `is_active: false`, end every session of the user at once.
   *
   * `PATCH /api/sso/v1/users/:user_id`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `SELF_VERIFICATION_REFUSED`, `LAST_SYSTEM_ADMINISTRATOR`, `TOO_BUSY`
   */
  update(userId: string, body: {
    /** As `GET` shows them; `type` and `verified` can be left out. An identifier keeps the `verified` that it has, and a new one is not verified. */
    readonly identifiers?: readonly ({
      /** What the identifier is. */
      readonly type?: 'email' | 'phone';
      /** An e-mail address, or a phone number in E.164 form. */
      readonly identifier: string;
      /** Whether it is known to be theirs. */
      readonly verified?: boolean;
    })[];
    /** A password of at most 256 characters, counted after NFKC. */
    readonly password?: string;
    /** The names of their roles. */
    readonly roles?: readonly string[];
    /** Those that the user belongs to, in place of those before. */
    readonly workspaces?: readonly string[];
    /** Inactive, the user cannot log in. */
    readonly is_active?: boolean;
    /** Free data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep. */
    readonly metadata?: {
      readonly [name: string]: unknown;
    };
    /** Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
    readonly user_metadata?: {
      readonly [name: string]: unknown;
    };
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Delete a user.
   *
   * Final. Every session of the user and every delegation that they gave ends at once; agents that they answered for go on without them. `dry_run=true` returns the dependents of the user, and changes nothing.
   *
   * `DELETE /api/sso/v1/users/:user_id`, scope `delete:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_SYSTEM_ADMINISTRATOR`
   */
  delete(userId: string, query?: {
    /** With `true` nothing is changed; the answer says what would be. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** The id of a user: `user:<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  } | UserDryRun>;

  /**
   * List the dependents of a user.
   *
   * How many of each there are, and the newest 20: live sessions, agents that the user answers for, their usable keys, delegations given by the user or held by those agents.
   *
   * `GET /api/sso/v1/users/:user_id/dependents`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(userId: string, options?: CallOptions): ApiPromise<UserDependents>;

  /**
   * Disable a user and end their dependents.
   *
   * In one transaction: the user and the agents that they answer for are inactive, their sessions ended, the keys and delegations revoked. Nothing of it works from the answer on, on any node, and none of it comes back when the user is made active again. A second time ends what there is by then. Who does it must hold what the user and those agents hold.
   *
   * `POST /api/sso/v1/users/:user_id/disable`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_SYSTEM_ADMINISTRATOR`
   */
  disable(userId: string, body: {
    /** Why; kept in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<UserDisabled>;
}

export interface SessionsApi {
  /**
   * List sessions.
   *
   * Without `read:sessions`: the own ones. With it: those of every user, or of `user_id`.
   *
   * `GET /api/sso/v1/sessions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `PRINCIPAL_PROTECTED`, `NOT_FOUND`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** The id of a user: `user:<id>`. */
    readonly user_id?: string;
  }, options?: CallOptions): Listing<Session>;

  /**
   * End a session.
   *
   * An own one, or with `delete:sessions` any. Its access and refresh tokens are refused from the next request on.
   *
   * `DELETE /api/sso/v1/sessions/:session_id`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  delete(sessionId: string, options?: CallOptions): ApiPromise<{
    /** The id of a session: `session:<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;

  /**
   * End all sessions of a user.
   *
   * Of oneself, or with `delete:sessions` of anyone.
   *
   * `DELETE /api/sso/v1/sessions`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  deleteAll(query: {
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
  }, options?: CallOptions): ApiPromise<{
    /** The id of a user: `user:<id>`. */
    readonly user_id: string;
    /** How many ended. */
    readonly revoked: number;
  }>;
}

export interface WorkspacesApi {
  /**
   * List workspaces.
   *
   * The newest first.
   *
   * `GET /api/sso/v1/workspaces`, scope `read:workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Workspace>;

  /**
   * Create a workspace.
   *
   * It is active and has no members yet.
   *
   * `POST /api/sso/v1/workspaces`, scope `write:workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SLUG_TAKEN`
   */
  create(body: {
    /** Its name, for people: one line. */
    readonly name: string;
    /** The part of the id behind its prefix. Without it, it is made from the name. */
    readonly slug?: string;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Read a workspace.
   *
   * Its members have a list of their own.
   *
   * `GET /api/sso/v1/workspaces/:workspace_id`, scope `read:workspaces`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(workspaceId: string, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Change a workspace.
   *
   * Nobody can log in to an inactive workspace. Whoever holds less than somebody in it can rename it, and neither make it inactive nor active again.
   *
   * `PATCH /api/sso/v1/workspaces/:workspace_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  update(workspaceId: string, body: {
    /** Its name, for people: one line. */
    readonly name?: string;
    /** Inactive, nobody can log in to it. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Delete a workspace.
   *
   * One that is in use is kept, and the answer says who uses it, unless `force=true`: then its members leave it, its sessions end, and its agents become inactive, in `ws_default`. Whoever holds less than somebody in it cannot delete it.
   *
   * `DELETE /api/sso/v1/workspaces/:workspace_id`, scope `delete:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  delete(workspaceId: string, query?: {
    /** With `true` it is deleted although it is in use. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** The id of a workspace: `ws_<slug>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;

  /**
   * List the members of a workspace.
   *
   * Every user of the tenant is a member of `ws_default`.
   *
   * `GET /api/sso/v1/workspaces/:workspace_id/members`, scope `read:workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  listMembers(workspaceId: string, query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Member>;

  /**
   * Put a user into a workspace.
   *
   * Again changes nothing. Nobody does it to a user who holds more than they do.
   *
   * `PUT /api/sso/v1/workspaces/:workspace_id/members/:user_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  addMember(workspaceId: string, userId: string, options?: CallOptions): ApiPromise<Member>;

  /**
   * Take a user out of a workspace.
   *
   * Nobody does it to a user who holds more than they do. Nobody leaves `ws_default`.
   *
   * `DELETE /api/sso/v1/workspaces/:workspace_id/members/:user_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  removeMember(workspaceId: string, userId: string, options?: CallOptions): ApiPromise<{
    /** The id of a user: `user:<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;
}

export interface RolesApi {
  /**
   * List roles.
   *
   * Those that come with the service, and those of the tenant.
   *
   * `GET /api/sso/v1/roles`, scope `read:roles`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Role>;

  /**
   * Create a role.
   *
   * Nobody puts a scope into a role that they do not hold.
   *
   * `POST /api/sso/v1/roles`, scope `write:roles`
   *
   * @throws ApiError `VALIDATION_FAILED`, `ROLE_TAKEN`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** The name of a role: lower-case letters, digits, `-` and `_`, at most 64. */
    readonly name: string;
    /** What it is for. */
    readonly description?: string;
    /** What the role allows. */
    readonly scopes: readonly string[];
  }, options?: CallOptions): ApiPromise<Role>;

  /**
   * Read a role.
   *
   * With the scopes that it holds.
   *
   * `GET /api/sso/v1/roles/:role`, scope `read:roles`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(role: string, options?: CallOptions): ApiPromise<Role>;

  /**
   * Change a role.
   *
   * Scopes given replace the ones there. Access tokens of users who have the role are refused from then on, and refreshing gives them new ones.
   *
   * `PATCH /api/sso/v1/roles/:role`, scope `write:roles`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `BUILTIN_ROLE_PROTECTED`
   */
  update(role: string, body: {
    /** What it is for. */
    readonly description?: string;
    /** What the role allows, in place of what it allows now. */
    readonly scopes?: readonly string[];
  }, options?: CallOptions): ApiPromise<Role>;

  /**
   * Delete a role.
   *
   * One that is in use is kept, and the answer says who has it, unless `force=true`: then they lose it.
   *
   * `DELETE /api/sso/v1/roles/:role`, scope `delete:roles`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `BUILTIN_ROLE_PROTECTED`
   */
  delete(role: string, query?: {
    /** With `true` it is deleted although it is in use. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** Its name, unique within the tenant. */
    readonly name: string;
    /** It is gone. */
    readonly deleted: true;
  }>;
}

export interface AgentsApi {
  /**
   * List agents.
   *
   * The newest first. The filters narrow the list; several all have to fit.
   *
   * `GET /api/sso/v1/agents`, scope `read:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** The id of a user: `user:<id>`. */
    readonly owner_id?: string;
    /** Only those that work, or only those that do not. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * Without `scopes` it may do nothing, without `workspace_id` it is in `ws_default`, and without `owner_id` whoever creates it answers for it. Nobody gives a scope that they do not hold.
   *
   * `POST /api/sso/v1/agents`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** Its name, for people: one line. */
    readonly name: string;
    /** What it is for. */
    readonly description?: string;
    /** What it may do; none that the caller does not hold. */
    readonly scopes?: readonly string[];
    /** The id of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** The id of a user: `user:<id>`. */
    readonly owner_id?: string;
    readonly jwks?: AgentKeySet;
    /** Outside issuers whose tokens stand for the agent: those that fit one of these. Each needs a `subject` or `claims`. */
    readonly trusts?: readonly AgentTrust[];
  }, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Read an agent.
   *
   * With what it may do and how it proves who it is.
   *
   * `GET /api/sso/v1/agents/:agent_id`, scope `read:agents`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(agentId: string, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Change an agent.
   *
   * A change of `scopes`, `workspace_id`, `is_active`, `jwks` or `trusts` counts from the next request on: tokens issued before it are refused. The keys of an inactive agent do not work; once it is active again, those that have not expired do. Nobody changes an agent that holds more than they do.
   *
   * `PATCH /api/sso/v1/agents/:agent_id`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(agentId: string, body: AgentPatch, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Delete an agent.
   *
   * Final. Its keys go with it, and what users delegated to it. `dry_run=true` returns the dependents of the agent, and changes nothing.
   *
   * `DELETE /api/sso/v1/agents/:agent_id`, scope `delete:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(agentId: string, query?: {
    /** With `true` nothing is changed; the answer says what would be. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** The id of an agent: `service:<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  } | AgentDryRun>;

  /**
   * List the dependents of an agent.
   *
   * How many of each there are, and the newest 20: usable keys, delegations it holds.
   *
   * `GET /api/sso/v1/agents/:agent_id/dependents`, scope `read:agents`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(agentId: string, options?: CallOptions): ApiPromise<AgentDependents>;
}

export interface ApikeysApi {
  /**
   * List API keys.
   *
   * Expired and revoked ones too. The keys themselves are not shown.
   *
   * `GET /api/sso/v1/apikeys`, scope `read:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** The id of an agent: `service:<id>`. */
    readonly agent_id?: string;
  }, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key.
   *
   * The answer shows the key, and nothing shows it again. With `scopes` the key has those of the scopes of its agent; without, all of them. Nobody makes a key of an agent that holds more than they do.
   *
   * `POST /api/sso/v1/apikeys`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** The id of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Its name, for people: one line. */
    readonly name: string;
    /** How many days the key works. Default 90. */
    readonly expires_in_days?: number;
    /** Those of the scopes of its agent that it has. */
    readonly scopes?: readonly string[];
    /** Addresses of IPv4 and IPv6, and networks in CIDR form, that the key is good from. */
    readonly allowed_ips?: readonly string[];
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Read an API key.
   *
   * Without the key itself.
   *
   * `GET /api/sso/v1/apikeys/:key_id`, scope `read:apikeys`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(keyId: string, options?: CallOptions): ApiPromise<ApiKey>;

  /**
   * Give an API key a successor.
   *
   * The successor has the same agent, name, scopes, addresses and length of life. The key lives on for `overlap_days`, if it does not expire before; with 0 it is revoked at once. A key is rotated once.
   *
   * `POST /api/sso/v1/apikeys/:key_id/rotate`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `APIKEY_ROTATED`, `APIKEY_ENDED`
   */
  rotate(keyId: string, body: {
    /** How many days the old key works on. Default 7. */
    readonly overlap_days?: number;
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Revoke an API key.
   *
   * It is refused from the next request on, and its record stays. Revoking it again changes nothing.
   *
   * `DELETE /api/sso/v1/apikeys/:key_id`, scope `delete:apikeys`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(keyId: string, options?: CallOptions): ApiPromise<{
    /** The id of an API key: `key_<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;

  /**
   * Report an API key that was found.
   *
   * For scanners, and for whoever finds a key where it should not be. A key that is real is revoked at once, whichever tenant it is of, and its tenant is told. The answer is the same for every text, after the same time.
   *
   * `POST /api/sso/v1/apikeys/report`
   *
   * @throws ApiError `TOO_MANY_ATTEMPTS`
   */
  report(body: {
    /** What was found. */
    readonly key: string;
  }, options?: CallOptions): ApiPromise<{
    /** Whatever was sent. */
    readonly received: true;
  }>;
}

export interface WebhooksApi {
  /**
   * List webhooks.
   *
   * The newest first. Their secrets are not shown.
   *
   * `GET /api/sso/v1/webhooks`, scope `read:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Webhook>;

  /**
   * Register an endpoint for events.
   *
   * The secret is in this answer and in no other one. It takes the scopes to read what the events tell of; the list of events names them.
   *
   * `POST /api/sso/v1/webhooks`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_WEBHOOKS`
   */
  create(body: {
    /** An https address that is public, or one that the operator allows. */
    readonly url: string;
    /** The kinds of events that it is sent. */
    readonly events: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
    /** Without it, one is drawn. One that begins with `whsec_` is base64 of at least 16 bytes behind that. */
    readonly secret?: string;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * Read a webhook.
   *
   * Without its secret.
   *
   * `GET /api/sso/v1/webhooks/:webhook_id`, scope `read:webhooks`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(webhookId: string, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Change a webhook.
   *
   * Events that happen while it is not active are not queued for it; `replay` fetches them afterwards. What was queued before waits. Everything but switching it off takes the scopes to read what its events tell of.
   *
   * `PATCH /api/sso/v1/webhooks/:webhook_id`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(webhookId: string, body: {
    /** An https address that is public, or one that the operator allows. */
    readonly url?: string;
    /** The kinds of events that it is sent. */
    readonly events?: readonly ('user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test')[];
    /** Whether it is sent anything. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Delete a webhook.
   *
   * Nothing more is sent to it, what is queued included. Its log of deliveries can no longer be read, and is erased with the events, after 30 days.
   *
   * `DELETE /api/sso/v1/webhooks/:webhook_id`, scope `delete:webhooks`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(webhookId: string, options?: CallOptions): ApiPromise<{
    /** The id of a webhook: `wh_<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;

  /**
   * Give a webhook another secret.
   *
   * For the overlap both are good: `webhook-signature` carries one signature for each, `X-Service-Signature` stays with the secret before until the overlap ends.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/rotate`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  rotate(webhookId: string, body: {
    /** Without it, one is drawn. One that begins with `whsec_` is base64 of at least 16 bytes behind that. */
    readonly secret?: string;
    /** For how many hours the secret before is good too: default 24; 0 for a leaked one. */
    readonly overlap_hours?: number;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * List what was sent to a webhook.
   *
   * The newest first, with the last answer to each. Kept for 30 days.
   *
   * `GET /api/sso/v1/webhooks/:webhook_id/deliveries`, scope `read:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  listDeliveries(webhookId: string, query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** How far the delivery is. */
    readonly status?: 'pending' | 'delivered' | 'failed';
  }, options?: CallOptions): Listing<Delivery>;

  /**
   * Send a webhook.test event to a webhook.
   *
   * To that one only, whatever kinds it asks for. The delivery tells how it went.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/test`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  test(webhookId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Send an event again, now.
   *
   * From the first attempt on, whatever became of it before.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/deliveries/:delivery_id/retry`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  retryDelivery(webhookId: string, deliveryId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Send every event since another one again.
   *
   * Of the kinds that the webhook asks for, in the order of the log, 1000 at a time: while `next_after` is there, call again with it. What waits for its next attempt is sent now; what is being sent is left alone.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/replay`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  replay(webhookId: string, body: {
    /** The last event that need not be sent again. */
    readonly after: string;
  }, options?: CallOptions): ApiPromise<{
    /** How many events were queued. */
    readonly queued: number;
    /** What to call with again; absent when all are queued. */
    readonly next_after?: string;
  }>;
}

export interface KeysApi {
  /**
   * List signing keys.
   *
   * Retired ones too. Their private halves are never shown.
   *
   * `GET /api/sso/v1/keys`, scope `read:keys`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<SigningKey>;

  /**
   * Bring in a new signing key.
   *
   * The new key is published at once and signs as soon as every verifier that keeps the key set has had to fetch it again. `immediately=true`, for a key that is compromised, lets it sign now.
   *
   * `POST /api/sso/v1/keys/rotate`, scope `write:keys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `ROTATION_IN_PROGRESS`
   */
  rotate(query?: {
    /** With `true` the new key signs at once. */
    readonly immediately?: boolean;
  }, options?: CallOptions): ApiPromise<SigningKey>;

  /**
   * Retire a signing key at once.
   *
   * Every access token signed with it is rejected from then on; sessions continue by refreshing. Its private half is destroyed. The key that signs cannot be retired: rotate first.
   *
   * `DELETE /api/sso/v1/keys/:key_id`, scope `delete:keys`
   *
   * @throws ApiError `NOT_FOUND`, `KEY_IN_USE`
   */
  retire(keyId: string, options?: CallOptions): ApiPromise<{
    /** The id of a signing key: `key_<id>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;
}

export interface EventsApi {
  /**
   * Read the log of events.
   *
   * The oldest first, kept for 30 days. Whoever asks again with the `id` of the last event that they have as `after` misses none, however transactions overlap: an event is shown once all those before it are.
   *
   * `GET /api/sso/v1/events`, scope `read:events`
   *
   * @throws ApiError `VALIDATION_FAILED`, `EVENT_UNKNOWN`
   */
  list(query?: {
    /** The last event that the caller has; without it the oldest one kept is first. */
    readonly after?: string;
    /** A kind of event. */
    readonly type?: 'user.created' | 'user.updated' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.test';
    /** What the event is about: the id of a user, a session, an agent … */
    readonly subject?: string;
    /** How many events at the most: default 20; above 100 is taken as 100. */
    readonly limit?: number;
  }, options?: CallOptions): Listing<Event>;
}

export interface AuditApi {
  /**
   * Read the audit log.
   *
   * The newest first. With `Accept: application/x-ndjson` it is exported instead: one entry a line, whole, in the order of the chain, and without filters a signed checkpoint in the last line.
   *
   * `GET /api/sso/v1/audit`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** Who did it: `user:<id>` or `service:<id>`. */
    readonly actor?: string;
    /** The user whom a delegate acted for. */
    readonly on_behalf_of?: string;
    /** What was done. */
    readonly action?: 'auth.login' | 'auth.login_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.token_exchanged' | 'auth.token_issued' | 'auth.token_refused' | 'user.created' | 'user.updated' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.replayed' | 'system.work';
    /** The id or name of what it was done to. */
    readonly target?: string;
    /** How it came out. */
    readonly outcome?: 'success' | 'failure' | 'denied';
    /** Entries of this time (RFC 3339) and later. */
    readonly from?: string;
    /** Entries from before this time (RFC 3339). */
    readonly to?: string;
  }, options?: CallOptions): Listing<AuditEntry>;

  /**
   * List signed heads of the audit log.
   *
   * The newest first. Whoever keeps one elsewhere can tell later whether the log still begins as it did.
   *
   * `GET /api/sso/v1/audit/checkpoints`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listCheckpoints(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<AuditCheckpoint>;
}

export interface TenantsApi {
  /**
   * List tenants.
   *
   * All of the installation, the newest first.
   *
   * `GET /api/sso/v1/tenants`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** The number of the page, from 1; default 1. */
    readonly page?: number;
    /** How many items a page holds: default 20; above 100 is taken as 100. */
    readonly limit?: number;
    /** `meta.next_cursor` of the page before. */
    readonly cursor?: string;
    /** By age: `-created_at`, the default, has the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Tenant>;

  /**
   * Create a tenant.
   *
   * The tenant is complete at once: a data key, a signing key, `ws_default` and the built-in roles.
   *
   * `POST /api/sso/v1/tenants`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SLUG_TAKEN`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`
   */
  create(body: {
    /** Its name, for people: one line. */
    readonly name: string;
    /** The part of the id behind its prefix. Without it, it is made from the name. */
    readonly slug?: string;
    /** Host names that lead to the tenant; each belongs to one tenant only. */
    readonly domains?: readonly string[];
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
  }, options?: CallOptions): ApiPromise<Tenant>;

  /**
   * Read a tenant.
   *
   * The own one; a system administrator reads any.
   *
   * `GET /api/sso/v1/tenants/:tenant_id`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<Tenant>;

  /**
   * Change a tenant.
   *
   * `config`, `branding` and `messaging` are merged field by field; `null` takes a setting back to its default, or removes it where it has none. `domains`, `is_active` and `issuer` are a system administrator's to set. `dry_run=true` answers what would change for whom, and changes nothing.
   *
   * `PATCH /api/sso/v1/tenants/:tenant_id`, scope `write:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`, `SYSTEM_ADMINISTRATOR_REQUIRED`, `DEFAULT_TENANT_PROTECTED`
   */
  update(tenantId: string, body: {
    /** Its name, for people: one line. */
    readonly name?: string;
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
    /** Host names that lead to the tenant; each belongs to one tenant only. */
    readonly domains?: readonly string[];
    /** Inactive, every request to the tenant is answered 403. */
    readonly is_active?: boolean;
    /** The `iss` of its tokens; null: the one that the service gives it. */
    readonly issuer?: string | null;
  }, query?: {
    /** With `true` nothing is changed; the answer says what would be. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<Tenant | TenantDryRun>;

  /**
   * Delete a tenant.
   *
   * Final. Its data key is destroyed with the answer: nothing sealed can be opened again. Large tenants are cleared away in the background.
   *
   * `DELETE /api/sso/v1/tenants/:tenant_id`
   *
   * @throws ApiError `NOT_FOUND`, `DEFAULT_TENANT_PROTECTED`
   */
  delete(tenantId: string, options?: CallOptions): ApiPromise<{
    /** The id of a tenant: `org_<slug>`. */
    readonly id: string;
    /** It is gone, or no longer works. */
    readonly deleted: true;
  }>;
}

export interface KeySetApi {
  /**
   * Public keys of the tenant that the request names.
   *
   * All that it takes to verify tokens without asking.
   *
   * `GET /.well-known/jwks.json`
   */
  get(options?: CallOptions): ApiPromise<JsonWebKeySet>;

  /**
   * Public keys at the address of the issuer.
   *
   * For verifiers that know the issuer and nothing else.
   *
   * `GET /t/:tenant_id/.well-known/jwks.json`
   */
  getByIssuer(tenantId: string, options?: CallOptions): ApiPromise<JsonWebKeySet>;
}

export interface DiscoveryApi {
  /**
   * OpenID AuthZEN metadata of the tenant that the request names.
   *
   * Where services ask for access decisions.
   *
   * `GET /.well-known/authzen-configuration`
   */
  authzen(options?: CallOptions): ApiPromise<PolicyDecisionPointMetadata>;

  /**
   * OpenID AuthZEN metadata of an issuer.
   *
   * The well-known part comes before the path of the issuer (OpenID AuthZEN §9.2).
   *
   * `GET /.well-known/authzen-configuration/t/:tenant_id`
   */
  authzenByIssuer(tenantId: string, options?: CallOptions): ApiPromise<PolicyDecisionPointMetadata>;

  /**
   * OAuth 2.0 metadata of the tenant that the request names.
   *
   * It lists only what exists: an address that a client finds here answers.
   *
   * `GET /.well-known/oauth-authorization-server`
   */
  get(options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * OAuth 2.0 metadata of an issuer, at the address of RFC 8414.
   *
   * The well-known part comes before the path of the issuer (RFC 8414 §3.1).
   *
   * `GET /.well-known/oauth-authorization-server/t/:tenant_id`
   */
  getByIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * OAuth 2.0 metadata of an issuer, below its address.
   *
   * For clients that append the well-known part, as OpenID Connect does.
   *
   * `GET /t/:tenant_id/.well-known/oauth-authorization-server`
   */
  getUnderIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;
}

export interface ServiceApi {
  /**
   * Whether the service can take requests.
   *
   * For load balancers: asks the database.
   *
   * `GET /health`
   */
  health(options?: CallOptions): ApiPromise<Health>;

  /**
   * Whether the process runs; never touches the database.
   *
   * For whoever restarts processes that hang.
   *
   * `GET /livez`
   */
  live(options?: CallOptions): ApiPromise<{
    /** It runs. */
    readonly status: 'ok';
  }>;

  /**
   * This contract as an OpenAPI 3.1 document.
   *
   * The same for everybody, and the same until the service is updated.
   *
   * `GET /openapi.json`
   */
  openapi(options?: CallOptions): ApiPromise<{
    readonly [name: string]: unknown;
  }>;
}

/** Every route of the service, by group. */
export interface Api {
  readonly auth: AuthApi;
  readonly access: AccessApi;
  readonly me: MeApi;
  readonly delegations: DelegationsApi;
  readonly users: UsersApi;
  readonly sessions: SessionsApi;
  readonly workspaces: WorkspacesApi;
  readonly roles: RolesApi;
  readonly agents: AgentsApi;
  readonly apikeys: ApikeysApi;
  readonly webhooks: WebhooksApi;
  readonly keys: KeysApi;
  readonly events: EventsApi;
  readonly audit: AuditApi;
  readonly tenants: TenantsApi;
  readonly keySet: KeySetApi;
  readonly discovery: DiscoveryApi;
  readonly service: ServiceApi;
}
