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
  FlowEnrolment,
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
  ImportedUser,
  UserImport,
  UserDryRun,
  UserPermissions,
  CustomClaim,
  TokenPreview,
  UserDependents,
  UserDisabled,
  Invitation,
  Member,
  Role,
  AgentPatch,
  AgentDryRun,
  AgentDependents,
  ApiKey,
  CreatedApiKey,
  IdentityProvider,
  ProviderDependents,
  BegunProviderTest,
  ProviderTest,
  ProviderDomain,
  RemovedProviderDomain,
  Logo,
  FetchedLogos,
  DeletedLogo,
  TenantBrandingPatch,
  Preview,
  Text,
  Texts,
  OAuthClient,
  OAuthClientRegistration,
  CreatedOAuthClient,
  OAuthClientPatch,
  CreatedClientSecret,
  LogoutDelivery,
  RegistrationToken,
  RegistrationTokenRequest,
  CreatedRegistrationToken,
  ClientStream,
  ClientStreamPatch,
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
   * Log in with an identifier and a secret.
   *
   * An unknown user, a wrong secret and an inactive user get the same response. With `register`, an unknown identifier creates a user in `ws_default`; with another workspace, an unknown identifier and a wrong secret return `NOT_FOUND`. `device_token`, from an earlier login of the user, identifies a known device, which wrong guesses by others cannot lock out.
   *
   * `POST /api/sso/v1/auth/login`
   *
   * @throws ApiError `VALIDATION_FAILED`, `INVALID_CREDENTIALS`, `MFA_REQUIRED`, `VERIFICATION_REQUIRED`, `NEW_PASSWORD_REQUIRED`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  login(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly identifier: string;
    /** A password of at most 256 characters after NFKC. */
    readonly secret: string;
    /** Creates the user if the identifier is unknown. Default false. */
    readonly register?: boolean;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<LoginAnswer>;

  /**
   * Exchange a refresh token for new tokens.
   *
   * A refresh token has one successor. Used again within the retry window and before that successor was used, it returns the same successor; later use is treated as theft, and the session ends. If the session no longer meets the requirements of the tenant, the refresh token remains unused, and the session continues after `flow` is completed. Addresses with too many failures are rate-limited.
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
   * End the session of the access token.
   *
   * Ends the session: its access tokens and its refresh token are rejected from the next request on. Other sessions of the user continue.
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
   * Introspects a token (RFC 7662). The response does not say why a token is inactive.
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
   * Returns the login methods for login pages. The response reveals nothing about any user.
   *
   * `GET /api/sso/v1/auth/methods`
   */
  methods(options?: CallOptions): ApiPromise<LoginMethods>;

  /**
   * Get an access token as an agent or an application.
   *
   * The token endpoint of OAuth 2.0, in JSON or as a form. For applications `authorization_code`, `refresh_token`, `device_code` (RFC 8628), and `token-exchange` of an access token for one that another service accepts (RFC 8693), or of a login for an identity assertion (ID-JAG) for another authorization server, and `jwt-bearer` with such an assertion of an identity provider. For agents `client_credentials`, with an API key or a signed assertion; `token-exchange` and `jwt-bearer` with the token of an outside issuer that the agent trusts; `token-exchange` with the token of a user, or the id of a delegation, to act for them. HTTP Basic authentication is also accepted. With a proof in the header `DPoP` the token is bound to the key of the proof (RFC 9449), and so is a refresh token. Unknown parameters are ignored (RFC 6749 §3.2). Agents get no refresh tokens.
   *
   * `POST /api/sso/v1/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `GRANT_TYPE_UNSUPPORTED`, `CLIENT_UNAUTHORIZED`, `GRANT_INVALID`, `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `DEVICE_CODE_EXPIRED`, `DEVICE_DENIED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  token(body: {
    /** The grant: `authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code`, `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `authorization_code`: the code. It is usable once, for a minute. */
    readonly code?: string;
    /** With `authorization_code`: the one of the authorization request. */
    readonly redirect_uri?: string;
    /** With `authorization_code`: the code verifier, whose hash is `code_challenge` (RFC 7636). */
    readonly code_verifier?: string;
    /** With `refresh_token`: the current one. */
    readonly refresh_token?: string;
    /** With `device_code`: the one of the login that was started on the device. */
    readonly device_code?: string;
    /** With `jwt-bearer`: a token of an outside issuer (RFC 7523 §2.1); of an application an identity assertion. */
    readonly assertion?: string;
    /** Scopes, joined by spaces. Default: all that can be granted. */
    readonly scope?: string;
    /** With `authorization_code`, `refresh_token`, and `token-exchange` of a client: some of those that the user allowed, as a JSON list (RFC 9396 §6). Default: all. */
    readonly authorization_details?: string;
    /** With `token-exchange`: the token of the subject (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:ietf:params:oauth:token-type:refresh_token`, `urn:ietf:params:oauth:token-type:id-jag`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** The actor: the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`; of an application also `urn:ietf:params:oauth:token-type:id-jag`. */
    readonly requested_token_type?: string;
    readonly audience?: TokenAudience;
    readonly resource?: TokenResource;
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Get an access token as an agent or an application, at the address of the issuer.
   *
   * The token endpoint of OAuth 2.0, in JSON or as a form. For applications `authorization_code`, `refresh_token`, `device_code` (RFC 8628), and `token-exchange` of an access token for one that another service accepts (RFC 8693), or of a login for an identity assertion (ID-JAG) for another authorization server, and `jwt-bearer` with such an assertion of an identity provider. For agents `client_credentials`, with an API key or a signed assertion; `token-exchange` and `jwt-bearer` with the token of an outside issuer that the agent trusts; `token-exchange` with the token of a user, or the id of a delegation, to act for them. HTTP Basic authentication is also accepted. With a proof in the header `DPoP` the token is bound to the key of the proof (RFC 9449), and so is a refresh token. Unknown parameters are ignored (RFC 6749 §3.2). Agents get no refresh tokens.
   *
   * `POST /t/:tenant_id/auth/token`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `GRANT_TYPE_UNSUPPORTED`, `CLIENT_UNAUTHORIZED`, `GRANT_INVALID`, `AUTHORIZATION_PENDING`, `SLOW_DOWN`, `DEVICE_CODE_EXPIRED`, `DEVICE_DENIED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `EXCHANGE_REFUSED`, `DELEGATION_REQUIRED`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  tokenByIssuer(tenantId: string, body: {
    /** The grant: `authorization_code`, `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code`, `client_credentials`, `urn:ietf:params:oauth:grant-type:token-exchange`, `urn:ietf:params:oauth:grant-type:jwt-bearer`. */
    readonly grant_type: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** With `authorization_code`: the code. It is usable once, for a minute. */
    readonly code?: string;
    /** With `authorization_code`: the one of the authorization request. */
    readonly redirect_uri?: string;
    /** With `authorization_code`: the code verifier, whose hash is `code_challenge` (RFC 7636). */
    readonly code_verifier?: string;
    /** With `refresh_token`: the current one. */
    readonly refresh_token?: string;
    /** With `device_code`: the one of the login that was started on the device. */
    readonly device_code?: string;
    /** With `jwt-bearer`: a token of an outside issuer (RFC 7523 §2.1); of an application an identity assertion. */
    readonly assertion?: string;
    /** Scopes, joined by spaces. Default: all that can be granted. */
    readonly scope?: string;
    /** With `authorization_code`, `refresh_token`, and `token-exchange` of a client: some of those that the user allowed, as a JSON list (RFC 9396 §6). Default: all. */
    readonly authorization_details?: string;
    /** With `token-exchange`: the token of the subject (RFC 8693 §2.1). */
    readonly subject_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`, `urn:ietf:params:oauth:token-type:jwt`, `urn:ietf:params:oauth:token-type:id_token`, `urn:ietf:params:oauth:token-type:refresh_token`, `urn:ietf:params:oauth:token-type:id-jag`, `urn:keywright:token-type:delegation`. */
    readonly subject_token_type?: string;
    /** The actor: the agent itself. */
    readonly actor_token?: string;
    /** `urn:ietf:params:oauth:token-type:access_token`: an access token of the agent itself. */
    readonly actor_token_type?: string;
    /** `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:jwt`; of an application also `urn:ietf:params:oauth:token-type:id-jag`. */
    readonly requested_token_type?: string;
    readonly audience?: TokenAudience;
    readonly resource?: TokenResource;
  }, options?: CallOptions): ApiPromise<ClientTokenAnswer>;

  /**
   * Impersonate inside a tenant as a system administrator.
   *
   * The returned token is valid in that tenant only, for at most 15 minutes; its `act` claim identifies the administrator. Routes that require a recent login require one of the administrator in their own tenant: they log in again and impersonate again. Each impersonation is recorded with its reason.
   *
   * `POST /api/sso/v1/auth/impersonate`
   *
   * @throws ApiError `NOT_FOUND`, `TENANT_INACTIVE`, `TOKEN_FOR_BROWSER_REFUSED`
   */
  impersonate(body: {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Reason, kept in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<ImpersonationAnswer>;
}

export interface FlowsApi {
  /**
   * Start a login in steps.
   *
   * The response is the same for known and unknown identifiers. A flow ends after 15 minutes; the oldest of more than 20 with the same identifier, from the same network or known device, ends earlier. Without `identifier`, it needs a passkey, which identifies the user. With `continue`, the token of a link that was opened elsewhere, instead of `identifier`: a flow that needs the code of the same message. With the purpose `invitation` and the token of an invitation, instead of `identifier`: a flow that accepts the invitation. Starting it changes nothing. With `device_token`, from an earlier login of the user, the flow counts as one of a known device in all its steps, which need not repeat the token. The response does not depend on whether the token belongs to the user.
   *
   * `POST /api/sso/v1/auth/flows`
   *
   * @throws ApiError `VALIDATION_FAILED`, `FLOW_ENDED`, `TOO_MANY_ATTEMPTS`
   */
  begin(body: {
    /** `login` leads to a session. `recovery`: for users who have forgotten their password. A message to the identifier, the second factor if the user has one, and a new password lead to a session. `invitation`: for people with the token of an invitation. New users set a password, add a passkey, enter the code of a message or come back from a provider; existing users log in. The session accepts the invitation. Default `login`. */
    readonly purpose?: 'login' | 'recovery' | 'invitation';
    /** An email address, or a phone number in E.164 form. */
    readonly identifier?: string;
    /** The token from a link in a message. */
    readonly continue?: string;
    /** The token of an invitation, from the link in its message. */
    readonly token?: string;
    /** An unknown identifier becomes a user when a message to it is confirmed. Default false. */
    readonly register?: boolean;
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
   * Read a login in progress.
   *
   * The secret of the flow is sent in the header X-Flow-Token.
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
   * Attempts are limited as those of a login. A flow that needs nothing more is complete, and the response contains the tokens.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/password`
   *
   * @throws ApiError `VALIDATION_FAILED`, `STEP_NOT_NEEDED`, `FLOW_ENDED`, `INVALID_CREDENTIALS`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  password(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** A password of at most 256 characters after NFKC. */
    readonly secret: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Send a code and a link for a flow.
   *
   * Sends a message to the identifier of the flow: by mail to an address, or by SMS, without a link, to a phone number that its user has verified. As the second factor, if the tenant accepts codes as second factors (`mfa_methods`), sends only a code, to a verified identifier of the user. The response is the same whether or not a user has the identifier. If the message is requested again, it repeats the code and the link; both are valid for 10 minutes.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/message`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`
   */
  message(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** How the message is sent; default: as the identifier can be reached. */
    readonly channel?: 'email' | 'sms';
  }, options?: CallOptions): ApiPromise<SentMessage>;

  /**
   * Prove the code of a message in a flow.
   *
   * A flow ends after five wrong codes, and so does the link of the message; another message does not allow more. 20 codes an hour can be tried for a recipient, over all flows. A user who proves an unverified address takes over its account: the password, the factors, the other addresses, the sessions and the delegations of the user who registered it end.
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
   * Only the flow that requested the message can use its link: any other flow gets `LINK_ELSEWHERE`, and the link is not used up. A link can be used once.
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
   * Sets the password in a recovery, after the message and the second factor. All sessions of the user end, and their verified addresses are notified. With an invitation, creates the account of the invited person; an account that was registered with the address but not verified passes to them (`user.reclaimed`).
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/new-password`
   *
   * @throws ApiError `VALIDATION_FAILED`, `STEP_NOT_NEEDED`, `FLOW_ENDED`, `NOT_FOUND`, `TOO_BUSY`
   */
  newPassword(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** A password of at most 256 characters after NFKC. */
    readonly secret: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Prove an authenticator app in a flow.
   *
   * A code is accepted once. A flow ends after five wrong codes. A user may try 20 codes an hour, counted separately on each known device. After 100 wrong codes in a row the factor is suspended until another one is used; a known device accepts another 100.
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
   * For `navigator.credentials.get()`. The challenge can be used once, for five minutes; the next one replaces it. A flow issues at most 20.
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
   * Proves a passkey, which counts as two factors (`acr` is `phr`). As the first proof the passkey identifies the user: the flow may have started without an identifier; with one, the passkey must belong to that user. The challenge is used up in any case.
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
   * The browser goes to `authorize_url`, and comes back to `return_url` within ten minutes, with `handoff`, or with `error`: `access_denied` if the user declined, otherwise `provider_refused`. The next request replaces it; a flow can have 20.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/oauth`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`
   */
  oauth(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** Id of the provider. */
    readonly provider: string;
    /** One of the `return_urls` of the tenant, exactly as written there. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<UpstreamLogin>;

  /**
   * Prove a login at an identity provider in a flow.
   *
   * The handoff is accepted once, for 60 seconds, and only in the flow that started the login. Users are found by the provider and their subject there, never by an email address. An unknown identity registers a user in a flow with `register`; if it has the verified address of a user, the flow becomes one of the purpose `linking`, and needs proof of that account. A flow that started with an identifier accepts only an identity of its user.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/oauth/finish`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `PROVIDER_REFUSED`, `INVALID_CREDENTIALS`, `IDENTIFIER_TAKEN`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  finishOauth(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The parameter `handoff` of the address that the browser came back to. */
    readonly handoff: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<FlowAnswer>;

  /**
   * Prove a recovery code in a flow.
   *
   * Uses up the recovery code, and returns the code that replaces it. A flow ends after five wrong codes. A user may try 20 codes an hour, counted separately on each known device. After 100 wrong codes in a row the factor is suspended until another one is used; a known device accepts another 100.
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
   * Returns a key for a flow that needs `enrol`: the tenant requires a second factor, and the user has none. The key is derived from the flow, and stored only once a code of the app has confirmed it.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enrol/totp`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`
   */
  enrolTotp(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<FlowEnrolment>;

  /**
   * Confirm an authenticator app in a flow.
   *
   * The code proves the new factor: the flow is complete, and the response contains the tokens and the recovery codes. From then on, every login of the user needs a second factor.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enrol/totp/confirm`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `CODE_WRONG`, `NOT_FOUND`, `TOO_MANY_ATTEMPTS`
   */
  confirmTotp(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    /** The current code of the authenticator app. */
    readonly code: string;
    /** Display name: one line. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<EnrolledFlowAnswer>;

  /**
   * Get the options for a new passkey in a flow.
   *
   * Returns the options for a flow that needs `enrol`, like `…/enrol/totp`, or for the first login of a new user with an invitation.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enrol/passkey/options`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`
   */
  enrolPasskeyOptions(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
  }, options?: CallOptions): ApiPromise<FlowPasskeyCreation>;

  /**
   * Add a passkey in a flow.
   *
   * Adds the passkey, which needs no further proof: the flow is complete, and the response contains the tokens. For the first factor, the response also contains recovery codes.
   *
   * `POST /api/sso/v1/auth/flows/:flow_id/enrol/passkey`
   *
   * @throws ApiError `STEP_NOT_NEEDED`, `FLOW_ENDED`, `PASSKEY_REFUSED`, `NOT_FOUND`
   */
  enrolPasskey(flowId: string, body: {
    /** Secret of the flow, from the response that started it. */
    readonly flow_token: string;
    readonly credential: PasskeyRegistration;
    /** Display name: one line; default that of the authenticator, if it is well known. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<EnrolledPasskeyAnswer>;

  /**
   * End a flow.
   *
   * A flow that is complete or has ended is not changed.
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
   * Repeat the tokens of a completed flow.
   *
   * For a client that lost the response of the last step: the same tokens, for refresh_retry_window seconds after the flow was completed, and until the refresh token is used or the session ends. Afterwards, and for a flow that is not complete: `FLOW_ENDED`.
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
   * Evaluate whether a subject may do something.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller may evaluate a token that they have, and themselves; evaluating another subject requires `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied like one without permissions. With `workspace_id`: a user must be a member (all users are members of `ws_default`) or hold `*:*`, an agent must belong to that workspace, and for an agent that acts for a user both must hold.
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
   * Evaluate whether a subject may do something, at the address of the issuer.
   *
   * OpenID AuthZEN Authorization API 1.0 §6. Any caller may evaluate a token that they have, and themselves; evaluating another subject requires `read:users` or `read:agents`. Revocation takes effect immediately. An invalid token and an unknown subject are denied like one without permissions. With `workspace_id`: a user must be a member (all users are members of `ws_default`) or hold `*:*`, an agent must belong to that workspace, and for an agent that acts for a user both must hold.
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
   * Request up to 100 evaluations.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` next to `evaluations` are the defaults of each. Each decision equals that of a single evaluation. An invalid evaluation is denied, with the reason in `context.error`; the others are decided. Without `evaluations` the request is a single evaluation.
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
    /** The evaluations, in the order of the decisions. An invalid one is denied. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are processed (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all`, the default, returns all decisions; the others end with the first that is denied or permitted. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in order. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Request up to 100 evaluations, at the address of the issuer.
   *
   * OpenID AuthZEN Authorization API 1.0 §7. `subject`, `action`, `resource` and `context` next to `evaluations` are the defaults of each. Each decision equals that of a single evaluation. An invalid evaluation is denied, with the reason in `context.error`; the others are decided. Without `evaluations` the request is a single evaluation.
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
    /** The evaluations, in the order of the decisions. An invalid one is denied. */
    readonly evaluations?: readonly {
      readonly subject?: Subject;
      readonly action?: Action;
      readonly resource?: Resource;
      readonly context?: EvaluationContext;
    }[];
    /** How the evaluations are processed (OpenID AuthZEN §7.1.2). */
    readonly options?: {
      /** `execute_all`, the default, returns all decisions; the others end with the first that is denied or permitted. */
      readonly evaluations_semantic?: 'execute_all' | 'deny_on_first_deny' | 'permit_on_first_permit';
    };
  }, options?: CallOptions): ApiPromise<Decision | {
    /** The decisions, in order. */
    readonly evaluations: readonly Decision[];
  }>;

  /**
   * Explain why a subject may do something, or may not.
   *
   * Whether the subject holds all of the scopes, as `POST /access/v1/evaluation` decides it, and why: which role, agent, key or delegation grants each scope, what denies it, and which change removed a scope, by whom and when. The response requires the scopes to read what it shows: `read:users` and `read:roles` for a user, `read:sessions` for a token of a session, `read:agents` and `read:apikeys` for an agent.
   *
   * `POST /api/sso/v1/explain`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  explain(body: {
    /** Their access token or API key. */
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
   * Returns the user, or the agent for its own token or key.
   *
   * `GET /api/sso/v1/me`
   *
   * @throws ApiError `TOKEN_INVALID`, `IMPERSONATION_REFUSED`
   */
  get(options?: CallOptions): ApiPromise<User | Agent>;

  /**
   * Get what the caller may do.
   *
   * For this credential: the roles and scopes of the token or key that the request came with, or in the console the current ones of the user.
   *
   * `GET /api/sso/v1/me/permissions`
   */
  permissions(options?: CallOptions): ApiPromise<{
    /** Names of roles. */
    readonly roles: readonly string[];
    /** Scopes of the form `action:resource`; either part may be `*`. */
    readonly scopes: readonly string[];
  }>;

  /**
   * Change the caller’s user_metadata or password.
   *
   * A new password requires `current_password` and, of a user with a second factor, a recent login with it. It ends every other session of the user.
   *
   * `PATCH /api/sso/v1/me`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `CURRENT_PASSWORD_WRONG`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  update(body: {
    /** Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep. */
    readonly user_metadata?: {
      readonly [name: string]: unknown;
    };
    /** A password of at most 256 characters after NFKC. */
    readonly password?: string;
    /** A password of at most 256 characters after NFKC. */
    readonly current_password?: string;
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Start a stronger or more recent login of the session.
   *
   * What to call after `STEP_UP_REQUIRED` (RFC 9470). Every factor is proven again, in the steps of a login. Then the same session continues, with new tokens; the previous refresh token is no longer accepted.
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
   * Read the caller’s profile.
   *
   * The members `name` and `locale` of `user_metadata`, if they are valid.
   *
   * `GET /api/sso/v1/me/profile`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  getProfile(options?: CallOptions): ApiPromise<Profile>;

  /**
   * Change the caller’s profile.
   *
   * Fields that are not named are not changed, nor are the other members of `user_metadata`. Null removes a value. Claims about the user are not changed: they are from `metadata`.
   *
   * `PATCH /api/sso/v1/me/profile`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`
   */
  updateProfile(body: {
    /** Name that the user wants to be called; `null` if it is not set. */
    readonly name?: string | null;
    /** Language of messages to the user; `null` for the tenant’s language. */
    readonly locale?: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar' | null;
  }, options?: CallOptions): ApiPromise<Profile>;

  /**
   * Request a copy of the caller’s data.
   *
   * Creates the copy in the background; it can be read for 24 hours and replaces the previous copy. Within an hour of a request, returns that copy instead.
   *
   * `POST /api/sso/v1/me/export`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`
   */
  requestExport(options?: CallOptions): ApiPromise<Export>;

  /**
   * Read whether the copy of the caller’s data is ready.
   *
   * Returns the state of the last requested copy, until it expires.
   *
   * `GET /api/sso/v1/me/export`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getExport(options?: CallOptions): ApiPromise<Export>;

  /**
   * Read the copy of the caller’s data.
   *
   * For the user in person, after a recent login: agents, applications and administrators cannot read it. A copy that is not ready is not found.
   *
   * `GET /api/sso/v1/me/export/content`
   *
   * @throws ApiError `STEP_UP_REQUIRED`, `NOT_FOUND`
   */
  readExport(options?: CallOptions): ApiPromise<AccountExport>;

  /**
   * Read what would end with the caller’s account.
   *
   * The number of each, and the newest 20. Nothing is changed.
   *
   * `GET /api/sso/v1/me/deletion`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  previewDeletion(options?: CallOptions): ApiPromise<AccountDeletion>;

  /**
   * Delete the caller’s account.
   *
   * Irreversible, and only where the tenant allows it (`allow_account_deletion`). Every session ends immediately; delegations, consents and memberships are deleted. Agents that the user owns become inactive, and their keys and delegations are revoked. The verified email addresses are notified.
   *
   * `POST /api/sso/v1/me/deletion`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `ACCOUNT_DELETION_OFF`, `LAST_ADMINISTRATOR`
   */
  delete(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly identifier: string;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  }>;
}

export interface IdentifiersApi {
  /**
   * List the caller’s identifiers.
   *
   * Email addresses and phone numbers, each with whether it is verified.
   *
   * `GET /api/sso/v1/me/identifiers`
   *
   * @throws ApiError `TOKEN_INVALID`
   */
  list(options?: CallOptions): ApiPromise<{
    /** What the user can log in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Send a code to an email address or a phone number.
   *
   * Adds the identifier, or verifies one that the user already has. Nothing changes until the code is confirmed. The response does not depend on whether another user has it.
   *
   * `POST /api/sso/v1/me/identifiers`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `METHOD_NOT_READY`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`
   */
  send(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly identifier: string;
  }, options?: CallOptions): ApiPromise<{
    /** The address or the phone number, masked. */
    readonly sent_to: string;
    /** Seconds before another message can be sent. */
    readonly resend_after: number;
  }>;

  /**
   * Add or verify an email address or a phone number by its code.
   *
   * The previously verified addresses are notified of a new one. Five wrong codes use up a message, and 20 codes an hour can be tried for one address.
   *
   * `POST /api/sso/v1/me/identifiers/verification`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `CODE_WRONG`, `IDENTIFIER_TAKEN`, `TOO_MANY_ATTEMPTS`
   */
  verify(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly identifier: string;
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly code: string;
  }, options?: CallOptions): ApiPromise<{
    /** What the user can log in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Make an identifier the primary one.
   *
   * Makes a verified identifier the first of the user record; applications get the first of each type. The verified addresses are notified.
   *
   * `PUT /api/sso/v1/me/identifiers/:identifier/primary`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `IDENTIFIER_UNVERIFIED`
   */
  makePrimary(identifier: string, options?: CallOptions): ApiPromise<{
    /** What the user can log in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Remove an identifier.
   *
   * The verified addresses are notified, and so is a removed one. Neither the last identifier nor the last verified one can be removed.
   *
   * `DELETE /api/sso/v1/me/identifiers/:identifier`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `LAST_IDENTIFIER`
   */
  delete(identifier: string, options?: CallOptions): ApiPromise<{
    /** What the user can log in with, in the order of the user record. */
    readonly identifiers: readonly Identifier[];
  }>;

  /**
   * Undo changes of a user’s identifiers.
   *
   * With the token of a message to an address that was verified before: the identifiers become those from before the first change of which this address was notified within 7 days, except those that belong to another user now. An account that had a password or a factor before requires one of them: `password`, `code` of an authenticator app, or `credential` of a passkey, whether or not a login can start with one. Nothing can be undone once the user has logged in after the address was removed, with something that the account had before; if it had nothing, in any way. All sessions of the user end, and so does every other token of such a message. Password, factors and roles are not changed, and no session is opened.
   *
   * `POST /api/sso/v1/auth/identifiers/undo`
   *
   * @throws ApiError `FLOW_ENDED`, `PROOF_REQUIRED`, `TOO_MANY_ATTEMPTS`, `TOO_BUSY`
   */
  undo(body: {
    /** The token of a message about a change of identifiers. */
    readonly undo_token: string;
    /** A password of at most 256 characters after NFKC. */
    readonly password?: string;
    /** The current code of the authenticator app. */
    readonly code?: string;
    readonly credential?: PasskeyAssertion;
  }, options?: CallOptions): ApiPromise<{
    /** The identifiers are restored. */
    readonly restored: true;
  }>;

  /**
   * Get the options for a passkey that undoes changes.
   *
   * For `navigator.credentials.get()`, for ten minutes. They contain no passkeys. `STEP_NOT_NEEDED`: no passkey from before the change is left.
   *
   * `POST /api/sso/v1/auth/identifiers/undo/passkey`
   *
   * @throws ApiError `FLOW_ENDED`, `STEP_NOT_NEEDED`, `TOO_MANY_ATTEMPTS`
   */
  undoPasskeyOptions(body: {
    /** The token of a message about a change of identifiers. */
    readonly undo_token: string;
  }, options?: CallOptions): ApiPromise<UndoPasskeyRequest>;
}

export interface FactorsApi {
  /**
   * List the caller’s second factors.
   *
   * The oldest first, including those that are not confirmed yet.
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
   * Returns the key for the app, which is not shown again. The factor counts once a code of the app has confirmed it; otherwise it is deleted after an hour.
   *
   * `POST /api/sso/v1/me/factors/totp`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`
   */
  addTotp(body: {
    /** Display name: one line. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<CreatedTotp>;

  /**
   * Confirm an authenticator app.
   *
   * Confirms the factor: every later login of the user needs a second factor. For the first factor, the response also contains recovery codes.
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
    /** Null: the user already has recovery codes. */
    readonly recovery_codes: readonly string[] | null;
  }>;

  /**
   * Get the options for a new passkey.
   *
   * For `navigator.credentials.create()`. They can be used once, for ten minutes.
   *
   * `POST /api/sso/v1/me/factors/passkeys/options`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`, `METHOD_NOT_READY`
   */
  passkeyOptions(options?: CallOptions): ApiPromise<PasskeyCreation>;

  /**
   * Add a passkey.
   *
   * From then on, every login of the user needs a second factor, or a passkey alone. With the first factor, the response also contains recovery codes.
   *
   * `POST /api/sso/v1/me/factors/passkeys`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `TOO_MANY_FACTORS`, `METHOD_NOT_READY`, `PASSKEY_REFUSED`
   */
  addPasskey(body: {
    readonly credential: PasskeyRegistration;
    /** Display name: one line; default that of the authenticator, if it is well known. */
    readonly name?: string;
  }, options?: CallOptions): ApiPromise<AddedPasskey>;

  /**
   * Read a second factor.
   *
   * Returns a factor of the caller. Its secrets are never shown.
   *
   * `GET /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(factorId: string, options?: CallOptions): ApiPromise<Factor>;

  /**
   * Rename a second factor.
   *
   * Changes the display name only.
   *
   * `PATCH /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`
   */
  update(factorId: string, body: {
    /** Display name: one line. */
    readonly name: string;
  }, options?: CallOptions): ApiPromise<Factor>;

  /**
   * Remove a second factor.
   *
   * The recovery codes are removed with the last authenticator. The last factor cannot be removed while the tenant requires one, and neither can a passkey without which the user could not log in.
   *
   * `DELETE /api/sso/v1/me/factors/:factor_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `FACTOR_REQUIRED`, `LAST_LOGIN_METHOD`
   */
  delete(factorId: string, options?: CallOptions): ApiPromise<DeletedFactor>;

  /**
   * Get new recovery codes.
   *
   * Replaces the previous recovery codes, which no longer work.
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
   * Origins that may use the passkeys of the tenant.
   *
   * Browsers ask the domain that passkeys are bound to when a page on another domain wants to use one (WebAuthn Level 3 §5.11).
   *
   * `GET /.well-known/webauthn`
   */
  relatedOrigins(options?: CallOptions): ApiPromise<RelatedOrigins>;
}

export interface IdentitiesApi {
  /**
   * List the caller’s identities at providers.
   *
   * Lists the identities that the caller can log in with: at most one at each provider.
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
   * Start to link an identity at a provider.
   *
   * Starts to link an identity. As in a login, the browser goes to `authorize_url`, and returns to `return_url` with `handoff` or `error`. In addition to `return_urls`, this may be `account?section=security` at the issuer. The next request replaces this one.
   *
   * `POST /api/sso/v1/me/identities`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`, `METHOD_NOT_READY`, `TOO_MANY_ATTEMPTS`
   */
  begin(body: {
    /** Id of the provider. */
    readonly provider: string;
    /** One of the `return_urls` of the tenant, exactly as written there. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<BegunLinking>;

  /**
   * Link an identity at a provider.
   *
   * The handoff is accepted once, for 60 seconds, and only from the user who started the link. From then on the user can log in with the identity, whatever its email address is.
   *
   * `POST /api/sso/v1/me/identities/finish`
   *
   * @throws ApiError `TOKEN_INVALID`, `STEP_UP_REQUIRED`, `PROVIDER_REFUSED`, `IDENTITY_TAKEN`
   */
  finish(body: {
    /** The parameter `handoff` of the address that the browser came back to. */
    readonly handoff: string;
  }, options?: CallOptions): ApiPromise<Identity>;

  /**
   * Unlink one of the caller’s identities at a provider.
   *
   * The last way to log in cannot be removed.
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
   * The default one, of which all users are members, and those that the caller was added to.
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
   * Not the default one. Sessions in it continue until they expire.
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
   * The newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
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
    /** Display name: one line. */
    readonly name: string;
    /** The id without its prefix. Default: derived from the name. */
    readonly slug?: string;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Read a workspace.
   *
   * Returns the workspace. Its members are listed separately.
   *
   * `GET /api/sso/v1/workspaces/:workspace_id`, scope `read:workspaces`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(workspaceId: string, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Change a workspace.
   *
   * No user can log in to an inactive workspace. A caller who holds less than one of its members can rename it, but not change `is_active`.
   *
   * `PATCH /api/sso/v1/workspaces/:workspace_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  update(workspaceId: string, body: {
    /** Display name: one line. */
    readonly name?: string;
    /** While inactive, users cannot log in to it. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Workspace>;

  /**
   * Delete a workspace.
   *
   * A workspace that is in use is not deleted, and the error lists what uses it, unless `force=true`: then its members leave it, its sessions end, and its agents become inactive, in `ws_default`. A caller who holds less than one of its members cannot delete it.
   *
   * `DELETE /api/sso/v1/workspaces/:workspace_id`, scope `delete:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `DEFAULT_WORKSPACE_PROTECTED`
   */
  delete(workspaceId: string, query?: {
    /** With `true`, deletes it even if it is in use. */
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
   * Repeating it changes nothing. Callers cannot add a user who holds more than they do.
   *
   * `PUT /api/sso/v1/workspaces/:workspace_id/members/:user_id`, scope `write:workspaces`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  addMember(workspaceId: string, userId: string, options?: CallOptions): ApiPromise<Member>;

  /**
   * Remove a user from a workspace.
   *
   * Callers cannot remove a user who holds more than they do. A user cannot leave `ws_default`.
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
   * The pending ones to verified email addresses of the caller, the newest first: at most 100.
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
   * Accepts the invitation, like the token of its message: the user gains the roles and joins the workspaces, if the inviter may still grant them. Returns 404 if the invitation cannot be accepted. An access token that was issued before must be refreshed to contain a new role. If the tenant requires a second factor for a role, a login with one is required.
   *
   * `POST /api/sso/v1/me/invitations/:invitation_id/accept`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`, `STEP_UP_REQUIRED`
   */
  accept(invitationId: string, options?: CallOptions): ApiPromise<OwnInvitation>;

  /**
   * Decline an invitation.
   *
   * Declines the invitation: it becomes revoked. The inviter is not notified.
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
   * Sends a message with a token to an email address. The response is the same whether or not a user has it. Callers cannot grant roles with scopes that they do not hold; workspaces need `write:workspaces`. Both are checked again when the invitation is accepted, against what the inviter holds then.
   *
   * `POST /api/sso/v1/invitations`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `METHOD_NOT_READY`, `ROLE_UNKNOWN`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `TOO_MANY_INVITATIONS`, `TOO_MANY_MESSAGES`
   */
  create(body: {
    /** The email address that the invitation is sent to. */
    readonly identifier: string;
    /** Roles to assign. Default: `member`. */
    readonly roles?: readonly string[];
    /** Workspaces to join, besides the default one. */
    readonly workspaces?: readonly string[];
    /** Lifetime in days. Default 7. */
    readonly expires_in_days?: number;
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
  }, options?: CallOptions): ApiPromise<Invitation>;

  /**
   * List invitations.
   *
   * The newest first, until 30 days after they expire.
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
    /** An email address, or a phone number in E.164 form. */
    readonly identifier?: string;
    /** Only those in this state. */
    readonly status?: 'pending' | 'accepted' | 'revoked' | 'expired';
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Invitation>;

  /**
   * Read an invitation.
   *
   * Returns the invitation without its token, which only its message contains.
   *
   * `GET /api/sso/v1/invitations/:invitation_id`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(invitationId: string, options?: CallOptions): ApiPromise<Invitation>;

  /**
   * Revoke an invitation.
   *
   * Revokes the invitation: it can no longer be accepted. Returns 404 if the invitation is not pending.
   *
   * `DELETE /api/sso/v1/invitations/:invitation_id`, scope `delete:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  delete(invitationId: string, options?: CallOptions): ApiPromise<{
    /** ID of an invitation: `inv_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record remains. */
    readonly revoked: true;
  }>;

  /**
   * Send an invitation again.
   *
   * Sends the message again, with the same token and the same expiry. Returns 404 if the invitation is not pending. A second message within 30 seconds is rejected.
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
   * Delegations that the caller gave and has not revoked, the newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Delegation>;

  /**
   * Delegate to an agent.
   *
   * By token exchange the agent then gets tokens that act for the user, for 15 minutes each, with the scopes that the user, the agent and the delegation have in common. A new delegation to the same agent replaces the previous one.
   *
   * `POST /api/sso/v1/me/delegations`
   *
   * @throws ApiError `TOKEN_INVALID`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `VALIDATION_FAILED`
   */
  create(body: {
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Only scopes that the user holds. */
    readonly scopes: readonly string[];
    /** Lifetime in days. Default 90. */
    readonly expires_in_days?: number;
  }, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Read one of the caller’s delegations.
   *
   * A delegation of the caller.
   *
   * `GET /api/sso/v1/me/delegations/:delegation_id`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(delegationId: string, options?: CallOptions): ApiPromise<Delegation>;

  /**
   * Read an agent before delegating to it.
   *
   * Returns the agent, and which of these scopes both the agent and the user hold. If there are none, returns 404. The account page calls this route before the user lets an agent act.
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
   * Tokens issued under it are rejected from the next request on.
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
   * The newest first by default. Several filters must all match.
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
    /** By age or by first identifier; `-` reverses the order. Default `-created_at`. */
    readonly sort?: 'created_at' | '-created_at' | 'identifier' | '-identifier';
    /** Only users with these IDs: up to 100, separated by commas. Unknown IDs are ignored. */
    readonly ids?: string;
    /** Name of the role: at most 64 lower-case letters, digits, `-` and `_`. */
    readonly role?: string;
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** Any part of an email address, case-insensitive; % and _ are literal. */
    readonly email?: string;
    /** Only active ones, or only inactive ones. */
    readonly is_active?: boolean;
    /** Only those with a verified identifier, or only those none of whose identifiers is verified. */
    readonly is_verified?: boolean;
    /** Only those who have logged in, or only those who never have. */
    readonly has_logged_in?: boolean;
    /** Only those whose last login, to the minute, was before this time (RFC 3339). */
    readonly last_login_before?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<User>;

  /**
   * Read a user.
   *
   * With identifiers, roles and workspaces. Secrets are never shown.
   *
   * `GET /api/sso/v1/users/:user_id`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(userId: string, options?: CallOptions): ApiPromise<User>;

  /**
   * Create a user.
   *
   * Default role: `member`. Callers cannot assign a role that holds more than they do.
   *
   * `POST /api/sso/v1/users`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `TOO_BUSY`
   */
  create(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly identifier: string;
    /** A password of at most 256 characters after NFKC. */
    readonly password: string;
    /** Names of their roles. */
    readonly roles?: readonly string[];
  }, options?: CallOptions): ApiPromise<User>;

  /**
   * Import users.
   *
   * Creates users from JSON lines, with passwords as another product has hashed them: bcrypt, Argon2, PBKDF2, scrypt, and the variant of Firebase. At the first login with the right password, the hash is replaced. The rules for new passwords do not apply. A line that fails does not prevent others from being imported; one whose identifiers all belong to one user already changes nothing, so an import may be repeated. `dry_run=true` checks every line, and changes nothing.
   *
   * `POST /api/sso/v1/users/import`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  import(lines: readonly ImportedUser[], query?: {
    /** With `true`, returns what would change, and changes nothing. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<UserImport>;

  /**
   * Change a user.
   *
   * Lists replace the current ones. A new password, and `is_active: false`, end every session of the user immediately.
   *
   * `PATCH /api/sso/v1/users/:user_id`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `IDENTIFIER_TAKEN`, `ROLE_UNKNOWN`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `SELF_VERIFICATION_REFUSED`, `LAST_ADMINISTRATOR`, `TOO_BUSY`
   */
  update(userId: string, body: {
    /** Identifiers in the form that `GET` returns; `type` and `verified` are optional. A known identifier keeps its `verified`, a new one is not verified. */
    readonly identifiers?: readonly ({
      /** Type of the identifier. */
      readonly type?: 'email' | 'phone';
      /** An email address, or a phone number in E.164 form. */
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
   * Irreversible. Every session of the user and every delegation that they gave ends immediately; agents that they owned remain, without an owner. `dry_run=true` returns the dependents of the user, and changes nothing.
   *
   * `DELETE /api/sso/v1/users/:user_id`, scope `delete:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  delete(userId: string, query?: {
    /** With `true`, returns what would change, and changes nothing. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** Always `true`: the record was deleted. */
    readonly deleted: true;
  } | UserDryRun>;

  /**
   * List what a user may do, and why.
   *
   * The scopes as `POST /access/v1/evaluation` decides on them now, each with the roles that grant it. Also requires `read:roles`.
   *
   * `GET /api/sso/v1/users/:user_id/permissions`, scope `read:users`
   *
   * @throws ApiError `SCOPE_REQUIRED`, `NOT_FOUND`
   */
  permissions(userId: string, options?: CallOptions): ApiPromise<UserPermissions>;

  /**
   * List the dependents of a user.
   *
   * The number of each, and the newest 20: live sessions, owned agents, their usable keys, delegations given by the user or held by those agents.
   *
   * `GET /api/sso/v1/users/:user_id/dependents`, scope `read:users`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(userId: string, options?: CallOptions): ApiPromise<UserDependents>;

  /**
   * Disable a user and end their dependents.
   *
   * In one transaction, the user and the agents that they own become inactive, their sessions end, and their keys and delegations are revoked. When the response arrives, none of it works any more on any node. It is not restored when the user is made active again. Repeating it ends what was created since. The caller must hold the permissions of the user and of those agents.
   *
   * `POST /api/sso/v1/users/:user_id/disable`, scope `write:users`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  disable(userId: string, body: {
    /** Reason, kept in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<UserDisabled>;

  /**
   * List the second factors of a user.
   *
   * The oldest first. Secrets are never shown.
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
   * Removes a factor that the user has lost. Callers cannot act on users who hold more than they do; their own factors are removed with DELETE /me/factors/:factor_id.
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
   * Send a user the message of a recovery.
   *
   * To their first verified email address: a link to `magic_link_url`, and a code. With both, the user sets a new password, after their second factor if they have one. Nothing changes until then. Callers cannot act on users who hold more than they do.
   *
   * `POST /api/sso/v1/users/:user_id/recovery`, scope `write:users`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`, `METHOD_NOT_READY`, `USER_UNREACHABLE`, `TOO_MANY_MESSAGES`
   */
  recover(userId: string, options?: CallOptions): ApiPromise<{
    /** The address, masked. */
    readonly sent_to: string;
  }>;
}

export interface TokensApi {
  /**
   * Preview the tokens of a user.
   *
   * The claims of the tokens that they would get by a password, with settings that need not be saved. Nothing is signed and no session is opened. Also requires `read:tenant` and `read:roles`, and `read:clients` for those of a client.
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
    /** Instead of the setting of this name. */
    readonly custom_claims?: {
      readonly [name: string]: CustomClaim;
    };
  }, options?: CallOptions): ApiPromise<TokenPreview>;
}

export interface SessionsApi {
  /**
   * List sessions.
   *
   * Without `read:sessions`: the caller’s own. With it: those of all users, or of `user_id`. With `client_id`: of these, the ones that users opened at that OAuth client. Ended ones are kept, with the reason, until 30 days after the time to which they could have been refreshed at most (`refresh_token_absolute_ttl`).
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id?: string;
    /** `active`; `ended`: logged out, revoked or ended otherwise; `expired`: not refreshed in time. */
    readonly state?: 'active' | 'ended' | 'expired';
    /** Only those that have neither ended nor expired, or only the others. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Session>;

  /**
   * End a session.
   *
   * One of the caller’s own, or with `delete:sessions` any. Its access and refresh tokens are rejected from the next request on.
   *
   * `DELETE /api/sso/v1/sessions/:session_id`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `PRINCIPAL_PROTECTED`
   */
  delete(sessionId: string, options?: CallOptions): ApiPromise<{
    /** ID of a session: `session:<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record remains. */
    readonly revoked: true;
  }>;

  /**
   * End all sessions of a user.
   *
   * Ends all sessions of the caller, or with `delete:sessions` those of any user.
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
    /** Number of sessions that ended. */
    readonly revoked: number;
  }>;
}

export interface RolesApi {
  /**
   * List roles.
   *
   * The built-in ones and those of the tenant.
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
  }, options?: CallOptions): Listing<Role>;

  /**
   * Create a role.
   *
   * Callers cannot add scopes that they do not hold.
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
   * Read a role.
   *
   * Returns the role with its scopes.
   *
   * `GET /api/sso/v1/roles/:role`, scope `read:roles`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(role: string, options?: CallOptions): ApiPromise<Role>;

  /**
   * Change a role.
   *
   * `scopes` replaces the current ones. Access tokens of users with the role are rejected from then on; refreshing returns new ones.
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
   * A role that is in use is not deleted, and the error lists its users, unless `force=true` removes it from them.
   *
   * `DELETE /api/sso/v1/roles/:role`, scope `delete:roles`
   *
   * @throws ApiError `NOT_FOUND`, `IN_USE`, `SCOPE_NOT_HELD`, `BUILTIN_ROLE_PROTECTED`, `LAST_ADMINISTRATOR`
   */
  delete(role: string, query?: {
    /** With `true`, deletes it even if it is in use. */
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
   * The newest first. Several filters must all match.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
    /** ID of a user: `user:<id>`. */
    readonly owner_id?: string;
    /** Only active ones, or only inactive ones. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * Without `scopes` the agent has no permissions, without `workspace_id` it belongs to `ws_default`, and without `owner_id` the caller owns it. Callers cannot grant permissions that they do not hold, nor scopes of resources that require them.
   *
   * `POST /api/sso/v1/agents`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** Display name: one line. */
    readonly name: string;
    /** Purpose of the record. */
    readonly description?: string;
    /** Scopes of the agent: only those that the caller may grant. */
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
   * Read an agent.
   *
   * Returns the agent with its scopes and its authentication methods.
   *
   * `GET /api/sso/v1/agents/:agent_id`, scope `read:agents`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(agentId: string, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Change an agent.
   *
   * A change of `scopes`, `workspace_id`, `is_active`, `jwks` or `trusts` takes effect with the next request: previously issued tokens are rejected. The keys of an inactive agent do not work; once it is active again, those that have not expired do. Callers cannot change an agent that holds more than they do.
   *
   * `PATCH /api/sso/v1/agents/:agent_id`, scope `write:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(agentId: string, body: AgentPatch, options?: CallOptions): ApiPromise<Agent>;

  /**
   * Delete an agent.
   *
   * Deletes the agent irreversibly, with its keys and the delegations to it. `dry_run=true` returns the dependents of the agent, and changes nothing.
   *
   * `DELETE /api/sso/v1/agents/:agent_id`, scope `delete:agents`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(agentId: string, query?: {
    /** With `true`, returns what would change, and changes nothing. */
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
   * The number of each, and the newest 20: usable keys, and delegations that it holds.
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
   * Including expired and revoked ones. The keys themselves are not shown.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of an agent: `service:<id>`. */
    readonly agent_id?: string;
  }, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key.
   *
   * The key is shown in this response only. `scopes` restricts it to a subset of those of its agent; default: all. Callers cannot create a key of an agent that holds more than they do.
   *
   * `POST /api/sso/v1/apikeys`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** ID of an agent: `service:<id>`. */
    readonly agent_id: string;
    /** Display name: one line. */
    readonly name: string;
    /** Lifetime of the key in days. Default 90. */
    readonly expires_in_days?: number;
    /** A subset of the scopes of its agent. */
    readonly scopes?: readonly string[];
    /** IPv4 and IPv6 addresses, and networks in CIDR form, that may use the key. */
    readonly allowed_ips?: readonly string[];
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Read an API key.
   *
   * Returns the record without the key itself.
   *
   * `GET /api/sso/v1/apikeys/:key_id`, scope `read:apikeys`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(keyId: string, options?: CallOptions): ApiPromise<ApiKey>;

  /**
   * Rotate an API key.
   *
   * The successor has the same agent, name, scopes, addresses and lifetime. The old key remains valid for `overlap_days`, if it does not expire before; with 0 it is revoked immediately. A key can be rotated once.
   *
   * `POST /api/sso/v1/apikeys/:key_id/rotate`, scope `write:apikeys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`, `APIKEY_ROTATED`, `APIKEY_ENDED`
   */
  rotate(keyId: string, body: {
    /** Days that the old key remains valid. Default 7. */
    readonly overlap_days?: number;
  }, options?: CallOptions): ApiPromise<CreatedApiKey>;

  /**
   * Revoke an API key.
   *
   * Revokes the key: it is rejected from the next request on, and its record remains. Revoking a revoked key returns 404.
   *
   * `DELETE /api/sso/v1/apikeys/:key_id`, scope `delete:apikeys`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  delete(keyId: string, options?: CallOptions): ApiPromise<{
    /** ID of an API key: `key_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record remains. */
    readonly revoked: true;
  }>;

  /**
   * Report a leaked API key.
   *
   * For secret scanners, and for anyone who finds a key where it should not be. A valid key is revoked immediately, whichever tenant it belongs to, and that tenant is notified. The response and its timing are the same for every text.
   *
   * `POST /api/sso/v1/apikeys/report`
   *
   * @throws ApiError `TOO_MANY_ATTEMPTS`
   */
  report(body: {
    /** The key that was found. */
    readonly key: string;
  }, options?: CallOptions): ApiPromise<{
    /** Always `true`, whatever was sent. */
    readonly received: true;
  }>;
}

export interface ProvidersApi {
  /**
   * List identity providers.
   *
   * The newest first. Their client secrets are not shown.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<IdentityProvider>;

  /**
   * Add an identity provider.
   *
   * Adds an inactive provider: it can be enabled once a test login was accepted. With `is_active` and `skip_test` the provider is active immediately.
   *
   * `POST /api/sso/v1/identity-providers`, scope `write:logins`
   *
   * @throws ApiError `VALIDATION_FAILED`, `PROVIDER_NOT_TESTED`, `TOO_MANY_IDENTITY_PROVIDERS`, `SCOPE_NOT_HELD`
   */
  create(body: {
    /** Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile. */
    readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
    /** Display name. */
    readonly name: string;
    /** Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your own server. */
    readonly issuer?: string;
    /** Client ID that the provider issued. */
    readonly client_id: string;
    /** Client secret that the provider issued. Never shown again. Required for active providers of type `google`, `microsoft`, `apple` and `github`. `apple`: the contents of the key file. */
    readonly client_secret?: string;
    /** Scopes to request in addition to `openid`. */
    readonly scopes?: readonly string[];
    /** Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account. */
    readonly domains?: readonly string[];
    /** What happens when an unknown identity has the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected. */
    readonly link?: 'ask' | 'auto' | 'never';
    /** Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false. */
    readonly trust_mfa?: boolean;
    /** With `microsoft`: the directories (`tid`) whose users can log in. If empty, only the directory of the issuer. */
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
    /** Whether users can log in with the provider. A new provider can be active only with `skip_test`. Default: false. */
    readonly is_active?: boolean;
    /** Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false. */
    readonly skip_test?: boolean;
  }, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Read an identity provider.
   *
   * Returns the provider without its client secret.
   *
   * `GET /api/sso/v1/identity-providers/:provider_id`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(providerId: string, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Change an identity provider.
   *
   * A new issuer, endpoint, client id, team or key requires the client secret again, so that a stored one is never sent elsewhere. While users have linked identities there, or an application accepts its assertions, its issuer, endpoints, `subject_claim` and `team_id` cannot change (`IN_USE`): they decide whose a subject is. To enable it, and to change settings of an active one, a test login with these settings must have been accepted (`PROVIDER_NOT_TESTED`), unless `skip_test` is true. `name`, `domains`, `link` and `trust_mfa` need no test.
   *
   * `PATCH /api/sso/v1/identity-providers/:provider_id`, scope `write:logins`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `PROVIDER_NOT_TESTED`, `LAST_LOGIN_METHOD`, `IN_USE`, `SCOPE_NOT_HELD`
   */
  update(providerId: string, body: {
    /** Display name. */
    readonly name?: string;
    /** Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your own server. */
    readonly issuer?: string;
    /** Client ID that the provider issued. */
    readonly client_id?: string;
    /** Client secret. `null` removes it. */
    readonly client_secret?: string | null;
    /** Scopes to request in addition to `openid`. */
    readonly scopes?: readonly string[];
    /** Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account. */
    readonly domains?: readonly string[];
    /** What happens when an unknown identity has the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected. */
    readonly link?: 'ask' | 'auto' | 'never';
    /** Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false. */
    readonly trust_mfa?: boolean;
    /** With `microsoft`: the directories (`tid`) whose users can log in. If empty, only the directory of the issuer. */
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
    /** Whether users can log in with the provider. */
    readonly is_active?: boolean;
    /** Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false. */
    readonly skip_test?: boolean;
  }, options?: CallOptions): ApiPromise<IdentityProvider>;

  /**
   * Count the dependents of an identity provider.
   *
   * Returns what would be deleted with the provider, and how many users could no longer log in. 10,001 means more than 10,000.
   *
   * `GET /api/sso/v1/identity-providers/:provider_id/dependents`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  dependents(providerId: string, options?: CallOptions): ApiPromise<ProviderDependents>;

  /**
   * Delete an identity provider.
   *
   * Deletes the provider, its client secret and the identities of users there. The sessions of these users continue.
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
   * Starts a test login. As in a login, the browser goes to `authorize_url`, and returns to `return_url` with `handoff`: one of `return_urls`, or the screen of the console for it, `/console/t/<tenant>/providers/<id>/test` at the host of the issuer. The provider need not be active. No session is opened, and nothing is linked. The next test of the same caller replaces this one.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/test`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `RETURN_URL_UNKNOWN`, `PROVIDER_REFUSED`, `TOO_MANY_ATTEMPTS`, `SCOPE_NOT_HELD`
   */
  test(providerId: string, body: {
    /** One of the `return_urls` of the tenant, exactly as written there. */
    readonly return_url: string;
  }, options?: CallOptions): ApiPromise<BegunProviderTest>;

  /**
   * Read the result of a test login.
   *
   * What the provider returned, or why it was rejected. The handoff is accepted once, for 60 seconds. An accepted test allows enabling the provider, unless settings that a login depends on have changed since it started.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/test/finish`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `PROVIDER_REFUSED`, `SCOPE_NOT_HELD`
   */
  finishTest(providerId: string, body: {
    /** The parameter `handoff` of the address that the browser came back to. */
    readonly handoff: string;
  }, options?: CallOptions): ApiPromise<ProviderTest>;

  /**
   * Send the users of a domain to a provider.
   *
   * The domain counts once it was proven by the DNS record in the response, and while the provider is active. From then on users with an email address of it log in at this provider only. Adding it again changes nothing.
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
   * List the domains whose users a provider logs in.
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
   * Look for the DNS record that proves a domain.
   *
   * A proven domain remains proven until it is removed.
   *
   * `POST /api/sso/v1/identity-providers/:provider_id/domains/:domain/verify`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `DOMAIN_NOT_PROVEN`, `SCOPE_NOT_HELD`
   */
  verifyDomain(providerId: string, domain: string, options?: CallOptions): ApiPromise<ProviderDomain>;

  /**
   * Let the users of a domain log in by other methods again.
   *
   * Takes effect with the next request, on every node.
   *
   * `DELETE /api/sso/v1/identity-providers/:provider_id/domains/:domain`, scope `write:logins`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  removeDomain(providerId: string, domain: string, options?: CallOptions): ApiPromise<RemovedProviderDomain>;
}

export interface ConsoleApi {
  /**
   * The tenant of a host, for the console.
   *
   * The console starts with it at an address that names no tenant.
   *
   * `GET /console/tenant`
   */
  tenant(options?: CallOptions): ApiPromise<{
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
  }>;

  /**
   * Whether a browser is logged in to the console.
   *
   * The console starts with it, and sends users who are not logged in to the login. It reveals nothing else, and does not count as a use of the login, which expires as if there had been no request.
   *
   * `GET /t/:tenant_id/console/session`
   */
  session(tenantId: string, options?: CallOptions): ApiPromise<{
    /** Whether the cookie of the browser belongs to a login that the console accepts: `false` without a cookie, with that of another tenant, and with a forged one. */
    readonly is_logged_in: boolean;
  }>;
}

export interface BrandingApi {
  /**
   * List the logos of the tenant.
   *
   * The logos that `branding` names, and the state of each.
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
   * Fetch the logos of the tenant again.
   *
   * After a change of an image, or a failure. A stored image is kept until it is replaced.
   *
   * `POST /api/sso/v1/logos/fetch`, scope `write:tenant`
   */
  fetchLogos(options?: CallOptions): ApiPromise<FetchedLogos>;

  /**
   * Delete a logo.
   *
   * Deletes its image and its address. The image is no longer served.
   *
   * `DELETE /api/sso/v1/logos/:kind`, scope `write:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  deleteLogo(kind: string, options?: CallOptions): ApiPromise<DeletedLogo>;

  /**
   * Upload a logo.
   *
   * A file instead of an address, which is removed from `branding`: PNG, WebP, AVIF, or SVG without a document type that draws at most 100,000 elements, at most 256 KiB and 4096 pixels at each side. It replaces the existing one.
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
   * Show a page or a mail with a look that is not saved.
   *
   * Returns an address that works for ten minutes, at which anyone can see the preview: a page of the tenant, or a mail, with made-up people. It runs no scripts and sends no forms, ignores cookies, and only pages of its own origin may frame it.
   *
   * `POST /api/sso/v1/branding/preview`, scope `read:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TEXT_INVALID`, `TEXT_FIXED`, `TEMPLATE_INVALID`
   */
  preview(body: {
    /** Which page; default `login`. Ignored with a message. */
    readonly page?: 'login' | 'login_failed' | 'registration' | 'recovery' | 'code' | 'second_factor' | 'new_password' | 'recovery_codes' | 'consent' | 'accounts' | 'device' | 'invitation' | 'logout';
    /** A mail instead of a page: as in `POST /messaging/preview`, with its HTML part alone. */
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
    /** Which colors; default: those of the tenant. */
    readonly color_scheme?: 'light' | 'dark';
    readonly branding?: TenantBrandingPatch;
    /** A text instead of that of the tenant, in the language of the preview. */
    readonly text?: {
      /** Key of the text. */
      readonly key: string;
      /** An ICU message, as in `PUT /texts/<locale>/<key>`. */
      readonly text: string;
    };
  }, options?: CallOptions): ApiPromise<Preview>;

  /**
   * Read all texts of a language.
   *
   * The texts of pages, mails and text messages, with those of the tenant that replace them.
   *
   * `GET /api/sso/v1/texts/:locale`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  listTexts(locale: string, options?: CallOptions): ApiPromise<Texts>;

  /**
   * Read a text.
   *
   * The text of the tenant, and the one that ships with the service.
   *
   * `GET /api/sso/v1/texts/:locale/:key`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getText(locale: string, key: string, options?: CallOptions): ApiPromise<Text>;

  /**
   * Set a text.
   *
   * An ICU message in one line, with placeholders and tags of the default text only, and without links. It is escaped wherever it is shown.
   *
   * `PUT /api/sso/v1/texts/:locale/:key`, scope `write:tenant`, or `write:logins` for a text that names an address
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
   * Deletes the text of the tenant, if it has one.
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
    /** The tenant no longer has such a text. */
    readonly deleted: true;
  }>;
}

export interface ClientsApi {
  /**
   * List OAuth clients.
   *
   * The newest first. Their secrets are not shown.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<OAuthClient>;

  /**
   * Register an OAuth client.
   *
   * A secret, if its authentication needs one, is shown in this response only.
   *
   * `POST /api/sso/v1/clients`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_CLIENTS`
   */
  create(body: OAuthClientRegistration, options?: CallOptions): ApiPromise<CreatedOAuthClient>;

  /**
   * Read an OAuth client.
   *
   * Returns the client without its secrets.
   *
   * `GET /api/sso/v1/clients/:client_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(clientId: string, options?: CallOptions): ApiPromise<OAuthClient>;

  /**
   * Change an OAuth client.
   *
   * Changes the client. Its kind and its authentication method cannot be changed: register another client instead. Only a client that an administrator registered can be `first_party`; for one with a metadata document, only `is_active` can be changed. Unless it is `first_party`, users must consent again before a code is sent to a host that they have not approved.
   *
   * `PATCH /api/sso/v1/clients/:client_id`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(clientId: string, body: OAuthClientPatch, options?: CallOptions): ApiPromise<OAuthClient>;

  /**
   * Delete an OAuth client.
   *
   * Deletes the client, its secrets and the consents of users to it. Its sessions end, and their tokens are rejected from the next request on.
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
   * Create another secret.
   *
   * Creates a second secret for a rotation: both work until one is deleted. The secret is shown in this response only.
   *
   * `POST /api/sso/v1/clients/:client_id/secrets`, scope `write:clients`, and `write:logins` for a client with `first_party`, `in_app_login` or `identity_assertions`
   *
   * @throws ApiError `NOT_FOUND`, `SCOPE_NOT_HELD`, `TOO_MANY_CLIENT_SECRETS`, `CLIENT_HAS_NO_SECRET`
   */
  createSecret(clientId: string, options?: CallOptions): ApiPromise<CreatedClientSecret>;

  /**
   * Delete a secret.
   *
   * Deletes the secret: it is rejected from the next request on. The last secret can also be deleted.
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
   * The newest first, one for each session that ended while the client had a `backchannel_logout_uri`. Kept for 30 days.
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
    /** Only those in this state. */
    readonly status?: 'pending' | 'delivered' | 'failed' | 'expired';
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<LogoutDelivery>;

  /**
   * List registration tokens.
   *
   * The newest first, used up and expired ones included for 30 days.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<RegistrationToken>;

  /**
   * Create a registration token.
   *
   * A caller with the token can register applications at the registration endpoint, within the limits of the token. It is shown in this response only.
   *
   * `POST /api/sso/v1/clients/registration-tokens`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_REGISTRATION_TOKENS`
   */
  createRegistrationToken(body: RegistrationTokenRequest, options?: CallOptions): ApiPromise<CreatedRegistrationToken>;

  /**
   * Delete a registration token.
   *
   * No further applications can be registered with it. Registered ones are kept.
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
   * The newest first. The value sent as `Authorization` is not shown.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<ClientStream>;

  /**
   * Read a stream of shared signals of an OAuth client.
   *
   * Returns the stream without the value sent as `Authorization`.
   *
   * `GET /api/sso/v1/clients/:client_id/signal-streams/:stream_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getStream(clientId: string, streamId: string, options?: CallOptions): ApiPromise<ClientStream>;

  /**
   * Pause, disable or enable a stream of shared signals.
   *
   * Changes the status of the stream; its receiver can do the same. If events are pushed, the receiver gets a `stream-updated` event. The receiver can change it again: `shared_signals` of the client decides whether it may have streams.
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
}

export interface ResourcesApi {
  /**
   * List resources.
   *
   * The newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<OAuthResource>;

  /**
   * Register a resource.
   *
   * Applications and agents can then request access tokens for it, by naming it as `resource` (RFC 8707).
   *
   * `POST /api/sso/v1/resources`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `RESOURCE_TAKEN`, `TOO_MANY_RESOURCES`
   */
  create(body: OAuthResourceRegistration, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Read a resource.
   *
   * Returns the resource.
   *
   * `GET /api/sso/v1/resources/:resource_id`, scope `read:clients`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(resourceId: string, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Change a resource.
   *
   * Changes the resource. Its URI cannot be changed: register another resource instead. Access tokens that were already issued are not changed.
   *
   * `PATCH /api/sso/v1/resources/:resource_id`, scope `write:clients`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  update(resourceId: string, body: OAuthResourcePatch, options?: CallOptions): ApiPromise<OAuthResource>;

  /**
   * Delete a resource.
   *
   * No further access tokens for it are issued, even to applications that have refresh tokens. Issued tokens are inactive when they are introspected; otherwise they are valid until they expire.
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
   * Shared signals: metadata of the tenant that the request names.
   *
   * Where receivers manage their streams (OpenID Shared Signals Framework 1.0 §7).
   *
   * `GET /.well-known/ssf-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  configuration(options?: CallOptions): ApiPromise<TransmitterConfiguration>;

  /**
   * Shared signals: metadata of an issuer.
   *
   * The well-known part comes before the path of the issuer (§7.2).
   *
   * `GET /.well-known/ssf-configuration/t/:tenant_id`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  configurationByIssuer(tenantId: string, options?: CallOptions): ApiPromise<TransmitterConfiguration>;

  /**
   * Create a stream of signals.
   *
   * Creates a stream for a receiver: an OAuth client with `shared_signals`. The scope is `ssf.manage`.
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
   * Create a stream of signals, at the address of the issuer.
   *
   * Creates a stream for a receiver: an OAuth client with `shared_signals`. The scope is `ssf.manage`.
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
   * Read a stream of signals, or all of them.
   *
   * Returns the stream `stream_id`, or without it a list. The scope is `ssf.read` or `ssf.manage`.
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
   * Read a stream of signals, or all of them, at the address of the issuer.
   *
   * Returns the stream `stream_id`, or without it a list. The scope is `ssf.read` or `ssf.manage`.
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
   * Change a stream of signals.
   *
   * Fields that are not named are not changed. The scope is `ssf.manage`.
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
   * Change a stream of signals, at the address of the issuer.
   *
   * Fields that are not named are not changed. The scope is `ssf.manage`.
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
   * Fields that are not named get their defaults. The scope is `ssf.manage`.
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
   * Replace the configuration of a stream of signals, at the address of the issuer.
   *
   * Fields that are not named get their defaults. The scope is `ssf.manage`.
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
   * Read the status of a stream of signals.
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
   * Read the status of a stream of signals, at the address of the issuer.
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
   * Undelivered events of a paused stream are delivered when it is enabled. The scope is `ssf.manage`.
   *
   * `POST /oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStatus(body: SignalStreamStatus, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Pause, disable or enable a stream of signals, at the address of the issuer.
   *
   * Undelivered events of a paused stream are delivered when it is enabled. The scope is `ssf.manage`.
   *
   * `POST /t/:tenant_id/oauth/ssf/status`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  updateStatusByIssuer(tenantId: string, body: SignalStreamStatus, options?: CallOptions): ApiPromise<SignalStreamStatus>;

  /**
   * Poll the events of a stream, and acknowledge earlier ones.
   *
   * Polls events (RFC 8936). Acknowledged events are not returned again; all others are, until they are seven days old. Without `returnImmediately` the response waits for an event, up to 25 seconds. The scope is `ssf.manage`.
   *
   * `POST /oauth/ssf/poll/:stream_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  poll(streamId: string, body: {
    /** Maximum number of events: at most, and by default, 100. 0: none, without waiting. */
    readonly maxEvents?: number;
    /** Whether not to wait for an event. Default false. */
    readonly returnImmediately?: boolean;
    /** Events that the receiver has processed. */
    readonly ack?: readonly string[];
    /** Events that the receiver cannot process, by `jti`. They are not returned again. */
    readonly setErrs?: {
      readonly [name: string]: {
        /** RFC 8935 §2.4. */
        readonly err: string;
        /** A description. */
        readonly description?: string;
      };
    };
  }, options?: CallOptions): ApiPromise<PolledSignals>;

  /**
   * Poll the events of a stream, and acknowledge earlier ones, at the address of the issuer.
   *
   * Polls events (RFC 8936). Acknowledged events are not returned again; all others are, until they are seven days old. Without `returnImmediately` the response waits for an event, up to 25 seconds. The scope is `ssf.manage`.
   *
   * `POST /t/:tenant_id/oauth/ssf/poll/:stream_id`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`, `SIGNALS_REFUSED`, `VALIDATION_FAILED`, `NOT_FOUND`
   */
  pollByIssuer(tenantId: string, streamId: string, body: {
    /** Maximum number of events: at most, and by default, 100. 0: none, without waiting. */
    readonly maxEvents?: number;
    /** Whether not to wait for an event. Default false. */
    readonly returnImmediately?: boolean;
    /** Events that the receiver has processed. */
    readonly ack?: readonly string[];
    /** Events that the receiver cannot process, by `jti`. They are not returned again. */
    readonly setErrs?: {
      readonly [name: string]: {
        /** RFC 8935 §2.4. */
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
   * The applications that the caller has consented to, the newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Consent>;

  /**
   * Revoke one of the caller’s consents.
   *
   * The sessions of the application end, and their tokens are rejected from the next request on.
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
   * The newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
    readonly client_id?: string;
  }, options?: CallOptions): Listing<Consent>;

  /**
   * Revoke a consent.
   *
   * The sessions of the application end, and their tokens are rejected from the next request on.
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
   * Claims about the user of an access token.
   *
   * For the access token of an OAuth client that was granted `openid`. The claims are those of the scopes `profile`, `email` and `phone`, and those that the client requested by name; unknown ones are left out. `name` and the like are the members of the same name of the user’s `metadata`; `updated_at` is always known.
   *
   * `GET /oauth/userinfo`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  get(options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * Claims about the user of an access token, by POST.
   *
   * For the access token of an OAuth client that was granted `openid`. The claims are those of the scopes `profile`, `email` and `phone`, and those that the client requested by name; unknown ones are left out. `name` and the like are the members of the same name of the user’s `metadata`; `updated_at` is always known. The token is in the header `Authorization`, or in the form (RFC 6750 §2.2).
   *
   * `POST /oauth/userinfo`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  post(body: {
    /** The access token, unless it is in the header. */
    readonly access_token?: string;
  }, options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * Claims about the user of an access token, at the address of the issuer.
   *
   * For the access token of an OAuth client that was granted `openid`. The claims are those of the scopes `profile`, `email` and `phone`, and those that the client requested by name; unknown ones are left out. `name` and the like are the members of the same name of the user’s `metadata`; `updated_at` is always known.
   *
   * `GET /t/:tenant_id/oauth/userinfo`
   *
   * @throws ApiError `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  getByIssuer(tenantId: string, options?: CallOptions): ApiPromise<Userinfo>;

  /**
   * The same by POST, at the address of the issuer.
   *
   * For the access token of an OAuth client that was granted `openid`. The claims are those of the scopes `profile`, `email` and `phone`, and those that the client requested by name; unknown ones are left out. `name` and the like are the members of the same name of the user’s `metadata`; `updated_at` is always known. The token is in the header `Authorization`, or in the form (RFC 6750 §2.2).
   *
   * `POST /t/:tenant_id/oauth/userinfo`
   *
   * @throws ApiError `VALIDATION_FAILED`, `TOKEN_INVALID`, `TENANT_MISMATCH`, `OAUTH_OFF`, `SCOPE_REQUIRED`
   */
  postByIssuer(tenantId: string, body: {
    /** The access token, unless it is in the header. */
    readonly access_token?: string;
  }, options?: CallOptions): ApiPromise<Userinfo>;
}

export interface OauthApi {
  /**
   * Push an authorization request.
   *
   * Pushes an authorization request (RFC 9126): the application sends the request itself, and the browser has only `client_id` and `request_uri`. The request cannot be read or changed on the way. It is validated immediately, and can be used for a minute; one code is issued for it. With a proof in the header `DPoP` the code is bound to the key of the proof, as with `dpop_jkt`.
   *
   * `POST /oauth/par`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  push(body: {
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** The redirect URI: one that the application has registered. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; `query.jwt` (also `jwt`) or `form_post.jwt`: signed (JARM). */
    readonly response_mode?: string;
    /** Scopes, joined by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` of the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum number of seconds since the user authenticated. */
    readonly max_age?: string;
    /** Acceptable values of `acr`, the preferred first. */
    readonly acr_values?: string;
    /** Fills in the identifier; it proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to: its exchange needs a DPoP proof by it (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Claims requested by name (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON list (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application; all other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed; all other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<PushedRequest>;

  /**
   * Push an authorization request, at the address of the issuer.
   *
   * Pushes an authorization request (RFC 9126): the application sends the request itself, and the browser has only `client_id` and `request_uri`. The request cannot be read or changed on the way. It is validated immediately, and can be used for a minute; one code is issued for it. With a proof in the header `DPoP` the code is bound to the key of the proof, as with `dpop_jkt`.
   *
   * `POST /t/:tenant_id/oauth/par`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `TOO_MANY_ATTEMPTS`
   */
  pushByIssuer(tenantId: string, body: {
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** The redirect URI: one that the application has registered. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; `query.jwt` (also `jwt`) or `form_post.jwt`: signed (JARM). */
    readonly response_mode?: string;
    /** Scopes, joined by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` of the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum number of seconds since the user authenticated. */
    readonly max_age?: string;
    /** Acceptable values of `acr`, the preferred first. */
    readonly acr_values?: string;
    /** Fills in the identifier; it proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to: its exchange needs a DPoP proof by it (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Claims requested by name (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON list (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application; all other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed; all other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<PushedRequest>;

  /**
   * Log in inside an application of the tenant.
   *
   * Logs a user in on the screens of a native application with `in_app_login` (draft-ietf-oauth-first-party-apps). The first request has the parameters of an authorization request, without `redirect_uri` or with the one that a login on the web would return to; `login_hint` is the identifier. Each response but the last is an error: `insufficient_authorization` lists the next steps in `needs`, which are sent with `auth_session`; with `redirect_to_web`, the login must continue in a browser. The response is the same for known and unknown identifiers. With a proof in the header `DPoP` the login and its code are bound to the key of the proof.
   *
   * `POST /oauth/authorize-challenge`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `CLIENT_UNAUTHORIZED`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `INSUFFICIENT_AUTHORIZATION`, `REDIRECT_TO_WEB`, `AUTH_SESSION_INVALID`, `TOO_MANY_ATTEMPTS`, `TOO_MANY_MESSAGES`, `TOO_BUSY`
   */
  challenge(body: {
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** The redirect URI: one that the application has registered. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; `query.jwt` (also `jwt`) or `form_post.jwt`: signed (JARM). */
    readonly response_mode?: string;
    /** Scopes, joined by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` of the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum number of seconds since the user authenticated. */
    readonly max_age?: string;
    /** Acceptable values of `acr`, the preferred first. */
    readonly acr_values?: string;
    /** Fills in the identifier; it proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to: its exchange needs a DPoP proof by it (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Claims requested by name (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON list (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application; all other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed; all other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** The login in progress, from the previous response. Only the client that started it can use it. */
    readonly auth_session?: string;
    /** A password of at most 256 characters after NFKC. */
    readonly password?: string;
    /** Requests a message with a code, sent this way. */
    readonly message?: 'email' | 'sms';
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly message_code?: string;
    /** The current code of the authenticator app. */
    readonly totp_code?: string;
    /** A recovery code: 24 characters. Hyphens and case are ignored. */
    readonly recovery_code?: string;
    /** Requests the options for a passkey. */
    readonly passkey_options?: 'true';
    /** The assertion of a passkey, as JSON. */
    readonly passkey?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<ChallengeAnswer>;

  /**
   * Log in inside an application, at the address of the issuer.
   *
   * Logs a user in on the screens of a native application with `in_app_login` (draft-ietf-oauth-first-party-apps). The first request has the parameters of an authorization request, without `redirect_uri` or with the one that a login on the web would return to; `login_hint` is the identifier. Each response but the last is an error: `insufficient_authorization` lists the next steps in `needs`, which are sent with `auth_session`; with `redirect_to_web`, the login must continue in a browser. The response is the same for known and unknown identifiers. With a proof in the header `DPoP` the login and its code are bound to the key of the proof.
   *
   * `POST /t/:tenant_id/oauth/authorize-challenge`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `CLIENT_UNAUTHORIZED`, `OAUTH_OFF`, `RESPONSE_TYPE_UNSUPPORTED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `UNMET_AUTHENTICATION`, `REQUEST_OBJECT_INVALID`, `DPOP_INVALID`, `DPOP_NONCE_REQUIRED`, `INSUFFICIENT_AUTHORIZATION`, `REDIRECT_TO_WEB`, `AUTH_SESSION_INVALID`, `TOO_MANY_ATTEMPTS`, `TOO_MANY_MESSAGES`, `TOO_BUSY`
   */
  challengeByIssuer(tenantId: string, body: {
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** The redirect URI: one that the application has registered. */
    readonly redirect_uri?: string;
    /** `code`. */
    readonly response_type?: string;
    /** `query` (default) or `form_post`; `query.jwt` (also `jwt`) or `form_post.jwt`: signed (JARM). */
    readonly response_mode?: string;
    /** Scopes, joined by spaces. */
    readonly scope?: string;
    /** Returned unchanged. */
    readonly state?: string;
    /** The `nonce` of the ID token. */
    readonly nonce?: string;
    /** SHA-256 of the code verifier, in base64url (RFC 7636). */
    readonly code_challenge?: string;
    /** `S256`. */
    readonly code_challenge_method?: string;
    /** `none`, `login`, `consent`, `select_account` or `create`. */
    readonly prompt?: string;
    /** Maximum number of seconds since the user authenticated. */
    readonly max_age?: string;
    /** Acceptable values of `acr`, the preferred first. */
    readonly acr_values?: string;
    /** Fills in the identifier; it proves nothing. */
    readonly login_hint?: string;
    /** An ID token of the expected user. */
    readonly id_token_hint?: string;
    /** Preferred languages. */
    readonly ui_locales?: string;
    /** Thumbprint of the key that the code is bound to: its exchange needs a DPoP proof by it (RFC 9449 §10). */
    readonly dpop_jkt?: string;
    /** Claims requested by name (OpenID Connect Core §5.5). */
    readonly claims?: string;
    /** Authorization details, as a JSON list (RFC 9396). */
    readonly authorization_details?: string;
    readonly resource?: AuthorizationResource;
    /** The request as a JWT signed by the application; all other parameters except `client_id` are then ignored (RFC 9101). */
    readonly request?: string;
    /** Reference to a request that the application pushed; all other parameters except `client_id` are then ignored. */
    readonly request_uri?: string;
    /** Not supported. */
    readonly registration?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
    /** The login in progress, from the previous response. Only the client that started it can use it. */
    readonly auth_session?: string;
    /** A password of at most 256 characters after NFKC. */
    readonly password?: string;
    /** Requests a message with a code, sent this way. */
    readonly message?: 'email' | 'sms';
    /** The code from a message: 8 digits by email, 6 by text message, or 10 during a guessing attack on the tenant’s codes. */
    readonly message_code?: string;
    /** The current code of the authenticator app. */
    readonly totp_code?: string;
    /** A recovery code: 24 characters. Hyphens and case are ignored. */
    readonly recovery_code?: string;
    /** Requests the options for a passkey. */
    readonly passkey_options?: 'true';
    /** The assertion of a passkey, as JSON. */
    readonly passkey?: string;
    /** The device token from the user’s earlier login on this device. */
    readonly device_token?: string;
  }, options?: CallOptions): ApiPromise<ChallengeAnswer>;

  /**
   * Start a login on a device without a browser.
   *
   * Starts a login on a device (RFC 8628): the application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until its user has typed the code into a browser elsewhere, and allowed or denied the login.
   *
   * `POST /oauth/device_authorization`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `TOO_MANY_ATTEMPTS`
   */
  deviceAuthorization(body: {
    /** Scopes, joined by spaces. Default: all that the application may request. */
    readonly scope?: string;
    readonly resource?: DeviceResource;
    /** Rejected: devices do not support authorization details (RFC 9396). */
    readonly authorization_details?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<DeviceAuthorization>;

  /**
   * Start a login on a device without a browser, at the address of the issuer.
   *
   * Starts a login on a device (RFC 8628): the application shows `user_code` and `verification_uri`, and polls the token endpoint every `interval` seconds until its user has typed the code into a browser elsewhere, and allowed or denied the login.
   *
   * `POST /t/:tenant_id/oauth/device_authorization`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `SCOPE_INVALID`, `TARGET_INVALID`, `AUTHORIZATION_DETAILS_INVALID`, `TOO_MANY_ATTEMPTS`
   */
  deviceAuthorizationByIssuer(tenantId: string, body: {
    /** Scopes, joined by spaces. Default: all that the application may request. */
    readonly scope?: string;
    readonly resource?: DeviceResource;
    /** Rejected: devices do not support authorization details (RFC 9396). */
    readonly authorization_details?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<DeviceAuthorization>;

  /**
   * Register an application dynamically.
   *
   * Registers an application (RFC 7591), with a registration token, or a credential with `write:clients`, as the bearer token; where `oauth_registration` of the tenant is `open`, also without a token or credential, ten times a minute. Unknown members are ignored; the response shows what was registered. The application is never a first-party application.
   *
   * `POST /oauth/register`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `REGISTRATION_OFF`, `REGISTRATION_FULL`, `SCOPE_REQUIRED`, `TOO_MANY_CLIENTS`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  register(body: ClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Register an application dynamically, at the address of the issuer.
   *
   * Registers an application (RFC 7591), with a registration token, or a credential with `write:clients`, as the bearer token; where `oauth_registration` of the tenant is `open`, also without a token or credential, ten times a minute. Unknown members are ignored; the response shows what was registered. The application is never a first-party application.
   *
   * `POST /t/:tenant_id/oauth/register`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `REGISTRATION_OFF`, `REGISTRATION_FULL`, `SCOPE_REQUIRED`, `TOO_MANY_CLIENTS`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  registerByIssuer(tenantId: string, body: ClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Read its own registration.
   *
   * Returns the registration (RFC 7592), with the `registration_access_token` as the bearer token. Secrets are not shown again.
   *
   * `GET /oauth/register/:client_id`
   *
   * @throws ApiError `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`
   */
  readRegistration(clientId: string, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Read its own registration, at the address of the issuer.
   *
   * Returns the registration (RFC 7592), with the `registration_access_token` as the bearer token. Secrets are not shown again.
   *
   * `GET /t/:tenant_id/oauth/register/:client_id`
   *
   * @throws ApiError `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`
   */
  readRegistrationByIssuer(tenantId: string, clientId: string, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Change its own registration.
   *
   * Replaces the registration (RFC 7592): omitted members get their defaults. The authentication method cannot be changed, and the application cannot request more than when it was registered. Changes count with the registrations of an address, ten a minute.
   *
   * `PUT /oauth/register/:client_id`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  changeRegistration(clientId: string, body: ChangedClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Change its own registration, at the address of the issuer.
   *
   * Replaces the registration (RFC 7592): omitted members get their defaults. The authentication method cannot be changed, and the application cannot request more than when it was registered. Changes count with the registrations of an address, ten a minute.
   *
   * `PUT /t/:tenant_id/oauth/register/:client_id`
   *
   * @throws ApiError `CLIENT_METADATA_INVALID`, `REDIRECT_URI_INVALID`, `REGISTRATION_TOKEN_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  changeRegistrationByIssuer(tenantId: string, clientId: string, body: ChangedClientMetadata, options?: CallOptions): ApiPromise<ClientInformation>;

  /**
   * Revoke a token of an application.
   *
   * Revokes a token (RFC 7009). The session of the application ends: both its refresh token and its access tokens are rejected from the next request on. An unknown token is not an error, since it cannot be used either.
   *
   * `POST /oauth/revoke`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`
   */
  revoke(body: {
    /** A refresh token or an access token. */
    readonly token: string;
    /** Ignored: the token itself shows its type. */
    readonly token_type_hint?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Readonly<Record<string, unknown>>>;

  /**
   * Revoke a token of an application, at the address of the issuer.
   *
   * Revokes a token (RFC 7009). The session of the application ends: both its refresh token and its access tokens are rejected from the next request on. An unknown token is not an error, since it cannot be used either.
   *
   * `POST /t/:tenant_id/oauth/revoke`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `CLIENT_UNAUTHORIZED`, `TOO_MANY_ATTEMPTS`
   */
  revokeByIssuer(tenantId: string, body: {
    /** A refresh token or an access token. */
    readonly token: string;
    /** Ignored: the token itself shows its type. */
    readonly token_type_hint?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Readonly<Record<string, unknown>>>;

  /**
   * Introspect a token as a client.
   *
   * Introspects a token (RFC 7662). Agents, and applications that have a secret or a key, can introspect their own tokens, and those of resources that they serve; any other token is inactive for them. With `Accept: application/token-introspection+jwt` the response is signed (RFC 9701): for an application with the algorithm of its ID tokens, for an agent with EdDSA. The response does not say why a token is inactive.
   *
   * `POST /oauth/introspect`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  introspect(body: {
    /** An access token, a refresh token or an API key. */
    readonly token: string;
    /** Ignored: the token itself shows its type. */
    readonly token_type_hint?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Introspection>;

  /**
   * Introspect a token as a client, at the address of the issuer.
   *
   * Introspects a token (RFC 7662). Agents, and applications that have a secret or a key, can introspect their own tokens, and those of resources that they serve; any other token is inactive for them. With `Accept: application/token-introspection+jwt` the response is signed (RFC 9701): for an application with the algorithm of its ID tokens, for an agent with EdDSA. The response does not say why a token is inactive.
   *
   * `POST /t/:tenant_id/oauth/introspect`
   *
   * @throws ApiError `VALIDATION_FAILED`, `CLIENT_INVALID`, `OAUTH_OFF`, `TOO_MANY_ATTEMPTS`
   */
  introspectByIssuer(tenantId: string, body: {
    /** An access token, a refresh token or an API key. */
    readonly token: string;
    /** Ignored: the token itself shows its type. */
    readonly token_type_hint?: string;
    /** Id of the agent or the application. */
    readonly client_id?: string;
    /** An API key of the agent, or a secret of the application. */
    readonly client_secret?: string;
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    readonly client_assertion_type?: string;
    /** A JWT that the client signed with a key of its `jwks` (RFC 7523 §2.2). */
    readonly client_assertion?: string;
  }, options?: CallOptions): ApiPromise<Introspection>;
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
    /** Page number, starting at 1. Default: 1. */
    readonly page?: number;
    /** Items per page. Default: 20; maximum: 100. Larger values are treated as 100. */
    readonly limit?: number;
    /** The `meta.next_cursor` of the previous page. */
    readonly cursor?: string;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Webhook>;

  /**
   * Register an endpoint for events.
   *
   * The secret is shown in this response only. Requires the scopes to read what the events contain; the list of events names them.
   *
   * `POST /api/sso/v1/webhooks`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SCOPE_NOT_HELD`, `TOO_MANY_WEBHOOKS`
   */
  create(body: {
    /** A public https address, or one that the operator allows. */
    readonly url: string;
    /** Event types to send. */
    readonly events: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
    /** Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is `whsec_` and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text. */
    readonly secret?: string;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * Read a webhook.
   *
   * Returns the webhook without its secret.
   *
   * `GET /api/sso/v1/webhooks/:webhook_id`, scope `read:webhooks`
   *
   * @throws ApiError `NOT_FOUND`
   */
  get(webhookId: string, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Change a webhook.
   *
   * Events that happen while it is inactive are not queued for it; `replay` sends them afterwards. Deliveries queued before are kept. Every change except to `is_active: false` requires the scopes to read what its events contain. Another `url` requires `secret`.
   *
   * `PATCH /api/sso/v1/webhooks/:webhook_id`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `SCOPE_NOT_HELD`
   */
  update(webhookId: string, body: {
    /** A public https address, or one that the operator allows. */
    readonly url?: string;
    /** Required with another `url`: the current secret, or a new one. It replaces the current one without an overlap. */
    readonly secret?: string;
    /** Event types to send. */
    readonly events?: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
    /** Whether events are sent to it. */
    readonly is_active?: boolean;
  }, options?: CallOptions): ApiPromise<Webhook>;

  /**
   * Delete a webhook.
   *
   * Deletes the webhook. Nothing more is sent to it, including queued deliveries. Its delivery log can no longer be read, and is deleted with the events, after 30 days.
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
   * During the overlap both are valid: `webhook-signature` carries one signature for each, `X-Service-Signature` uses the previous secret until the overlap ends.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/rotate`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  rotate(webhookId: string, body: {
    /** Default: generated, 32 random bytes. A short one can be guessed from a signed delivery: use at least 32 random characters. If it is `whsec_` and base64, the headers of Standard Webhooks are signed with the decoded bytes, otherwise with the text. */
    readonly secret?: string;
    /** Hours that the previous secret remains valid: default 24; 0 for a leaked one. */
    readonly overlap_hours?: number;
  }, options?: CallOptions): ApiPromise<WebhookWithSecret>;

  /**
   * List the deliveries of a webhook.
   *
   * The newest first, with the last response to each. Kept for 30 days.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Status of the delivery. */
    readonly status?: 'pending' | 'delivered' | 'failed';
  }, options?: CallOptions): Listing<Delivery>;

  /**
   * Send a webhook.test event to a webhook.
   *
   * To this webhook only, whatever types it subscribes to. The delivery shows the result.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/test`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  test(webhookId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Send an event again immediately.
   *
   * Starts over with the first attempt, whatever the previous result.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/deliveries/:delivery_id/retry`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  retryDelivery(webhookId: string, deliveryId: string, options?: CallOptions): ApiPromise<Delivery>;

  /**
   * Replay all events after a given one.
   *
   * Of the types that the webhook subscribes to, in the order of the log, 1000 at a time: while `next_after` is present, call again with it. Deliveries waiting for their next attempt are sent now; those in progress are left alone.
   *
   * `POST /api/sso/v1/webhooks/:webhook_id/replay`, scope `write:webhooks`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`
   */
  replay(webhookId: string, body: {
    /** The last event not to send again. */
    readonly after: string;
    /** With `true`, nothing is queued: the response says what would be. */
    readonly dry_run?: boolean;
  }, options?: CallOptions): ApiPromise<{
    /** Number of events queued. */
    readonly queued: number;
    /** Value of `after` for the next call; absent when all are queued. */
    readonly next_after?: string;
  }>;
}

export interface KeysApi {
  /**
   * List signing keys.
   *
   * Including retired ones. Private keys are never shown.
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
   * The new key is published immediately and signs once the key set cached by every verifier has expired. `immediately=true`, for a compromised key, makes it sign now. Keys of other algorithms are not changed.
   *
   * `POST /api/sso/v1/keys/rotate`, scope `write:keys`
   *
   * @throws ApiError `VALIDATION_FAILED`, `ROTATION_IN_PROGRESS`
   */
  rotate(query?: {
    /** Of the new key; default: EdDSA. */
    readonly algorithm?: 'EdDSA' | 'RS256' | 'ES256';
    /** With `true`, the new key signs immediately. */
    readonly immediately?: boolean;
  }, options?: CallOptions): ApiPromise<SigningKey>;

  /**
   * Retire a signing key immediately.
   *
   * Every access token signed with it is rejected from then on; sessions continue by refreshing. Its private key is destroyed. The current key of an algorithm cannot be retired: rotate first.
   *
   * `DELETE /api/sso/v1/keys/:key_id`, scope `delete:keys`
   *
   * @throws ApiError `NOT_FOUND`, `KEY_IN_USE`
   */
  retire(keyId: string, options?: CallOptions): ApiPromise<{
    /** ID of a signing key: `key_<id>`. */
    readonly id: string;
    /** Always `true`: the credential no longer works. Its record remains. */
    readonly revoked: true;
  }>;
}

export interface EventsApi {
  /**
   * Read the event log.
   *
   * The oldest first, kept for 30 days. Polling with `after` set to the `id` of the last received event misses none, even if transactions overlap: an event is listed only once all previous ones are.
   *
   * `GET /api/sso/v1/events`, scope `read:events`
   *
   * @throws ApiError `VALIDATION_FAILED`, `EVENT_UNKNOWN`
   */
  list(query?: {
    /** The last received event; default: start with the oldest. */
    readonly after?: string;
    /** `meta.next_cursor` of the previous page; takes precedence over `after`. */
    readonly cursor?: string;
    /** Type of the event. */
    readonly type?: 'user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test';
    /** Subject of the event: the id of a user, a session, an agent … */
    readonly subject?: string;
    /** Maximum number of events: default 20; above 100 counts as 100. */
    readonly limit?: number;
    /** ID of another tenant. System administrators only. */
    readonly tenant_id?: string;
  }, options?: CallOptions): Listing<Event>;
}

export interface AuditApi {
  /**
   * Read the audit log.
   *
   * The newest first. With `Accept: application/x-ndjson` it is exported instead: one complete entry per line, in the order of the chain, and without filters a signed checkpoint as the last line.
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
    /** Who did it: `user:<id>` or `service:<id>`. */
    readonly actor?: string;
    /** The user whom a delegate acted for. */
    readonly on_behalf_of?: string;
    /** What was done. */
    readonly action?: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
    /** Id or name of the target. */
    readonly target?: string;
    /** All entries of one request: the `x-request-id` of its response. In a large log, narrow it by `from` and `to`. */
    readonly request_id?: string;
    /** The outcome. */
    readonly outcome?: 'success' | 'failure' | 'denied';
    /** Entries at or after this time (RFC 3339). */
    readonly from?: string;
    /** Entries before this time (RFC 3339). */
    readonly to?: string;
  }, options?: CallOptions): Listing<AuditEntry>;

  /**
   * Read the log of the caller’s account.
   *
   * What the caller did, what was done in their name, and what was done to their account; the newest first. Administrators are not named.
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
   * List signed heads of the audit log.
   *
   * The newest first. A copy stored elsewhere proves later that the start of the log has not changed.
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
   * Read the activity of the tenant.
   *
   * How many logins, sessions, tokens, requests and deliveries there were. By five minutes or hours for the last 48 hours, by days (UTC) for the last 90 days. A node writes its counts every few seconds; if it is killed, it loses those that it has not written.
   *
   * `GET /api/sso/v1/activity`, scope `read:audit`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  listActivity(query?: {
    /** Length of a span; default: `hour`. */
    readonly interval?: '5m' | 'hour' | 'day';
    /** Spans that end after this time (RFC 3339). */
    readonly from?: string;
    /** Spans that start before this time (RFC 3339). */
    readonly to?: string;
  }, options?: CallOptions): ApiPromise<{
    /** Length of a span. */
    readonly interval: '5m' | 'hour' | 'day';
    /** Start of the first span that the response covers. */
    readonly from: string;
    /** End of the last span that the response covers. */
    readonly to: string;
    /** The oldest first. Spans in which nothing happened are left out. */
    readonly spans: readonly ActivitySpan[];
  }>;
}

export interface TenantsApi {
  /**
   * List tenants.
   *
   * The tenants of the installation, the newest first. Filters must all match.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
    /** Any part of the name, of the id or of a domain, case-insensitive. */
    readonly search?: string;
    /** Only active ones, or only inactive ones. */
    readonly is_active?: boolean;
  }, options?: CallOptions): Listing<Tenant>;

  /**
   * Create a tenant.
   *
   * The tenant is ready to use: a data key, a signing key, `ws_default` and the built-in roles.
   *
   * `POST /api/sso/v1/tenants`
   *
   * @throws ApiError `VALIDATION_FAILED`, `SLUG_TAKEN`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`, `METHOD_NOT_READY`
   */
  create(body: {
    /** Display name: one line. */
    readonly name: string;
    /** The id without its prefix. Default: derived from the name. */
    readonly slug?: string;
    /** Host names of the tenant; each belongs to one tenant only. */
    readonly domains?: readonly string[];
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
  }, options?: CallOptions): ApiPromise<Tenant>;

  /**
   * Read a tenant.
   *
   * The caller’s own; a system administrator can read any.
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
   * Change a tenant.
   *
   * `config`, `branding` and `messaging` are merged field by field; `null` resets a setting to its default, or removes it if it has none. Only a system administrator can set `domains`, `is_active` and `issuer`. `dry_run=true` returns the effects, and changes nothing. A change of the domain that passkeys are bound to is rejected while users have some, unless `force=true`.
   *
   * `PATCH /api/sso/v1/tenants/:tenant_id`, scope `write:tenant`, or `write:logins` for `messaging`, `domains`, `issuer`, a `name` or `company_name` that names an address, and the settings whose schema says so (`x-required-scope`)
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `DOMAIN_TAKEN`, `CLAIM_RESERVED`, `SYSTEM_ADMINISTRATOR_REQUIRED`, `DEFAULT_TENANT_PROTECTED`, `METHOD_NOT_READY`, `IN_USE`, `SCOPE_NOT_HELD`
   */
  update(tenantId: string, body: {
    /** Display name: one line. */
    readonly name?: string;
    readonly config?: TenantConfigPatch;
    readonly branding?: TenantBrandingPatch;
    readonly messaging?: TenantMessagingPatch;
    /** Host names of the tenant; each belongs to one tenant only. */
    readonly domains?: readonly string[];
    /** While inactive, every request to the tenant fails with 403. */
    readonly is_active?: boolean;
    /** The `iss` of its tokens; null: the default. */
    readonly issuer?: string | null;
  }, query?: {
    /** With `true`, returns what would change, and changes nothing. */
    readonly dry_run?: boolean;
    /** With `true`, even if passkeys of users stop working. */
    readonly force?: boolean;
  }, options?: CallOptions): ApiPromise<Tenant | TenantDryRun>;

  /**
   * Delete a tenant.
   *
   * Irreversible. Its data key is destroyed before the response: nothing encrypted with it can be decrypted again. Large tenants are deleted in the background.
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
   * Read the state of the installation.
   *
   * Returns the nodes, the database and the queues of the installation, across all tenants.
   *
   * `GET /api/sso/v1/installation`
   */
  get(options?: CallOptions): ApiPromise<Installation>;
}

export interface ImpersonationsApi {
  /**
   * List where the caller acts, in the console.
   *
   * Those of the session of the caller that have not ended, the latest first.
   *
   * `GET /api/sso/v1/impersonations`
   */
  list(options?: CallOptions): ApiPromise<{
    /** All impersonations of the session that have not ended. */
    readonly items: readonly Impersonation[];
  }>;

  /**
   * Act inside a tenant, in the console.
   *
   * For at most 15 minutes, and no longer than the session of the caller. During this time, the console of the same session may call the routes of the tenant, without any token. Each impersonation is recorded with its reason; starting it again restarts it. A session has at most 20: one more ends the oldest.
   *
   * `PUT /api/sso/v1/impersonations/:tenant_id`
   *
   * @throws ApiError `VALIDATION_FAILED`, `NOT_FOUND`, `TENANT_INACTIVE`, `DEFAULT_TENANT_PROTECTED`
   */
  begin(tenantId: string, body: {
    /** Reason, kept in the audit log. */
    readonly reason: string;
  }, options?: CallOptions): ApiPromise<Impersonation>;

  /**
   * Stop acting inside a tenant, in the console.
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
   * Read the text of a message.
   *
   * That of the tenant, or the one that ships with the service.
   *
   * `GET /api/sso/v1/messaging/templates/:kind/:locale`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getTemplate(kind: string, locale: string, options?: CallOptions): ApiPromise<MessageTemplate>;

  /**
   * Set the text of a message.
   *
   * Variables: `company`, `identifier`, `support_email`, `time`, `device`; in texts with a code also `code`, `link`, `minutes` and `duration` (the minutes in words); in notices also `changed`.
   *
   * `PUT /api/sso/v1/messaging/templates/:kind/:locale`, scope `write:tenant`, or `write:logins` for a text that names an address
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
   * Deletes the text of the tenant, if it has one.
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
    /** The tenant no longer has such a text. */
    readonly deleted: true;
  }>;

  /**
   * Show a message without sending it.
   *
   * With dummy values instead of secrets; with `subject` and `text`, a text that is not saved.
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
    /** The text message, which tenants cannot change; absent: this kind is sent by mail only. */
    readonly sms?: {
      /** The text. */
      readonly text: string;
      /** How many text messages it is billed as. */
      readonly segments: number;
    };
  }>;

  /**
   * Send a test message.
   *
   * To any address, or any phone number that gets codes by SMS (then `kind` is `login` or `verification`); ten an hour, with dummy values instead of secrets.
   *
   * `POST /api/sso/v1/messaging/test`, scope `write:tenant`
   *
   * @throws ApiError `VALIDATION_FAILED`, `METHOD_NOT_READY`, `DESTINATION_REFUSED`, `TOO_MANY_MESSAGES`
   */
  test(body: {
    /** An email address, or a phone number in E.164 form. */
    readonly to: string;
    /** Purpose of the message. */
    readonly kind?: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
    /** A language tag, with script and region if needed (BCP 47). */
    readonly locale?: string;
  }, options?: CallOptions): ApiPromise<{
    /** ID of a message: `msg_<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
  }>;

  /**
   * List messages.
   *
   * Those of the last 30 days, the newest first, without texts and secrets.
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
    /** Only those in this state. */
    readonly status?: 'pending' | 'sent' | 'failed' | 'expired' | 'not_sent';
    /** ID of a user: `user:<id>`. */
    readonly user_id?: string;
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Message>;

  /**
   * List suppressed addresses.
   *
   * The newest first.
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
    /** Sort order by age: `-created_at`, the default, lists the newest first. */
    readonly sort?: 'created_at' | '-created_at';
  }, options?: CallOptions): Listing<Suppression>;

  /**
   * Read why an address is suppressed.
   *
   * By its id or the address.
   *
   * `GET /api/sso/v1/messaging/suppressions/:suppression`, scope `read:tenant`
   *
   * @throws ApiError `NOT_FOUND`
   */
  getSuppression(suppression: string, options?: CallOptions): ApiPromise<Suppression>;

  /**
   * Remove the suppression of an address.
   *
   * Another bounce or complaint suppresses it again.
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
   * Read where mail providers report bounces.
   *
   * The address contains a secret, with which reports can keep mail from any user: give it to the mail provider only. It is the same for the life of the tenant.
   *
   * `GET /api/sso/v1/messaging/feedback`, scope `write:logins`
   *
   * @throws ApiError `SCOPE_NOT_HELD`
   */
  getFeedbackAddress(options?: CallOptions): ApiPromise<{
    /** Where reports are posted to. */
    readonly url: string;
  }>;

  /**
   * Report a bounce or a complaint.
   *
   * For mail providers, in one of three formats: that of the schema; notifications of Amazon SES through Amazon SNS, whose signature is checked and whose subscriptions are confirmed; webhooks of Postmark. Other fields are ignored, and so are reports of other kinds and repeated ones.
   *
   * `POST /api/sso/v1/messaging/feedback/:token`
   *
   * @throws ApiError `NOT_FOUND`, `FEEDBACK_REFUSED`, `TOO_MANY_MESSAGES`
   */
  feedback(token: string, body: {
    /** `bounce`: the mailbox does not exist, or refuses all mail. */
    readonly type?: 'bounce' | 'complaint';
    /** Identifies the report: one with the same id is ignored. */
    readonly id?: string;
    /** The address of the mailbox. */
    readonly email?: string;
    /** When it was reported (ISO 8601). */
    readonly at?: string;
    readonly [name: string]: unknown;
  }, options?: CallOptions): ApiPromise<{
    /** Number of addresses that are suppressed because of it. */
    readonly suppressed: number;
  }>;

  /**
   * Report a bounce or a complaint, at the address of the issuer.
   *
   * For mail providers, in one of three formats: that of the schema; notifications of Amazon SES through Amazon SNS, whose signature is checked and whose subscriptions are confirmed; webhooks of Postmark. Other fields are ignored, and so are reports of other kinds and repeated ones.
   *
   * `POST /t/:tenant_id/messaging/feedback/:token`
   *
   * @throws ApiError `NOT_FOUND`, `FEEDBACK_REFUSED`, `TOO_MANY_MESSAGES`
   */
  feedbackByIssuer(tenantId: string, token: string, body: {
    /** `bounce`: the mailbox does not exist, or refuses all mail. */
    readonly type?: 'bounce' | 'complaint';
    /** Identifies the report: one with the same id is ignored. */
    readonly id?: string;
    /** The address of the mailbox. */
    readonly email?: string;
    /** When it was reported (ISO 8601). */
    readonly at?: string;
    readonly [name: string]: unknown;
  }, options?: CallOptions): ApiPromise<{
    /** Number of addresses that are suppressed because of it. */
    readonly suppressed: number;
  }>;
}

export interface KeySetApi {
  /**
   * Public keys of the tenant that the request names.
   *
   * All that verifiers need to verify tokens offline.
   *
   * `GET /.well-known/jwks.json`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  get(query?: {
    /** Only the keys of this algorithm: for libraries that reject a key set because of an unknown key type. */
    readonly alg?: 'EdDSA' | 'RS256' | 'ES256';
  }, options?: CallOptions): ApiPromise<JsonWebKeySet>;

  /**
   * Public keys at the address of the issuer.
   *
   * For verifiers that know only the issuer.
   *
   * `GET /t/:tenant_id/.well-known/jwks.json`
   *
   * @throws ApiError `VALIDATION_FAILED`
   */
  getByIssuer(tenantId: string, query?: {
    /** Only the keys of this algorithm: for libraries that reject a key set because of an unknown key type. */
    readonly alg?: 'EdDSA' | 'RS256' | 'ES256';
  }, options?: CallOptions): ApiPromise<JsonWebKeySet>;
}

export interface DiscoveryApi {
  /**
   * OpenID AuthZEN metadata of the tenant that the request names.
   *
   * Where services request access decisions.
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
   * Returns the metadata of the tenant: only endpoints that exist and work are listed.
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
   * For clients that append the well-known part, as in OpenID Connect.
   *
   * `GET /t/:tenant_id/.well-known/oauth-authorization-server`
   */
  getUnderIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * OpenID Connect metadata of the tenant that the request names.
   *
   * Returns the metadata of the tenant: only endpoints that exist and work are listed.
   *
   * `GET /.well-known/openid-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openid(options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * OpenID Connect metadata of an issuer, at the address of RFC 8414.
   *
   * For clients that put the well-known part before the path of the issuer.
   *
   * `GET /.well-known/openid-configuration/t/:tenant_id`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openidByIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;

  /**
   * OpenID Connect metadata of an issuer.
   *
   * The well-known part comes after the path of the issuer (OpenID Connect Discovery §4).
   *
   * `GET /t/:tenant_id/.well-known/openid-configuration`
   *
   * @throws ApiError `OAUTH_OFF`
   */
  openidUnderIssuer(tenantId: string, options?: CallOptions): ApiPromise<AuthorizationServerMetadata>;
}

export interface ServiceApi {
  /**
   * Whether the service can take requests.
   *
   * For load balancers. Writes a row to the database, at most once a second regardless of the number of callers. A fault that all nodes share and that affects only some requests returns 200 with `problems`.
   *
   * `GET /health`
   */
  health(options?: CallOptions): ApiPromise<Health>;

  /**
   * Whether the process runs; does not query the database.
   *
   * For supervisors that restart hung processes.
   *
   * `GET /livez`
   */
  live(options?: CallOptions): ApiPromise<{
    /** The process is running. */
    readonly status: 'ok';
  }>;

  /**
   * This contract as an OpenAPI 3.1 document.
   *
   * The same for all callers; changes only with updates of the service.
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
