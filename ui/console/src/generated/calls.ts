// Made from the contract by `npm run generate`.

import type {
  AccountDeletion,
  AccountExport,
  ActivitySpan,
  AddedPasskey,
  Agent,
  AgentDependents,
  AgentDryRun,
  AgentKeySet,
  AgentPatch,
  AgentTrust,
  ApiKey,
  AuditCheckpoint,
  AuditEntry,
  BegunFlow,
  BegunProviderTest,
  ClientStream,
  ClientStreamPatch,
  Consent,
  CreatedApiKey,
  CreatedClientSecret,
  CreatedOAuthClient,
  CreatedRegistrationToken,
  CreatedTotp,
  CustomClaim,
  DeletedFactor,
  DeletedLogo,
  Delivery,
  Explanation,
  Export,
  Factor,
  FetchedLogos,
  IdentityProvider,
  Impersonation,
  ImportedUser,
  Installation,
  Invitation,
  ListMeta,
  Logo,
  LogoutDelivery,
  Member,
  Message,
  MessageTemplate,
  OAuthClient,
  OAuthClientPatch,
  OAuthClientRegistration,
  OAuthResource,
  OAuthResourcePatch,
  OAuthResourceRegistration,
  OwnInvitation,
  OwnLogEntry,
  PasskeyCreation,
  PasskeyRegistration,
  Preview,
  Profile,
  ProviderDependents,
  ProviderDomain,
  ProviderTest,
  RegistrationToken,
  RegistrationTokenRequest,
  RemovedProviderDomain,
  Role,
  Session,
  SigningKey,
  Suppression,
  Tenant,
  TenantBrandingPatch,
  TenantConfigPatch,
  TenantDependents,
  TenantDryRun,
  TenantMessagingPatch,
  Text,
  Texts,
  TokenPreview,
  User,
  UserDependents,
  UserDisabled,
  UserDryRun,
  UserImport,
  UserPermissions,
  Webhook,
  WebhookWithSecret,
  Workspace,
} from '@keywright/sdk';

export interface Calls {
  /** Explain why a subject may do something, or may not */
  readonly 'access.explain': {
    readonly params?: undefined;
    readonly body: {
      /** Their access token or API key. */
      readonly token?: string;
      /** Id of a user or an agent: `user:<id>` or `service:<id>`. */
      readonly subject?: string;
      /** Id of a workspace: `ws_<slug>`. */
      readonly workspace_id?: string;
      /** One scope, or up to 32 of them joined by spaces: all are required. */
      readonly scope: string;
    };
    readonly query?: undefined;
    readonly answer: Explanation;
  };
  /** Get the caller */
  readonly 'me.get': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: User | Agent;
  };
  /** Get what the caller may do */
  readonly 'me.permissions': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Names of roles. */
      readonly roles: readonly string[];
      /** As `action:resource`; either may be `*`. */
      readonly scopes: readonly string[];
    };
  };
  /** Change own user_metadata or password */
  readonly 'me.update': {
    readonly params?: undefined;
    readonly body: {
      /** Free-form data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
      readonly user_metadata?: {
        readonly [name: string]: unknown;
      };
      /** A password of at most 256 characters after NFKC. */
      readonly password?: string;
      /** A password of at most 256 characters after NFKC. */
      readonly current_password?: string;
    };
    readonly query?: undefined;
    readonly answer: User;
  };
  /** Begin a stronger or more recent login of the session */
  readonly 'me.step_up': {
    readonly params?: undefined;
    readonly body: {
      /** The least assurance of the session. With `aal2`, a user without a second factor adds one in the flow; with `phr`, one without a passkey adds a passkey. */
      readonly acr?: 'aal1' | 'aal2' | 'phr';
    };
    readonly query?: undefined;
    readonly answer: BegunFlow;
  };
  /** List one’s second factors */
  readonly 'factors.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly Factor[]; readonly meta: ListMeta };
  };
  /** Add an authenticator app */
  readonly 'factors.add_totp': {
    readonly params?: undefined;
    readonly body: {
      /** Display name: one line. */
      readonly name?: string;
    };
    readonly query?: undefined;
    readonly answer: CreatedTotp;
  };
  /** Confirm an authenticator app */
  readonly 'factors.confirm_totp': {
    readonly params: { readonly factor_id: string };
    readonly body: {
      /** The code that the authenticator app shows. */
      readonly code: string;
    };
    readonly query?: undefined;
    readonly answer: {
      readonly factor: Factor;
      /** Null: the user already has recovery codes. */
      readonly recovery_codes: readonly string[] | null;
    };
  };
  /** Get the options for a new passkey */
  readonly 'factors.passkey_options': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: PasskeyCreation;
  };
  /** Add a passkey */
  readonly 'factors.add_passkey': {
    readonly params?: undefined;
    readonly body: {
      readonly credential: PasskeyRegistration;
      /** Display name: one line; default that of the authenticator, if it is well known. */
      readonly name?: string;
    };
    readonly query?: undefined;
    readonly answer: AddedPasskey;
  };
  /** Read a second factor */
  readonly 'factors.get': {
    readonly params: { readonly factor_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Factor;
  };
  /** Rename a second factor */
  readonly 'factors.update': {
    readonly params: { readonly factor_id: string };
    readonly body: {
      /** Display name: one line. */
      readonly name: string;
    };
    readonly query?: undefined;
    readonly answer: Factor;
  };
  /** Remove a second factor */
  readonly 'factors.delete': {
    readonly params: { readonly factor_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: DeletedFactor;
  };
  /** Get new recovery codes */
  readonly 'factors.create_recovery_codes': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      readonly factor: Factor;
      /** Ten codes, shown in this answer only. */
      readonly recovery_codes: readonly string[];
    };
  };
  /** Read one’s profile */
  readonly 'me.get_profile': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Profile;
  };
  /** Change one’s profile */
  readonly 'me.update_profile': {
    readonly params?: undefined;
    readonly body: {
      /** What the user wants to be called. Null: not set. */
      readonly name?: string | null;
      /** The language of messages to the user. Null: that of the tenant. */
      readonly locale?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar' | null;
    };
    readonly query?: undefined;
    readonly answer: Profile;
  };
  /** Ask for a copy of one’s data */
  readonly 'me.request_export': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Export;
  };
  /** Read whether the copy of one’s data is ready */
  readonly 'me.get_export': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Export;
  };
  /** Read the copy of one’s data */
  readonly 'me.read_export': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: AccountExport;
  };
  /** Read what would end with one’s account */
  readonly 'me.preview_deletion': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: AccountDeletion;
  };
  /** Delete one’s account */
  readonly 'me.delete': {
    readonly params?: undefined;
    readonly body: {
      /** An e-mail address, or a phone number in E.164 form. */
      readonly identifier: string;
    };
    readonly query?: undefined;
    readonly answer: {
      /** Id of a user: `user:<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List one’s workspaces */
  readonly 'workspaces.list_own': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly Workspace[]; readonly meta: ListMeta };
  };
  /** Leave a workspace */
  readonly 'workspaces.leave': {
    readonly params: { readonly workspace_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a workspace: `ws_<slug>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List the invitations that wait for one */
  readonly 'invitations.list_own': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly OwnInvitation[]; readonly meta: ListMeta };
  };
  /** Accept an invitation */
  readonly 'invitations.accept': {
    readonly params: { readonly invitation_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: OwnInvitation;
  };
  /** Decline an invitation */
  readonly 'invitations.decline': {
    readonly params: { readonly invitation_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of an invitation: `inv_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List users */
  readonly 'users.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** By age or by first identifier; `-` reverses the order. Default `-created_at`. */
      readonly sort?: 'created_at' | '-created_at' | 'identifier' | '-identifier';
      /** Only these: at most 100 ids, separated by commas. Unknown ones are left out. */
      readonly ids?: string;
      /** Name of the role: lower-case letters, digits, `-` and `_`, at most 64. */
      readonly role?: string;
      /** Id of a workspace: `ws_<slug>`. */
      readonly workspace_id?: string;
      /** Any part of an e-mail address, case-insensitive; % and _ are literal. */
      readonly email?: string;
      /** Only active ones, or only inactive ones. */
      readonly is_active?: boolean;
      /** Only those with a verified identifier, or only those none of whose identifiers is verified. */
      readonly is_verified?: boolean;
      /** Only those who have logged in, or only those who never have. */
      readonly has_logged_in?: boolean;
      /** Only those whose last login, to the minute, was before this time (RFC 3339). */
      readonly last_login_before?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
    };
    readonly answer: { readonly items: readonly User[]; readonly meta: ListMeta };
  };
  /** Read a user */
  readonly 'users.get': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: User;
  };
  /** Create a user */
  readonly 'users.create': {
    readonly params?: undefined;
    readonly body: {
      /** An e-mail address, or a phone number in E.164 form. */
      readonly identifier: string;
      /** A password of at most 256 characters after NFKC. */
      readonly password: string;
      /** Names of their roles. */
      readonly roles?: readonly string[];
    };
    readonly query?: undefined;
    readonly answer: User;
  };
  /** Import users */
  readonly 'users.import': {
    readonly params?: undefined;
    readonly body: ImportedUser;
    readonly query?: {
      /** With `true`, returns what would change, and changes nothing. */
      readonly dry_run?: boolean;
    };
    readonly answer: UserImport;
  };
  /** Change a user */
  readonly 'users.update': {
    readonly params: { readonly user_id: string };
    readonly body: {
      /** As `GET` shows them; `type` and `verified` are optional. A known identifier keeps its `verified`, a new one is not verified. */
      readonly identifiers?: readonly ({
        /** Type of the identifier. */
        readonly type?: 'email' | 'phone';
        /** An e-mail address, or a phone number in E.164 form. */
        readonly identifier: string;
        /** Whether it was verified to belong to the user. */
        readonly verified?: boolean;
      })[];
      /** A password of at most 256 characters after NFKC. */
      readonly password?: string;
      /** Names of their roles. */
      readonly roles?: readonly string[];
      /** Replaces the workspaces that the user belongs to. */
      readonly workspaces?: readonly string[];
      /** While inactive, the user cannot log in. */
      readonly is_active?: boolean;
      /** Free-form data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep. */
      readonly metadata?: {
        readonly [name: string]: unknown;
      };
      /** Free-form data that users write themselves: at most 16 KiB as JSON, 32 levels deep. */
      readonly user_metadata?: {
        readonly [name: string]: unknown;
      };
    };
    readonly query?: undefined;
    readonly answer: User;
  };
  /** Delete a user */
  readonly 'users.delete': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** With `true`, returns what would change, and changes nothing. */
      readonly dry_run?: boolean;
    };
    readonly answer: {
      /** Id of a user: `user:<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    } | UserDryRun;
  };
  /** List what a user may do, and why */
  readonly 'users.permissions': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: UserPermissions;
  };
  /** Show what the tokens of a user would say */
  readonly 'tokens.preview': {
    readonly params?: undefined;
    readonly body: {
      /** Id of a user: `user:<id>`. */
      readonly user_id: string;
      /** Id of an OAuth client: `client_<id>`, or the https address of the document in which it says what it is. */
      readonly client_id?: string;
      /** In place of the setting of this name. */
      readonly custom_claims?: {
        readonly [name: string]: CustomClaim;
      };
    };
    readonly query?: undefined;
    readonly answer: TokenPreview;
  };
  /** List the dependents of a user */
  readonly 'users.dependents': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: UserDependents;
  };
  /** Disable a user and end their dependents */
  readonly 'users.disable': {
    readonly params: { readonly user_id: string };
    readonly body: {
      /** Reason, kept in the audit log. */
      readonly reason: string;
    };
    readonly query?: undefined;
    readonly answer: UserDisabled;
  };
  /** List the second factors of a user */
  readonly 'users.list_factors': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly Factor[]; readonly meta: ListMeta };
  };
  /** Remove a second factor of a user */
  readonly 'users.delete_factor': {
    readonly params: { readonly user_id: string; readonly factor_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a factor: `fct_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Send a user the message of a recovery */
  readonly 'users.recover': {
    readonly params: { readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** The address, masked. */
      readonly sent_to: string;
    };
  };
  /** Invite a person */
  readonly 'invitations.create': {
    readonly params?: undefined;
    readonly body: {
      /** The email address that the invitation is sent to. */
      readonly identifier: string;
      /** Roles to assign. Default: `member`. */
      readonly roles?: readonly string[];
      /** Workspaces to join, besides the default one. */
      readonly workspaces?: readonly string[];
      /** Lifetime in days. Default 7. */
      readonly expires_in_days?: number;
      /** A language, with a script and a region if needed (BCP 47). */
      readonly locale?: string;
    };
    readonly query?: undefined;
    readonly answer: Invitation;
  };
  /** List invitations */
  readonly 'invitations.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** An e-mail address, or a phone number in E.164 form. */
      readonly identifier?: string;
      /** Only those in this state. */
      readonly status?: 'pending' | 'accepted' | 'revoked' | 'expired';
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Invitation[]; readonly meta: ListMeta };
  };
  /** Read an invitation */
  readonly 'invitations.get': {
    readonly params: { readonly invitation_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Invitation;
  };
  /** Revoke an invitation */
  readonly 'invitations.delete': {
    readonly params: { readonly invitation_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of an invitation: `inv_<id>`. */
      readonly id: string;
      /** It no longer works. Its record remains. */
      readonly revoked: true;
    };
  };
  /** Send an invitation again */
  readonly 'invitations.resend': {
    readonly params: { readonly invitation_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Invitation;
  };
  /** List sessions */
  readonly 'sessions.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Id of a user: `user:<id>`. */
      readonly user_id?: string;
      /** Id of an OAuth client: `client_<id>`, or the https address of the document in which it says what it is. */
      readonly client_id?: string;
      /** `active`; `ended`: logged out, revoked or ended otherwise; `expired`: not refreshed in time. */
      readonly state?: 'active' | 'ended' | 'expired';
      /** Only those that have neither ended nor expired, or only the others. */
      readonly is_active?: boolean;
    };
    readonly answer: { readonly items: readonly Session[]; readonly meta: ListMeta };
  };
  /** End a session */
  readonly 'sessions.delete': {
    readonly params: { readonly session_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a session: `session:<id>`. */
      readonly id: string;
      /** It no longer works. Its record remains. */
      readonly revoked: true;
    };
  };
  /** End all sessions of a user */
  readonly 'sessions.delete_all': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Id of a user: `user:<id>`. */
      readonly user_id: string;
    };
    readonly answer: {
      /** Id of a user: `user:<id>`. */
      readonly user_id: string;
      /** Number of sessions that ended. */
      readonly revoked: number;
    };
  };
  /** List workspaces */
  readonly 'workspaces.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Workspace[]; readonly meta: ListMeta };
  };
  /** Create a workspace */
  readonly 'workspaces.create': {
    readonly params?: undefined;
    readonly body: {
      /** Display name: one line. */
      readonly name: string;
      /** The id without its prefix. Default: derived from the name. */
      readonly slug?: string;
    };
    readonly query?: undefined;
    readonly answer: Workspace;
  };
  /** Read a workspace */
  readonly 'workspaces.get': {
    readonly params: { readonly workspace_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Workspace;
  };
  /** Change a workspace */
  readonly 'workspaces.update': {
    readonly params: { readonly workspace_id: string };
    readonly body: {
      /** Display name: one line. */
      readonly name?: string;
      /** While inactive, nobody can log in to it. */
      readonly is_active?: boolean;
    };
    readonly query?: undefined;
    readonly answer: Workspace;
  };
  /** Delete a workspace */
  readonly 'workspaces.delete': {
    readonly params: { readonly workspace_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** With `true`, deletes it even if it is in use. */
      readonly force?: boolean;
    };
    readonly answer: {
      /** Id of a workspace: `ws_<slug>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List the members of a workspace */
  readonly 'workspaces.list_members': {
    readonly params: { readonly workspace_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly Member[]; readonly meta: ListMeta };
  };
  /** Add a user to a workspace */
  readonly 'workspaces.add_member': {
    readonly params: { readonly workspace_id: string; readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Member;
  };
  /** Remove a user from a workspace */
  readonly 'workspaces.remove_member': {
    readonly params: { readonly workspace_id: string; readonly user_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a user: `user:<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List roles */
  readonly 'roles.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
    };
    readonly answer: { readonly items: readonly Role[]; readonly meta: ListMeta };
  };
  /** Create a role */
  readonly 'roles.create': {
    readonly params?: undefined;
    readonly body: {
      /** Name of the role: lower-case letters, digits, `-` and `_`, at most 64. */
      readonly name: string;
      /** Its purpose. */
      readonly description?: string;
      /** Permissions of the role. */
      readonly scopes: readonly string[];
    };
    readonly query?: undefined;
    readonly answer: Role;
  };
  /** Read a role */
  readonly 'roles.get': {
    readonly params: { readonly role: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Role;
  };
  /** Change a role */
  readonly 'roles.update': {
    readonly params: { readonly role: string };
    readonly body: {
      /** Its purpose. */
      readonly description?: string;
      /** Replaces the permissions of the role. */
      readonly scopes?: readonly string[];
    };
    readonly query?: undefined;
    readonly answer: Role;
  };
  /** Delete a role */
  readonly 'roles.delete': {
    readonly params: { readonly role: string };
    readonly body?: undefined;
    readonly query?: {
      /** With `true`, deletes it even if it is in use. */
      readonly force?: boolean;
    };
    readonly answer: {
      /** Name of the role, unique within the tenant. */
      readonly name: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List agents */
  readonly 'agents.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Id of a workspace: `ws_<slug>`. */
      readonly workspace_id?: string;
      /** Id of a user: `user:<id>`. */
      readonly owner_id?: string;
      /** Only active ones, or only inactive ones. */
      readonly is_active?: boolean;
    };
    readonly answer: { readonly items: readonly Agent[]; readonly meta: ListMeta };
  };
  /** Create an agent */
  readonly 'agents.create': {
    readonly params?: undefined;
    readonly body: {
      /** Display name: one line. */
      readonly name: string;
      /** Its purpose. */
      readonly description?: string;
      /** What it may do; only what the caller may grant. */
      readonly scopes?: readonly string[];
      /** Id of a workspace: `ws_<slug>`. */
      readonly workspace_id?: string;
      /** Id of a user: `user:<id>`. */
      readonly owner_id?: string;
      readonly jwks?: AgentKeySet;
      /** Outside issuers whose tokens authenticate the agent: those that match one of these. Each needs a `subject` or `claims`. */
      readonly trusts?: readonly AgentTrust[];
    };
    readonly query?: undefined;
    readonly answer: Agent;
  };
  /** Read an agent */
  readonly 'agents.get': {
    readonly params: { readonly agent_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Agent;
  };
  /** Change an agent */
  readonly 'agents.update': {
    readonly params: { readonly agent_id: string };
    readonly body: AgentPatch;
    readonly query?: undefined;
    readonly answer: Agent;
  };
  /** Delete an agent */
  readonly 'agents.delete': {
    readonly params: { readonly agent_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** With `true`, returns what would change, and changes nothing. */
      readonly dry_run?: boolean;
    };
    readonly answer: {
      /** Id of an agent: `service:<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    } | AgentDryRun;
  };
  /** List the dependents of an agent */
  readonly 'agents.dependents': {
    readonly params: { readonly agent_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: AgentDependents;
  };
  /** List API keys */
  readonly 'apikeys.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Id of an agent: `service:<id>`. */
      readonly agent_id?: string;
    };
    readonly answer: { readonly items: readonly ApiKey[]; readonly meta: ListMeta };
  };
  /** Create an API key */
  readonly 'apikeys.create': {
    readonly params?: undefined;
    readonly body: {
      /** Id of an agent: `service:<id>`. */
      readonly agent_id: string;
      /** Display name: one line. */
      readonly name: string;
      /** Lifetime of the key in days. Default 90. */
      readonly expires_in_days?: number;
      /** A subset of the scopes of its agent. */
      readonly scopes?: readonly string[];
      /** IPv4 and IPv6 addresses, and networks in CIDR form, that may use the key. */
      readonly allowed_ips?: readonly string[];
    };
    readonly query?: undefined;
    readonly answer: CreatedApiKey;
  };
  /** Read an API key */
  readonly 'apikeys.get': {
    readonly params: { readonly key_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: ApiKey;
  };
  /** Rotate an API key */
  readonly 'apikeys.rotate': {
    readonly params: { readonly key_id: string };
    readonly body: {
      /** Days that the old key stays valid. Default 7. */
      readonly overlap_days?: number;
    };
    readonly query?: undefined;
    readonly answer: CreatedApiKey;
  };
  /** Revoke an API key */
  readonly 'apikeys.delete': {
    readonly params: { readonly key_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of an API key: `key_<id>`. */
      readonly id: string;
      /** It no longer works. Its record remains. */
      readonly revoked: true;
    };
  };
  /** Report a leaked API key */
  readonly 'apikeys.report': {
    readonly params?: undefined;
    readonly body: {
      /** The key that was found. */
      readonly key: string;
    };
    readonly query?: undefined;
    readonly answer: {
      /** Whatever was sent. */
      readonly received: true;
    };
  };
  /** List identity providers */
  readonly 'providers.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly IdentityProvider[]; readonly meta: ListMeta };
  };
  /** Add an identity provider */
  readonly 'providers.create': {
    readonly params?: undefined;
    readonly body: {
      /** `oidc`: any provider of OpenID Connect with discovery. `oauth2`: any provider of OAuth 2.0 with an endpoint that tells who the user is. */
      readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
      /** Display name. */
      readonly name: string;
      /** Issuer, exactly as the provider writes it: a public https address without a query, or one that the operator allows. Needed for `oidc` and `oauth2`; default for the others: that of the public service. `microsoft`: with `common`, `organizations` or `consumers` in place of a tenant only with `allowed_tenants`. `github`: the address of an own server. */
      readonly issuer?: string;
      /** Client id that the provider issued. */
      readonly client_id: string;
      /** Client secret that the provider issued; never shown again. Required for an active provider of the type `google`, `microsoft`, `apple` or `github`. `apple`: the text of the key file. */
      readonly client_secret?: string;
      /** Scopes to request, beside `openid`. */
      readonly scopes?: readonly string[];
      /** Domains of e-mail addresses that the provider is authoritative for: it decides who has an address there. Without them, an address that it calls verified is not trusted, except to ask its user to prove the account. */
      readonly domains?: readonly string[];
      /** What happens when an unknown identity has the verified address of a user. `ask`: the user proves the account in another way first. `auto`: for addresses of `domains` it is linked immediately; for others, and for users whose roles carry scopes, as `ask`. `never`: the login is rejected. */
      readonly link?: 'ask' | 'auto' | 'never';
      /** Whether a login for which the provider says that it verified two factors counts as two here: by `mfa` in `amr` of its ID token, or a known value of `acr`. It never replaces the second factor of a user whose roles carry scopes. Default false. Not for `github` and `oauth2`, which issue no ID tokens. */
      readonly trust_mfa?: boolean;
      /** With `microsoft`: the directories (`tid`) whose users may log in. Empty: that of the issuer. */
      readonly allowed_tenants?: readonly string[];
      /** Only and always with `apple`: the team. */
      readonly team_id?: string;
      /** Only and always with `apple`: the key, whose file (.p8) is the client secret. */
      readonly key_id?: string;
      /** Only and always with `oauth2`: where users are sent. */
      readonly authorization_endpoint?: string;
      /** Only and always with `oauth2`: where codes are exchanged. */
      readonly token_endpoint?: string;
      /** Only and always with `oauth2`: where the profile of the user is read. */
      readonly userinfo_endpoint?: string;
      /** With `oauth2`: the field of the user’s profile that never changes. Default `sub`. */
      readonly subject_claim?: string;
      /** Whether users can log in with it: a new provider only with `skip_test`. Default false. */
      readonly is_active?: boolean;
      /** Enables the provider, or changes an active one, without an accepted test of these settings. The audit log records it. Default false. */
      readonly skip_test?: boolean;
    };
    readonly query?: undefined;
    readonly answer: IdentityProvider;
  };
  /** Read an identity provider */
  readonly 'providers.get': {
    readonly params: { readonly provider_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: IdentityProvider;
  };
  /** Change an identity provider */
  readonly 'providers.update': {
    readonly params: { readonly provider_id: string };
    readonly body: {
      /** Display name. */
      readonly name?: string;
      /** Issuer, exactly as the provider writes it: a public https address without a query, or one that the operator allows. Needed for `oidc` and `oauth2`; default for the others: that of the public service. `microsoft`: with `common`, `organizations` or `consumers` in place of a tenant only with `allowed_tenants`. `github`: the address of an own server. */
      readonly issuer?: string;
      /** Client id that the provider issued. */
      readonly client_id?: string;
      /** Client secret; null removes it. */
      readonly client_secret?: string | null;
      /** Scopes to request, beside `openid`. */
      readonly scopes?: readonly string[];
      /** Domains of e-mail addresses that the provider is authoritative for: it decides who has an address there. Without them, an address that it calls verified is not trusted, except to ask its user to prove the account. */
      readonly domains?: readonly string[];
      /** What happens when an unknown identity has the verified address of a user. `ask`: the user proves the account in another way first. `auto`: for addresses of `domains` it is linked immediately; for others, and for users whose roles carry scopes, as `ask`. `never`: the login is rejected. */
      readonly link?: 'ask' | 'auto' | 'never';
      /** Whether a login for which the provider says that it verified two factors counts as two here: by `mfa` in `amr` of its ID token, or a known value of `acr`. It never replaces the second factor of a user whose roles carry scopes. Default false. Not for `github` and `oauth2`, which issue no ID tokens. */
      readonly trust_mfa?: boolean;
      /** With `microsoft`: the directories (`tid`) whose users may log in. Empty: that of the issuer. */
      readonly allowed_tenants?: readonly string[];
      /** Only and always with `apple`: the team. */
      readonly team_id?: string;
      /** Only and always with `apple`: the key, whose file (.p8) is the client secret. */
      readonly key_id?: string;
      /** Only and always with `oauth2`: where users are sent. */
      readonly authorization_endpoint?: string;
      /** Only and always with `oauth2`: where codes are exchanged. */
      readonly token_endpoint?: string;
      /** Only and always with `oauth2`: where the profile of the user is read. */
      readonly userinfo_endpoint?: string;
      /** With `oauth2`: the field of the user’s profile that never changes. Default `sub`. */
      readonly subject_claim?: string;
      /** Whether users can log in with it. */
      readonly is_active?: boolean;
      /** Enables the provider, or changes an active one, without an accepted test of these settings. The audit log records it. Default false. */
      readonly skip_test?: boolean;
    };
    readonly query?: undefined;
    readonly answer: IdentityProvider;
  };
  /** Count the dependents of an identity provider */
  readonly 'providers.dependents': {
    readonly params: { readonly provider_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: ProviderDependents;
  };
  /** Delete an identity provider */
  readonly 'providers.delete': {
    readonly params: { readonly provider_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of an identity provider: `idp_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Begin a test login at a provider */
  readonly 'providers.test': {
    readonly params: { readonly provider_id: string };
    readonly body: {
      /** One of the `return_urls` of the tenant, exactly as written there. */
      readonly return_url: string;
    };
    readonly query?: undefined;
    readonly answer: BegunProviderTest;
  };
  /** Read the result of a test login */
  readonly 'providers.finish_test': {
    readonly params: { readonly provider_id: string };
    readonly body: {
      /** The parameter `handoff` of the address that the browser came back to. */
      readonly handoff: string;
    };
    readonly query?: undefined;
    readonly answer: ProviderTest;
  };
  /** Send the users of a domain to a provider */
  readonly 'providers.add_domain': {
    readonly params: { readonly provider_id: string };
    readonly body: {
      /** A domain, in lower case. */
      readonly domain: string;
    };
    readonly query?: undefined;
    readonly answer: ProviderDomain;
  };
  /** List the domains whose users a provider logs in */
  readonly 'providers.list_domains': {
    readonly params: { readonly provider_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly ProviderDomain[]; readonly meta: ListMeta };
  };
  /** Look for the DNS record that proves a domain */
  readonly 'providers.verify_domain': {
    readonly params: { readonly provider_id: string; readonly domain: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: ProviderDomain;
  };
  /** Let the users of a domain log in in other ways again */
  readonly 'providers.remove_domain': {
    readonly params: { readonly provider_id: string; readonly domain: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: RemovedProviderDomain;
  };
  /** List the logos of the tenant */
  readonly 'branding.list_logos': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
    };
    readonly answer: { readonly items: readonly Logo[]; readonly meta: ListMeta };
  };
  /** Fetch the logos of the tenant again */
  readonly 'branding.fetch_logos': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: FetchedLogos;
  };
  /** Delete a logo */
  readonly 'branding.delete_logo': {
    readonly params: { readonly kind: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: DeletedLogo;
  };
  /** Upload a logo */
  readonly 'branding.put_logo': {
    readonly params: { readonly kind: string };
    readonly body: {
      /** The file, in base64 (RFC 4648 §4). */
      readonly image: string;
    };
    readonly query?: undefined;
    readonly answer: Logo;
  };
  /** Show a page or a mail with a look that is not saved */
  readonly 'branding.preview': {
    readonly params?: undefined;
    readonly body: {
      /** Which page; default `login`. A message takes its place. */
      readonly page?: 'login' | 'login_failed' | 'registration' | 'recovery' | 'code' | 'second_factor' | 'new_password' | 'recovery_codes' | 'consent' | 'accounts' | 'device' | 'invitation' | 'logout';
      /** A mail in place of a page: as `POST /messaging/preview` takes it, with its HTML part alone. */
      readonly message?: {
        /** What a message is for. */
        readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
        /** A language, with a script and a region if needed (BCP 47). */
        readonly locale?: string;
        /** The subject, with variables, but neither `{{code}}` nor `{{link}}`. */
        readonly subject?: string;
        /** Paragraphs with variables, separated by an empty line. A paragraph with a variable that has no value is left out. The HTML part is made of it. */
        readonly text?: string;
      };
      /** A language that there are texts in. */
      readonly locale?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
      /** Which colors; default: those of the tenant. */
      readonly color_scheme?: 'light' | 'dark';
      readonly branding?: TenantBrandingPatch;
      /** A text in place of that of the tenant, in the language of the preview. */
      readonly text?: {
        /** What the text is called. */
        readonly key: string;
        /** An ICU message, as `PUT /texts/<locale>/<key>` takes it. */
        readonly text: string;
      };
    };
    readonly query?: undefined;
    readonly answer: Preview;
  };
  /** Read all texts of a language */
  readonly 'branding.list_texts': {
    readonly params: { readonly locale: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Texts;
  };
  /** Read a text */
  readonly 'branding.get_text': {
    readonly params: { readonly locale: string; readonly key: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Text;
  };
  /** Set a text */
  readonly 'branding.put_text': {
    readonly params: { readonly locale: string; readonly key: string };
    readonly body: {
      /** An ICU message, in one line. */
      readonly text: string;
    };
    readonly query?: undefined;
    readonly answer: Text;
  };
  /** Return to the default of a text */
  readonly 'branding.delete_text': {
    readonly params: { readonly locale: string; readonly key: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** A language that there are texts in. */
      readonly locale: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
      /** What the text is called. */
      readonly key: string;
      /** The tenant has no such text any more. */
      readonly deleted: true;
    };
  };
  /** List OAuth clients */
  readonly 'clients.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly OAuthClient[]; readonly meta: ListMeta };
  };
  /** Register an OAuth client */
  readonly 'clients.create': {
    readonly params?: undefined;
    readonly body: OAuthClientRegistration;
    readonly query?: undefined;
    readonly answer: CreatedOAuthClient;
  };
  /** Read an OAuth client */
  readonly 'clients.get': {
    readonly params: { readonly client_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: OAuthClient;
  };
  /** Change an OAuth client */
  readonly 'clients.update': {
    readonly params: { readonly client_id: string };
    readonly body: OAuthClientPatch;
    readonly query?: undefined;
    readonly answer: OAuthClient;
  };
  /** Delete an OAuth client */
  readonly 'clients.delete': {
    readonly params: { readonly client_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of an OAuth client: `client_<id>`, or the https address of the document in which it says what it is. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Create a further secret */
  readonly 'clients.create_secret': {
    readonly params: { readonly client_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: CreatedClientSecret;
  };
  /** Delete a secret */
  readonly 'clients.delete_secret': {
    readonly params: { readonly client_id: string; readonly secret_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a client secret: `csec_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List what an OAuth client was told of logouts */
  readonly 'clients.list_logout_deliveries': {
    readonly params: { readonly client_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Only those in this state. */
      readonly status?: 'pending' | 'delivered' | 'failed' | 'expired';
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly LogoutDelivery[]; readonly meta: ListMeta };
  };
  /** List registration tokens */
  readonly 'clients.list_registration_tokens': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly RegistrationToken[]; readonly meta: ListMeta };
  };
  /** Create a registration token */
  readonly 'clients.create_registration_token': {
    readonly params?: undefined;
    readonly body: RegistrationTokenRequest;
    readonly query?: undefined;
    readonly answer: CreatedRegistrationToken;
  };
  /** Delete a registration token */
  readonly 'clients.delete_registration_token': {
    readonly params: { readonly token_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a registration token: `rgt_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List the streams of shared signals of an OAuth client */
  readonly 'clients.list_streams': {
    readonly params: { readonly client_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly ClientStream[]; readonly meta: ListMeta };
  };
  /** Read a stream of shared signals of an OAuth client */
  readonly 'clients.get_stream': {
    readonly params: { readonly client_id: string; readonly stream_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: ClientStream;
  };
  /** Pause, disable or enable a stream of shared signals */
  readonly 'clients.update_stream': {
    readonly params: { readonly client_id: string; readonly stream_id: string };
    readonly body: ClientStreamPatch;
    readonly query?: undefined;
    readonly answer: ClientStream;
  };
  /** Delete a stream of shared signals */
  readonly 'clients.delete_stream': {
    readonly params: { readonly client_id: string; readonly stream_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a stream of signals: `stream_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List resources */
  readonly 'resources.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly OAuthResource[]; readonly meta: ListMeta };
  };
  /** Register a resource */
  readonly 'resources.create': {
    readonly params?: undefined;
    readonly body: OAuthResourceRegistration;
    readonly query?: undefined;
    readonly answer: OAuthResource;
  };
  /** Read a resource */
  readonly 'resources.get': {
    readonly params: { readonly resource_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: OAuthResource;
  };
  /** Change a resource */
  readonly 'resources.update': {
    readonly params: { readonly resource_id: string };
    readonly body: OAuthResourcePatch;
    readonly query?: undefined;
    readonly answer: OAuthResource;
  };
  /** Delete a resource */
  readonly 'resources.delete': {
    readonly params: { readonly resource_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a resource: `res_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List the applications that one uses */
  readonly 'consents.list_own': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Consent[]; readonly meta: ListMeta };
  };
  /** Take one’s consent back */
  readonly 'consents.delete_own': {
    readonly params: { readonly consent_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a consent: `cns_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List consents */
  readonly 'consents.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Id of a user: `user:<id>`. */
      readonly user_id?: string;
      /** Id of an OAuth client: `client_<id>`, or the https address of the document in which it says what it is. */
      readonly client_id?: string;
    };
    readonly answer: { readonly items: readonly Consent[]; readonly meta: ListMeta };
  };
  /** Revoke a consent */
  readonly 'consents.delete': {
    readonly params: { readonly consent_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a consent: `cns_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** List webhooks */
  readonly 'webhooks.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Webhook[]; readonly meta: ListMeta };
  };
  /** Register an endpoint for events */
  readonly 'webhooks.create': {
    readonly params?: undefined;
    readonly body: {
      /** A public https address, or one that the operator allows. */
      readonly url: string;
      /** Event types to send. */
      readonly events: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
      /** Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is `whsec_` and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text. */
      readonly secret?: string;
    };
    readonly query?: undefined;
    readonly answer: WebhookWithSecret;
  };
  /** Read a webhook */
  readonly 'webhooks.get': {
    readonly params: { readonly webhook_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Webhook;
  };
  /** Change a webhook */
  readonly 'webhooks.update': {
    readonly params: { readonly webhook_id: string };
    readonly body: {
      /** A public https address, or one that the operator allows. */
      readonly url?: string;
      /** Required with another `url`: the present secret, or a new one. It replaces the present one without an overlap. */
      readonly secret?: string;
      /** Event types to send. */
      readonly events?: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
      /** Whether events are sent to it. */
      readonly is_active?: boolean;
    };
    readonly query?: undefined;
    readonly answer: Webhook;
  };
  /** Delete a webhook */
  readonly 'webhooks.delete': {
    readonly params: { readonly webhook_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a webhook: `wh_<id>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Rotate the secret of a webhook */
  readonly 'webhooks.rotate': {
    readonly params: { readonly webhook_id: string };
    readonly body: {
      /** Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is `whsec_` and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text. */
      readonly secret?: string;
      /** Hours that the previous secret stays valid: default 24; 0 for a leaked one. */
      readonly overlap_hours?: number;
    };
    readonly query?: undefined;
    readonly answer: WebhookWithSecret;
  };
  /** List the deliveries of a webhook */
  readonly 'webhooks.list_deliveries': {
    readonly params: { readonly webhook_id: string };
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Status of the delivery. */
      readonly status?: 'pending' | 'delivered' | 'failed';
    };
    readonly answer: { readonly items: readonly Delivery[]; readonly meta: ListMeta };
  };
  /** Send a webhook.test event to a webhook */
  readonly 'webhooks.test': {
    readonly params: { readonly webhook_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Delivery;
  };
  /** Send an event again immediately */
  readonly 'webhooks.retry_delivery': {
    readonly params: { readonly webhook_id: string; readonly delivery_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Delivery;
  };
  /** Replay all events after a given one */
  readonly 'webhooks.replay': {
    readonly params: { readonly webhook_id: string };
    readonly body: {
      /** The last event not to send again. */
      readonly after: string;
      /** With `true`, nothing is queued: the answer says what would be. */
      readonly dry_run?: boolean;
    };
    readonly query?: undefined;
    readonly answer: {
      /** Number of events queued. */
      readonly queued: number;
      /** Value of `after` for the next call; absent when all are queued. */
      readonly next_after?: string;
    };
  };
  /** List signing keys */
  readonly 'keys.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
    };
    readonly answer: { readonly items: readonly SigningKey[]; readonly meta: ListMeta };
  };
  /** Rotate the signing key of an algorithm */
  readonly 'keys.rotate': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Of the new key; default: EdDSA. */
      readonly algorithm?: 'EdDSA' | 'RS256' | 'ES256';
      /** With `true`, the new key signs immediately. */
      readonly immediately?: boolean;
    };
    readonly answer: SigningKey;
  };
  /** Retire a signing key immediately */
  readonly 'keys.retire': {
    readonly params: { readonly key_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a signing key: `key_<id>`. */
      readonly id: string;
      /** It no longer works. Its record remains. */
      readonly revoked: true;
    };
  };
  /** Follow the event log */
  readonly 'events.stream': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** The type of an event. */
      readonly type?: 'user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test';
      /** Subject of the event: the id of a user, a session, an agent … */
      readonly subject?: string;
    };
    readonly answer: unknown;
  };
  /** Read the audit log */
  readonly 'audit.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** Who did it: `user:<id>` or `service:<id>`. */
      readonly actor?: string;
      /** The user whom a delegate acted for. */
      readonly on_behalf_of?: string;
      /** What was done. */
      readonly action?: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
      /** Id or name of the target. */
      readonly target?: string;
      /** All that one request did: the `x-request-id` of its answer. In a large log, narrow it by `from` and `to`. */
      readonly request_id?: string;
      /** The outcome. */
      readonly outcome?: 'success' | 'failure' | 'denied';
      /** Entries at or after this time (RFC 3339). */
      readonly from?: string;
      /** Entries before this time (RFC 3339). */
      readonly to?: string;
    };
    readonly answer: { readonly items: readonly AuditEntry[]; readonly meta: ListMeta };
  };
  /** Read the log of one’s account */
  readonly 'audit.list_own': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: { readonly items: readonly OwnLogEntry[]; readonly meta: ListMeta };
  };
  /** List signed heads of the audit log */
  readonly 'audit.list_checkpoints': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
    };
    readonly answer: { readonly items: readonly AuditCheckpoint[]; readonly meta: ListMeta };
  };
  /** Read the activity of the tenant */
  readonly 'audit.list_activity': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Length of a span; default: `hour`. */
      readonly interval?: '5m' | 'hour' | 'day';
      /** Spans that end after this time (RFC 3339). */
      readonly from?: string;
      /** Spans that begin before this time (RFC 3339). */
      readonly to?: string;
    };
    readonly answer: {
      /** Length of a span. */
      readonly interval: '5m' | 'hour' | 'day';
      /** Beginning of the first span that the answer covers. */
      readonly from: string;
      /** What the answer covers ends here. */
      readonly to: string;
      /** The oldest first. Spans in which nothing happened are left out. */
      readonly spans: readonly ActivitySpan[];
    };
  };
  /** List tenants */
  readonly 'tenants.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
      /** Any part of the name, of the id or of a domain, case-insensitive. */
      readonly search?: string;
      /** Only active ones, or only inactive ones. */
      readonly is_active?: boolean;
    };
    readonly answer: { readonly items: readonly Tenant[]; readonly meta: ListMeta };
  };
  /** Create a tenant */
  readonly 'tenants.create': {
    readonly params?: undefined;
    readonly body: {
      /** Display name: one line. */
      readonly name: string;
      /** The id without its prefix. Default: derived from the name. */
      readonly slug?: string;
      /** Host names of the tenant; each belongs to one tenant only. */
      readonly domains?: readonly string[];
      readonly config?: TenantConfigPatch;
      readonly branding?: TenantBrandingPatch;
      readonly messaging?: TenantMessagingPatch;
    };
    readonly query?: undefined;
    readonly answer: Tenant;
  };
  /** Read a tenant */
  readonly 'tenants.get': {
    readonly params: { readonly tenant_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Tenant;
  };
  /** Count the dependents of a tenant */
  readonly 'tenants.dependents': {
    readonly params: { readonly tenant_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: TenantDependents;
  };
  /** Change a tenant */
  readonly 'tenants.update': {
    readonly params: { readonly tenant_id: string };
    readonly body: {
      /** Display name: one line. */
      readonly name?: string;
      readonly config?: TenantConfigPatch;
      readonly branding?: TenantBrandingPatch;
      readonly messaging?: TenantMessagingPatch;
      /** Host names of the tenant; each belongs to one tenant only. */
      readonly domains?: readonly string[];
      /** While inactive, every request to the tenant is answered with 403. */
      readonly is_active?: boolean;
      /** The `iss` of its tokens; null: the default. */
      readonly issuer?: string | null;
    };
    readonly query?: {
      /** With `true`, returns what would change, and changes nothing. */
      readonly dry_run?: boolean;
      /** With `true`, also if passkeys of users stop working. */
      readonly force?: boolean;
    };
    readonly answer: Tenant | TenantDryRun;
  };
  /** Delete a tenant */
  readonly 'tenants.delete': {
    readonly params: { readonly tenant_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a tenant: `org_<slug>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Read the state of the installation */
  readonly 'installation.get': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Installation;
  };
  /** List where the caller acts, in the console */
  readonly 'impersonations.list': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** All of them. */
      readonly items: readonly Impersonation[];
    };
  };
  /** Act inside a tenant, in the console */
  readonly 'impersonations.begin': {
    readonly params: { readonly tenant_id: string };
    readonly body: {
      /** Reason, kept in the audit log. */
      readonly reason: string;
    };
    readonly query?: undefined;
    readonly answer: Impersonation;
  };
  /** No longer act inside a tenant, in the console */
  readonly 'impersonations.end': {
    readonly params: { readonly tenant_id: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Id of a tenant: `org_<slug>`. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Read the text of a message */
  readonly 'messaging.get_template': {
    readonly params: { readonly kind: string; readonly locale: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: MessageTemplate;
  };
  /** Set the text of a message */
  readonly 'messaging.put_template': {
    readonly params: { readonly kind: string; readonly locale: string };
    readonly body: {
      /** The subject, with variables, but neither `{{code}}` nor `{{link}}`. */
      readonly subject: string;
      /** Paragraphs with variables, separated by an empty line. A paragraph with a variable that has no value is left out. The HTML part is made of it. */
      readonly text: string;
    };
    readonly query?: undefined;
    readonly answer: MessageTemplate;
  };
  /** Return to the text that ships with the service */
  readonly 'messaging.delete_template': {
    readonly params: { readonly kind: string; readonly locale: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** What a message is for. */
      readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
      /** A language, with a script and a region if needed (BCP 47). */
      readonly locale: string;
      /** The tenant has no such text any more. */
      readonly deleted: true;
    };
  };
  /** Show a message without sending it */
  readonly 'messaging.preview': {
    readonly params?: undefined;
    readonly body: {
      /** What a message is for. */
      readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
      /** A language, with a script and a region if needed (BCP 47). */
      readonly locale?: string;
      /** The subject, with variables, but neither `{{code}}` nor `{{link}}`. */
      readonly subject?: string;
      /** Paragraphs with variables, separated by an empty line. A paragraph with a variable that has no value is left out. The HTML part is made of it. */
      readonly text?: string;
    };
    readonly query?: undefined;
    readonly answer: {
      /** The subject. */
      readonly subject: string;
      /** The text part. */
      readonly text: string;
      /** The HTML part. */
      readonly html: string;
      /** The text message, which tenants cannot word; absent: this kind is sent by mail only. */
      readonly sms?: {
        /** The text. */
        readonly text: string;
        /** How many text messages it is billed as. */
        readonly segments: number;
      };
    };
  };
  /** Send a test message */
  readonly 'messaging.test': {
    readonly params?: undefined;
    readonly body: {
      /** An e-mail address, or a phone number in E.164 form. */
      readonly to: string;
      /** What a message is for. */
      readonly kind?: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
      /** A language, with a script and a region if needed (BCP 47). */
      readonly locale?: string;
    };
    readonly query?: undefined;
    readonly answer: {
      /** Id of a message: `msg_<id>`. */
      readonly id: string;
      /** Id of a tenant: `org_<slug>`. */
      readonly tenant_id: string;
    };
  };
  /** List messages */
  readonly 'messaging.list_messages': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** Only those in this state. */
      readonly status?: 'pending' | 'sent' | 'failed' | 'expired' | 'not_sent';
      /** Id of a user: `user:<id>`. */
      readonly user_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Message[]; readonly meta: ListMeta };
  };
  /** List addresses that are not written to */
  readonly 'messaging.list_suppressions': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: {
      /** Page number, from 1; default 1. */
      readonly page?: number;
      /** Items per page: default 20; above 100 counts as 100. */
      readonly limit?: number;
      /** `meta.next_cursor` of the previous page. */
      readonly cursor?: string;
      /** Another tenant: for system administrators only. */
      readonly tenant_id?: string;
      /** By age: `-created_at`, the default, has the newest first. */
      readonly sort?: 'created_at' | '-created_at';
    };
    readonly answer: { readonly items: readonly Suppression[]; readonly meta: ListMeta };
  };
  /** Read why an address is not written to */
  readonly 'messaging.get_suppression': {
    readonly params: { readonly suppression: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: Suppression;
  };
  /** Write to an address again */
  readonly 'messaging.delete_suppression': {
    readonly params: { readonly suppression: string };
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Identifies the address within the tenant. */
      readonly id: string;
      /** It is deleted. */
      readonly deleted: true;
    };
  };
  /** Read where mail providers report bounces */
  readonly 'messaging.get_feedback_address': {
    readonly params?: undefined;
    readonly body?: undefined;
    readonly query?: undefined;
    readonly answer: {
      /** Where reports are posted to. */
      readonly url: string;
    };
  };
  /** Report a bounce or a complaint */
  readonly 'messaging.feedback': {
    readonly params: { readonly token: string };
    readonly body: {
      /** `bounce`: the mailbox does not exist, or refuses all mail. */
      readonly type?: 'bounce' | 'complaint';
      /** Identifies the report: one with the same id is ignored. */
      readonly id?: string;
      /** The address of the mailbox. */
      readonly email?: string;
      /** When it was reported (ISO 8601). */
      readonly at?: string;
      readonly [name: string]: unknown;
    };
    readonly query?: undefined;
    readonly answer: {
      /** Number of addresses that are suppressed because of it. */
      readonly suppressed: number;
    };
  };
}
