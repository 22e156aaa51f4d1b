// Made from the contract by `npm run generate`.

import type { ApiPromise } from '../client/api-promise.ts';
import type { Listing } from '../client/listing.ts';
import type { CallOptions } from '../client/operation.ts';
import type {
  Identifier,
  LoginAnswer,
  LoginFlow,
  BegunFlow,
  FlowAnswer,
  SentMessage,
  PasskeyRequest,
  PasskeyAssertion,
  PasskeyFlowAnswer,
  UpstreamLogin,
  RecoveryFlowAnswer,
  FlowEnrollment,
  Factor,
  EnrolledFlowAnswer,
  FlowPasskeyCreation,
  PasskeyRegistration,
  EnrolledPasskeyAnswer,
  TokenAnswer,
  TokenStatus,
  LoginMethods,
  Subject,
  Action,
  Resource,
  EvaluationContext,
  Decision,
  Explanation,
  TokenAudience,
  TokenResource,
  ClientTokenAnswer,
  User,
  AgentKeySet,
  AgentTrust,
  Agent,
  UndoPasskeyRequest,
  CreatedTotp,
  RelatedOrigins,
  PasskeyCreation,
  AddedPasskey,
  DeletedFactor,
  Profile,
  Export,
  Identity,
  Session,
  Consent,
  Delegation,
  Workspace,
  OwnInvitation,
  OwnLogEntry,
  AccountExport,
  AccountDeletion,
  BegunLinking,
  DelegationPreview,
  UserProtection,
  ImportedUser,
  UserImport,
  UserDryRun,
  UserPermissions,
  CustomClaim,
  TokenPreview,
  UserDependents,
  UserDisabled,
  UserLock,
  Invitation,
  Member,
  Role,
  AgentPatch,
  AgentDryRun,
  AgentDependents,
  ApiKey,
  CreatedApiKey,
  IdentityProvider,
  PreparedIdentityProvider,
  ProviderDependents,
  BegunProviderTest,
  ProviderTest,
  ProviderDomain,
  RemovedProviderDomain,
  Logo,
  FetchedLogos,
  DeletedLogo,
  TenantBrandingPatch,
  ClientBrandingPatch,
  Preview,
  Text,
  Texts,
  OAuthClient,
  OAuthClientRegistration,
  CreatedOAuthClient,
  OAuthClientPatch,
  CreatedClientSecret,
  LogoutDelivery,
  ClientBranding,
  RegistrationToken,
  RegistrationTokenRequest,
  CreatedRegistrationToken,
  ClientStream,
  ClientStreamPatch,
  StartedTestLogin,
  OAuthResource,
  OAuthResourceRegistration,
  OAuthResourcePatch,
  TransmitterConfiguration,
  SignalStream,
  SignalStreamStatus,
  PolledSignals,
  Userinfo,
  AuthorizationResource,
  PushedRequest,
  ChallengeAnswer,
  DeviceResource,
  DeviceAuthorization,
  ClientMetadata,
  ClientInformation,
  ChangedClientMetadata,
  Introspection,
  Webhook,
  WebhookWithSecret,
  Delivery,
  SigningKey,
  Event,
  AuditEntry,
  AuditCheckpoint,
  RecordName,
  ActivitySpan,
  Tenant,
  TenantConfigPatch,
  TenantMessagingPatch,
  TenantDependents,
  TenantDryRun,
  Installation,
  ImpersonationAnswer,
  Impersonation,
  MessageTemplate,
  Message,
  Suppression,
  JsonWebKeySet,
  PolicyDecisionPointMetadata,
  AuthorizationServerMetadata,
  Health,
} from './records.ts';

export interface AuthApi {
  /**
   * Sign in with an identifier and a secret.
   *
   * The response is the same for an unknown user, a wrong secret and an inactive user. With `register`, an unknown identifier creates a user in `ws_default`. In any other workspace, an unknown identifier and a wrong secret return `NOT_FOUND`. A `device_token` from an earlier login of the user identifies a known device, so that wrong guesses by others cannot lock it out.
   *
   * `POST /api/sso/v1/auth/login`
   *
   * @throws ApiError `VALIDATION_FAILED`, `INVALID_CREDENTIALS`, `MFA_REQUIRED`, `VERIFICATION_REQUIRED`, `NEW_PASSWORD_REQUIRED`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  login(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly secret: string;
    /** Whether to create a user if the identifier is unknown. Default: false. */
    readonly register?: boolean;
    /** With `register`: name of a new user. It does not change existing users. Needed if `registration_name` is `required`. */
    readonly name?: string | null;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<LoginAnswer>;

  /**
   * Exchange a refresh token for new tokens.
   *
   * A refresh token has one successor. If you send the token again within the retry window and before the successor was used, you get the same successor. Later reuse is treated as theft and ends the session. If the session no longer meets the tenant’s requirements, the refresh token remains unused, and the session continues after you complete `flow`. IP addresses with too many failures are rate-limited.
   *
   * `POST /api/sso/v1/auth/refresh`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `REFRESH_TOKEN_REUSED`, `STEP_UP_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  refresh(body: {
    /** The most recent refresh token. */
    readonly refresh_token: string;
  }, options?: CallOptions): ApiPromise<TokenAnswer>;

  /**
   * Sign out: end the session of the access token.
   *
   * The session’s access tokens and refresh token are rejected immediately. The user’s other sessions continue.
   *
   * `POST /api/sso/v1/auth/logout`
   */
  logout(options?: CallOptions): ApiPromise<{
    /** ID of a session: `session:<id>`. */
    readonly session_id: string;
    /** Always `true`: the session has ended. */
    readonly revoked: true;
  }>;

  /**
   * Introspect a token.
   *
   * Introspects a token (RFC 7662). The response does not reveal why a token is inactive.
   *
   * `POST /api/sso/v1/auth/verify-token`
   */
  verifyToken(body: {
    /** An access token or an API key. */
    readonly token: string;
  }, options?: CallOptions): ApiPromise<TokenStatus>;

  /**
   * List the login methods of the tenant.
   *
   * For login pages. The response reveals nothing about any user.
   *
   * `GET /api/sso/v1/auth/methods`
   */
  methods(options?: CallOptions): ApiPromise<LoginMethods>;

  /**
   * Get an access token as an agent or an application.
   *
   * The OAuth 2.0 token endpoint. Accepts JSON and forms. Applications use `authorization_code`, `refresh_token`, `device_code` (RFC 8628), `token-exchange` and `jwt-bearer`. They use `token-exchange` to exchange an access token for one that another service accepts (RFC 8693), or a login for an identity assertion (ID-JAG) for another authorization server, and `jwt-bearer` with such an assertion from an identity provider. Agents use `client_credentials` with an API key or a signed assertion, `token-exchange` and `jwt-bearer` with a token from an external issuer that the agent trusts, and `token-exchange` with a user’s token or the ID of a delegation to act for a user. HTTP Basic authentication is also accepted. With a proof in the header `DPoP`, the access token is bound to the key of the proof (RFC 9449), and so is a refresh token. Unknown parameters are ignored (RFC 6749 §3.2). Agents do not get refresh tokens.
   *
   * `POST /api/sso/v1/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `GRANT_TYPE_UNSUPPORTED`, `CLIENT_UNAUTHORIZED`, `GRANT_INVALID`, `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `DEVICE_CODE_EXPIRED`, `DEVICE_DENIED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  token(body: {
    /** The grant type: `authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code`, `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `authorization_code`: the code. Can be used once, within a minute. */
    readonly code?: string;
    /** With `authorization_code`: the redirect URI of the authorization request. */
    readonly redirect_uri?: string;
    /** With `authorization_code`: the code verifier, whose hash is `code_challenge` (RFC 7636). */
    readonly code_verifier?: string;
    /** With `refresh_token`: the current refresh token. */
    readonly refresh_token?: string;
    /** With `device_code`: the device code of the login that was started on the device. */
    readonly device_code?: string;
    /** With `jwt-bearer`: a token from an external issuer (RFC 7523 §2.1), or for an application, an identity assertion. */
    readonly assertion?: string;
    /** Scopes, separated by spaces. Default: all scopes that can be granted. */
    readonly scope?: string;
    /** With `authorization_code`, `refresh_token`, and `token-exchange` by a client: a subset of the authorization details that the user granted, as a JSON array (RFC 9396 §6). Default: all of them. */
    readonly authorization_details?: string;
    /** With `token-exchange`: the token of the subject (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:ietf:params:oauth:token-type:refresh_token`, `urn:ietf:params:oauth:token-type:id-jag`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** The actor: a token of the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`. For an application, also `urn:ietf:params:oauth:token-type:id-jag`. */
    readonly requested_token_type?: string;
    readonly audience?: TokenAudience;
    readonly resource?: TokenResource;
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Get an access token as an agent or an application, at the issuer URL.
   *
   * The OAuth 2.0 token endpoint. Accepts JSON and forms. Applications use `authorization_code`, `refresh_token`, `device_code` (RFC 8628), `token-exchange` and `jwt-bearer`. They use `token-exchange` to exchange an access token for one that another service accepts (RFC 8693), or a login for an identity assertion (ID-JAG) for another authorization server, and `jwt-bearer` with such an assertion from an identity provider. Agents use `client_credentials` with an API key or a signed assertion, `token-exchange` and `jwt-bearer` with a token from an external issuer that the agent trusts, and `token-exchange` with a user’s token or the ID of a delegation to act for a user. HTTP Basic authentication is also accepted. With a proof in the header `DPoP`, the access token is bound to the key of the proof (RFC 9449), and so is a refresh token. Unknown parameters are ignored (RFC 6749 §3.2). Agents do not get refresh tokens.
   *
   * `POST /t/:tenant_id/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `GRANT_TYPE_UNSUPPORTED`, `CLIENT_UNAUTHORIZED`, `GRANT_INVALID`, `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `DEVICE_CODE_EXPIRED`, `DEVICE_DENIED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  tokenByIssuer(tenantId: string, body: {
    /** The grant type: `authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code`, `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `authorization_code`: the code. Can be used once, within a minute. */
    readonly code?: string;
    /** With `authorization_code`: the redirect URI of the authorization request. */
    readonly redirect_uri?: string;
    /** With `authorization_code`: the code verifier, whose hash is `code_challenge` (RFC 7636). */
    readonly code_verifier?: string;
    /** With `refresh_token`: the current refresh token. */
    readonly refresh_token?: string;
    /** With `device_code`: the device code of the login that was started on the device. */
    readonly device_code?: string;
    /** With `jwt-bearer`: a token from an external issuer (RFC 7523 §2.1), or for an application, an identity assertion. */
    readonly assertion?: string;
    /** Scopes, separated by spaces. Default: all scopes that can be granted. */
    readonly scope?: string;
    /** With `authorization_code`, `refresh_token`, and `token-exchange` by a client: a subset of the authorization details that the user granted, as a JSON array (RFC 9396 §6). Default: all of them. */
    readonly authorization_details?: string;
    /** With `token-exchange`: the token of the subject (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:ietf:params:oauth:token-type:refresh_token`, `urn:ietf:params:oauth:token-type:id-jag`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** The actor: a token of the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`. For an application, also `urn:ietf:params:oauth:token-type:id-jag`. */
    readonly requested_token_type?: string;
    readonly audience?: TokenAudience;
    readonly resource?: TokenResource;
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Impersonate inside a tenant as a system administrator.
   *
   * Returns a token that is valid only in that tenant, for at most 15 minutes. Its `act` claim identifies the administrator. Routes that require a recent login require a recent login of the administrator in their own tenant; to renew it, the administrator signs in and impersonates again. Each impersonation is recorded with its reason.
   *
   * `POST /api/sso/v1/auth/impersonate`
   *
   * @throws ApiError `NOT_FOUND`, `TENANT_INACTIVE`, `TOKEN_FOR_BROWSER_REFUSED`
   */
  impersonate(body: {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Reason, recorded in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<ImpersonationAnswer>;
}

export interface FlowsApi {
  /**
   * Start a login flow.
   *
   * Starts a login in steps. The response is the same for known and unknown identifiers. A flow ends after 15 minutes. More than 20 flows with the same identifier from the same network or known device end the oldest one. Without `identifier`, the flow needs a passkey, which identifies the user. With `continue` instead of `identifier`, the token of a link that was opened elsewhere, the flow needs the code from the same message. With the purpose `invitation` and the token of an invitation instead of `identifier`, the flow accepts the invitation; starting it changes nothing. With `device_token` from an earlier login of the user, all steps of the flow count as coming from a known device, without sending the token again. The response does not depend on whether the token belongs to the user.
   *
   * `POST /api/sso/v1/auth/flows`
   *
   * @throws ApiError `VALIDATION_FAILED`, `FLOW_ENDED`, `TOO_MANY_ATTEMPTS`
   */
  begin(body: {
    /** `login` (default) opens a session. `recovery` is for users who have forgotten their password: a message to the identifier, the second factor if the user has one, and a new password open a session. `invitation` is for people with the token of an invitation: new users set a password, add a passkey, enter the code from a message or return from a provider, and existing users sign in. The session accepts the invitation. */
    readonly purpose?: 'login' | 'recovery' | 'invitation';
    /** An email address, or a phone number in E.164 format. */
    readonly identifier?: string;
    /** The token from a link in a message. */
    readonly continue?: string;
    /** The token of an invitation, from the link in its message. */
    readonly token?: string;
    /** Whether an unknown identifier becomes a user after its message is confirmed. Default: false. */
    readonly register?: boolean;
    /** Name of the user whom the flow creates. It does not change existing users. Default: the name in the invitation, if there is one. Needed if `registration_name` is `required` and the flow can register `identifier` or accepts an invitation. */
    readonly name?: string | null;
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** Minimum assurance of the session. With `aal2`, a user without a second factor adds one in the flow. With `phr`, a user without a passkey adds one. */
    readonly acr?: 'aal1' | 'aal2' | 'phr';
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<BegunFlow>;

  /**
   * Get a login flow.
   *
   * Send the secret of the flow in the header X-Flow-Token.
   *
   * `GET /api/sso/v1/auth/flows/:flow_id`
   *
   * @throws ApiError `FLOW_ENDED`
   */
  get(flowId: string, options?: CallOptions): ApiPromise<{
    readonly flow: LoginFlow;
  }>;

  /**
   * Prove the password in a flow.
   *
   * The limits on login attempts apply. If the flow needs no more steps, it is complete, and the response contains the tokens.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/password`
   *
   * @throws ApiError `VALIDATION_FAILED`, `STEP_NOT_NEEDED`, `FLOW_ENDED`, `INVALID_CREDENTIALS`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  password(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly secret: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Send a code and a link for a flow.
   *
   * Sends a message to the identifier of the flow: by email, or by SMS and without a link to a phone number that the user has verified. As a second factor, if the tenant accepts codes as second factors (`mfa_methods`), sends only a code, to a verified identifier of the user. The response is the same whether or not a user has the identifier. If you request the message again, it repeats the code and the link. Both are valid for 10 minutes.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/message`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`
   */
  message(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** Delivery channel. Default: depends on the identifier. */
    readonly channel?: 'email' | 'sms';
  }, options?: CallOptions): ApiPromise<SentMessage>;

  /**
   * Prove the code of a message in a flow.
   *
   * A flow and the link of its message end after five wrong codes; another message does not allow more. A recipient can receive 20 attempts per hour across all flows. A user who proves an unverified identifier takes over its account: the password, factors, other identifiers, sessions and delegations of the user who registered it are removed.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/code`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  code(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly code: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Prove the link of a message in a flow.
   *
   * Only the flow that requested the message can use its link. Any other flow gets `LINK_ELSEWHERE`, and the link remains unused. A link can be used once.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/link`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `LINK_ELSEWHERE`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  link(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The token from a link in a message. */
    readonly link_token: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Set a new password in a flow.
   *
   * Sets the password in a recovery, after the message and the second factor. All sessions of the user end, and their verified identifiers are notified. With an invitation, creates the invited person’s account. An account that was registered with the email address but not verified is transferred to that person (`user.reclaimed`).
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/new-password`
   *
   * @throws ApiError `VALIDATION_FAILED`, `STEP_NOT_NEEDED`, `FLOW_ENDED`, `NOT_FOUND`, `TOO_BUSY`
   */
  newPassword(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly secret: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Prove an authenticator app in a flow.
   *
   * Each code is accepted once. A flow ends after five wrong codes. A user can try 20 codes per hour, counted separately for each known device. After 100 wrong codes in a row, the factor is suspended until the user uses another factor; a known device can try another 100.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/totp`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  totp(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The current code of the authenticator app. */
    readonly code: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Get the options for a passkey in a flow.
   *
   * For `navigator.credentials.get()`. The challenge can be used once, within five minutes, and a new one replaces it. A flow issues at most 20.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/passkey/options`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`
   */
  passkeyOptions(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<PasskeyRequest>;

  /**
   * Prove a passkey in a flow.
   *
   * A passkey counts as two factors (`acr` is `phr`). As the first proof, it identifies the user: the flow can start without an identifier. If the flow has an identifier, the passkey must belong to that user. The challenge is used up in any case.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/passkey`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `PASSKEY_REFUSED`, `NOT_FOUND`
   */
  passkey(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    readonly credential: PasskeyAssertion;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<PasskeyFlowAnswer>;

  /**
   * Start a login at an identity provider.
   *
   * Send the browser to `authorize_url`. Within ten minutes, it returns to `return_url` with `handoff` or `error`. `error` is `access_denied` if the user declined, otherwise `provider_refused`. A new request replaces this one. A flow can have 20 such requests.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/oauth`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`
   */
  oauth(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** ID of the provider. */
    readonly provider: string;
    /** One of the tenant’s `return_urls`, exactly as configured. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<UpstreamLogin>;

  /**
   * Prove a login at an identity provider in a flow.
   *
   * The handoff is accepted once, within 60 seconds, and only in the flow that started the login. Users are found by the provider and their subject there, never by an email address. In a flow with `register`, an unknown identity registers a user. If the identity has the verified email address of an existing user, the flow’s purpose becomes `linking`, and the flow needs proof of that account. A flow that started with an identifier accepts only an identity of its user.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/oauth/finish`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `PROVIDER_REFUSED`, `INVALID_CREDENTIALS`, `IDENTIFIER_TAKEN`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  finishOauth(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The parameter `handoff` of the URL that the browser returned to. */
    readonly handoff: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Prove a recovery code in a flow.
   *
   * Uses up the recovery code and returns a new code that replaces it. A flow ends after five wrong codes. A user can try 20 codes per hour, counted separately for each known device. After 100 wrong codes in a row, the factor is suspended until the user uses another factor; a known device can try another 100.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/recovery-code`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  recoveryCode(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** A recovery code: 24 characters. Hyphens and case are ignored. */
    readonly code: string;
  }, options?: CallOptions): ApiPromise<RecoveryFlowAnswer>;

  /**
   * Get the key for an authenticator app in a flow.
   *
   * Returns a key for a flow that needs `enroll`: the tenant requires a second factor, and the user has none. The key is derived from the flow. It is stored only after you confirm it with a code from the app.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enroll/totp`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`
   */
  enrollTotp(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<FlowEnrollment>;

  /**
   * Confirm an authenticator app in a flow.
   *
   * The code proves the new factor. The flow is complete, and the response contains the tokens and the recovery codes. Every later login of the user requires a second factor.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enroll/totp/confirm`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  confirmTotp(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The current code of the authenticator app. */
    readonly code: string;
    /** Display name, on a single line. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<EnrolledFlowAnswer>;

  /**
   * Get the options for a new passkey in a flow.
   *
   * For a flow that needs `enroll`, like `…/enroll/totp`, or for the first login of a new user with an invitation.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enroll/passkey/options`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`
   */
  enrollPasskeyOptions(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<FlowPasskeyCreation>;

  /**
   * Add a passkey in a flow.
   *
   * Adds the passkey without any other proof. The flow is complete, and the response contains the tokens. If this is the user’s first factor, it also contains recovery codes.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enroll/passkey`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `PASSKEY_REFUSED`, `NOT_FOUND`
   */
  enrollPasskey(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    readonly credential: PasskeyRegistration;
    /** Display name, on a single line. Default: the name of the authenticator if it is well known. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<EnrolledPasskeyAnswer>;

  /**
   * End a login flow.
   *
   * Has no effect on a flow that is complete or has ended.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/cancel`
   *
   * @throws ApiError `FLOW_ENDED`
   */
  cancel(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<{
    readonly flow: LoginFlow;
  }>;

  /**
   * Get the tokens of a completed flow again.
   *
   * For clients that lost the response to the last step. Returns the same tokens for refresh_retry_window seconds after the flow was completed, until the refresh token is used or the session ends. Afterward, and for a flow that is not complete, fails with `FLOW_ENDED`.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/tokens`
   *
   * @throws ApiError `FLOW_ENDED`
   */
  tokens(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;
}

export interface AccessApi {
  /**
   * Evaluate whether a subject is allowed to do something.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller can evaluate itself, or a token that it has. Other subjects require `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied in the same way as a subject without permissions. With `workspace_id`, a user must be a member of the workspace or hold `*:*`, and an agent must belong to it. For an agent that acts for a user, both conditions apply. All users are members of `ws_default`.
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
   * Evaluate whether a subject is allowed to do something, at the issuer URL.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller can evaluate itself, or a token that it has. Other subjects require `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied in the same way as a subject without permissions. With `workspace_id`, a user must be a member of the workspace or hold `*:*`, and an agent must belong to it. For an agent that acts for a user, both conditions apply. All users are members of `ws_default`.
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
   * Evaluate up to 100 requests.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` at the top level are defaults for each entry in `evaluations`. Each decision equals that of a single evaluation. An invalid evaluation is denied with the reason in `context.error`, and the others are still decided. Without `evaluations`, the request is a single evaluation.
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
    /** The evaluations. Decisions are returned in the same order. An invalid evaluation is denied. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are processed (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all` (default) returns all decisions. The others stop after the first denied or permitted decision. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in the order of the evaluations. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Evaluate up to 100 requests, at the issuer URL.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` at the top level are defaults for each entry in `evaluations`. Each decision equals that of a single evaluation. An invalid evaluation is denied with the reason in `context.error`, and the others are still decided. Without `evaluations`, the request is a single evaluation.
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
    /** The evaluations. Decisions are returned in the same order. An invalid evaluation is denied. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are processed (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all` (default) returns all decisions. The others stop after the first denied or permitted decision. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in the order of the evaluations. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Explain why a subject is or is not allowed to do something.
   *
   * Returns whether the subject holds all of the scopes, with the same decision as `POST /access/v1/evaluation`, and why. It names the role, agent, key or delegation that grants each scope, what denies access, and which change removed a scope, who made it and when. Requires the scopes to read what the response shows: `read:users` and `read:roles` for a user, `read:sessions` for a session’s token, `read:agents` and `read:apikeys` for an agent.
   *
   * `POST /api/sso/v1/explain`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  explain(body: {
    /** The subject’s access token or API key. */
    readonly token?: string;
    /** ID of a user or an agent: `user:<id>` or `service:<id>`. */
    readonly subject?: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** One scope, or up to 32 scopes separated by spaces. All of them are required. */
    readonly scope: string;
  }, options?: CallOptions): ApiPromise<Explanation>;
}

export interface MeApi {
  /**
   * Get the caller.
   *
   * Returns the user, or the agent if you use an agent’s own token or key.
   *
   * `GET /api/sso/v1/me`
   *
   * @throws ApiError `TOKEN_INVALID`, `IMPERSONATION_REFUSED`
   */
  get(options?: CallOptions): ApiPromise<User | Agent>;

  /**
   * Get the caller’s permissions.
   *
   * Returns the roles and scopes of the token or key that you send. In the console, returns the user’s current roles and scopes.
   *
   * `GET /api/sso/v1/me/permissions`
   */
  permissions(options?: CallOptions): ApiPromise<{
    /** Roles of the caller. */
    readonly roles: readonly string[];
    /** Scopes of the form `action:resource`. Either part can be `*`. */
    readonly scopes: readonly string[];
    /** Display name of the tenant. */
    readonly tenant_name: string;
  }>;

  /**
   * Update the caller’s name, picture, user_metadata or password.
   *
   * A new password requires `current_password`, and for users with a second factor, a recent login with it. It ends all other sessions of the user.
   *
   * `PATCH /api/sso/v1/me`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `CURRENT_PASSWORD_WRONG`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  update(body: {
    /** Name of the user; `null` if it is not set. */
    readonly name?: string | null;
    /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
    readonly picture?: string | null;
    /** Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep. */
    readonly user_metadata?: {
      readonly [name: string]: unknown;
    };
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password?: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly current_password?: string;
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Start a step-up of the session.
   *
   * Call this after `STEP_UP_REQUIRED` (RFC 9470) to make the login stronger or more recent. The user proves every factor again, in the steps of a login. The same session then continues with new tokens, and the previous refresh token is rejected.
   *
   * `POST /api/sso/v1/me/step-up`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  stepUp(body: {
    /** Minimum assurance of the session. With `aal2`, a user without a second factor adds one in the flow. With `phr`, a user without a passkey adds one. */
    readonly acr?: 'aal1' | 'aal2' | 'phr';
  }, options?: CallOptions): ApiPromise<BegunFlow>;

  /**
   * Get the caller’s profile.
   *
   * Returns the user’s name and picture, and the member `locale` of `user_metadata` if it is valid.
   *
   * `GET /api/sso/v1/me/profile`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  getProfile(options?: CallOptions): ApiPromise<Profile>;

  /**
   * Update the caller’s profile.
   *
   * Only the fields that you send are changed; other members of `user_metadata` are not affected. `null` removes a value.
   *
   * `PATCH /api/sso/v1/me/profile`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`
   */
  updateProfile(body: {
    /** Name of the user; `null` if it is not set. */
    readonly name?: string | null;
    /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
    readonly picture?: string | null;
    /** Language of messages to the user; `null` for the tenant’s language. */
    readonly locale?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar' | null;
  }, options?: CallOptions): ApiPromise<Profile>;

  /**
   * Request a copy of the caller’s data.
   *
   * Creates the copy in the background. It is available for 24 hours and replaces the previous copy. If the last request was less than an hour ago, returns that copy instead.
   *
   * `POST /api/sso/v1/me/export`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`
   */
  requestExport(options?: CallOptions): ApiPromise<Export>;

  /**
   * Get the state of the copy of the caller’s data.
   *
   * Returns the state of the last requested copy until the copy expires.
   *
   * `GET /api/sso/v1/me/export`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getExport(options?: CallOptions): ApiPromise<Export>;

  /**
   * Get the copy of the caller’s data.
   *
   * Only the user can read it, after a recent login. Agents, applications and administrators cannot. Returns 404 if the copy is not ready.
   *
   * `GET /api/sso/v1/me/export/content`
   *
   * @throws ApiError `STEP_UP_REQUIRED`, `NOT_FOUND`
   */
  readExport(options?: CallOptions): ApiPromise<AccountExport>;

  /**
   * Preview the deletion of the caller’s account.
   *
   * Returns what would end with the account: the number of each type, and the newest 20. Changes nothing.
   *
   * `GET /api/sso/v1/me/deletion`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  previewDeletion(options?: CallOptions): ApiPromise<AccountDeletion>;

  /**
   * Delete the caller’s account.
   *
   * Irreversible. Requires the tenant setting `allow_account_deletion`. All sessions end immediately, and delegations, consents and memberships are deleted. Agents that the user owns become inactive, and their keys and delegations are revoked. The verified email addresses are notified.
   *
   * `POST /api/sso/v1/me/deletion`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `ACCOUNT_DELETION_OFF`, `LAST_ADMINISTRATOR`
   */
  delete(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Upload the caller’s picture.
   *
   * Replaces the picture. `picture` is then a URL of the service. Accepts PNG, JPEG and WebP without animation, at most 256 KiB and 2048 pixels on each side. Metadata, such as the place of a photo, is removed.
   *
   * `PUT /api/sso/v1/me/picture`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `PRINCIPAL_PROTECTED`, `SCOPE_NOT_HELD`
   */
  putPicture(body: {
    /** The file, in base64 (RFC 4648 §4). */
    readonly image: string;
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Delete the caller’s picture.
   *
   * Deletes the image and sets `picture` to `null`.
   *
   * `DELETE /api/sso/v1/me/picture`
   *
   * @throws ApiError `NOT_FOUND`, `PRINCIPAL_PROTECTED`, `SCOPE_NOT_HELD`
   */
  deletePicture(options?: CallOptions): ApiPromise<User>;
}

export interface IdentifiersApi {
  /**
   * List the caller’s identifiers.
   *
   * Returns the caller’s email addresses and phone numbers, and whether each is verified.
   *
   * `GET /api/sso/v1/me/identifiers`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  list(options?: CallOptions): ApiPromise<{
    /** Identifiers that the user can sign in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Send a code to an email address or a phone number.
   *
   * Adds the identifier, or verifies an existing one. Nothing changes until you confirm the code. The response does not depend on whether another user has the identifier.
   *
   * `POST /api/sso/v1/me/identifiers`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `METHOD_NOT_READY`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`
   */
  send(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
  }, options?: CallOptions): ApiPromise<{
    /** The recipient’s email address or phone number, masked. */
    readonly sent_to: string;
    /** Seconds until another message can be sent. */
    readonly resend_after: number;
  }>;

  /**
   * Confirm the code for an email address or a phone number.
   *
   * If the identifier is new, the identifiers that were already verified are notified. A message becomes invalid after five wrong codes, and 20 codes per hour can be tried for one identifier.
   *
   * `POST /api/sso/v1/me/identifiers/verification`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `CODE_WRONG`, `IDENTIFIER_TAKEN`, `TOO_MANY_ATTEMPTS`
   */
  verify(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly code: string;
  }, options?: CallOptions): ApiPromise<{
    /** Identifiers that the user can sign in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Make an identifier the primary one.
   *
   * Moves a verified identifier to the first position in the user record. Applications get the first identifier of each type. The verified identifiers are notified.
   *
   * `PUT /api/sso/v1/me/identifiers/:identifier/primary`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `IDENTIFIER_UNVERIFIED`
   */
  makePrimary(identifier: string, options?: CallOptions): ApiPromise<{
    /** Identifiers that the user can sign in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Remove an identifier.
   *
   * The verified identifiers are notified, including the removed one. You cannot remove the last identifier or the last verified identifier.
   *
   * `DELETE /api/sso/v1/me/identifiers/:identifier`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `LAST_IDENTIFIER`
   */
  delete(identifier: string, options?: CallOptions): ApiPromise<{
    /** Identifiers that the user can sign in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Undo changes of a user’s identifiers.
   *
   * Requires the token of a message to an identifier that was verified before the change. The identifiers are restored to their state prior to the first change that this identifier was notified of within 7 days, except those that belong to another user now. If the account had a password or a factor before, you must prove one of them: `password`, `code` of an authenticator app, or `credential` of a passkey, even if the tenant does not allow logins with it. A change cannot be undone after the user has signed in, following the removal of the identifier, with something that the account had before, or in any way if it had nothing. All sessions of the user end, and all other tokens of such messages become invalid. Passwords, factors and roles do not change, and no session is opened.
   *
   * `POST /api/sso/v1/auth/identifiers/undo`
   *
   * @throws ApiError `FLOW_ENDED`, `PROOF_REQUIRED`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  undo(body: {
    /** The token from a message about a change of identifiers. */
    readonly undo_token: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password?: string;
    /** The current code of the authenticator app. */
    readonly code?: string;
    readonly credential?: PasskeyAssertion;
  }, options?: CallOptions): ApiPromise<{
    /** The identifiers are restored. */
    readonly restored: true;
  }>;

  /**
   * Get passkey options for undoing changes.
   *
   * For `navigator.credentials.get()`, valid for ten minutes. The options do not list passkeys. Fails with `STEP_NOT_NEEDED` if no passkey that predates the change is left.
   *
   * `POST /api/sso/v1/auth/identifiers/undo/passkey`
   *
   * @throws ApiError `FLOW_ENDED`, `STEP_NOT_NEEDED`, `TOO_MANY_ATTEMPTS`
   */
  undoPasskeyOptions(body: {
    /** The token from a message about a change of identifiers. */
    readonly undo_token: string;
  }, options?: CallOptions): ApiPromise<UndoPasskeyRequest>;
}

export interface FactorsApi {
  /**
   * List the caller’s second factors.
   *
   * Oldest first. Includes factors that are not confirmed yet.
   *
   * `GET /api/sso/v1/me/factors`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Factor>;

  /**
   * Add an authenticator app.
   *
   * Returns the key for the app. The key is not shown again. The factor has no effect until you confirm it with a code from the app; if you do not, it is deleted after an hour.
   *
   * `POST /api/sso/v1/me/factors/totp`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`
   */
  addTotp(body: {
    /** Display name, on a single line. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<CreatedTotp>;

  /**
   * Confirm an authenticator app.
   *
   * Confirms the factor. Every later login of the user requires a second factor. If this is the user’s first factor, the response also contains recovery codes.
   *
   * `POST /api/sso/v1/me/factors/totp/:factor_id/confirm`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `CODE_WRONG`, `TOO_MANY_ATTEMPTS`
   */
  confirmTotp(factorId: string, body: {
    /** The current code of the authenticator app. */
    readonly code: string;
  }, options?: CallOptions): ApiPromise<{
    readonly factor: Factor;
    /** Recovery codes; `null` if the user already has some. */
    readonly recovery_codes: readonly string[] | null;
  }>;

  /**
   * Get the options for a new passkey.
   *
   * For `navigator.credentials.create()`. The options can be used once, within ten minutes.
   *
   * `POST /api/sso/v1/me/factors/passkeys/options`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`, `METHOD_NOT_READY`
   */
  passkeyOptions(options?: CallOptions): ApiPromise<PasskeyCreation>;

  /**
   * Add a passkey.
   *
   * Every later login of the user requires a second factor, or just a passkey. If this is the user’s first factor, the response also contains recovery codes.
   *
   * `POST /api/sso/v1/me/factors/passkeys`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`, `METHOD_NOT_READY`, `PASSKEY_REFUSED`
   */
  addPasskey(body: {
    readonly credential: PasskeyRegistration;
    /** Display name, on a single line. Default: the name of the authenticator if it is well known. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<AddedPasskey>;

  /**
   * Get a second factor.
   *
   * Returns one of the caller’s factors. Its secrets are never shown.
   *
   * `GET /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(factorId: string, options?: CallOptions): ApiPromise<Factor>;

  /**
   * Rename a second factor.
   *
   * Changes only the display name.
   *
   * `PATCH /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`
   */
  update(factorId: string, body: {
    /** Display name, on a single line. */
    readonly name: string;
  }, options?: CallOptions): ApiPromise<Factor>;

  /**
   * Remove a second factor.
   *
   * Removing the last authenticator also removes the recovery codes. You cannot remove the last factor while the tenant requires one, or a passkey that is the user’s only way to sign in.
   *
   * `DELETE /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `FACTOR_REQUIRED`, `LAST_LOGIN_METHOD`
   */
  delete(factorId: string, options?: CallOptions): ApiPromise<DeletedFactor>;

  /**
   * Replace the recovery codes.
   *
   * Returns new recovery codes. The previous ones no longer work.
   *
   * `POST /api/sso/v1/me/factors/recovery-codes`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `FACTOR_MISSING`
   */
  createRecoveryCodes(options?: CallOptions): ApiPromise<{
    readonly factor: Factor;
    /** Ten recovery codes, shown only in this response. */
    readonly recovery_codes: readonly string[];
  }>;
}

export interface PasskeysApi {
  /**
   * List origins that can use the tenant’s passkeys.
   *
   * If a page on another domain wants to use a passkey, browsers send this request to the domain that the passkeys are bound to (WebAuthn Level 3 §5.11).
   *
   * `GET /.well-known/webauthn`
   */
  relatedOrigins(options?: CallOptions): ApiPromise<RelatedOrigins>;
}

export interface IdentitiesApi {
  /**
   * List the caller’s identities at providers.
   *
   * Lists the identities that the caller can sign in with, at most one per provider.
   *
   * `GET /api/sso/v1/me/identities`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Identity>;

  /**
   * Start linking an identity at a provider.
   *
   * As in a login, send the browser to `authorize_url`. It returns to `return_url` with `handoff` or `error`. `return_url` is one of the tenant’s `return_urls`, or `account?section=security` at the issuer. A new request replaces this one.
   *
   * `POST /api/sso/v1/me/identities`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`, `METHOD_NOT_READY`, `TOO_MANY_ATTEMPTS`
   */
  begin(body: {
    /** ID of the provider. */
    readonly provider: string;
    /** One of the tenant’s `return_urls`, exactly as configured. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<BegunLinking>;

  /**
   * Link an identity at a provider.
   *
   * The handoff is accepted once, within 60 seconds, and only from the user who started linking. The user can then sign in with the identity, regardless of its email address.
   *
   * `POST /api/sso/v1/me/identities/finish`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `PROVIDER_REFUSED`, `IDENTITY_TAKEN`
   */
  finish(body: {
    /** The parameter `handoff` of the URL that the browser returned to. */
    readonly handoff: string;
  }, options?: CallOptions): ApiPromise<Identity>;

  /**
   * Unlink one of the caller’s identities at a provider.
   *
   * You cannot remove the last way to sign in.
   *
   * `DELETE /api/sso/v1/me/identities/:provider_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `LAST_LOGIN_METHOD`
   */
  delete(providerId: string, options?: CallOptions): ApiPromise<{
    /** ID of an identity provider: `idp_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface WorkspacesApi {
  /**
   * List the caller’s workspaces.
   *
   * Returns the default workspace, which all users are members of, and the workspaces that the caller was added to.
   *
   * `GET /api/sso/v1/me/workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listOwn(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Workspace>;

  /**
   * Leave a workspace.
   *
   * You cannot leave the default workspace. Sessions in the workspace continue until they expire.
   *
   * `DELETE /api/sso/v1/me/workspaces/:workspace_id`
   *
   * @throws ApiError `NOT_FOUND`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  leave(workspaceId: string, options?: CallOptions): ApiPromise<{
    /** ID of a workspace: `ws_<slug>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * List workspaces.
   *
   * Newest first.
   *
   * `GET /api/sso/v1/workspaces`, scope `read:workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Workspace>;

  /**
   * Create a workspace.
   *
   * Creates an active workspace without members.
   *
   * `POST /api/sso/v1/workspaces`, scope `write:workspaces`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SLUG_TAKEN`
   */
  create(body: {
    /** Display name, on a single line. */
    readonly name: string;
    /** The ID without its prefix. Default: derived from the name. */
    readonly slug?: string;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Get a workspace.
   *
   * Returns the workspace. Its members are listed separately.
   *
   * `GET /api/sso/v1/workspaces/:workspace_id`, scope `read:workspaces`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(workspaceId: string, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Update a workspace.
   *
   * Users cannot sign in to an inactive workspace. If a member of the workspace holds permissions that you do not hold, you can rename it but not change `is_active`.
   *
   * `PATCH /api/sso/v1/workspaces/:workspace_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  update(workspaceId: string, body: {
    /** Display name, on a single line. */
    readonly name?: string;
    /** Whether the workspace is active. Users cannot sign in to an inactive workspace. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Delete a workspace.
   *
   * A workspace that is in use is not deleted, and the error lists what uses it. With `force=true`, its members leave it, its sessions end, and its agents become inactive and move to `ws_default`. You cannot delete a workspace if one of its members holds permissions that you do not hold.
   *
   * `DELETE /api/sso/v1/workspaces/:workspace_id`, scope `delete:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  delete(workspaceId: string, query?: {
    /** With `true`, deletes the workspace even if it is in use. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a workspace: `ws_<slug>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
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
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Member>;

  /**
   * Add a user to a workspace.
   *
   * Adding a member again changes nothing. You cannot add a user who holds permissions that you do not hold.
   *
   * `PUT /api/sso/v1/workspaces/:workspace_id/members/:user_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  addMember(workspaceId: string, userId: string, options?: CallOptions): ApiPromise<Member>;

  /**
   * Remove a user from a workspace.
   *
   * You cannot remove a user who holds permissions that you do not hold. A user cannot leave `ws_default`.
   *
   * `DELETE /api/sso/v1/workspaces/:workspace_id/members/:user_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  removeMember(workspaceId: string, userId: string, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface InvitationsApi {
  /**
   * List the caller’s pending invitations.
   *
   * Pending invitations to the caller’s verified email addresses, newest first, at most 100.
   *
   * `GET /api/sso/v1/me/invitations`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listOwn(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<OwnInvitation>;

  /**
   * Accept an invitation.
   *
   * Has the same effect as the token in the invitation’s message: the user receives the roles and joins the workspaces, if the inviter is still allowed to grant them. Returns 404 if the invitation cannot be accepted. To get a token with the new roles, refresh. If the tenant requires a second factor for a role, the user must sign in with one.
   *
   * `POST /api/sso/v1/me/invitations/:invitation_id/accept`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`, `STEP_UP_REQUIRED`
   */
  accept(invitationId: string, options?: CallOptions): ApiPromise<OwnInvitation>;

  /**
   * Decline an invitation.
   *
   * The invitation becomes revoked. The inviter is not notified.
   *
   * `DELETE /api/sso/v1/me/invitations/:invitation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  decline(invitationId: string, options?: CallOptions): ApiPromise<{
    /** ID of an invitation: `inv_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Invite a person.
   *
   * Sends a message with a token to an email address. The response is the same whether or not a user has the email address. You cannot grant roles with scopes that you do not hold. Workspaces require `write:workspaces`. Both are checked again when the invitation is accepted, against the inviter’s permissions at that time.
   *
   * `POST /api/sso/v1/invitations`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `METHOD_NOT_READY`, `ROLE_UNKNOWN`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `TOO_MANY_INVITATIONS`, `TOO_MANY_MESSAGES`
   */
  create(body: {
    /** Email address that the invitation is sent to. */
    readonly identifier: string;
    /** Name of the person. New users can change it before they join. It does not change existing users. */
    readonly name?: string | null;
    /** Application to open after the person has joined on the pages of the service. It needs an `initiate_login_uri` or a `client_uri`. Default: the account page. */
    readonly client_id?: string | null;
    /** Roles to assign. Default: `member`. */
    readonly roles?: readonly string[];
    /** Workspaces to join, in addition to the default workspace. */
    readonly workspaces?: readonly string[];
    /** Lifetime in days. Default: 7. */
    readonly expires_in_days?: number;
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
  }, options?: CallOptions): ApiPromise<Invitation>;

  /**
   * List invitations.
   *
   * Newest first. Invitations are kept until 30 days after they expire.
   *
   * `GET /api/sso/v1/invitations`, scope `read:users`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** An email address, or a phone number in E.164 format. */
    readonly identifier?: string;
    /** Only invitations in this state. */
    readonly status?: 'pending' | 'accepted' | 'revoked' | 'expired';
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Invitation>;

  /**
   * Get an invitation.
   *
   * Returns the invitation without its token. Only the invitation’s message contains the token.
   *
   * `GET /api/sso/v1/invitations/:invitation_id`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(invitationId: string, options?: CallOptions): ApiPromise<Invitation>;

  /**
   * Revoke an invitation.
   *
   * The invitation can no longer be accepted. Returns 404 if it is not pending.
   *
   * `DELETE /api/sso/v1/invitations/:invitation_id`, scope `delete:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(invitationId: string, options?: CallOptions): ApiPromise<{
    /** ID of an invitation: `inv_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record is kept. */
    readonly revoked: true;
  }>;

  /**
   * Resend an invitation.
   *
   * Sends the message again, with the same token and expiry. Returns 404 if the invitation is not pending. Rejected within 30 seconds of the previous message.
   *
   * `POST /api/sso/v1/invitations/:invitation_id/resend`, scope `write:users`
   *
   * @throws ApiError `NOT_FOUND`, `METHOD_NOT_READY`, `TOO_MANY_MESSAGES`
   */
  resend(invitationId: string, options?: CallOptions): ApiPromise<Invitation>;
}

export interface DelegationsApi {
  /**
   * List the caller’s delegations.
   *
   * Delegations that the caller gave and has not revoked, newest first.
   *
   * `GET /api/sso/v1/me/delegations`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Delegation>;

  /**
   * Delegate to an agent.
   *
   * The agent can then use token exchange to get tokens that act for the user. Each token is valid for 15 minutes and has the scopes that the user, the agent and the delegation have in common. A new delegation to the same agent replaces the previous one.
   *
   * `POST /api/sso/v1/me/delegations`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `VALIDATION_FAILED`
   */
  create(body: {
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Scopes to delegate. The user must hold them. */
    readonly scopes: readonly string[];
    /** Lifetime in days. Default: 90. */
    readonly expires_in_days?: number;
  }, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Get one of the caller’s delegations.
   *
   * A delegation that the caller gave.
   *
   * `GET /api/sso/v1/me/delegations/:delegation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(delegationId: string, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Preview a delegation to an agent.
   *
   * Returns the agent, and which of the requested scopes both the agent and the user hold. Returns 404 if there are none. The account page calls this route before it asks the user to approve the agent.
   *
   * `GET /api/sso/v1/me/agents/:agent_id`
   *
   * @throws ApiError `NOT_FOUND`, `VALIDATION_FAILED`
   */
  preview(agentId: string, query: {
    /** One scope, or up to 32 scopes separated by spaces. All of them are required. */
    readonly scope: string;
  }, options?: CallOptions): ApiPromise<DelegationPreview>;

  /**
   * Revoke a delegation.
   *
   * Tokens issued under the delegation are rejected immediately.
   *
   * `DELETE /api/sso/v1/me/delegations/:delegation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(delegationId: string, options?: CallOptions): ApiPromise<{
    /** ID of a delegation: `dlg_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface UsersApi {
  /**
   * List users.
   *
   * Newest first by default. If you send several filters, all of them must match. In a tenant with more than 10,000 users, a page can have fewer users than `limit`, or none, although there is a `next_cursor`: reading stops after some thousand users that do not match. Continue with the cursor; a page number would skip users.
   *
   * `GET /api/sso/v1/users`, scope `read:users`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order: by age, first identifier, name or last login. `-` reverses the order. Users without a name come after all names, and users who have never signed in come before all logins. Default: `-created_at`. */
    readonly sort?: 'created_at' | '-created_at' | 'identifier' | '-identifier' | 'name' | '-name' | 'last_login_at' | '-last_login_at';
    /** Only users with these IDs: up to 100, separated by commas. Unknown IDs are ignored. */
    readonly ids?: string;
    /** Name of the role: at most 64 lower-case letters, digits, `-` and `_`. */
    readonly role?: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** Any part of a name, an email address or a phone number, or the ID of a user. Ignores case and, in names, accents; % and _ are literal characters. */
    readonly search?: string;
    /** Any part of an email address. Case-insensitive; % and _ are literal characters. */
    readonly email?: string;
    /** Only active or only inactive users. */
    readonly is_active?: boolean;
    /** With `true`, only users with a verified identifier. With `false`, only users without one. */
    readonly is_verified?: boolean;
    /** With `true`, only users who have signed in. With `false`, only users who never have. */
    readonly has_logged_in?: boolean;
    /** Only users whose last login, to the minute, was before this time (RFC 3339). */
    readonly last_login_before?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<User>;

  /**
   * Count users by second factor.
   *
   * Counts the newest 10,000 active users. Factors that are not confirmed do not count.
   *
   * `GET /api/sso/v1/users/protection`, scope `read:users`
   */
  getProtection(options?: CallOptions): ApiPromise<UserProtection>;

  /**
   * Get a user.
   *
   * Returns the user with identifiers, roles and workspaces. Secrets are never shown.
   *
   * `GET /api/sso/v1/users/:user_id`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(userId: string, options?: CallOptions): ApiPromise<User>;

  /**
   * Create a user.
   *
   * The default role is `member`. You cannot assign a role with scopes that you do not hold.
   *
   * `POST /api/sso/v1/users`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `TOO_BUSY`
   */
  create(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password: string;
    /** Name of the user; `null` if it is not set. */
    readonly name?: string | null;
    /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
    readonly picture?: string | null;
    /** Roles of the user. */
    readonly roles?: readonly string[];
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Import users.
   *
   * Creates users from JSON lines, with passwords hashed by another product: bcrypt, Argon2, PBKDF2, scrypt, and Firebase’s variant of scrypt. At the first login with the right password, the hash is replaced. The rules for new passwords do not apply. If a line fails, the others are still imported. A line whose identifiers all belong to one existing user changes nothing, so you can repeat an import. With `dry_run=true`, checks every line and changes nothing.
   *
   * `POST /api/sso/v1/users/import`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  import(lines: readonly ImportedUser[], query?: {
    /** With `true`, returns what would change and changes nothing. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<UserImport>;

  /**
   * Update a user.
   *
   * Lists replace the current ones. A new password, and `is_active: false`, end all sessions of the user immediately.
   *
   * `PATCH /api/sso/v1/users/:user_id`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `SELF_VERIFICATION_REFUSED`, `LAST_ADMINISTRATOR`, `TOO_BUSY`
   */
  update(userId: string, body: {
    /** Name of the user; `null` if it is not set. */
    readonly name?: string | null;
    /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
    readonly picture?: string | null;
    /** Identifiers in the form that `GET` returns. `type` and `verified` are optional. A known identifier keeps its `verified`, and a new one is not verified. */
    readonly identifiers?: readonly ({
      /** Type of the identifier. */
      readonly type?: 'email' | 'phone';
      /** An email address, or a phone number in E.164 format. */
      readonly identifier: string;
      /** Whether the identifier was verified to belong to the user. */
      readonly verified?: boolean;
    })[];
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password?: string;
    /** Roles of the user. */
    readonly roles?: readonly string[];
    /** Replaces the workspaces that the user belongs to. */
    readonly workspaces?: readonly string[];
    /** Whether the user is active. Inactive users cannot sign in. */
    readonly is_active?: boolean;
    /** Free-form data about the user. Only administrators can write it. At most 16 KiB as JSON, 32 levels deep. */
    readonly metadata?: {
      readonly [name: string]: unknown;
    };
    /** Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep. */
    readonly user_metadata?: {
      readonly [name: string]: unknown;
    };
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Delete a user.
   *
   * Irreversible. All sessions of the user and all delegations that they gave end immediately. Agents that they own keep working, and `owner_id` still names the user; to stop these agents as well, disable the user first. With `dry_run=true`, returns the user’s dependents and changes nothing.
   *
   * `DELETE /api/sso/v1/users/:user_id`, scope `delete:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  delete(userId: string, query?: {
    /** With `true`, returns what would change and changes nothing. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  } | UserDryRun>;

  /**
   * List a user’s permissions.
   *
   * Returns the scopes that `POST /access/v1/evaluation` currently uses, with the roles that grant each of them. Also requires `read:roles`.
   *
   * `GET /api/sso/v1/users/:user_id/permissions`, scope `read:users`
   *
   * @throws ApiError `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  permissions(userId: string, options?: CallOptions): ApiPromise<UserPermissions>;

  /**
   * List the dependents of a user.
   *
   * Returns the number of each type and the newest 20: live sessions, owned agents and their usable keys, and delegations that the user gave or that those agents hold.
   *
   * `GET /api/sso/v1/users/:user_id/dependents`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(userId: string, options?: CallOptions): ApiPromise<UserDependents>;

  /**
   * Disable a user and end their dependents.
   *
   * In one transaction, the user and their agents become inactive, their sessions end, and their keys and delegations are revoked. When you receive the response, none of these works on any node. Reactivating the user does not restore them. If you call this route again, it ends everything created since. You must hold the permissions of the user and of those agents.
   *
   * `POST /api/sso/v1/users/:user_id/disable`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  disable(userId: string, body: {
    /** Reason, recorded in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<UserDisabled>;

  /**
   * List the second factors of a user.
   *
   * Oldest first. Secrets are never shown.
   *
   * `GET /api/sso/v1/users/:user_id/factors`, scope `read:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `PRINCIPAL_PROTECTED`
   */
  listFactors(userId: string, query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<Factor>;

  /**
   * Remove a second factor of a user.
   *
   * Removes a factor that the user has lost. You cannot act on users who hold permissions that you do not hold. To remove your own factor, use DELETE /me/factors/:factor_id.
   *
   * `DELETE /api/sso/v1/users/:user_id/factors/:factor_id`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  deleteFactor(userId: string, factorId: string, options?: CallOptions): ApiPromise<{
    /** ID of a factor: `fct_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Send a recovery message to a user.
   *
   * Sends a link to `magic_link_url` and a code to the user’s first verified email address. With both, the user sets a new password, after proving their second factor if they have one. Nothing changes until then. You cannot act on users who hold permissions that you do not hold.
   *
   * `POST /api/sso/v1/users/:user_id/recovery`, scope `write:users`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `METHOD_NOT_READY`, `USER_UNREACHABLE`, `TOO_MANY_MESSAGES`
   */
  recover(userId: string, options?: CallOptions): ApiPromise<{
    /** The email address, masked. */
    readonly sent_to: string;
  }>;

  /**
   * List the sign-in limits that a user has reached.
   *
   * Lists the limits on wrong passwords and codes that the user has reached. They do not apply on devices where the user has signed in before. The limits of networks and devices are not listed, nor are suspended factors: see `GET /users/:user_id/factors`.
   *
   * `GET /api/sso/v1/users/:user_id/locks`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`, `PRINCIPAL_PROTECTED`
   */
  getLocks(userId: string, options?: CallOptions): ApiPromise<{
    /** Limits that reject sign-ins now. */
    readonly locks: readonly UserLock[];
  }>;

  /**
   * Unlock a user.
   *
   * Resets the limits on wrong passwords and codes of a user, so that they can sign in again without waiting. Returns the limits that had been reached. A suspended factor remains suspended. You cannot unlock yourself, or users who hold permissions that you do not hold.
   *
   * `POST /api/sso/v1/users/:user_id/unlock`, scope `write:users`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  unlock(userId: string, options?: CallOptions): ApiPromise<{
    /** Limits that rejected sign-ins until now. */
    readonly unlocked: readonly UserLock[];
  }>;

  /**
   * Upload a user’s picture.
   *
   * Replaces the picture of a user who holds no more permissions than you. `picture` is then a URL of the service. Accepts PNG, JPEG and WebP without animation, at most 256 KiB and 2048 pixels on each side. Metadata, such as the place of a photo, is removed.
   *
   * `PUT /api/sso/v1/users/:user_id/picture`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `PRINCIPAL_PROTECTED`, `SCOPE_NOT_HELD`
   */
  putPicture(userId: string, body: {
    /** The file, in base64 (RFC 4648 §4). */
    readonly image: string;
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Delete a user’s picture.
   *
   * Deletes the image and sets `picture` to `null`.
   *
   * `DELETE /api/sso/v1/users/:user_id/picture`, scope `write:users`
   *
   * @throws ApiError `NOT_FOUND`, `PRINCIPAL_PROTECTED`, `SCOPE_NOT_HELD`
   */
  deletePicture(userId: string, options?: CallOptions): ApiPromise<User>;
}

export interface TokensApi {
  /**
   * Preview the tokens of a user.
   *
   * Returns the claims of the tokens that the user would get by signing in with a password, optionally with unsaved settings. Nothing is signed, and no session is opened. Also requires `read:tenant` and `read:roles`, and `read:clients` for the tokens of a client.
   *
   * `POST /api/sso/v1/tokens/preview`, scope `read:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  preview(body: {
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id?: string;
    /** Value to use instead of the setting of this name. */
    readonly custom_claims?: {
      readonly [name: string]: CustomClaim;
    };
  }, options?: CallOptions): ApiPromise<TokenPreview>;
}

export interface SessionsApi {
  /**
   * List sessions.
   *
   * Without `read:sessions`, lists the caller’s own sessions. With it, lists the sessions of all users, or of `user_id`. With `client_id`, lists only those that users opened at that OAuth client. Ended sessions are kept, with the reason, until 30 days after the latest possible expiry (`refresh_token_absolute_ttl`).
   *
   * `GET /api/sso/v1/sessions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `PRINCIPAL_PROTECTED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id?: string;
    /** `active`. `ended`: signed out, revoked or ended in another way. `expired`: not refreshed in time. */
    readonly state?: 'active' | 'ended' | 'expired';
    /** Only sessions that are active, or only those that have ended or expired. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Session>;

  /**
   * End a session.
   *
   * Ends one of the caller’s own sessions, or with `delete:sessions` any session. Its access and refresh tokens are rejected immediately.
   *
   * `DELETE /api/sso/v1/sessions/:session_id`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  delete(sessionId: string, options?: CallOptions): ApiPromise<{
    /** ID of a session: `session:<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record is kept. */
    readonly revoked: true;
  }>;

  /**
   * End all sessions of a user.
   *
   * Ends all sessions of the caller, or with `delete:sessions` of any user.
   *
   * `DELETE /api/sso/v1/sessions`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  deleteAll(query: {
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly user_id: string;
    /** Number of ended sessions. */
    readonly revoked: number;
  }>;
}

export interface RolesApi {
  /**
   * List roles.
   *
   * Returns the built-in roles and those of the tenant.
   *
   * `GET /api/sso/v1/roles`, scope `read:roles`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Any part of the name or the description. Case-insensitive. */
    readonly search?: string;
  }, options?: CallOptions): Listing<Role>;

  /**
   * Create a role.
   *
   * You cannot add scopes that you do not hold.
   *
   * `POST /api/sso/v1/roles`, scope `write:roles`
   *
   * @throws ApiError `VALIDATION_FAILED`, `ROLE_TAKEN`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** Name of the role: at most 64 lower-case letters, digits, `-` and `_`. */
    readonly name: string;
    /** Purpose of the record. */
    readonly description?: string;
    /** Permissions of the role. */
    readonly scopes: readonly string[];
  }, options?: CallOptions): ApiPromise<Role>;

  /**
   * Get a role.
   *
   * Returns the role with its scopes.
   *
   * `GET /api/sso/v1/roles/:role`, scope `read:roles`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(role: string, options?: CallOptions): ApiPromise<Role>;

  /**
   * Update a role.
   *
   * `scopes` replaces the current scopes. Access tokens of users with the role are rejected immediately; refreshing returns new ones.
   *
   * `PATCH /api/sso/v1/roles/:role`, scope `write:roles`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `BUILTIN_ROLE_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  update(role: string, body: {
    /** Purpose of the record. */
    readonly description?: string;
    /** Replaces the permissions of the role. */
    readonly scopes?: readonly string[];
  }, options?: CallOptions): ApiPromise<Role>;

  /**
   * Delete a role.
   *
   * A role that is in use is not deleted, and the error lists its users. With `force=true`, the role is removed from its users and deleted.
   *
   * `DELETE /api/sso/v1/roles/:role`, scope `delete:roles`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `BUILTIN_ROLE_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  delete(role: string, query?: {
    /** With `true`, deletes the role even if it is in use. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** Name of the role, unique within the tenant. */
    readonly name: string;
    /** Always `true`: the role was deleted. */
    readonly deleted: true;
  }>;
}

export interface AgentsApi {
  /**
   * List agents.
   *
   * Newest first. If you send several filters, all of them must match.
   *
   * `GET /api/sso/v1/agents`, scope `read:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Any part of the name, or the ID. Case-insensitive. */
    readonly search?: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** ID of a user: `user:<id>`. */
    readonly owner_id?: string;
    /** Only active or only inactive agents. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * Without `scopes`, the agent has no permissions. Without `workspace_id`, it belongs to `ws_default`. Without `owner_id`, the caller owns it. You cannot grant permissions that you do not hold, or scopes of resources that require such permissions.
   *
   * `POST /api/sso/v1/agents`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** Display name, on a single line. */
    readonly name: string;
    /** Purpose of the record. */
    readonly description?: string;
    /** Scopes of the agent. You can only assign scopes that you are allowed to grant. */
    readonly scopes?: readonly string[];
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** ID of a user: `user:<id>`. */
    readonly owner_id?: string;
    readonly jwks?: AgentKeySet;
    /** External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a `subject` or `claims`. */
    readonly trusts?: readonly AgentTrust[];
  }, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Get an agent.
   *
   * Returns the agent with its scopes and authentication methods.
   *
   * `GET /api/sso/v1/agents/:agent_id`, scope `read:agents`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(agentId: string, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Update an agent.
   *
   * Changes to `scopes`, `workspace_id`, `is_active`, `jwks` and `trusts` take effect with the next request: tokens issued before are rejected. Keys of an inactive agent do not work. If the agent becomes active again, its unexpired keys work again. You cannot update an agent that holds permissions that you do not hold.
   *
   * `PATCH /api/sso/v1/agents/:agent_id`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(agentId: string, body: AgentPatch, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Delete an agent.
   *
   * Permanently deletes the agent, its keys and the delegations to it. With `dry_run=true`, returns the agent’s dependents and changes nothing.
   *
   * `DELETE /api/sso/v1/agents/:agent_id`, scope `delete:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(agentId: string, query?: {
    /** With `true`, returns what would change and changes nothing. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** ID of an agent: `service:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  } | AgentDryRun>;

  /**
   * List the dependents of an agent.
   *
   * Returns the number of each type and the newest 20: usable keys, and delegations that the agent holds.
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
   * Includes expired and revoked keys. The keys themselves are not shown.
   *
   * `GET /api/sso/v1/apikeys`, scope `read:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of an agent: `service:<id>`. */
    readonly agent_id?: string;
  }, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key.
   *
   * The key is shown only in this response. `scopes` restricts the key to a subset of the agent’s scopes; by default, it has all of them. You cannot create a key for an agent that holds permissions that you do not hold.
   *
   * `POST /api/sso/v1/apikeys`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Display name, on a single line. */
    readonly name: string;
    /** Lifetime of the key, in days. Default: 90. */
    readonly expires_in_days?: number;
    /** A subset of the agent’s scopes. */
    readonly scopes?: readonly string[];
    /** IPv4 and IPv6 addresses, and networks in CIDR notation, that can use the key. */
    readonly allowed_ips?: readonly string[];
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Get an API key.
   *
   * Returns the key’s record, without the key itself.
   *
   * `GET /api/sso/v1/apikeys/:key_id`, scope `read:apikeys`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(keyId: string, options?: CallOptions): ApiPromise<ApiKey>;

  /**
   * Rotate an API key.
   *
   * Creates a successor with the same agent, name, scopes, IP addresses and lifetime. The old key remains valid for `overlap_days` unless it expires earlier. With 0, it is revoked immediately. A key can be rotated only once.
   *
   * `POST /api/sso/v1/apikeys/:key_id/rotate`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `APIKEY_ROTATED`, `APIKEY_ENDED`
   */
  rotate(keyId: string, body: {
    /** Number of days that the old key remains valid. Default: 7. */
    readonly overlap_days?: number;
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Revoke an API key.
   *
   * The key is rejected immediately. Its record is kept. Returns 404 if the key is already revoked.
   *
   * `DELETE /api/sso/v1/apikeys/:key_id`, scope `delete:apikeys`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(keyId: string, options?: CallOptions): ApiPromise<{
    /** ID of an API key: `key_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record is kept. */
    readonly revoked: true;
  }>;

  /**
   * Report a leaked API key.
   *
   * For secret scanners, and for anyone who finds an exposed key. If the key is valid, it is revoked immediately, no matter which tenant it belongs to, and that tenant is notified. The response and its timing are the same for every input.
   *
   * `POST /api/sso/v1/apikeys/report`
   *
   * @throws ApiError `TOO_MANY_ATTEMPTS`
   */
  report(body: {
    /** The exposed key. */
    readonly key: string;
  }, options?: CallOptions): ApiPromise<{
    /** Always `true`, whatever you send. */
    readonly received: true;
  }>;
}

export interface ProvidersApi {
  /**
   * List identity providers.
   *
   * Newest first. Client secrets are not shown.
   *
   * `GET /api/sso/v1/identity-providers`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<IdentityProvider>;

  /**
   * Get an ID for a new identity provider.
   *
   * Providers ask for the callback URL before they issue a client ID. Register this URL at the provider, and then create the provider here with this `id`, within 24 hours. Nothing is stored until then.
   *
   * `GET /api/sso/v1/identity-providers/new/callback`, scope `read:tenant`
   */
  prepare(options?: CallOptions): ApiPromise<PreparedIdentityProvider>;

  /**
   * Add an identity provider.
   *
   * Adds an inactive provider. You can enable it after a test login succeeds. With `is_active` and `skip_test`, the provider is active immediately.
   *
   * `POST /api/sso/v1/identity-providers`, scope `write:logins`
   *
   * @throws ApiError `VALIDATION_FAILED`, `PROVIDER_NOT_TESTED`, `TOO_MANY_IDENTITY_PROVIDERS`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** An ID from `GET /identity-providers/new/callback`, at most 24 hours old, so that its callback URL is known beforehand. Default: a new ID. */
    readonly id?: string;
    /** Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile. */
    readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
    /** Display name. */
    readonly name: string;
    /** Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your GitHub server. */
    readonly issuer?: string;
    /** Client ID that the provider issued. */
    readonly client_id: string;
    /** Client secret that the provider issued. Never shown again. Required for active providers of type `google`, `microsoft`, `apple` and `github`. `apple`: the contents of the key file. */
    readonly client_secret?: string;
    /** Scopes to request in addition to `openid`. */
    readonly scopes?: readonly string[];
    /** Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account. */
    readonly domains?: readonly string[];
    /** Handling of an unknown identity with the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected. */
    readonly link?: 'ask' | 'auto' | 'never';
    /** Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false. */
    readonly trust_mfa?: boolean;
    /** With `microsoft`: the directories (`tid`) whose users can sign in. If empty, only the directory of the issuer. */
    readonly allowed_tenants?: readonly string[];
    /** Required for `apple`, rejected for other types: the ID of the team. */
    readonly team_id?: string;
    /** Required for `apple`, rejected for other types: the ID of the key. The client secret is the contents of its .p8 file. */
    readonly key_id?: string;
    /** Required for `oauth2`, rejected for other types: the authorization endpoint. */
    readonly authorization_endpoint?: string;
    /** Required for `oauth2`, rejected for other types: the token endpoint. */
    readonly token_endpoint?: string;
    /** Required for `oauth2`, rejected for other types: the endpoint that returns the user’s profile. */
    readonly userinfo_endpoint?: string;
    /** With `oauth2`: the field of the user’s profile that identifies the user and never changes. Default: `sub`. */
    readonly subject_claim?: string;
    /** Whether users can sign in with the provider. A new provider can be active only with `skip_test`. Default: false. */
    readonly is_active?: boolean;
    /** Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false. */
    readonly skip_test?: boolean;
  }, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Get an identity provider.
   *
   * Returns the provider without its client secret.
   *
   * `GET /api/sso/v1/identity-providers/:provider_id`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(providerId: string, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Update an identity provider.
   *
   * If you change the issuer, an endpoint, the client ID, the team or the key, you must send the client secret again, so that a stored secret is never sent to another server. While users have linked identities at the provider, or an application accepts its assertions, you cannot change its issuer, endpoints, `subject_claim` and `team_id` (`IN_USE`), because they determine who a subject is. To enable the provider or change settings of an active one, a test login with these settings must have succeeded (`PROVIDER_NOT_TESTED`), unless `skip_test` is true. `name`, `domains`, `link` and `trust_mfa` need no test.
   *
   * `PATCH /api/sso/v1/identity-providers/:provider_id`, scope `write:logins`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `PROVIDER_NOT_TESTED`, `LAST_LOGIN_METHOD`, `IN_USE`, `SCOPE_NOT_HELD`
   */
  update(providerId: string, body: {
    /** Display name. */
    readonly name?: string;
    /** Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your GitHub server. */
    readonly issuer?: string;
    /** Client ID that the provider issued. */
    readonly client_id?: string;
    /** Client secret. `null` removes it. */
    readonly client_secret?: string | null;
    /** Scopes to request in addition to `openid`. */
    readonly scopes?: readonly string[];
    /** Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account. */
    readonly domains?: readonly string[];
    /** Handling of an unknown identity with the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected. */
    readonly link?: 'ask' | 'auto' | 'never';
    /** Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false. */
    readonly trust_mfa?: boolean;
    /** With `microsoft`: the directories (`tid`) whose users can sign in. If empty, only the directory of the issuer. */
    readonly allowed_tenants?: readonly string[];
    /** Required for `apple`, rejected for other types: the ID of the team. */
    readonly team_id?: string;
    /** Required for `apple`, rejected for other types: the ID of the key. The client secret is the contents of its .p8 file. */
    readonly key_id?: string;
    /** Required for `oauth2`, rejected for other types: the authorization endpoint. */
    readonly authorization_endpoint?: string;
    /** Required for `oauth2`, rejected for other types: the token endpoint. */
    readonly token_endpoint?: string;
    /** Required for `oauth2`, rejected for other types: the endpoint that returns the user’s profile. */
    readonly userinfo_endpoint?: string;
    /** With `oauth2`: the field of the user’s profile that identifies the user and never changes. Default: `sub`. */
    readonly subject_claim?: string;
    /** Whether users can sign in with the provider. */
    readonly is_active?: boolean;
    /** Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false. */
    readonly skip_test?: boolean;
  }, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Count the dependents of an identity provider.
   *
   * Returns what would be deleted with the provider, and how many users would lose their only way to sign in. 10,001 means more than 10,000.
   *
   * `GET /api/sso/v1/identity-providers/:provider_id/dependents`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(providerId: string, options?: CallOptions): ApiPromise<ProviderDependents>;

  /**
   * Delete an identity provider.
   *
   * Deletes the provider, its client secret and its users’ identities. The sessions of these users continue.
   *
   * `DELETE /api/sso/v1/identity-providers/:provider_id`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `LAST_LOGIN_METHOD`, `SCOPE_NOT_HELD`
   */
  delete(providerId: string, options?: CallOptions): ApiPromise<{
    /** ID of an identity provider: `idp_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Start a test login at a provider.
   *
   * As in a login, send the browser to `authorize_url`. It returns to `return_url` with `handoff`. `return_url` is one of `return_urls`, or the console’s test screen, `/console/t/<tenant>/providers/<id>/test` on the issuer’s host. The provider can be inactive. No session is opened and no identity is linked. A new test by the same caller replaces this one.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/test`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`, `TOO_MANY_ATTEMPTS`, `SCOPE_NOT_HELD`
   */
  test(providerId: string, body: {
    /** One of the tenant’s `return_urls`, exactly as configured. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<BegunProviderTest>;

  /**
   * Get the result of a test login.
   *
   * Returns what the provider returned, or why it was rejected. The handoff is accepted once, within 60 seconds. After a successful test you can enable the provider, unless settings that a login depends on have changed since the test started.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/test/finish`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `PROVIDER_REFUSED`, `SCOPE_NOT_HELD`
   */
  finishTest(providerId: string, body: {
    /** The parameter `handoff` of the URL that the browser returned to. */
    readonly handoff: string;
  }, options?: CallOptions): ApiPromise<ProviderTest>;

  /**
   * Add a domain to an identity provider.
   *
   * The domain takes effect after it is verified by the DNS record in the response, and while the provider is active. Users with an email address in the domain can then sign in only at this provider. Adding it again changes nothing.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/domains`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `VALIDATION_FAILED`, `DOMAIN_OF_OTHER_PROVIDER`, `SCOPE_NOT_HELD`
   */
  addDomain(providerId: string, body: {
    /** A domain, in lower case. */
    readonly domain: string;
  }, options?: CallOptions): ApiPromise<ProviderDomain>;

  /**
   * List the domains of an identity provider.
   *
   * In alphabetical order, at most 50.
   *
   * `GET /api/sso/v1/identity-providers/:provider_id/domains`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`, `VALIDATION_FAILED`
   */
  listDomains(providerId: string, query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<ProviderDomain>;

  /**
   * Verify a domain by its DNS record.
   *
   * A verified domain remains verified until you remove it.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/domains/:domain/verify`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `DOMAIN_NOT_PROVEN`, `SCOPE_NOT_HELD`
   */
  verifyDomain(providerId: string, domain: string, options?: CallOptions): ApiPromise<ProviderDomain>;

  /**
   * Remove a domain from an identity provider.
   *
   * The users of the domain can sign in by other methods again. Takes effect with the next request, on every node.
   *
   * `DELETE /api/sso/v1/identity-providers/:provider_id/domains/:domain`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  removeDomain(providerId: string, domain: string, options?: CallOptions): ApiPromise<RemovedProviderDomain>;
}

export interface ConsoleApi {
  /**
   * Find the tenant of a host, for the console.
   *
   * The console calls this route when its URL does not name a tenant.
   *
   * `GET /console/tenant`
   */
  tenant(options?: CallOptions): ApiPromise<{
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
  }>;

  /**
   * Check whether a browser is signed in to the console.
   *
   * The console calls this route when it starts, and sends users who are not signed in to the login page. The route reveals nothing else and does not extend the login.
   *
   * `GET /t/:tenant_id/console/session`
   */
  session(tenantId: string, options?: CallOptions): ApiPromise<{
    /** Whether the browser’s cookie belongs to a login that the console accepts. `false` without a cookie, with another tenant’s cookie and with a forged cookie. */
    readonly is_logged_in: boolean;
  }>;
}

export interface BrandingApi {
  /**
   * List the logos of the tenant.
   *
   * Returns the logos, the icon and the background of the tenant, with their states.
   *
   * `GET /api/sso/v1/logos`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listLogos(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<Logo>;

  /**
   * Fetch the tenant’s logos again.
   *
   * Use this after an image has changed or a fetch has failed. The stored image is kept until a new one replaces it.
   *
   * `POST /api/sso/v1/logos/fetch`, scope `write:tenant`
   */
  fetchLogos(options?: CallOptions): ApiPromise<FetchedLogos>;

  /**
   * Delete a logo.
   *
   * Deletes the logo’s image and its URL. The image is no longer served.
   *
   * `DELETE /api/sso/v1/logos/:kind`, scope `write:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteLogo(kind: string, options?: CallOptions): ApiPromise<DeletedLogo>;

  /**
   * Upload a logo.
   *
   * Uploads a file instead of fetching a URL, which is removed from `branding`. Accepts PNG, JPEG, WebP, AVIF, and SVG without a document type and with at most 100,000 elements; at most 256 KiB (`background`: 512 KiB) and 4096 pixels on each side. Replaces the existing image.
   *
   * `PUT /api/sso/v1/logos/:kind`, scope `write:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  putLogo(kind: string, body: {
    /** The file, in base64 (RFC 4648 §4). */
    readonly image: string;
  }, options?: CallOptions): ApiPromise<Logo>;

  /**
   * Preview a page or an email with unsaved branding.
   *
   * Returns a URL that works for ten minutes and shows the preview to anyone: a page of the tenant, or an email, with fictional people. With `client_id`, the page has that client’s branding and the changes of `client_branding`. The preview runs no scripts, submits no forms and ignores cookies, and can be framed only by pages of the same origin.
   *
   * `POST /api/sso/v1/branding/preview`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TEXT_INVALID`, `TEXT_FIXED`, `TEMPLATE_INVALID`
   */
  preview(body: {
    /** The page to preview. Default: `login`. Ignored with a message. */
    readonly page?: 'login' | 'login_failed' | 'registration' | 'recovery' | 'code' | 'second_factor' | 'new_password' | 'recovery_codes' | 'consent' | 'accounts' | 'device' | 'invitation' | 'logout';
    /** A message instead of a page, as in `POST /messaging/preview`. Only its HTML part is shown. */
    readonly message?: {
      /** Purpose of the message. */
      readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
      /** A language tag, with script and region if needed (BCP 47). */
      readonly locale?: string;
      /** The subject, with variables. `{{code}}` and `{{link}}` are not allowed. */
      readonly subject?: string;
      /** Paragraphs with variables, separated by empty lines. A paragraph is left out if one of its variables has no value. The HTML part is generated from this text. */
      readonly text?: string;
    };
    /** A language that has texts. */
    readonly locale?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    /** Color scheme. Default: the tenant’s setting. */
    readonly color_scheme?: 'light' | 'dark';
    readonly branding?: TenantBrandingPatch;
    /** ID of a client. An unknown client gets the branding of the tenant. */
    readonly client_id?: string;
    readonly client_branding?: ClientBrandingPatch;
    /** A text that replaces the tenant’s text in the language of the preview. */
    readonly text?: {
      /** Key of the text. */
      readonly key: string;
      /** An ICU message, as in `PUT /texts/<locale>/<key>`. */
      readonly text: string;
    };
  }, options?: CallOptions): ApiPromise<Preview>;

  /**
   * List the texts of a language.
   *
   * Returns the texts of pages, emails and text messages, with the tenant’s texts that replace them.
   *
   * `GET /api/sso/v1/texts/:locale`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  listTexts(locale: string, options?: CallOptions): ApiPromise<Texts>;

  /**
   * Get a text.
   *
   * Returns the tenant’s text and the default text that ships with the service.
   *
   * `GET /api/sso/v1/texts/:locale/:key`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getText(locale: string, key: string, options?: CallOptions): ApiPromise<Text>;

  /**
   * Set a text.
   *
   * An ICU message on a single line. It can contain only the placeholders and tags of the default text, and no links. It is escaped wherever it is shown.
   *
   * `PUT /api/sso/v1/texts/:locale/:key`, scope `write:tenant`, or `write:logins` for a text that contains a URL, a host name or an email address
   *
   * @throws ApiError `NOT_FOUND`, `TEXT_INVALID`, `TEXT_FIXED`, `TOO_MANY_TEXTS`, `SCOPE_NOT_HELD`
   */
  putText(locale: string, key: string, body: {
    /** An ICU message on a single line. */
    readonly text: string;
  }, options?: CallOptions): ApiPromise<Text>;

  /**
   * Reset a text to its default.
   *
   * Deletes the tenant’s text, if there is one.
   *
   * `DELETE /api/sso/v1/texts/:locale/:key`, scope `write:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteText(locale: string, key: string, options?: CallOptions): ApiPromise<{
    /** A language that has texts. */
    readonly locale: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
    /** Key of the text. */
    readonly key: string;
    /** The tenant’s text no longer exists. */
    readonly deleted: true;
  }>;
}

export interface ClientsApi {
  /**
   * List OAuth clients.
   *
   * Newest first. Secrets are not shown.
   *
   * `GET /api/sso/v1/clients`, scope `read:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Any part of the name, or the ID. Case-insensitive. */
    readonly search?: string;
  }, options?: CallOptions): Listing<OAuthClient>;

  /**
   * Register an OAuth client.
   *
   * If the client’s authentication method needs a secret, the secret is shown only in this response.
   *
   * `POST /api/sso/v1/clients`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_CLIENTS`
   */
  create(body: OAuthClientRegistration, options?: CallOptions): ApiPromise<CreatedOAuthClient>;

  /**
   * Get an OAuth client.
   *
   * Returns the client without its secrets.
   *
   * `GET /api/sso/v1/clients/:client_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(clientId: string, options?: CallOptions): ApiPromise<OAuthClient>;

  /**
   * Update an OAuth client.
   *
   * The client’s kind and authentication method cannot be changed; register a new client instead. Only a client that an administrator registered can be `first_party`. For a client with a metadata document, only `is_active` can be changed. Unless the client is `first_party`, users must consent again before a code is sent to a host that they have not approved.
   *
   * `PATCH /api/sso/v1/clients/:client_id`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(clientId: string, body: OAuthClientPatch, options?: CallOptions): ApiPromise<OAuthClient>;

  /**
   * Delete an OAuth client.
   *
   * Deletes the client, its secrets and its users’ consents. Its sessions end, and their tokens are rejected immediately.
   *
   * `DELETE /api/sso/v1/clients/:client_id`, scope `delete:clients`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(clientId: string, options?: CallOptions): ApiPromise<{
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Create another client secret.
   *
   * Creates a second secret for a rotation. Both secrets work until you delete one. The new secret is shown only in this response.
   *
   * `POST /api/sso/v1/clients/:client_id/secrets`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `TOO_MANY_CLIENT_SECRETS`, `CLIENT_HAS_NO_SECRET`
   */
  createSecret(clientId: string, options?: CallOptions): ApiPromise<CreatedClientSecret>;

  /**
   * Delete a client secret.
   *
   * The secret is rejected immediately. You can delete the last secret.
   *
   * `DELETE /api/sso/v1/clients/:client_id/secrets/:secret_id`, scope `write:clients`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  deleteSecret(clientId: string, secretId: string, options?: CallOptions): ApiPromise<{
    /** ID of a client secret: `csec_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * List the logout tokens sent to an OAuth client.
   *
   * Newest first, one for each session that ended while the client had a `backchannel_logout_uri`. Kept for 30 days.
   *
   * `GET /api/sso/v1/clients/:client_id/logout-deliveries`, scope `read:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  listLogoutDeliveries(clientId: string, query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Only deliveries in this state. */
    readonly status?: 'pending' | 'delivered' | 'failed' | 'expired';
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<LogoutDelivery>;

  /**
   * Get the branding of an OAuth client.
   *
   * Returns what the client replaces of the tenant’s branding when users sign in to it. A client without its own branding has empty `settings` and `images`.
   *
   * `GET /api/sso/v1/clients/:client_id/branding`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getBranding(clientId: string, options?: CallOptions): ApiPromise<ClientBranding>;

  /**
   * Update the branding of an OAuth client.
   *
   * Merges the settings field by field. `null` removes a setting, so that the tenant’s applies again.
   *
   * `PATCH /api/sso/v1/clients/:client_id/branding`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateBranding(clientId: string, body: {
    readonly settings?: ClientBrandingPatch;
  }, options?: CallOptions): ApiPromise<ClientBranding>;

  /**
   * Upload an image of an OAuth client.
   *
   * Uploads a logo, icon or background that replaces the tenant’s when users sign in to the client. The limits are those of `PUT /logos/:kind`.
   *
   * `PUT /api/sso/v1/clients/:client_id/branding/images/:kind`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  putImage(clientId: string, kind: string, body: {
    /** The file, in base64 (RFC 4648 §4). */
    readonly image: string;
  }, options?: CallOptions): ApiPromise<ClientBranding>;

  /**
   * Delete an image of an OAuth client.
   *
   * Deletes the image. The pages show the tenant’s image again.
   *
   * `DELETE /api/sso/v1/clients/:client_id/branding/images/:kind`, scope `write:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteImage(clientId: string, kind: string, options?: CallOptions): ApiPromise<ClientBranding>;

  /**
   * List registration tokens.
   *
   * Newest first. Used-up and expired tokens are listed for 30 days.
   *
   * `GET /api/sso/v1/clients/registration-tokens`, scope `read:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listRegistrationTokens(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<RegistrationToken>;

  /**
   * Create a registration token.
   *
   * Anyone with the token can register applications at the registration endpoint, within the limits of the token. The token is shown only in this response.
   *
   * `POST /api/sso/v1/clients/registration-tokens`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_REGISTRATION_TOKENS`
   */
  createRegistrationToken(body: RegistrationTokenRequest, options?: CallOptions): ApiPromise<CreatedRegistrationToken>;

  /**
   * Delete a registration token.
   *
   * No more applications can be registered with the token. Registered applications are kept.
   *
   * `DELETE /api/sso/v1/clients/registration-tokens/:token_id`, scope `delete:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteRegistrationToken(tokenId: string, options?: CallOptions): ApiPromise<{
    /** ID of a registration token: `rgt_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * List the streams of shared signals of an OAuth client.
   *
   * Newest first. The value of the `Authorization` header is not shown.
   *
   * `GET /api/sso/v1/clients/:client_id/signal-streams`, scope `read:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  listStreams(clientId: string, query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<ClientStream>;

  /**
   * Get a stream of shared signals of an OAuth client.
   *
   * Returns the stream, without the value of its `Authorization` header.
   *
   * `GET /api/sso/v1/clients/:client_id/signal-streams/:stream_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getStream(clientId: string, streamId: string, options?: CallOptions): ApiPromise<ClientStream>;

  /**
   * Pause, disable or enable a stream of shared signals.
   *
   * Changes the status of the stream. If events are pushed, the receiver gets a `stream-updated` event. The receiver can change the status again; to prevent the client from having streams, use its `shared_signals`.
   *
   * `PATCH /api/sso/v1/clients/:client_id/signal-streams/:stream_id`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  updateStream(clientId: string, streamId: string, body: ClientStreamPatch, options?: CallOptions): ApiPromise<ClientStream>;

  /**
   * Delete a stream of shared signals.
   *
   * Deletes the stream and its undelivered events.
   *
   * `DELETE /api/sso/v1/clients/:client_id/signal-streams/:stream_id`, scope `delete:clients`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  deleteStream(clientId: string, streamId: string, options?: CallOptions): ApiPromise<{
    /** ID of a stream of signals: `stream_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Start a test login to an OAuth client.
   *
   * Returns a URL that starts a login to the client. A page of the service receives the tokens instead of the application and shows them once, in the same browser. The URL works once, for five minutes, and only in a browser where the caller is signed in. The tokens expire after at most ten minutes and cannot be refreshed.
   *
   * `POST /api/sso/v1/clients/:client_id/test-login`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `OAUTH_OFF`, `USER_REQUIRED`, `IMPERSONATION_REFUSED`
   */
  testLogin(clientId: string, body: {
    /** The requested scopes. Default: all scopes of the client. */
    readonly scopes?: readonly string[];
    /** A page to show even if it is not needed, as in an authorization request. */
    readonly prompt?: 'login' | 'consent' | 'select_account';
  }, options?: CallOptions): ApiPromise<StartedTestLogin>;
}

export interface ResourcesApi {
  /**
   * List resources.
   *
   * Newest first.
   *
   * `GET /api/sso/v1/resources`, scope `read:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<OAuthResource>;

  /**
   * Register a resource.
   *
   * Applications and agents can then request access tokens for the resource by naming it as `resource` (RFC 8707).
   *
   * `POST /api/sso/v1/resources`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `RESOURCE_TAKEN`, `TOO_MANY_RESOURCES`
   */
  create(body: OAuthResourceRegistration, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Get a resource.
   *
   * Returns the resource.
   *
   * `GET /api/sso/v1/resources/:resource_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(resourceId: string, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Update a resource.
   *
   * The URI cannot be changed; register a new resource instead. Access tokens that were already issued do not change.
   *
   * `PATCH /api/sso/v1/resources/:resource_id`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  update(resourceId: string, body: OAuthResourcePatch, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Delete a resource.
   *
   * No more access tokens are issued for the resource, even to applications with refresh tokens. Introspection reports issued tokens as inactive. Verifiers that do not introspect them accept them until they expire.
   *
   * `DELETE /api/sso/v1/resources/:resource_id`, scope `delete:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(resourceId: string, options?: CallOptions): ApiPromise<{
    /** ID of a resource: `res_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface SignalsApi {
  /**
   * Get the transmitter metadata of a tenant.
   *
   * Lists the URLs where receivers of shared signals manage their streams (OpenID Shared Signals Framework 1.0 §7).
   *
   * `GET /.well-known/ssf-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  configuration(options?: CallOptions): ApiPromise<TransmitterConfiguration>;

  /**
   * Get the transmitter metadata of an issuer.
   *
   * The well-known part precedes the issuer’s path (§7.2).
   *
   * `GET /.well-known/ssf-configuration/t/:tenant_id`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  configurationByIssuer(tenantId: string, options?: CallOptions): ApiPromise<TransmitterConfiguration>;

  /**
   * Create a stream of signals.
   *
   * Creates a stream for a receiver, which is an OAuth client with `shared_signals`. The scope is `ssf.manage`.
   *
   * `POST /oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `TOO_MANY_STREAMS`
   */
  createStream(body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Create a stream of signals, at the issuer URL.
   *
   * Creates a stream for a receiver, which is an OAuth client with `shared_signals`. The scope is `ssf.manage`.
   *
   * `POST /t/:tenant_id/oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `TOO_MANY_STREAMS`
   */
  createStreamByIssuer(tenantId: string, body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Get one stream of signals or all of them.
   *
   * Returns the stream `stream_id`, or a list if you omit it. The scope is `ssf.read` or `ssf.manage`.
   *
   * `GET /oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `NOT_FOUND`
   */
  readStreams(query?: {
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id?: string;
  }, options?: CallOptions): ApiPromise<SignalStream | readonly SignalStream[]>;

  /**
   * Get one stream of signals or all of them, at the issuer URL.
   *
   * Returns the stream `stream_id`, or a list if you omit it. The scope is `ssf.read` or `ssf.manage`.
   *
   * `GET /t/:tenant_id/oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `NOT_FOUND`
   */
  readStreamsByIssuer(tenantId: string, query?: {
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id?: string;
  }, options?: CallOptions): ApiPromise<SignalStream | readonly SignalStream[]>;

  /**
   * Update a stream of signals.
   *
   * Only the fields that you send are changed. The scope is `ssf.manage`.
   *
   * `PATCH /oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStream(body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
    /** The current value. */
    readonly iss?: string;
    /** The current value. */
    readonly aud?: string;
    /** The current values. */
    readonly events_supported?: readonly string[];
    /** The values before the change. */
    readonly events_delivered?: readonly string[];
    /** The current value. */
    readonly min_verification_interval?: number;
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Update a stream of signals, at the issuer URL.
   *
   * Only the fields that you send are changed. The scope is `ssf.manage`.
   *
   * `PATCH /t/:tenant_id/oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStreamByIssuer(tenantId: string, body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
    /** The current value. */
    readonly iss?: string;
    /** The current value. */
    readonly aud?: string;
    /** The current values. */
    readonly events_supported?: readonly string[];
    /** The values before the change. */
    readonly events_delivered?: readonly string[];
    /** The current value. */
    readonly min_verification_interval?: number;
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Replace the configuration of a stream of signals.
   *
   * Omitted fields get their defaults. The scope is `ssf.manage`.
   *
   * `PUT /oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  replaceStream(body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
    /** The current value. */
    readonly iss?: string;
    /** The current value. */
    readonly aud?: string;
    /** The current values. */
    readonly events_supported?: readonly string[];
    /** The values before the change. */
    readonly events_delivered?: readonly string[];
    /** The current value. */
    readonly min_verification_interval?: number;
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Replace the configuration of a stream of signals, at the issuer URL.
   *
   * Omitted fields get their defaults. The scope is `ssf.manage`.
   *
   * `PUT /t/:tenant_id/oauth/ssf/streams`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  replaceStreamByIssuer(tenantId: string, body: {
    /** Delivery method. Default: events are polled. */
    readonly delivery?: {
      /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
      readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
      /** URL that events are pushed to. For a polled stream, the service sets it. */
      readonly endpoint_url?: string;
      /** Value of the `Authorization` header of every push. Stored encrypted and never shown. If you omit it, the value for the same URL is kept. If you change the URL, you must send the value again, or an empty string for none. */
      readonly authorization_header?: string;
    };
    /** Event types that the receiver wants. Unsupported types are ignored. Default: all. */
    readonly events_requested?: readonly string[];
    /** Purpose of the stream. */
    readonly description?: string;
    /** The current value. */
    readonly iss?: string;
    /** The current value. */
    readonly aud?: string;
    /** The current values. */
    readonly events_supported?: readonly string[];
    /** The values before the change. */
    readonly events_delivered?: readonly string[];
    /** The current value. */
    readonly min_verification_interval?: number;
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStream>;

  /**
   * Get the status of a stream of signals.
   *
   * The scope is `ssf.read` or `ssf.manage`.
   *
   * `GET /oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `NOT_FOUND`
   */
  readStatus(query: {
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Get the status of a stream of signals, at the issuer URL.
   *
   * The scope is `ssf.read` or `ssf.manage`.
   *
   * `GET /t/:tenant_id/oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `NOT_FOUND`
   */
  readStatusByIssuer(tenantId: string, query: {
    /** ID of a stream: `stream_<id>`. */
    readonly stream_id: string;
  }, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Pause, disable or enable a stream of signals.
   *
   * If a paused stream is enabled, its undelivered events are delivered. The scope is `ssf.manage`.
   *
   * `POST /oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStatus(body: SignalStreamStatus, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Pause, disable or enable a stream of signals, at the issuer URL.
   *
   * If a paused stream is enabled, its undelivered events are delivered. The scope is `ssf.manage`.
   *
   * `POST /t/:tenant_id/oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStatusByIssuer(tenantId: string, body: SignalStreamStatus, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Poll the events of a stream, and acknowledge earlier ones.
   *
   * Polls events (RFC 8936). Acknowledged events are not returned again. All others are, until they are seven days old. Without `returnImmediately`, the response waits up to 25 seconds for an event. The scope is `ssf.manage`.
   *
   * `POST /oauth/ssf/poll/:stream_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  poll(streamId: string, body: {
    /** Maximum number of events. Default and maximum: 100. With 0, returns no events and does not wait. */
    readonly maxEvents?: number;
    /** Whether to return without waiting for an event. Default: false. */
    readonly returnImmediately?: boolean;
    /** Events that the receiver has processed. */
    readonly ack?: readonly string[];
    /** Events that the receiver cannot process, by `jti`. They are not returned again. */
    readonly setErrs?: {
      readonly [name: string]: {
        /** Error code (RFC 8935 §2.4). */
        readonly err: string;
        /** A description. */
        readonly description?: string;
      };
    };
  }, options?: CallOptions): ApiPromise<PolledSignals>;

  /**
   * Poll the events of a stream, and acknowledge earlier ones, at the issuer URL.
   *
   * Polls events (RFC 8936). Acknowledged events are not returned again. All others are, until they are seven days old. Without `returnImmediately`, the response waits up to 25 seconds for an event. The scope is `ssf.manage`.
   *
   * `POST /t/:tenant_id/oauth/ssf/poll/:stream_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  pollByIssuer(tenantId: string, streamId: string, body: {
    /** Maximum number of events. Default and maximum: 100. With 0, returns no events and does not wait. */
    readonly maxEvents?: number;
    /** Whether to return without waiting for an event. Default: false. */
    readonly returnImmediately?: boolean;
    /** Events that the receiver has processed. */
    readonly ack?: readonly string[];
    /** Events that the receiver cannot process, by `jti`. They are not returned again. */
    readonly setErrs?: {
      readonly [name: string]: {
        /** Error code (RFC 8935 §2.4). */
        readonly err: string;
        /** A description. */
        readonly description?: string;
      };
    };
  }, options?: CallOptions): ApiPromise<PolledSignals>;
}

export interface ConsentsApi {
  /**
   * List the caller’s consents.
   *
   * Applications that the caller has consented to, newest first.
   *
   * `GET /api/sso/v1/me/consents`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listOwn(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Consent>;

  /**
   * Revoke one of the caller’s consents.
   *
   * The application’s sessions for this user end, and their tokens are rejected immediately.
   *
   * `DELETE /api/sso/v1/me/consents/:consent_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteOwn(consentId: string, options?: CallOptions): ApiPromise<{
    /** ID of a consent: `cns_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * List consents.
   *
   * Newest first.
   *
   * `GET /api/sso/v1/consents`, scope `read:consents`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id?: string;
  }, options?: CallOptions): Listing<Consent>;

  /**
   * Revoke a consent.
   *
   * The application’s sessions for this user end, and their tokens are rejected immediately.
   *
   * `DELETE /api/sso/v1/consents/:consent_id`, scope `delete:consents`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  delete(consentId: string, options?: CallOptions): ApiPromise<{
    /** ID of a consent: `cns_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface UserinfoApi {
  /**
   * Get claims about the user of an access token.
   *
   * Requires the access token of an OAuth client that was granted `openid`. Returns the claims of the scopes `profile`, `email` and `phone`, and individually requested claims. Unknown claims are left out. `name` and `picture` are those of the user; claims such as `given_name` come from the member of the same name in the user’s `metadata`; `updated_at` is always present.
   *
   * `GET /oauth/userinfo`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  get(options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * Get claims about the user of an access token, with POST.
   *
   * Requires the access token of an OAuth client that was granted `openid`. Returns the claims of the scopes `profile`, `email` and `phone`, and individually requested claims. Unknown claims are left out. `name` and `picture` are those of the user; claims such as `given_name` come from the member of the same name in the user’s `metadata`; `updated_at` is always present. Send the token in the header `Authorization`, or in the form (RFC 6750 §2.2).
   *
   * `POST /oauth/userinfo`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  post(body: {
    /** The access token, unless you send it in the header. */
    readonly access_token?: string;
  }, options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * Get claims about the user of an access token, at the issuer URL.
   *
   * Requires the access token of an OAuth client that was granted `openid`. Returns the claims of the scopes `profile`, `email` and `phone`, and individually requested claims. Unknown claims are left out. `name` and `picture` are those of the user; claims such as `given_name` come from the member of the same name in the user’s `metadata`; `updated_at` is always present.
   *
   * `GET /t/:tenant_id/oauth/userinfo`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  getByIssuer(tenantId: string, options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * Get claims about the user of an access token with POST, at the issuer URL.
   *
   * Requires the access token of an OAuth client that was granted `openid`. Returns the claims of the scopes `profile`, `email` and `phone`, and individually requested claims. Unknown claims are left out. `name` and `picture` are those of the user; claims such as `given_name` come from the member of the same name in the user’s `metadata`; `updated_at` is always present. Send the token in the header `Authorization`, or in the form (RFC 6750 §2.2).
   *
   * `POST /t/:tenant_id/oauth/userinfo`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  postByIssuer(tenantId: string, body: {
    /** The access token, unless you send it in the header. */
    readonly access_token?: string;
  }, options?: CallOptions): ApiPromise<Userinfo>;
}

export interface OauthApi {
  /**
   * Push an authorization request.
   *
   * Pushes an authorization request (RFC 9126). The application sends the request itself, and the browser carries only `client_id` and `request_uri`, so the request cannot be read or changed on the way. It is validated immediately and can be used for a minute. Only one code is issued for it. With a proof in the header `DPoP`, the code is bound to the key of the proof, as with `dpop_jkt`.
   *
   * `POST /oauth/par`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  push(body: {
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** A redirect URI that is registered for the application. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; for signed responses (JARM), `query.jwt` (also `jwt`) or `form_post.jwt`. */
    readonly response_mode?: string;
    /** Scopes, separated by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` for the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum time since the user authenticated, in seconds. */
    readonly max_age?: string;
    /** Acceptable `acr` values, in order of preference. */
    readonly acr_values?: string;
    /** Identifier to prefill. It proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to. Exchanging the code requires a DPoP proof with this key (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Individually requested claims (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON array (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application. All other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed. All other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<PushedRequest>;

  /**
   * Push an authorization request, at the issuer URL.
   *
   * Pushes an authorization request (RFC 9126). The application sends the request itself, and the browser carries only `client_id` and `request_uri`, so the request cannot be read or changed on the way. It is validated immediately and can be used for a minute. Only one code is issued for it. With a proof in the header `DPoP`, the code is bound to the key of the proof, as with `dpop_jkt`.
   *
   * `POST /t/:tenant_id/oauth/par`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  pushByIssuer(tenantId: string, body: {
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** A redirect URI that is registered for the application. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; for signed responses (JARM), `query.jwt` (also `jwt`) or `form_post.jwt`. */
    readonly response_mode?: string;
    /** Scopes, separated by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` for the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum time since the user authenticated, in seconds. */
    readonly max_age?: string;
    /** Acceptable `acr` values, in order of preference. */
    readonly acr_values?: string;
    /** Identifier to prefill. It proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to. Exchanging the code requires a DPoP proof with this key (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Individually requested claims (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON array (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application. All other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed. All other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<PushedRequest>;

  /**
   * Sign in inside an application of the tenant.
   *
   * Logs a user in on the screens of a native application with `in_app_login` (draft-ietf-oauth-first-party-apps). The first request has the parameters of an authorization request, with `login_hint` as the identifier. `redirect_uri` is optional: the one that a login on the web would return to. All responses except the last are errors. `insufficient_authorization` lists the next steps in `needs`; send one of them with `auth_session`. `redirect_to_web` means that the login must continue in a browser. The response is the same for known and unknown identifiers. With a proof in the header `DPoP`, the login and its code are bound to the key of the proof.
   *
   * `POST /oauth/authorize-challenge`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `CLIENT_UNAUTHORIZED`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `INSUFFICIENT_AUTHORIZATION`, `REDIRECT_TO_WEB`, `AUTH_SESSION_INVALID`, `TOO_MANY_ATTEMPTS`, `TOO_MANY_MESSAGES`, `TOO_BUSY`
   */
  challenge(body: {
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** A redirect URI that is registered for the application. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; for signed responses (JARM), `query.jwt` (also `jwt`) or `form_post.jwt`. */
    readonly response_mode?: string;
    /** Scopes, separated by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` for the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum time since the user authenticated, in seconds. */
    readonly max_age?: string;
    /** Acceptable `acr` values, in order of preference. */
    readonly acr_values?: string;
    /** Identifier to prefill. It proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to. Exchanging the code requires a DPoP proof with this key (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Individually requested claims (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON array (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application. All other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed. All other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** The login in progress, from the previous response. Only the client that started it can use it. */
    readonly auth_session?: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password?: string;
    /** Requests a message with a code over this channel. */
    readonly message?: 'email' | 'sms';
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly message_code?: string;
    /** The current code of the authenticator app. */
    readonly totp_code?: string;
    /** A recovery code: 24 characters. Hyphens and case are ignored. */
    readonly recovery_code?: string;
    /** Requests the options for a passkey. */
    readonly passkey_options?: 'true';
    /** The passkey assertion, as JSON. */
    readonly passkey?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<ChallengeAnswer>;

  /**
   * Sign in inside an application, at the issuer URL.
   *
   * Logs a user in on the screens of a native application with `in_app_login` (draft-ietf-oauth-first-party-apps). The first request has the parameters of an authorization request, with `login_hint` as the identifier. `redirect_uri` is optional: the one that a login on the web would return to. All responses except the last are errors. `insufficient_authorization` lists the next steps in `needs`; send one of them with `auth_session`. `redirect_to_web` means that the login must continue in a browser. The response is the same for known and unknown identifiers. With a proof in the header `DPoP`, the login and its code are bound to the key of the proof.
   *
   * `POST /t/:tenant_id/oauth/authorize-challenge`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `CLIENT_UNAUTHORIZED`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `INSUFFICIENT_AUTHORIZATION`, `REDIRECT_TO_WEB`, `AUTH_SESSION_INVALID`, `TOO_MANY_ATTEMPTS`, `TOO_MANY_MESSAGES`, `TOO_BUSY`
   */
  challengeByIssuer(tenantId: string, body: {
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** A redirect URI that is registered for the application. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; for signed responses (JARM), `query.jwt` (also `jwt`) or `form_post.jwt`. */
    readonly response_mode?: string;
    /** Scopes, separated by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` for the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum time since the user authenticated, in seconds. */
    readonly max_age?: string;
    /** Acceptable `acr` values, in order of preference. */
    readonly acr_values?: string;
    /** Identifier to prefill. It proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to. Exchanging the code requires a DPoP proof with this key (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Individually requested claims (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON array (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application. All other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed. All other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** The login in progress, from the previous response. Only the client that started it can use it. */
    readonly auth_session?: string;
    /** A password of at most 256 characters after NFKC normalization. */
    readonly password?: string;
    /** Requests a message with a code over this channel. */
    readonly message?: 'email' | 'sms';
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly message_code?: string;
    /** The current code of the authenticator app. */
    readonly totp_code?: string;
    /** A recovery code: 24 characters. Hyphens and case are ignored. */
    readonly recovery_code?: string;
    /** Requests the options for a passkey. */
    readonly passkey_options?: 'true';
    /** The passkey assertion, as JSON. */
    readonly passkey?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<ChallengeAnswer>;

  /**
   * Start a login on a device without a browser.
   *
   * Starts a login on a device (RFC 8628). The application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until the user has typed the code into a browser on another device and approved or denied the login.
   *
   * `POST /oauth/device_authorization`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `TOO_MANY_ATTEMPTS`
   */
  deviceAuthorization(body: {
    /** Scopes, separated by spaces. Default: all scopes that the application can request. */
    readonly scope?: string;
    readonly resource?: DeviceResource;
    /** Rejected. Device logins do not support authorization details (RFC 9396). */
    readonly authorization_details?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<DeviceAuthorization>;

  /**
   * Start a login on a device without a browser, at the issuer URL.
   *
   * Starts a login on a device (RFC 8628). The application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until the user has typed the code into a browser on another device and approved or denied the login.
   *
   * `POST /t/:tenant_id/oauth/device_authorization`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `TOO_MANY_ATTEMPTS`
   */
  deviceAuthorizationByIssuer(tenantId: string, body: {
    /** Scopes, separated by spaces. Default: all scopes that the application can request. */
    readonly scope?: string;
    readonly resource?: DeviceResource;
    /** Rejected. Device logins do not support authorization details (RFC 9396). */
    readonly authorization_details?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<DeviceAuthorization>;

  /**
   * Register an application dynamically.
   *
   * Registers an application (RFC 7591). Send a registration token, or a credential with `write:clients`, as the bearer token. If the tenant’s `oauth_registration` is `open`, you can also register without a token or credential, ten times per minute. Unknown members are ignored; the response shows what was registered. The application is never a first-party application.
   *
   * `POST /oauth/register`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `REGISTRATION_OFF`, `REGISTRATION_FULL`, `SCOPE_REQUIRED`, `TOO_MANY_CLIENTS`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  register(body: ClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Register an application dynamically, at the issuer URL.
   *
   * Registers an application (RFC 7591). Send a registration token, or a credential with `write:clients`, as the bearer token. If the tenant’s `oauth_registration` is `open`, you can also register without a token or credential, ten times per minute. Unknown members are ignored; the response shows what was registered. The application is never a first-party application.
   *
   * `POST /t/:tenant_id/oauth/register`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `REGISTRATION_OFF`, `REGISTRATION_FULL`, `SCOPE_REQUIRED`, `TOO_MANY_CLIENTS`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  registerByIssuer(tenantId: string, body: ClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Get the application’s own registration.
   *
   * Returns the registration (RFC 7592). Send the `registration_access_token` as the bearer token. Secrets are not shown again.
   *
   * `GET /oauth/register/:client_id`
   *
   * @throws ApiError `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`
   */
  readRegistration(clientId: string, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Get the application’s own registration, at the issuer URL.
   *
   * Returns the registration (RFC 7592). Send the `registration_access_token` as the bearer token. Secrets are not shown again.
   *
   * `GET /t/:tenant_id/oauth/register/:client_id`
   *
   * @throws ApiError `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`
   */
  readRegistrationByIssuer(tenantId: string, clientId: string, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Update the application’s own registration.
   *
   * Replaces the registration (RFC 7592). Omitted members get their defaults. The authentication method cannot be changed, and the application cannot request more than at its registration. Updates count toward the limit of ten registrations per minute and IP address.
   *
   * `PUT /oauth/register/:client_id`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  changeRegistration(clientId: string, body: ChangedClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Update the application’s own registration, at the issuer URL.
   *
   * Replaces the registration (RFC 7592). Omitted members get their defaults. The authentication method cannot be changed, and the application cannot request more than at its registration. Updates count toward the limit of ten registrations per minute and IP address.
   *
   * `PUT /t/:tenant_id/oauth/register/:client_id`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  changeRegistrationByIssuer(tenantId: string, clientId: string, body: ChangedClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Revoke a token of an application.
   *
   * Revokes a token (RFC 7009). The application’s session ends, and its refresh token and access tokens are rejected immediately. An unknown token is not an error, because it cannot be used either.
   *
   * `POST /oauth/revoke`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`
   */
  revoke(body: {
    /** A refresh token or an access token. */
    readonly token: string;
    /** Ignored. The token itself shows its type. */
    readonly token_type_hint?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Readonly<Record<string, unknown>>>;

  /**
   * Revoke a token of an application, at the issuer URL.
   *
   * Revokes a token (RFC 7009). The application’s session ends, and its refresh token and access tokens are rejected immediately. An unknown token is not an error, because it cannot be used either.
   *
   * `POST /t/:tenant_id/oauth/revoke`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`
   */
  revokeByIssuer(tenantId: string, body: {
    /** A refresh token or an access token. */
    readonly token: string;
    /** Ignored. The token itself shows its type. */
    readonly token_type_hint?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Readonly<Record<string, unknown>>>;

  /**
   * Introspect a token as a client.
   *
   * Introspects a token (RFC 7662). Agents, and applications that have a secret or a key, can introspect their own tokens and those of resources that they serve. Any other token is inactive for them. With `Accept: application/token-introspection+jwt`, the response is signed (RFC 9701): for applications with the algorithm of their ID tokens, for agents with EdDSA. The response does not reveal why a token is inactive.
   *
   * `POST /oauth/introspect`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  introspect(body: {
    /** An access token, a refresh token or an API key. */
    readonly token: string;
    /** Ignored. The token itself shows its type. */
    readonly token_type_hint?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Introspection>;

  /**
   * Introspect a token as a client, at the issuer URL.
   *
   * Introspects a token (RFC 7662). Agents, and applications that have a secret or a key, can introspect their own tokens and those of resources that they serve. Any other token is inactive for them. With `Accept: application/token-introspection+jwt`, the response is signed (RFC 9701): for applications with the algorithm of their ID tokens, for agents with EdDSA. The response does not reveal why a token is inactive.
   *
   * `POST /t/:tenant_id/oauth/introspect`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  introspectByIssuer(tenantId: string, body: {
    /** An access token, a refresh token or an API key. */
    readonly token: string;
    /** Ignored. The token itself shows its type. */
    readonly token_type_hint?: string;
    /** ID of the agent or application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key from its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Introspection>;
}

export interface WebhooksApi {
  /**
   * List webhooks.
   *
   * Newest first. Secrets are not shown.
   *
   * `GET /api/sso/v1/webhooks`, scope `read:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Webhook>;

  /**
   * Create a webhook.
   *
   * The secret is shown only in this response. Requires the scopes to read what the events contain; the list of events names them.
   *
   * `POST /api/sso/v1/webhooks`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_WEBHOOKS`
   */
  create(body: {
    /** A public https URL, or a URL that the operator allows. */
    readonly url: string;
    /** Event types to send. */
    readonly events: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
    /** Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is `whsec_` followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself. */
    readonly secret?: string;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * Get a webhook.
   *
   * Returns the webhook without its secret.
   *
   * `GET /api/sso/v1/webhooks/:webhook_id`, scope `read:webhooks`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(webhookId: string, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Update a webhook.
   *
   * Events that happen while the webhook is inactive are not queued for it; use `replay` to send them later. Deliveries that are already queued are kept. Every change except `is_active: false` requires the scopes to read what the webhook’s events contain. If you change `url`, you must also send `secret`.
   *
   * `PATCH /api/sso/v1/webhooks/:webhook_id`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(webhookId: string, body: {
    /** A public https URL, or a URL that the operator allows. */
    readonly url?: string;
    /** Required if you change `url`: the current secret or a new one. It replaces the current secret without an overlap. */
    readonly secret?: string;
    /** Event types to send. */
    readonly events?: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
    /** Whether the webhook is active. Nothing is sent to an inactive webhook. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Delete a webhook.
   *
   * Nothing more is sent to the webhook, including queued deliveries. Its delivery log is no longer available and is deleted together with the events after 30 days.
   *
   * `DELETE /api/sso/v1/webhooks/:webhook_id`, scope `delete:webhooks`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(webhookId: string, options?: CallOptions): ApiPromise<{
    /** ID of a webhook: `wh_<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Rotate the secret of a webhook.
   *
   * During the overlap, both secrets are valid. `webhook-signature` contains one signature for each. `X-Service-Signature` uses the previous secret until the overlap ends.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/rotate`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  rotate(webhookId: string, body: {
    /** Signing secret. Default: 32 generated random bytes. A short secret can be guessed from a signed delivery, so use at least 32 random characters. If the secret is `whsec_` followed by base64, the Standard Webhooks headers are signed with the decoded bytes, otherwise with the text itself. */
    readonly secret?: string;
    /** Number of hours that the previous secret remains valid. Default: 24. Use 0 for a leaked secret. */
    readonly overlap_hours?: number;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * List the deliveries of a webhook.
   *
   * Newest first, with the last response to each. Kept for 30 days.
   *
   * `GET /api/sso/v1/webhooks/:webhook_id/deliveries`, scope `read:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  listDeliveries(webhookId: string, query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Only deliveries with this status. */
    readonly status?: 'pending' | 'delivered' | 'failed';
  }, options?: CallOptions): Listing<Delivery>;

  /**
   * Send a test event to a webhook.
   *
   * Sends `webhook.test` only to this webhook, regardless of its event types. The delivery shows the result.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/test`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  test(webhookId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Resend an event immediately.
   *
   * Starts over with the first attempt, regardless of the previous result.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/deliveries/:delivery_id/retry`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  retryDelivery(webhookId: string, deliveryId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Replay all events after a given one.
   *
   * Sends the event types that the webhook subscribes to, in the order of the log, 1000 per call. While `next_after` is present, call again with it. Deliveries that are waiting for their next attempt are sent now. Those in progress are not changed.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/replay`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  replay(webhookId: string, body: {
    /** The replay starts after this event. */
    readonly after: string;
    /** With `true`, queues nothing and returns what would be queued. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** Number of queued events. */
    readonly queued: number;
    /** Value of `after` for the next call. Absent if all events are queued. */
    readonly next_after?: string;
  }>;
}

export interface KeysApi {
  /**
   * List signing keys.
   *
   * Includes retired keys. Private keys are never shown.
   *
   * `GET /api/sso/v1/keys`, scope `read:keys`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<SigningKey>;

  /**
   * Rotate the signing key of an algorithm.
   *
   * The new key is published immediately and starts to sign after the key sets cached by verifiers have expired. With `immediately=true`, for a compromised key, it signs now. Keys of other algorithms do not change.
   *
   * `POST /api/sso/v1/keys/rotate`, scope `write:keys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `ROTATION_IN_PROGRESS`
   */
  rotate(query?: {
    /** Algorithm of the new key. Default: EdDSA. */
    readonly algorithm?: 'EdDSA' | 'RS256' | 'ES256';
    /** With `true`, the new key signs immediately. */
    readonly immediately?: boolean;
  }, options?: CallOptions): ApiPromise<SigningKey>;

  /**
   * Retire a signing key immediately.
   *
   * All access tokens signed with the key are rejected immediately; sessions continue after a refresh. The private key is destroyed. The current key of an algorithm cannot be retired: rotate it first.
   *
   * `DELETE /api/sso/v1/keys/:key_id`, scope `delete:keys`
   *
   * @throws ApiError `NOT_FOUND`, `KEY_IN_USE`
   */
  retire(keyId: string, options?: CallOptions): ApiPromise<{
    /** ID of a signing key: `key_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record is kept. */
    readonly revoked: true;
  }>;
}

export interface EventsApi {
  /**
   * List events.
   *
   * Oldest first, kept for 30 days. To receive every event, poll with `after` set to the `id` of the last event you received. You do not miss events even if transactions overlap, because an event is listed only after all earlier ones.
   *
   * `GET /api/sso/v1/events`, scope `read:events`
   *
   * @throws ApiError `VALIDATION_FAILED`, `EVENT_UNKNOWN`
   */
  list(query?: {
    /** ID of the last event you received. Default: start with the oldest event. */
    readonly after?: string;
    /** The `meta.next_cursor` of the previous page. Takes precedence over `after`. */
    readonly cursor?: string;
    /** Type of the event. */
    readonly type?: 'user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test';
    /** Subject of the event: the ID of a user, session, agent or other record. */
    readonly subject?: string;
    /** Maximum number of events. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<Event>;
}

export interface AuditApi {
  /**
   * List audit log entries.
   *
   * Newest first. With `Accept: application/x-ndjson`, exports the log instead: one complete entry per line in chain order, and without filters, a signed checkpoint as the last line.
   *
   * `GET /api/sso/v1/audit`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Actor that performed the action: `user:<id>` or `service:<id>`. */
    readonly actor?: string;
    /** The user that a delegate acted for. */
    readonly on_behalf_of?: string;
    /** The action. */
    readonly action?: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.unlocked' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.tested' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
    /** ID or name of the target. */
    readonly target?: string;
    /** The `x-request-id` of a response, to get all entries of that request. In a large log, also send `from` and `to`. */
    readonly request_id?: string;
    /** The outcome. */
    readonly outcome?: 'success' | 'failure' | 'denied';
    /** Only entries at or after this time (RFC 3339). */
    readonly from?: string;
    /** Only entries before this time (RFC 3339). */
    readonly to?: string;
  }, options?: CallOptions): Listing<AuditEntry>;

  /**
   * List audit log entries about the caller.
   *
   * What the caller did, what others did in the caller’s name, and what was done to the caller’s account. Newest first. Administrators are not named.
   *
   * `GET /api/sso/v1/me/audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listOwn(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
  }, options?: CallOptions): Listing<OwnLogEntry>;

  /**
   * List signed checkpoints of the audit log.
   *
   * Newest first. Store copies elsewhere to prove later that the start of the log has not changed.
   *
   * `GET /api/sso/v1/audit/checkpoints`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listCheckpoints(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<AuditCheckpoint>;

  /**
   * Get the names of records.
   *
   * Returns the names of the records that entries of the audit log mention. Omits records that do not exist, and records whose kind you cannot read: it requires `read:users` for users and invitations, `read:agents` for agents, `read:apikeys` for API keys, `read:clients` for applications and APIs, `read:tenant` for identity providers, `read:webhooks` for webhooks and `read:workspaces` for workspaces.
   *
   * `GET /api/sso/v1/names`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  getNames(query: {
    /** IDs of users, agents, API keys, applications, APIs, identity providers, invitations, webhooks and workspaces: up to 100, separated by commas. */
    readonly ids: string;
  }, options?: CallOptions): ApiPromise<{
    /** The records, in any order. */
    readonly items: readonly RecordName[];
  }>;

  /**
   * Get the activity of the tenant.
   *
   * Returns the number of logins, sessions, tokens, requests and deliveries: by five minutes or by hour for the last 48 hours, by day (UTC) for the last 90 days. Nodes save their counts every few seconds. A node that is killed loses its unsaved counts.
   *
   * `GET /api/sso/v1/activity`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listActivity(query?: {
    /** Length of a span. Default: `hour`. */
    readonly interval?: '5m' | 'hour' | 'day';
    /** Only spans that end after this time (RFC 3339). */
    readonly from?: string;
    /** Only spans that start before this time (RFC 3339). */
    readonly to?: string;
  }, options?: CallOptions): ApiPromise<{
    /** Length of a span. */
    readonly interval: '5m' | 'hour' | 'day';
    /** Start of the first span in the response. */
    readonly from: string;
    /** End of the last span in the response. */
    readonly to: string;
    /** Spans with activity, oldest first. */
    readonly spans: readonly ActivitySpan[];
  }>;
}

export interface TenantsApi {
  /**
   * List tenants.
   *
   * Returns the tenants of the installation, newest first. If you send several filters, all of them must match.
   *
   * `GET /api/sso/v1/tenants`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  list(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Any part of the name, the ID or a domain. Case-insensitive. */
    readonly search?: string;
    /** Only active or only inactive tenants. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Tenant>;

  /**
   * Create a tenant.
   *
   * The tenant is ready to use, with a data key, a signing key, `ws_default` and the built-in roles.
   *
   * `POST /api/sso/v1/tenants`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SLUG_TAKEN`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`, `METHOD_NOT_READY`
   */
  create(body: {
    /** Display name, on a single line. */
    readonly name: string;
    /** The ID without its prefix. Default: derived from the name. */
    readonly slug?: string;
    /** Host names of the tenant. Each belongs to one tenant only. */
    readonly domains?: readonly string[];
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
  }, options?: CallOptions): ApiPromise<Tenant>;

  /**
   * Get a tenant.
   *
   * Returns the caller’s own tenant. A system administrator can get any tenant.
   *
   * `GET /api/sso/v1/tenants/:tenant_id`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(tenantId: string, options?: CallOptions): ApiPromise<Tenant>;

  /**
   * Count the dependents of a tenant.
   *
   * Returns what would be deleted with the tenant. 10,001 means more than 10,000.
   *
   * `GET /api/sso/v1/tenants/:tenant_id/dependents`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(tenantId: string, options?: CallOptions): ApiPromise<TenantDependents>;

  /**
   * Update a tenant.
   *
   * `config`, `branding` and `messaging` are merged field by field. `null` resets a setting to its default, or removes it if it has none. Only a system administrator can set `domains`, `is_active` and `issuer`. With `dry_run=true`, returns the effects and changes nothing. While users have passkeys, changing the domain that they are bound to is rejected unless you send `force=true`.
   *
   * `PATCH /api/sso/v1/tenants/:tenant_id`, scope `write:tenant`, or `write:logins` for `messaging`, `domains`, `issuer`, a `name` or `company_name` that contains a URL, a host name or an email address, and the settings whose schema requires it (`x-required-scope`)
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`, `SYSTEM_ADMINISTRATOR_REQUIRED`, `DEFAULT_TENANT_PROTECTED`, `METHOD_NOT_READY`, `IN_USE`, `SCOPE_NOT_HELD`
   */
  update(tenantId: string, body: {
    /** Display name, on a single line. */
    readonly name?: string;
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
    /** Host names of the tenant. Each belongs to one tenant only. */
    readonly domains?: readonly string[];
    /** Whether the tenant is active. Every request to an inactive tenant fails with 403. */
    readonly is_active?: boolean;
    /** The `iss` of the tenant’s tokens; `null` for the default. */
    readonly issuer?: string | null;
  }, query?: {
    /** With `true`, returns what would change and changes nothing. */
    readonly dry_run?: boolean;
    /** With `true`, makes the change even if users’ passkeys stop working. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<Tenant | TenantDryRun>;

  /**
   * Delete a tenant.
   *
   * Irreversible. The tenant’s data key is destroyed before the response, so nothing encrypted with it can be decrypted again. Large tenants are deleted in the background.
   *
   * `DELETE /api/sso/v1/tenants/:tenant_id`
   *
   * @throws ApiError `NOT_FOUND`, `DEFAULT_TENANT_PROTECTED`
   */
  delete(tenantId: string, options?: CallOptions): ApiPromise<{
    /** ID of a tenant: `org_<slug>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface InstallationApi {
  /**
   * Get the state of the installation.
   *
   * Returns the nodes, the database and the queues of the installation, across all tenants.
   *
   * `GET /api/sso/v1/installation`
   */
  get(options?: CallOptions): ApiPromise<Installation>;
}

export interface ImpersonationsApi {
  /**
   * List the caller’s impersonations in the console.
   *
   * Impersonations of the caller’s session that have not ended, latest first.
   *
   * `GET /api/sso/v1/impersonations`
   */
  list(options?: CallOptions): ApiPromise<{
    /** All impersonations of the session that have not ended. */
    readonly items: readonly Impersonation[];
  }>;

  /**
   * Start an impersonation in the console.
   *
   * Lasts at most 15 minutes, and no longer than the caller’s session. During this time, the console can call the tenant’s routes in the same session, without a token. Each impersonation is recorded with its reason. Starting it again restarts it. A session can have at most 20 impersonations; starting another ends the oldest.
   *
   * `PUT /api/sso/v1/impersonations/:tenant_id`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `TENANT_INACTIVE`, `DEFAULT_TENANT_PROTECTED`
   */
  begin(tenantId: string, body: {
    /** Reason, recorded in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<Impersonation>;

  /**
   * End an impersonation in the console.
   *
   * Takes effect with the next request, on every node.
   *
   * `DELETE /api/sso/v1/impersonations/:tenant_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  end(tenantId: string, options?: CallOptions): ApiPromise<{
    /** ID of a tenant: `org_<slug>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface MessagingApi {
  /**
   * Get the text of a message.
   *
   * Returns the tenant’s text, or the default text that ships with the service.
   *
   * `GET /api/sso/v1/messaging/templates/:kind/:locale`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getTemplate(kind: string, locale: string, options?: CallOptions): ApiPromise<MessageTemplate>;

  /**
   * Set the text of a message.
   *
   * Variables: `company`, `identifier`, `support_email`, `time`, `device`. Texts with a code also have `code`, `link`, `minutes` and `duration` (the minutes in words). Notices also have `changed`.
   *
   * `PUT /api/sso/v1/messaging/templates/:kind/:locale`, scope `write:tenant`, or `write:logins` for a text that contains a URL, a host name or an email address
   *
   * @throws ApiError `NOT_FOUND`, `TEMPLATE_INVALID`, `SCOPE_NOT_HELD`
   */
  putTemplate(kind: string, locale: string, body: {
    /** The subject, with variables. `{{code}}` and `{{link}}` are not allowed. */
    readonly subject: string;
    /** Paragraphs with variables, separated by empty lines. A paragraph is left out if one of its variables has no value. The HTML part is generated from this text. */
    readonly text: string;
  }, options?: CallOptions): ApiPromise<MessageTemplate>;

  /**
   * Reset the text of a message to its default.
   *
   * Deletes the tenant’s text, if there is one.
   *
   * `DELETE /api/sso/v1/messaging/templates/:kind/:locale`, scope `write:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteTemplate(kind: string, locale: string, options?: CallOptions): ApiPromise<{
    /** Purpose of the message. */
    readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale: string;
    /** The tenant’s text no longer exists. */
    readonly deleted: true;
  }>;

  /**
   * Preview a message.
   *
   * Shows a message without sending it, with dummy values instead of secrets. With `subject` and `text`, previews a text that is not saved.
   *
   * `POST /api/sso/v1/messaging/preview`, scope `read:tenant`
   *
   * @throws ApiError `TEMPLATE_INVALID`
   */
  preview(body: {
    /** Purpose of the message. */
    readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
    /** The subject, with variables. `{{code}}` and `{{link}}` are not allowed. */
    readonly subject?: string;
    /** Paragraphs with variables, separated by empty lines. A paragraph is left out if one of its variables has no value. The HTML part is generated from this text. */
    readonly text?: string;
  }, options?: CallOptions): ApiPromise<{
    /** The subject. */
    readonly subject: string;
    /** The text part. */
    readonly text: string;
    /** The HTML part. */
    readonly html: string;
    /** The text message, which tenants cannot change. Absent if messages of this kind are sent only by email. */
    readonly sms?: {
      /** The text. */
      readonly text: string;
      /** Number of text messages that the provider will charge for. */
      readonly segments: number;
    };
  }>;

  /**
   * Send a test message.
   *
   * Sends the message to any email address, or to any phone number that can receive codes by SMS if `kind` is `login` or `verification`. It contains dummy values instead of secrets. With `email`, tests email settings before they are saved. You can send ten test messages per hour.
   *
   * `POST /api/sso/v1/messaging/test`, scope `write:tenant`, or `write:logins` for `email`
   *
   * @throws ApiError `VALIDATION_FAILED`, `METHOD_NOT_READY`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`, `SCOPE_NOT_HELD`
   */
  test(body: {
    /** An email address, or a phone number in E.164 format. */
    readonly to: string;
    /** Purpose of the message. */
    readonly kind?: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
    /** Email settings to use instead of the saved ones. Without `smtp_password`, the saved password is used, unless the server or the user name differs. */
    readonly email?: {
      /** Provider of email delivery. */
      readonly provider?: 'smtp';
      /** Host name or IP address of the mail server. */
      readonly smtp_host?: string;
      /** Port of the mail server. */
      readonly smtp_port?: number;
      /** User name at the mail server. */
      readonly smtp_username?: string;
      /** Password at the mail server. Always reads as `********`. If you change the host, port, security or user name, you must send it again. */
      readonly smtp_password?: string;
      /** `tls`: TLS from the start. `starttls`: STARTTLS is required. `none`: only for servers that the operator allows. Default: `tls` on port 465, otherwise `starttls`. */
      readonly smtp_security?: 'tls' | 'starttls' | 'none';
      /** Sender of emails. */
      readonly from_address?: string;
      /** Name of the sender. Default: the company name. */
      readonly from_name?: string;
      /** Email address for replies. Default: `support_email` of the branding, or else the sender. */
      readonly reply_to?: string;
    };
  }, options?: CallOptions): ApiPromise<{
    /** ID of a message: `msg_<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
  }>;

  /**
   * List messages.
   *
   * Messages of the last 30 days, newest first, without their texts and secrets.
   *
   * `GET /api/sso/v1/messages`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `PRINCIPAL_PROTECTED`
   */
  listMessages(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Only messages in this state. */
    readonly status?: 'pending' | 'sent' | 'failed' | 'expired' | 'not_sent';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Message>;

  /**
   * List suppressed recipients.
   *
   * Newest first.
   *
   * `GET /api/sso/v1/messaging/suppressions`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listSuppressions(query?: {
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age. `-created_at` (default) lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Suppression>;

  /**
   * Get the suppression of a recipient.
   *
   * Find it by its ID, or by email address or phone number.
   *
   * `GET /api/sso/v1/messaging/suppressions/:suppression`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getSuppression(suppression: string, options?: CallOptions): ApiPromise<Suppression>;

  /**
   * Remove the suppression of a recipient.
   *
   * A new bounce or complaint suppresses the recipient again.
   *
   * `DELETE /api/sso/v1/messaging/suppressions/:suppression`, scope `write:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteSuppression(suppression: string, options?: CallOptions): ApiPromise<{
    /** ID of the recipient within the tenant. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;

  /**
   * Get the URL where mail providers report bounces.
   *
   * The URL contains a secret. Anyone who has it can stop messages to any user, so give it only to your mail provider. It does not change during the tenant’s lifetime.
   *
   * `GET /api/sso/v1/messaging/feedback`, scope `write:logins`
   *
   * @throws ApiError `SCOPE_NOT_HELD`
   */
  getFeedbackAddress(options?: CallOptions): ApiPromise<{
    /** URL that reports are posted to. */
    readonly url: string;
  }>;

  /**
   * Report a bounce or a complaint.
   *
   * For mail providers. Accepts three formats: the schema below; Amazon SES notifications through Amazon SNS, whose signatures are verified and whose subscriptions are confirmed; and Postmark webhooks. Unknown fields, other kinds of reports and repeated reports are ignored.
   *
   * `POST /api/sso/v1/messaging/feedback/:token`
   *
   * @throws ApiError `NOT_FOUND`, `FEEDBACK_REFUSED`, `TOO_MANY_MESSAGES`
   */
  feedback(token: string, body: {
    /** `bounce`: the mailbox does not exist or rejects all mail. */
    readonly type?: 'bounce' | 'complaint';
    /** ID of the report. A report with a known ID is ignored. */
    readonly id?: string;
    /** Email address of the mailbox. */
    readonly email?: string;
    /** Time of the report (ISO 8601). */
    readonly at?: string;
    readonly [name: string]: unknown;
  }, options?: CallOptions): ApiPromise<{
    /** Number of recipients that were suppressed because of the report. */
    readonly suppressed: number;
  }>;

  /**
   * Report a bounce or a complaint, at the issuer URL.
   *
   * For mail providers. Accepts three formats: the schema below; Amazon SES notifications through Amazon SNS, whose signatures are verified and whose subscriptions are confirmed; and Postmark webhooks. Unknown fields, other kinds of reports and repeated reports are ignored.
   *
   * `POST /t/:tenant_id/messaging/feedback/:token`
   *
   * @throws ApiError `NOT_FOUND`, `FEEDBACK_REFUSED`, `TOO_MANY_MESSAGES`
   */
  feedbackByIssuer(tenantId: string, token: string, body: {
    /** `bounce`: the mailbox does not exist or rejects all mail. */
    readonly type?: 'bounce' | 'complaint';
    /** ID of the report. A report with a known ID is ignored. */
    readonly id?: string;
    /** Email address of the mailbox. */
    readonly email?: string;
    /** Time of the report (ISO 8601). */
    readonly at?: string;
    readonly [name: string]: unknown;
  }, options?: CallOptions): ApiPromise<{
    /** Number of recipients that were suppressed because of the report. */
    readonly suppressed: number;
  }>;
}

export interface KeySetApi {
  /**
   * Get the public keys of a tenant.
   *
   * Everything that verifiers need to verify tokens of the tenant offline. The request names the tenant.
   *
   * `GET /.well-known/jwks.json`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  get(query?: {
    /** Only keys of this algorithm, for libraries that reject a key set with an unknown key type. */
    readonly alg?: 'EdDSA' | 'RS256' | 'ES256';
  }, options?: CallOptions): ApiPromise<JsonWebKeySet>;

  /**
   * Get the public keys of a tenant, at the issuer URL.
   *
   * For verifiers that know only the issuer.
   *
   * `GET /t/:tenant_id/.well-known/jwks.json`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  getByIssuer(tenantId: string, query?: {
    /** Only keys of this algorithm, for libraries that reject a key set with an unknown key type. */
    readonly alg?: 'EdDSA' | 'RS256' | 'ES256';
  }, options?: CallOptions): ApiPromise<JsonWebKeySet>;
}

export interface DiscoveryApi {
  /**
   * Get the OpenID AuthZEN metadata of a tenant.
   *
   * Lists the URLs where services request access decisions.
   *
   * `GET /.well-known/authzen-configuration`
   */
  authzen(options?: CallOptions): ApiPromise<PolicyDecisionPointMetadata>;

  /**
   * Get the OpenID AuthZEN metadata of an issuer.
   *
   * The well-known part precedes the issuer’s path (OpenID AuthZEN §9.2).
   *
   * `GET /.well-known/authzen-configuration/t/:tenant_id`
   */
  authzenByIssuer(tenantId: string, options?: CallOptions): ApiPromise<PolicyDecisionPointMetadata>;

  /**
   * Get the OAuth 2.0 metadata of a tenant.
   *
   * Returns the metadata of the tenant that the request names. It lists only endpoints that work.
   *
   * `GET /.well-known/oauth-authorization-server`
   */
  get(options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * Get the OAuth 2.0 metadata of an issuer, at the URL of RFC 8414.
   *
   * The well-known part precedes the issuer’s path (RFC 8414 §3.1).
   *
   * `GET /.well-known/oauth-authorization-server/t/:tenant_id`
   */
  getByIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * Get the OAuth 2.0 metadata of an issuer, below its URL.
   *
   * For clients that append the well-known part, as in OpenID Connect.
   *
   * `GET /t/:tenant_id/.well-known/oauth-authorization-server`
   */
  getUnderIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * Get the OpenID Connect metadata of a tenant.
   *
   * Returns the metadata of the tenant that the request names. It lists only endpoints that work.
   *
   * `GET /.well-known/openid-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openid(options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * Get the OpenID Connect metadata of an issuer, at the URL of RFC 8414.
   *
   * For clients that put the well-known part before the issuer’s path.
   *
   * `GET /.well-known/openid-configuration/t/:tenant_id`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openidByIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * Get the OpenID Connect metadata of an issuer.
   *
   * The well-known part follows the issuer’s path (OpenID Connect Discovery §4).
   *
   * `GET /t/:tenant_id/.well-known/openid-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openidUnderIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;
}

export interface ServiceApi {
  /**
   * Check whether the service can handle requests.
   *
   * For load balancers. Writes a row to the database, at most once per second no matter how many callers there are. A problem that all nodes share and that affects only some requests returns 200 with `problems`.
   *
   * `GET /health`
   */
  health(options?: CallOptions): ApiPromise<Health>;

  /**
   * Check whether the process runs.
   *
   * For supervisors that restart hung processes. Does not query the database.
   *
   * `GET /livez`
   */
  live(options?: CallOptions): ApiPromise<{
    /** The process is running. */
    readonly status: 'ok';
  }>;

  /**
   * Get this contract as an OpenAPI 3.1 document.
   *
   * The same for all callers. It changes only with updates of the service.
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
  readonly flows: FlowsApi;
  readonly access: AccessApi;
  readonly me: MeApi;
  readonly identifiers: IdentifiersApi;
  readonly factors: FactorsApi;
  readonly passkeys: PasskeysApi;
  readonly identities: IdentitiesApi;
  readonly workspaces: WorkspacesApi;
  readonly invitations: InvitationsApi;
  readonly delegations: DelegationsApi;
  readonly users: UsersApi;
  readonly tokens: TokensApi;
  readonly sessions: SessionsApi;
  readonly roles: RolesApi;
  readonly agents: AgentsApi;
  readonly apikeys: ApikeysApi;
  readonly providers: ProvidersApi;
  readonly console: ConsoleApi;
  readonly branding: BrandingApi;
  readonly clients: ClientsApi;
  readonly resources: ResourcesApi;
  readonly signals: SignalsApi;
  readonly consents: ConsentsApi;
  readonly userinfo: UserinfoApi;
  readonly oauth: OauthApi;
  readonly webhooks: WebhooksApi;
  readonly keys: KeysApi;
  readonly events: EventsApi;
  readonly audit: AuditApi;
  readonly tenants: TenantsApi;
  readonly installation: InstallationApi;
  readonly impersonations: ImpersonationsApi;
  readonly messaging: MessagingApi;
  readonly keySet: KeySetApi;
  readonly discovery: DiscoveryApi;
  readonly service: ServiceApi;
}
