// Made from the contract by `npm run generate`.

/** The error codes of the service. */
export type ServiceErrorCode =
  | 'VALIDATION_FAILED'
  | 'JSON_INVALID'
  | 'REQUEST_MALFORMED'
  | 'TENANT_NOT_FOUND'
  | 'IDENTIFIER_TAKEN'
  | 'COOKIE_REFUSED'
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
  | 'ACCOUNT_DELETION_OFF'
  | 'LAST_ADMINISTRATOR'
  | 'STEP_NOT_NEEDED'
  | 'CURRENT_PASSWORD_WRONG'
  | 'LAST_IDENTIFIER'
  | 'IDENTIFIER_UNVERIFIED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'EVENT_UNKNOWN'
  | 'EXCHANGE_REFUSED'
  | 'DELEGATION_REQUIRED'
  | 'TOKEN_INVALID'
  | 'BROWSER_SESSION_REQUIRED'
  | 'TENANT_MISMATCH'
  | 'CLIENT_INVALID'
  | 'INVALID_CREDENTIALS'
  | 'STEP_UP_REQUIRED'
  | 'MFA_REQUIRED'
  | 'NEW_PASSWORD_REQUIRED'
  | 'PROOF_REQUIRED'
  | 'FLOW_ENDED'
  | 'REFRESH_TOKEN_REUSED'
  | 'SCOPE_REQUIRED'
  | 'SCOPE_NOT_HELD'
  | 'PRINCIPAL_PROTECTED'
  | 'SYSTEM_ADMINISTRATOR_REQUIRED'
  | 'ADMINISTRATOR_REQUIRED'
  | 'ORIGIN_REFUSED'
  | 'APPLICATION_REFUSED'
  | 'USER_REQUIRED'
  | 'IMPERSONATION_REQUIRED'
  | 'TOKEN_FOR_BROWSER_REFUSED'
  | 'IMPERSONATION_REFUSED'
  | 'SELF_VERIFICATION_REFUSED'
  | 'TENANT_INACTIVE'
  | 'NOT_FOUND'
  | 'ROUTE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'CONTENT_TYPE_UNSUPPORTED'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_BUSY'
  | 'TOO_MANY_INCOMPLETE_REQUESTS'
  | 'CODE_WRONG'
  | 'PASSKEY_REFUSED'
  | 'TOO_MANY_FACTORS'
  | 'FACTOR_REQUIRED'
  | 'FACTOR_MISSING'
  | 'GRANT_TYPE_UNSUPPORTED'
  | 'GRANT_INVALID'
  | 'AUTHORIZATION_PENDING'
  | 'SLOW_DOWN'
  | 'DEVICE_CODE_EXPIRED'
  | 'DEVICE_DENIED'
  | 'CLIENT_UNAUTHORIZED'
  | 'REQUEST_INVALID'
  | 'OAUTH_OFF'
  | 'ISSUER_ELSEWHERE'
  | 'RESPONSE_TYPE_UNSUPPORTED'
  | 'UNMET_AUTHENTICATION'
  | 'SCOPE_INVALID'
  | 'TARGET_INVALID'
  | 'AUTHORIZATION_DETAILS_INVALID'
  | 'INSUFFICIENT_AUTHORIZATION'
  | 'REDIRECT_TO_WEB'
  | 'AUTH_SESSION_INVALID'
  | 'DPOP_INVALID'
  | 'DPOP_NONCE_REQUIRED'
  | 'REQUEST_OBJECT_INVALID'
  | 'CLIENT_METADATA_INVALID'
  | 'REDIRECT_URI_INVALID'
  | 'REGISTRATION_TOKEN_INVALID'
  | 'REGISTRATION_OFF'
  | 'REGISTRATION_FULL'
  | 'TOO_MANY_REGISTRATION_TOKENS'
  | 'SIGNALS_REFUSED'
  | 'TOO_MANY_STREAMS'
  | 'TOO_MANY_CLIENTS'
  | 'RESOURCE_TAKEN'
  | 'TOO_MANY_RESOURCES'
  | 'TOO_MANY_CLIENT_SECRETS'
  | 'CLIENT_HAS_NO_SECRET'
  | 'TOO_MANY_IDENTITY_PROVIDERS'
  | 'PROVIDER_NOT_TESTED'
  | 'RETURN_URL_UNKNOWN'
  | 'IDENTITY_TAKEN'
  | 'LAST_LOGIN_METHOD'
  | 'PROVIDER_REFUSED'
  | 'DOMAIN_OF_OTHER_PROVIDER'
  | 'DOMAIN_NOT_PROVEN'
  | 'FEEDBACK_REFUSED'
  | 'METHOD_NOT_READY'
  | 'DESTINATION_REFUSED'
  | 'USER_UNREACHABLE'
  | 'VERIFICATION_REQUIRED'
  | 'LINK_ELSEWHERE'
  | 'TEMPLATE_INVALID'
  | 'TEXT_INVALID'
  | 'TEXT_FIXED'
  | 'TOO_MANY_TEXTS'
  | 'TOO_MANY_INVITATIONS'
  | 'TOO_MANY_MESSAGES'
  | 'INTERNAL'
  | 'UNAVAILABLE';

/** An email address or a phone number of a user. */
export interface Identifier {
  /** Type of the identifier. */
  readonly type: 'email' | 'phone';
  /** The normalized identifier: an email address in lower case with its domain in ASCII, or a phone number in E.164 format. */
  readonly identifier: string;
  /** Whether the identifier was verified to belong to the user. */
  readonly verified: boolean;
}

/** The response to a login. */
export interface LoginAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in: number;
  /** The user who signed in. */
  readonly user: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token: string;
}

/** With `PASSKEY_REFUSED`, if the tenant does not have the passkey: data for `PublicKeyCredential.signalUnknownCredential()`. */
export interface UnknownPasskey {
  /** The domain that the tenant’s passkeys are bound to. */
  readonly rpId: string;
  /** ID of the credential. */
  readonly credentialId: string;
}

/** The flow to continue the login in. */
export interface OfferedFlow {
  /** ID of a login flow: `login_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Purpose of the flow. `login` opens a session. `recovery` opens a session after the user sets a new password. `step_up` makes the authentication of an existing session stronger or more recent. `invitation` opens a session that accepts an invitation. `linking` applies if an identity at a provider has the verified email address of a user: after that user proves the account, the identity is linked and a session opens. */
  readonly purpose: 'login' | 'recovery' | 'step_up' | 'invitation' | 'linking';
  /** `needs`: a step from `needs` comes next. `complete`: the flow opened a session. `ended`: the flow can no longer open a session. */
  readonly status: 'needs' | 'complete' | 'ended';
  /** The possible next steps. Before the first proof, they are the same for every identifier, except in a flow with an invitation. */
  readonly needs: readonly ({
    /** Name of the step. `enroll`: the user must add a factor at `…/enroll/<method>`. */
    readonly step: 'password' | 'message' | 'code' | 'link' | 'totp' | 'passkey' | 'oauth' | 'recovery_code' | 'new_password' | 'enroll';
    /** With `enroll`: the factors that can be added. */
    readonly methods?: readonly ('passkey' | 'totp')[];
    /** With `message`: the available channels. They depend on the type of the identifier, or for a second factor on the codes that the tenant accepts. */
    readonly channels?: readonly ('email' | 'sms')[];
    /** With `oauth`, if the email address belongs to a provider’s domain: the only provider that can be used. */
    readonly provider?: string;
  })[];
  /** The latest time when the flow ends. */
  readonly expires_at: string;
  /** Secret of the flow, from the response that started it. */
  readonly flow_token?: string;
}

/** A login in progress. */
export interface LoginFlow {
  /** ID of a login flow: `login_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Purpose of the flow. `login` opens a session. `recovery` opens a session after the user sets a new password. `step_up` makes the authentication of an existing session stronger or more recent. `invitation` opens a session that accepts an invitation. `linking` applies if an identity at a provider has the verified email address of a user: after that user proves the account, the identity is linked and a session opens. */
  readonly purpose: 'login' | 'recovery' | 'step_up' | 'invitation' | 'linking';
  /** `needs`: a step from `needs` comes next. `complete`: the flow opened a session. `ended`: the flow can no longer open a session. */
  readonly status: 'needs' | 'complete' | 'ended';
  /** The possible next steps. Before the first proof, they are the same for every identifier, except in a flow with an invitation. */
  readonly needs: readonly ({
    /** Name of the step. `enroll`: the user must add a factor at `…/enroll/<method>`. */
    readonly step: 'password' | 'message' | 'code' | 'link' | 'totp' | 'passkey' | 'oauth' | 'recovery_code' | 'new_password' | 'enroll';
    /** With `enroll`: the factors that can be added. */
    readonly methods?: readonly ('passkey' | 'totp')[];
    /** With `message`: the available channels. They depend on the type of the identifier, or for a second factor on the codes that the tenant accepts. */
    readonly channels?: readonly ('email' | 'sms')[];
    /** With `oauth`, if the email address belongs to a provider’s domain: the only provider that can be used. */
    readonly provider?: string;
  })[];
  /** The latest time when the flow ends. */
  readonly expires_at: string;
}

/** Origin of the request for the message with the link. */
export interface FlowOrigin {
  /** When the message was requested. */
  readonly begun_at: string;
  /** User agent of the browser that requested the message. */
  readonly user_agent: string | null;
}

/** The invitation that a flow accepts. */
export interface FlowInvitation {
  /** The invited email address. */
  readonly identifier: string;
  /** Name of the invited person, as the inviter wrote it. */
  readonly name: string | null;
  /** Name of the inviter, or their main address if they have no name; `null` if the inviter was deleted or belongs to another tenant. */
  readonly invited_by_name: string | null;
  /** When the invitation expires. */
  readonly expires_at: string;
}

/** A new flow, with its secret. */
export interface BegunFlow {
  readonly flow: LoginFlow;
  /** Secret of the flow, from the response that started it. */
  readonly flow_token: string;
  readonly origin?: FlowOrigin;
  readonly invitation?: FlowInvitation;
}

/** The state of the flow after a step, with the tokens if the flow is complete. */
export interface FlowAnswer {
  readonly flow: LoginFlow;
  /** A signed JWT. */
  readonly access_token?: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token?: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type?: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in?: number;
  /** The user who signed in. */
  readonly user?: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token?: string;
}

/** A message was sent, unless no user can use it. */
export interface SentMessage {
  /** The recipient’s email address or phone number, masked. */
  readonly sent_to: string;
  /** Seconds until another message can be requested. */
  readonly resend_after: number;
  readonly flow: LoginFlow;
}

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export interface PasskeyRequestOptions {
  /** Challenge that the authenticator signs. Can be used once. */
  readonly challenge: string;
  /** The domain that the tenant’s passkeys are bound to. */
  readonly rpId: string;
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** Always `required`. */
  readonly userVerification: 'required';
  /** Empty before the first proof, for every identifier. After it, the user’s passkeys. */
  readonly allowCredentials: readonly {
    /** ID of the credential. */
    readonly id: string;
    /** Always `public-key`. */
    readonly type: 'public-key';
    /** How browsers reach the authenticator. */
    readonly transports: readonly string[];
  }[];
}

/** The options for a passkey. */
export interface PasskeyRequest {
  readonly flow: LoginFlow;
  readonly options: PasskeyRequestOptions;
}

/** The result of `navigator.credentials.get()`, converted with `toJSON()`. */
export interface PasskeyAssertion {
  /** ID of the credential. */
  readonly id: string;
  /** ID of the credential. */
  readonly rawId: string;
  /** Always `public-key`. */
  readonly type: 'public-key';
  /** The authenticator’s signature and the data that it covers. */
  readonly response: {
    /** Data that the browser signed: type, challenge and origin. */
    readonly clientDataJSON: string;
    /** Authenticator data. */
    readonly authenticatorData: string;
    /** Signature over the authenticator data and the client data. */
    readonly signature: string;
    /** The user handle. */
    readonly userHandle?: string | null;
  };
}

/** For `PublicKeyCredential.signalAllAcceptedCredentials()`. */
export interface AcceptedPasskeys {
  /** The domain that the tenant’s passkeys are bound to. */
  readonly rpId: string;
  /** User handle for authenticators: 32 bytes that are not the user’s ID. */
  readonly userId: string;
  /** IDs of all passkeys of the user. Authenticators hide all others. */
  readonly allAcceptedCredentialIds: readonly string[];
}

/** The state of the flow after a passkey. */
export interface PasskeyFlowAnswer {
  readonly flow: LoginFlow;
  /** A signed JWT. */
  readonly access_token?: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token?: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type?: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in?: number;
  /** The user who signed in. */
  readonly user?: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token?: string;
  readonly accepted_passkeys: AcceptedPasskeys;
}

/** A login started at an identity provider. */
export interface UpstreamLogin {
  readonly flow: LoginFlow;
  /** URL at the provider to send the browser to. */
  readonly authorize_url: string;
}

/** The state of the flow after a recovery code, with the replacement code. */
export interface RecoveryFlowAnswer {
  readonly flow: LoginFlow;
  /** A signed JWT. */
  readonly access_token?: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token?: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type?: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in?: number;
  /** The user who signed in. */
  readonly user?: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token?: string;
  /** A recovery code: 24 characters. Hyphens and case are ignored. */
  readonly recovery_code: string;
}

/** The key for the authenticator app of a new factor. */
export interface FlowEnrollment {
  readonly flow: LoginFlow;
  /** Key for the authenticator app, in base32. Not shown again after the factor is confirmed. */
  readonly secret: string;
  /** The same key as a URI, for a QR code. */
  readonly uri: string;
}

/** A user’s second factor. Its secrets are never shown again. */
export interface Factor {
  /** ID of a factor: `fct_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** Type of the factor: `totp` (authenticator app, RFC 6238), `passkey` (WebAuthn), or `recovery_codes` (codes that replace a lost factor). */
  readonly type: 'totp' | 'passkey' | 'recovery_codes';
  /** Display name. */
  readonly name: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When a code of the factor was first accepted; `null` if it is not confirmed. An unconfirmed factor has no effect and is deleted after an hour. */
  readonly confirmed_at: string | null;
  /** Time of the last login with the factor; `null` if there was none. */
  readonly last_used_at: string | null;
  /** Whether the factor is suspended, which happens after 100 wrong codes in a row and lasts until the user uses another factor. */
  readonly is_suspended: boolean;
  /** Details of a passkey. */
  readonly passkey?: {
    /** The domain that the tenant’s passkeys are bound to. */
    readonly rp_id: string;
    /** Model of the authenticator, as the authenticator reports it. */
    readonly aaguid: string;
    /** Whether the passkey is backed up and therefore available on the user’s other devices. */
    readonly is_synced: boolean;
    /** Whether the passkey can never leave its device. */
    readonly is_device_bound: boolean;
    /** How browsers reach the authenticator. */
    readonly transports: readonly string[];
  };
}

/** The state of the flow after a new factor, with the recovery codes. */
export interface EnrolledFlowAnswer {
  readonly flow: LoginFlow;
  /** A signed JWT. */
  readonly access_token?: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token?: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type?: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in?: number;
  /** The user who signed in. */
  readonly user?: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token?: string;
  readonly factor: Factor;
  /** Ten recovery codes, shown only in this response. */
  readonly recovery_codes: readonly string[];
}

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export interface PasskeyCreationOptions {
  /** Challenge that the authenticator signs. Can be used once. */
  readonly challenge: string;
  /** The tenant. */
  readonly rp: {
    /** The domain that the tenant’s passkeys are bound to. */
    readonly id: string;
    /** Name of the tenant. */
    readonly name: string;
  };
  /** The user that the passkey is for. */
  readonly user: {
    /** User handle for authenticators: 32 bytes that are not the user’s ID. */
    readonly id: string;
    /** Shown by authenticators. */
    readonly name: string;
    /** Same as `name`. */
    readonly displayName: string;
  };
  /** Accepted algorithms, in order of preference. */
  readonly pubKeyCredParams: readonly {
    /** Always `public-key`. */
    readonly type: 'public-key';
    /** COSE algorithm: -8 EdDSA, -7 ES256, -257 RS256. */
    readonly alg: number;
  }[];
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** The user’s existing passkeys. */
  readonly excludeCredentials: readonly {
    /** ID of the credential. */
    readonly id: string;
    /** Always `public-key`. */
    readonly type: 'public-key';
    /** How browsers reach the authenticator. */
    readonly transports: readonly string[];
  }[];
  /** Requirements for authenticators. */
  readonly authenticatorSelection: {
    /** Always `required`. */
    readonly residentKey: 'required';
    /** The same requirement, for older browsers. */
    readonly requireResidentKey: true;
    /** Always `required`. */
    readonly userVerification: 'required';
  };
  /** The tenant’s `passkey_attestation` setting. */
  readonly attestation: 'none' | 'direct';
}

/** The options for a new passkey. */
export interface FlowPasskeyCreation {
  readonly flow: LoginFlow;
  readonly options: PasskeyCreationOptions;
}

/** The result of `navigator.credentials.create()`, converted with `toJSON()`. */
export interface PasskeyRegistration {
  /** ID of the credential. */
  readonly id: string;
  /** ID of the credential. */
  readonly rawId: string;
  /** Always `public-key`. */
  readonly type: 'public-key';
  /** The data that the authenticator created. */
  readonly response: {
    /** Data that the browser signed: type, challenge and origin. */
    readonly clientDataJSON: string;
    /** The new credential. */
    readonly attestationObject: string;
    /** How browsers reach the authenticator. */
    readonly transports?: readonly string[];
  };
}

/** The state of the flow after a new passkey. */
export interface EnrolledPasskeyAnswer {
  readonly flow: LoginFlow;
  /** A signed JWT. */
  readonly access_token?: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token?: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type?: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in?: number;
  /** The user who signed in. */
  readonly user?: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
  /** Device token for the user’s next login on this device. Valid for 90 days. */
  readonly device_token?: string;
  readonly factor: Factor;
  /** Recovery codes; `null` if the user already has some. */
  readonly recovery_codes: readonly string[] | null;
  readonly accepted_passkeys: AcceptedPasskeys;
}

/** The response to a refresh. */
export interface TokenAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** A signed JWT. Can be used once. */
  readonly refresh_token: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Lifetime of the access token, in seconds. */
  readonly expires_in: number;
  /** The user who signed in. */
  readonly user: {
    /** ID of a user: `user:<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Identifiers that the user can sign in with. Each is unique within the tenant. */
    readonly identifiers: readonly Identifier[];
  };
}

/** Whether a token is active, and if it is, its claims (RFC 7662 §2.2). */
export interface TokenStatus {
  /** Whether the token is currently valid. */
  readonly active: boolean;
  /** Unique ID of the token. */
  readonly jti?: string;
  /** Always `access`. */
  readonly token_type?: 'access';
  /** Issuer: the tenant that issued the token. */
  readonly iss?: string;
  /** `user:<id>` or `service:<id>`. */
  readonly sub?: string;
  /** Audience of the token. */
  readonly aud?: string;
  /** When the token was issued, in seconds since the epoch. */
  readonly iat?: number;
  /** When the token expires, in seconds since the epoch. */
  readonly exp?: number;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id?: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id?: string;
  /** Roles of the subject. */
  readonly roles?: readonly string[];
  /** Scopes of the token. */
  readonly scopes?: readonly string[];
  /** Scopes of the token, separated by spaces (RFC 9068). */
  readonly scope?: string;
  /** ID of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that requested the token (RFC 9068 §2.2): an application, an agent, or `keywright` for direct logins. */
  readonly client_id?: string;
  /** ID of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1). A refresh does not change it. */
  readonly auth_time?: number;
  /** Authentication assurance (OpenID Connect Core §2): `aal1` for one factor, `aal2` for two factors of different types, `phr` for phishing-resistant authentication. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** Authentication methods that the user used (RFC 8176). `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Version of the subject’s permissions. Increases when they change. */
  readonly ver?: number;
  /** The party that acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>`, `service:<id>` or `client_<id>`. */
    readonly sub: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** ID of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** The previous actor in the delegation chain. */
    readonly act?: {
      /** `user:<id>`, `service:<id>` or `client_<id>`. */
      readonly sub: string;
      /** ID of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** ID of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** ID of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** The previous actor in the delegation chain. */
      readonly act?: {
        /** `user:<id>`, `service:<id>` or `client_<id>`. */
        readonly sub: string;
        /** ID of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** ID of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** ID of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** The key that the token is bound to. Requests with the token need a DPoP proof signed with this key. */
  readonly cnf?: {
    /** SHA-256 thumbprint of the public key (RFC 7638). */
    readonly jkt: string;
  };
  /** Granted authorization details (RFC 9396). */
  readonly authorization_details?: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** Location of the token’s revocation status. */
  readonly status?: {
    /** The token’s entry in a status list. */
    readonly status_list: {
      /** Index of the token’s bit in the list. */
      readonly idx: number;
      /** URI of the status list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}

/** An identity provider, as shown on login pages. */
export interface PublicIdentityProvider {
  /** ID of an identity provider: `idp_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile. */
  readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
  /** Display name. */
  readonly name: string;
}

/** How users of the tenant can sign in. */
export interface LoginMethods {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Methods that logins of this tenant can use. */
  readonly methods: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[];
  /** How codes are sent with the method `magic_link`. */
  readonly channels: readonly ('email' | 'sms')[];
  /** Identity providers for the method `oauth`. */
  readonly providers: readonly PublicIdentityProvider[];
  /** Whether a login with `register` creates a user. */
  readonly registration: boolean;
  /** The rules for new passwords. */
  readonly password: {
    /** Minimum length of a new password, in characters. */
    readonly min_length: number;
    /** Whether a new password must contain a character that is not a letter or a digit. */
    readonly require_special: boolean;
  };
}

/** The subject that would act (OpenID AuthZEN §5.1). */
export interface Subject {
  /** `user`, `agent`, or `token` for the holder of the token. */
  readonly type: string;
  /** `user:<id>`, `service:<id>`, or the access token or API key itself. */
  readonly id: string;
  /** Additional attributes. They do not affect the decision. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The action to evaluate (OpenID AuthZEN §5.3). */
export interface Action {
  /** Action of the scope, such as `read`, or `*`. */
  readonly name: string;
  /** Additional attributes. They do not affect the decision. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The resource to act on (OpenID AuthZEN §5.2). */
export interface Resource {
  /** Resource of the scope. For example, `users` with the action `read` checks `read:users`. */
  readonly type: string;
  /** Required by AuthZEN. Scopes apply to a whole type, so the ID does not affect the decision. */
  readonly id: string;
  /** Workspace that the subject must belong to. */
  readonly properties?: {
    /** ID of a workspace: `ws_<slug>`. */
    readonly workspace_id?: string;
  };
}

/** The environment (OpenID AuthZEN §5.4). */
export interface EvaluationContext {
  /** Whether to include the response of `POST /explain`. Requires the scopes of that route. */
  readonly explain?: boolean;
}

/** The change, as recorded in the audit log. */
export interface ExplainedChange {
  /** The action. */
  readonly action: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.unlocked' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.tested' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
  /** Time of the change. */
  readonly at: string;
  /** The actor that performed the action. */
  readonly by: {
    /** Type of the actor. */
    readonly kind: 'user' | 'impersonator' | 'agent' | 'delegate' | 'app' | 'system' | 'anonymous';
    /** `user:<id>`, `service:<id>`, or the name of a component of the service. */
    readonly sub: string | null;
    /** The user that a delegate acts for. */
    readonly on_behalf_of: string | null;
  };
  /** The target of the action. */
  readonly target: {
    /** Type of the target. */
    readonly kind: 'user' | 'invitation' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identity_provider' | 'registration_token' | 'client' | 'resource' | 'consent' | 'factor' | 'message' | 'identifier' | 'route' | 'installation';
    /** ID or name of the target. */
    readonly name: string | null;
  };
  /** Additional details. They depend on the action. */
  readonly details: {
    /** Scopes that the target gained. */
    readonly scopes_added?: readonly string[];
    /** Scopes that the target lost. */
    readonly scopes_removed?: readonly string[];
    /** Roles that the user gained. */
    readonly roles_added?: readonly string[];
    /** Roles that the user lost. */
    readonly roles_removed?: readonly string[];
    /** Names of the changed fields. */
    readonly fields?: readonly string[];
    /** Why the action was rejected, or the reason that the caller gave. */
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
}

/** The result of an access evaluation (OpenID AuthZEN §5.5). */
export interface Decision {
  /** Whether the subject is allowed to perform the action. */
  readonly decision: boolean;
  /** Present if the action is denied or if you requested an explanation. */
  readonly context?: {
    /** Reasons for the denial. `explain` adds more detail. */
    readonly reasons: readonly ({
      /** Stable, machine-readable code. */
      readonly code: 'scope_missing' | 'scope_invalid' | 'workspace_unknown' | 'token_malformed' | 'token_tenant_mismatch' | 'signature_invalid' | 'token_type_mismatch' | 'token_expired' | 'token_audience_mismatch' | 'token_outdated' | 'token_scope_limited' | 'impersonation_ended' | 'user_unknown' | 'user_inactive' | 'session_unknown' | 'session_ended' | 'agent_unknown' | 'agent_inactive' | 'api_key_unknown' | 'api_key_revoked' | 'api_key_expired' | 'api_key_scope_limited' | 'delegation_unknown' | 'delegation_revoked' | 'delegation_expired' | 'delegation_scope_limited' | 'workspace_inactive' | 'workspace_membership_missing';
      /** Human-readable description. */
      readonly detail: string;
      /** ID of the affected record. */
      readonly name?: string;
      /** Scopes that are denied for this reason. */
      readonly scopes?: readonly string[];
      /** Why the session or key ended. */
      readonly reason?: string;
      /** Time since which the reason applies. */
      readonly at?: string;
      readonly change?: ExplainedChange;
    })[];
    /** Present only for an invalid evaluation in a batch (OpenID AuthZEN §7.2.1). */
    readonly error?: {
      /** Status that a single evaluation would return. */
      readonly status: number;
      /** What is invalid, and where. */
      readonly message: string;
    };
    /** The sources that grant each scope. */
    readonly grants?: readonly ({
      /** Type of the source. */
      readonly kind: 'role' | 'agent' | 'api_key' | 'delegation' | 'impersonation';
      /** Name of a role, or ID of any other source. */
      readonly name: string;
      /** The granted scope. */
      readonly scope: string;
      /** The scope of the source that covers the granted scope. */
      readonly covered_by: string;
    })[];
    /** For each missing scope that the subject held before: the last change that removed it. */
    readonly removals?: readonly {
      /** One of the requested scopes. */
      readonly scope: string;
      readonly change: ExplainedChange;
    }[];
  };
}

/** Why a subject is or is not allowed to do something. */
export interface Explanation {
  /** Whether the subject holds all of the scopes. */
  readonly allowed: boolean;
  /** Scopes that the subject does not hold. */
  readonly missing: readonly string[];
  /** The sources that grant each scope. */
  readonly grants: readonly ({
    /** Type of the source. */
    readonly kind: 'role' | 'agent' | 'api_key' | 'delegation' | 'impersonation';
    /** Name of a role, or ID of any other source. */
    readonly name: string;
    /** The granted scope. */
    readonly scope: string;
    /** The scope of the source that covers the granted scope. */
    readonly covered_by: string;
  })[];
  /** For each missing scope that the subject held before: the last change that removed it. */
  readonly removals: readonly {
    /** One of the requested scopes. */
    readonly scope: string;
    readonly change: ExplainedChange;
  }[];
  /** Reasons that deny access altogether, or limit the scopes. */
  readonly reasons: readonly ({
    /** Stable, machine-readable code. */
    readonly code: 'scope_missing' | 'scope_invalid' | 'workspace_unknown' | 'token_malformed' | 'token_tenant_mismatch' | 'signature_invalid' | 'token_type_mismatch' | 'token_expired' | 'token_audience_mismatch' | 'token_outdated' | 'token_scope_limited' | 'impersonation_ended' | 'user_unknown' | 'user_inactive' | 'session_unknown' | 'session_ended' | 'agent_unknown' | 'agent_inactive' | 'api_key_unknown' | 'api_key_revoked' | 'api_key_expired' | 'api_key_scope_limited' | 'delegation_unknown' | 'delegation_revoked' | 'delegation_expired' | 'delegation_scope_limited' | 'workspace_inactive' | 'workspace_membership_missing';
    /** Human-readable description. */
    readonly detail: string;
    /** ID of the affected record. */
    readonly name?: string;
    /** Scopes that are denied for this reason. */
    readonly scopes?: readonly string[];
    /** Why the session or key ended. */
    readonly reason?: string;
    /** Time since which the reason applies. */
    readonly at?: string;
    readonly change?: ExplainedChange;
  })[];
}

/** The tenant’s audience. With `token-exchange` by an application, also the URI of a resource, or the issuer that an identity assertion is for. */
export type TokenAudience = string | readonly string[];

/** URI of a resource, or the tenant’s audience: one of those that the user has granted tokens for (RFC 8707). With `token-exchange` by an application: the resource that the new token is for, or that an identity assertion names. */
export type TokenResource = string | readonly string[];

/** The response of the token endpoint. */
export interface ClientTokenAnswer {
  /** A signed JWT. */
  readonly access_token: string;
  /** How the token is sent. `N_A`: the token is not an access token (RFC 8693 §2.2.1). */
  readonly token_type: 'Bearer' | 'DPoP' | 'N_A';
  /** Lifetime of the token, in seconds. */
  readonly expires_in: number;
  /** Scopes of the token, separated by spaces. */
  readonly scope: string;
  /** For applications that are allowed to refresh: an opaque token that starts with `rft_`. Can be used once. */
  readonly refresh_token?: string;
  /** For applications with the scope `openid`: who signed in, and how (OpenID Connect Core §2). */
  readonly id_token?: string;
  /** Granted authorization details (RFC 9396). */
  readonly authorization_details?: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** After an exchange: an access token or an identity assertion. */
  readonly issued_token_type?: string;
}

/** A possible next step of a login inside an application. */
export interface InAppNeed {
  /** Name of the step. `message` requests a message; `code` sends the code from a message. */
  readonly step: 'password' | 'message' | 'code' | 'totp' | 'passkey' | 'recovery_code';
  /** With `message`: the available channels. */
  readonly channels?: readonly ('email' | 'sms')[];
}

/** An error of the token endpoint: the OAuth fields, plus `detail` and `code` as in all errors. */
export interface OAuthError {
  /** An error code from RFC 6749 §5.2, such as `invalid_client`. */
  readonly error: string;
  /** Human-readable explanation. */
  readonly detail: string;
  /** Stable, machine-readable error code, such as `TOKEN_INVALID`. */
  readonly code: string;
  /** URL of the documentation page for the error code. */
  readonly doc: string;
  /** With `VALIDATION_FAILED`: all invalid fields, each with its JSON pointer. */
  readonly errors?: readonly {
    /** JSON pointer to the field, or `/` followed by the name of a parameter. */
    readonly path: string;
    /** The expected value or form. */
    readonly message: string;
  }[];
  /** With `CODE_WRONG`: number of attempts left. */
  readonly guesses_left?: number;
  readonly unknown_passkey?: UnknownPasskey;
  /** The login in progress, from the previous response. Only the client that started it can use it. */
  readonly auth_session?: string;
  /** With `insufficient_authorization`: the possible next steps. Before the first proof, they are the same for every identifier. */
  readonly needs?: readonly InAppNeed[];
  /** Error code that explains why the step in this request was rejected. */
  readonly refused?: string;
  /** Masked recipient of the message. */
  readonly sent_to?: string;
  /** Seconds until another message can be requested. */
  readonly resend_after?: number;
  readonly passkey_options?: PasskeyRequestOptions;
  /** A recovery code: 24 characters. Hyphens and case are ignored. */
  readonly recovery_code?: string;
  /** With `redirect_to_web`: reference to the request, which is already pushed (RFC 9126 §2.2). */
  readonly request_uri?: string;
  /** Seconds until `request_uri` expires. */
  readonly expires_in?: number;
  /** The `detail`, restricted to the characters that RFC 6749 allows. */
  readonly error_description: string;
  /** The same URL as `doc` (RFC 6749 §5.2). */
  readonly error_uri: string;
}

/** A person who signs in. */
export interface User {
  /** ID of a user: `user:<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Name of the user; `null` if it is not set. */
  readonly name: string | null;
  /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
  readonly picture: string | null;
  /** Identifiers that the user can sign in with. Each is unique within the tenant. */
  readonly identifiers: readonly Identifier[];
  /** Roles of the user. */
  readonly roles: readonly string[];
  /** Workspaces that the user belongs to. */
  readonly workspaces: readonly string[];
  /** Whether the user is active. Inactive users cannot sign in. */
  readonly is_active: boolean;
  /** Free-form data about the user. Only administrators can write it. At most 16 KiB as JSON, 32 levels deep. */
  readonly metadata: {
    readonly [name: string]: unknown;
  };
  /** Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep. */
  readonly user_metadata: {
    readonly [name: string]: unknown;
  };
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** Time of the last login, to the minute (ISO 8601, UTC); `null` if the user has never signed in. */
  readonly last_login_at: string | null;
}

/** A public key (RFC 7517). */
export type AgentKey = {
  /** Key type (RFC 8037). */
  readonly kty: 'OKP';
  /** The curve. */
  readonly crv: 'Ed25519';
  /** The public key, in base64url. */
  readonly x: string;
  /** Key ID, as in the header of an assertion. One key in a set can omit it; its assertions must then omit it as well. */
  readonly kid?: string;
  /** Use of the key: signatures. */
  readonly use?: 'sig';
  /** The only algorithm that the key is used with. Default: any algorithm that fits the key type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  /** Key type (RFC 7518 §6.2). */
  readonly kty: 'EC';
  /** The curve. */
  readonly crv: 'P-256';
  /** The x coordinate, in base64url. */
  readonly x: string;
  /** The y coordinate, in base64url. */
  readonly y: string;
  /** Key ID, as in the header of an assertion. One key in a set can omit it; its assertions must then omit it as well. */
  readonly kid?: string;
  /** Use of the key: signatures. */
  readonly use?: 'sig';
  /** The only algorithm that the key is used with. Default: any algorithm that fits the key type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
} | {
  /** Key type (RFC 7518 §6.3). */
  readonly kty: 'RSA';
  /** The modulus, in base64url: 2048 to 4096 bits. */
  readonly n: string;
  /** The exponent, in base64url. */
  readonly e: string;
  /** Key ID, as in the header of an assertion. One key in a set can omit it; its assertions must then omit it as well. */
  readonly kid?: string;
  /** Use of the key: signatures. */
  readonly use?: 'sig';
  /** The only algorithm that the key is used with. Default: any algorithm that fits the key type. */
  readonly alg?: 'EdDSA' | 'Ed25519' | 'ES256' | 'RS256' | 'PS256';
};

/** Public keys that verify assertions. */
export interface AgentKeySet {
  /** Keys of type Ed25519, P-256 or RSA with 2048 to 4096 bits. Add a second key during a rotation. */
  readonly keys: readonly AgentKey[];
}

/** The required value of the claim, or a list of accepted values. */
export type TrustedClaim = string | number | boolean | readonly (string | number | boolean)[];

/** An external issuer, and the tokens from it that authenticate the agent. */
export interface AgentTrust {
  /** Exact `iss` of the tokens. The issuer’s keys are found through OpenID discovery. */
  readonly issuer: string;
  /** The only accepted `aud` of the tokens. */
  readonly audience: string;
  /** Exact `sub` of the tokens. */
  readonly subject?: string;
  /** Additional required claims, each with its value or a list of accepted values. */
  readonly claims?: {
    readonly [name: string]: TrustedClaim;
  };
  /** Whether a token with a `jti` is accepted only once. Default: true. Set it to false if the workload cannot get a new token, as in Kubernetes. */
  readonly single_use?: boolean;
}

/** A machine identity: a service account. */
export interface Agent {
  /** ID of an agent: `service:<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Display name. */
  readonly name: string;
  /** Purpose of the agent. Can be empty. */
  readonly description: string;
  /** Permissions of the agent, and the scopes of resources that it can request. The agent cannot get any other scopes. */
  readonly scopes: readonly string[];
  /** The user who owns the agent; `null` if an impersonating administrator created it. */
  readonly owner_id: string | null;
  /** Public keys that verify the agent’s assertions; `null` if there are none. */
  readonly jwks: AgentKeySet | null;
  /** External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a `subject` or `claims`. */
  readonly trusts: readonly AgentTrust[];
  /** Whether the agent is active. Keys and tokens of an inactive agent are rejected. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Passkey options for an undo. */
export interface UndoPasskeyRequest {
  readonly options: PasskeyRequestOptions;
}

/** Position of a page in its list. */
export interface ListMeta {
  /** Number of this page, starting at 1. */
  readonly page: number;
  /** Maximum number of items per page. */
  readonly limit: number;
  /** Total number of items in the list. */
  readonly total: number;
  /** Present if `total` is an estimate: above 10,000, or in a search or filtered list that many users match. */
  readonly total_is_estimate?: true;
  /** The `cursor` of the next page. Absent on the last page. */
  readonly next_cursor?: string;
}

/** An unconfirmed authenticator, with its key. */
export interface CreatedTotp {
  /** ID of a factor: `fct_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** Type of the factor: `totp` (authenticator app, RFC 6238), `passkey` (WebAuthn), or `recovery_codes` (codes that replace a lost factor). */
  readonly type: 'totp' | 'passkey' | 'recovery_codes';
  /** Display name. */
  readonly name: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When a code of the factor was first accepted; `null` if it is not confirmed. An unconfirmed factor has no effect and is deleted after an hour. */
  readonly confirmed_at: string | null;
  /** Time of the last login with the factor; `null` if there was none. */
  readonly last_used_at: string | null;
  /** Whether the factor is suspended, which happens after 100 wrong codes in a row and lasts until the user uses another factor. */
  readonly is_suspended: boolean;
  /** Details of a passkey. */
  readonly passkey?: {
    /** The domain that the tenant’s passkeys are bound to. */
    readonly rp_id: string;
    /** Model of the authenticator, as the authenticator reports it. */
    readonly aaguid: string;
    /** Whether the passkey is backed up and therefore available on the user’s other devices. */
    readonly is_synced: boolean;
    /** Whether the passkey can never leave its device. */
    readonly is_device_bound: boolean;
    /** How browsers reach the authenticator. */
    readonly transports: readonly string[];
  };
  /** Key for the authenticator app, in base32. Not shown again after the factor is confirmed. */
  readonly secret: string;
  /** The same key as a URI, for a QR code. */
  readonly uri: string;
}

/** Related origins of passkeys. */
export interface RelatedOrigins {
  /** The issuer’s origin and `passkey_origins`. Empty if passkeys are not available. */
  readonly origins: readonly string[];
}

/** The options for a new passkey. */
export interface PasskeyCreation {
  readonly options: PasskeyCreationOptions;
}

/** A new passkey. */
export interface AddedPasskey {
  readonly factor: Factor;
  /** Recovery codes; `null` if the user already has some. */
  readonly recovery_codes: readonly string[] | null;
  readonly accepted_passkeys: AcceptedPasskeys;
}

/** A removed second factor. */
export interface DeletedFactor {
  /** ID of a factor: `fct_<id>`. */
  readonly id: string;
  /** Always `true`: the record was deleted. */
  readonly deleted: true;
  /** The remaining passkeys; `null` if the removed factor was not a passkey. */
  readonly accepted_passkeys: AcceptedPasskeys | null;
}

/** A user’s profile. Users write it themselves. */
export interface Profile {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Name of the user; `null` if it is not set. */
  readonly name: string | null;
  /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
  readonly picture: string | null;
  /** Language of messages to the user; `null` for the tenant’s language. */
  readonly locale: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar' | null;
}

/** A copy of a user’s stored data, created in the background. */
export interface Export {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** `pending` until the copy is created. If `failed`, request it again. */
  readonly status: 'pending' | 'ready' | 'failed';
  /** Size of the copy as JSON, in bytes; `null` until the copy is ready. */
  readonly bytes: number | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the copy is deleted. */
  readonly expires_at: string;
}

/** A user’s identity at a provider. The user can sign in with it. */
export interface Identity {
  /** ID of an identity provider: `idp_<id>`. */
  readonly provider_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile. */
  readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
  /** Display name. */
  readonly name: string;
  /** Whether the provider is active. */
  readonly is_active: boolean;
}

/** A user’s login on one device. Its refresh token is never shown. */
export interface Session {
  /** ID of a session: `session:<id>`. */
  readonly id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Origin of the login. */
  readonly device_info: {
    /** `User-Agent` header of the login, up to 512 characters; `null` if none was sent. */
    readonly user_agent: string | null;
    /** IP address of the login. */
    readonly ip_address: string;
    /** Always `null`. IP addresses are not looked up, because they must not leave the service. */
    readonly location: null;
  };
  /** The credential that continues the session. `api`: a refresh token of a login. `browser`: a cookie. `client`: a refresh token of an OAuth client. */
  readonly kind: 'api' | 'browser' | 'client';
  /** The OAuth client that the session belongs to; `null` for a direct login. */
  readonly client_id: string | null;
  /** The browser session that this session was opened from, and ends with; `null` if there is none. */
  readonly parent_id: string | null;
  /** Scopes that the user granted to the client; `null` for a direct login, which has all scopes of the user. */
  readonly scopes: readonly string[] | null;
  /** When the user authenticated (ISO 8601, UTC). */
  readonly auth_time: string;
  /** Authentication assurance (OpenID Connect Core §2): `aal1` for one factor, `aal2` for two factors of different types, `phr` for phishing-resistant authentication. */
  readonly acr: 'aal1' | 'aal2' | 'phr';
  /** Authentication methods that the user used (RFC 8176). `pwd` is a password. */
  readonly amr: readonly string[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the session was last refreshed, or in a browser last used on a page, to within a few minutes. */
  readonly last_used_at: string;
  /** When the session expires unless it is refreshed. */
  readonly expires_at: string;
  /** Whether the session is active: it has not ended and not expired. */
  readonly is_active: boolean;
  /** Why the session ended; `null` if it is active. */
  readonly end_reason: 'logout' | 'revoked' | 'refresh_token_reused' | 'password_changed' | 'deactivated' | 'account_reclaimed' | 'identifiers_restored' | 'user_deleted' | 'workspace_deleted' | 'consent_revoked' | 'client_deleted' | 'code_reused' | 'replaced' | 'restored' | 'expired' | null;
  /** When the session ended or expired; `null` if it is active, or if a version of the service that did not record the time ended it. */
  readonly ended_at: string | null;
}

/** Access that a user granted to an application, or that a first-party application has without consent. */
export interface Consent {
  /** ID of a consent: `cns_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  /** Display name of the application. */
  readonly client_name: string;
  /** Scopes that the user granted. */
  readonly scopes: readonly string[];
  /** Resources that the application can get access tokens for. */
  readonly resources: readonly {
    /** ID of a resource: `res_<id>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** URI that requests name as `resource`. It is the `aud` of access tokens for the resource. Compared character by character. */
    readonly uri: string;
    /** Display name of the resource. */
    readonly name: string;
    /** Scopes that the user granted at the resource. */
    readonly scopes: readonly string[];
  }[];
  /** Granted authorization details (RFC 9396). */
  readonly authorization_details: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** Time of the user’s last consent. */
  readonly updated_at: string;
}

/** Permission for an agent to act on behalf of a user (RFC 8693). */
export interface Delegation {
  /** ID of a delegation: `dlg_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Display name of the agent. */
  readonly agent_name: string;
  /** Scopes, each of the form `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** Whether the delegation is live. False after it expires. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the delegation expires. */
  readonly expires_at: string;
  /** When the agent last got a token to act for the user, to the minute. Such a token is valid for at most 15 minutes. */
  readonly last_used_at: string | null;
}

/** A subdivision of a tenant. */
export interface Workspace {
  /** ID of a workspace: `ws_<slug>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name. */
  readonly name: string;
  /** The ID without the prefix `ws_`. */
  readonly slug: string;
  /** Whether the workspace is active. Users cannot sign in to an inactive workspace. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A pending invitation for the user. */
export interface OwnInvitation {
  /** ID of an invitation: `inv_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The invited email address: a verified one of the user. */
  readonly identifier: string;
  /** Name of the inviter, or their main address if they have no name; `null` if the inviter was deleted or belongs to another tenant. */
  readonly invited_by_name: string | null;
  /** Roles that the user receives. */
  readonly roles: readonly string[];
  /** Workspaces that the user joins. */
  readonly workspaces: readonly {
    /** ID of a workspace: `ws_<slug>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Display name. */
    readonly name: string;
  }[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the invitation expires. */
  readonly expires_at: string;
}

/** An audit log entry about the user who reads it, without details about others. */
export interface OwnLogEntry {
  /** ID of an audit entry: `aud_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** The actor that performed the action. */
  readonly actor: {
    /** Type of the actor. `impersonator` is a system administrator who acts inside the tenant. */
    readonly kind: 'user' | 'impersonator' | 'agent' | 'delegate' | 'app' | 'system' | 'anonymous';
    /** A user, an agent or an application; `null` for all others. */
    readonly id: string | null;
  };
  /** The action. */
  readonly action: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.unlocked' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.tested' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
  /** The target of the action. */
  readonly target: {
    /** Type of the target. */
    readonly kind: 'user' | 'invitation' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identity_provider' | 'registration_token' | 'client' | 'resource' | 'consent' | 'factor' | 'message' | 'identifier' | 'route' | 'installation';
    /** ID or name of the target. */
    readonly id: string | null;
  };
  /** `failure`: the credential or data was rejected. `denied`: the caller was not allowed to perform the action. */
  readonly outcome: 'success' | 'failure' | 'denied';
  /** IP address of the request; `null` if another user, such as an administrator, sent it. */
  readonly address: string | null;
  /** Number of events of the same kind that this entry represents: 1, or more during a flood of events. */
  readonly count: number;
}

/** The user’s stored data as the API returns it, without secrets. */
export interface AccountExport {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** When the copy was created. */
  readonly exported_at: string;
  /** Incomplete lists: each contains only its newest 5000 entries, or fewer, so that the copy does not exceed 4 MiB. */
  readonly shortened: readonly ('factors' | 'identities' | 'sessions' | 'consents' | 'delegations' | 'workspaces' | 'invitations' | 'log')[];
  readonly user: User;
  readonly profile: Profile;
  /** Second factors. */
  readonly factors: readonly Factor[];
  /** Identities at identity providers. */
  readonly identities: readonly Identity[];
  /** Sessions. */
  readonly sessions: readonly Session[];
  /** Consents to applications. */
  readonly consents: readonly Consent[];
  /** Delegations to agents. */
  readonly delegations: readonly Delegation[];
  /** Memberships. */
  readonly workspaces: readonly Workspace[];
  /** Pending invitations. */
  readonly invitations: readonly OwnInvitation[];
  /** Audit log of the account. */
  readonly log: readonly OwnLogEntry[];
}

/** Summary of a live session. */
export interface DependentSession {
  /** ID of a session: `session:<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the session expires. */
  readonly expires_at: string;
}

/** Summary of an agent. */
export interface DependentAgent {
  /** ID of an agent: `service:<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** Display name. */
  readonly name: string;
  /** Whether the agent is active. */
  readonly is_active: boolean;
  /** Number of usable keys of the agent. */
  readonly api_keys: number;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Summary of a usable API key. */
export interface DependentApiKey {
  /** ID of an API key: `key_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  /** The first 12 characters of the key, to help recognize it. */
  readonly prefix: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the key expires. */
  readonly expires_at: string;
}

/** Summary of a live delegation. */
export interface DependentDelegation {
  /** ID of a delegation: `dlg_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Scopes, each of the form `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the delegation expires. */
  readonly expires_at: string;
}

/** The effect of an account deletion. Live sessions, delegations, consents and memberships are deleted. Owned agents become inactive, and their keys and delegations are revoked. */
export interface AccountDeletion {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether users of this tenant can delete their accounts. */
  readonly allowed: boolean;
  /** Live sessions. */
  readonly sessions: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentSession[];
  };
  /** Agents that the user owns. */
  readonly agents: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentAgent[];
  };
  /** Usable API keys. */
  readonly api_keys: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
  /** Number of applications that the user has consented to. */
  readonly consents: number;
  /** Workspaces that the user leaves. */
  readonly workspaces: readonly {
    /** ID of a workspace: `ws_<slug>`. */
    readonly id: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    /** Display name. */
    readonly name: string;
    /** Whether the user is the only member, so that the workspace would be left without members. */
    readonly is_only_member: boolean;
  }[];
}

/** URL to send the browser to. */
export interface BegunLinking {
  /** URL at the provider to send the browser to. */
  readonly authorize_url: string;
}

/** What an agent would be allowed to do on behalf of a user: the requested scopes that both of them hold. */
export interface DelegationPreview {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Display name of the agent. */
  readonly agent_name: string;
  /** Scopes, each of the form `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** The existing delegation that a new one would replace. */
  readonly delegation_id: string | null;
}

/** How many users have which second factor. */
export interface UserProtection {
  /** Number of active users that were counted: the newest, at most 10,000. */
  readonly users: number;
  /** Of these, users with a passkey. */
  readonly passkey: number;
  /** Of these, users with an authenticator app and no passkey. */
  readonly authenticator_app: number;
}

/** A password as another product hashed it. */
export interface ForeignPassword {
  /** The algorithm. */
  readonly scheme: 'bcrypt' | 'argon2' | 'pbkdf2' | 'scrypt' | 'firebase_scrypt';
  /** For bcrypt and Argon2: the encoded hash with its parameters and salt. For other algorithms: the bytes of the hash, in base64. */
  readonly hash: string;
  /** The salt, in base64. */
  readonly salt?: string;
  /** PBKDF2: the hash function. */
  readonly digest?: 'sha1' | 'sha256' | 'sha512';
  /** PBKDF2: the number of iterations. Multiplied by the number of digests in the hash, at most 1,000,000, or 500,000 for SHA-512. */
  readonly iterations?: number;
  /** scrypt: N, a power of two. */
  readonly cost?: number;
  /** scrypt: r. */
  readonly block_size?: number;
  /** scrypt: p. 128 · N · r · p can be at most 128 MiB. */
  readonly parallelism?: number;
  /** scrypt: how passwords were normalized before they were hashed. Default: not normalized. */
  readonly normalization?: 'nfkc';
  /** Firebase: `rounds`. */
  readonly rounds?: number;
  /** Firebase: `mem_cost`. */
  readonly mem_cost?: number;
  /** Firebase: `base64_salt_separator`, in base64. */
  readonly salt_separator?: string;
  /** Firebase: `base64_signer_key`. Used by the import only, and not stored., in base64. */
  readonly signer_key?: string;
}

/** A user to import. */
export interface ImportedUser {
  /** Identifiers that the user can sign in with. */
  readonly identifiers: readonly ({
    /** Type of the identifier. */
    readonly type?: 'email' | 'phone';
    /** An email address, or a phone number in E.164 format. */
    readonly identifier: string;
    /** Whether the identifier was verified to belong to the user. */
    readonly verified?: boolean;
  })[];
  /** Name of the user; `null` if it is not set. */
  readonly name?: string | null;
  /** URL of a picture of the user; `null` if there is none. An https URL of a public host, without credentials. */
  readonly picture?: string | null;
  readonly password?: ForeignPassword;
  /** Roles of the user. Default: `member`. */
  readonly roles?: readonly string[];
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
}

/** The result for one line. */
export interface ImportResult {
  /** Line number, starting at 1. */
  readonly line: number;
  /** `existing`: one user already has all of the identifiers. That user is not changed. */
  readonly status: 'created' | 'existing' | 'failed';
  /** The created or existing user. */
  readonly subject?: string;
  /** Why the line was not imported. */
  readonly error?: {
    /** Stable, machine-readable code. */
    readonly code: 'JSON_INVALID' | 'VALIDATION_FAILED' | 'HASH_UNSUPPORTED' | 'IDENTIFIER_TAKEN' | 'ROLE_UNKNOWN' | 'SCOPE_NOT_HELD';
    /** JSON pointer to the field in the line. Empty for the whole line. */
    readonly path: string;
    /** What is wrong. */
    readonly message: string;
  };
}

/** The result of an import. */
export interface UserImport {
  /** Whether this was a dry run that changed nothing. */
  readonly dry_run: boolean;
  /** Number of created users. */
  readonly created: number;
  /** Number of users that already existed. */
  readonly existing: number;
  /** Number of lines that were not imported. */
  readonly failed: number;
  /** Results, one for each line that is not blank. */
  readonly results: readonly ImportResult[];
}

/** The records that would be deleted or revoked together with the user. */
export interface UserDryRun {
  /** Always `true`: nothing was changed. */
  readonly dry_run: true;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account is active. */
  readonly is_active: boolean;
  /** Live sessions. */
  readonly sessions: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentSession[];
  };
  /** Agents that the user owns. */
  readonly agents: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentAgent[];
  };
  /** Usable API keys. */
  readonly api_keys: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** A user’s current permissions, the roles that grant them, and the workspaces where they apply. */
export interface UserPermissions {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the user is active. Inactive users have no permissions. */
  readonly is_active: boolean;
  /** The user’s scopes, sorted by name. */
  readonly permissions: readonly {
    /** A scope that the user has. */
    readonly scope: string;
    /** Roles of the user that grant the scope. Roles apply to the whole tenant. */
    readonly granted_by: readonly {
      /** Name of the role. */
      readonly role: string;
      /** Whether the role is built in. */
      readonly is_builtin: boolean;
      /** The scope of the role that covers this scope. */
      readonly covered_by: string;
    }[];
  }[];
  /** Whether the scopes apply in every active workspace of the tenant, as they do for holders of `*:*`. */
  readonly all_workspaces: boolean;
  /** The active workspaces of the user, where the scopes apply. */
  readonly workspaces: readonly string[];
}

/** A constant, or the location of the value in the user’s metadata. */
export type CustomClaim = string | number | boolean | readonly (string | number | boolean)[] | {
  /** Location of the value in the metadata, as a JSON pointer (RFC 6901). */
  readonly metadata: string;
} | {
  /** Location of the value in the metadata, as a JSON pointer (RFC 6901). */
  readonly user_metadata: string;
  /** Confirms that users can set this claim to any value in tokens issued to them. */
  readonly user_writable: true;
};

/** A claim of a previewed token. */
export interface PreviewedClaim {
  /** Name of the claim. */
  readonly name: string;
  /** Value of the claim. Absent for the subject of a client with pairwise subjects (`subject_type`). */
  readonly value?: unknown;
  /** Source of the value. `service`: the tenant, the client and the roles. `login`: a value that differs for each login or token; an example is shown. `user`: the name or picture of the user. `identifier`: an email address or phone number of the user. `metadata`: written by administrators. `user_metadata`: written by the user. `constant`: the settings. */
  readonly origin: 'service' | 'login' | 'user' | 'identifier' | 'constant' | 'metadata' | 'user_metadata';
}

/** The result for a custom claim. */
export interface PreviewedMapping {
  /** Name of the claim. */
  readonly name: string;
  /** Location of the value. */
  readonly source: 'constant' | 'metadata' | 'user_metadata';
  /** Location in the metadata, as a JSON pointer (RFC 6901). */
  readonly pointer?: string;
  /** `added`: the claim is in the access token. `no_value`: the user’s metadata has no value for it. `refused`: the claim cannot be saved. */
  readonly outcome: 'added' | 'no_value' | 'refused';
  /** Why the claim is rejected. */
  readonly reason?: string;
}

/** The claims that a user’s tokens would contain. No token is issued. */
export interface TokenPreview {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id?: string;
  /** The claims of an access token. */
  readonly access_token: readonly PreviewedClaim[];
  /** The claims of an ID token. Present for a client with the scope `openid`. */
  readonly id_token?: readonly PreviewedClaim[];
  /** The result for each custom claim, sorted by name. */
  readonly custom_claims: readonly PreviewedMapping[];
}

/** Dependents of a user: live sessions, owned agents, the usable keys of those agents, and live delegations given by the user or held by those agents. */
export interface UserDependents {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account is active. */
  readonly is_active: boolean;
  /** Live sessions. */
  readonly sessions: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentSession[];
  };
  /** Agents that the user owns. */
  readonly agents: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentAgent[];
  };
  /** Usable API keys. */
  readonly api_keys: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** The records that ended when the user was disabled. */
export interface UserDisabled {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Always `false`: the user can no longer sign in. */
  readonly is_active: false;
  /** For each type, how many ended, and the newest of them. */
  readonly ended: {
    /** Live sessions. */
    readonly sessions: {
      /** Number of items. */
      readonly total: number;
      /** Present if the number is an estimate because it exceeds 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentSession[];
    };
    /** Agents that the user owns. */
    readonly agents: {
      /** Number of items. */
      readonly total: number;
      /** Present if the number is an estimate because it exceeds 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentAgent[];
    };
    /** Usable API keys. */
    readonly api_keys: {
      /** Number of items. */
      readonly total: number;
      /** Present if the number is an estimate because it exceeds 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentApiKey[];
    };
    /** Live delegations. */
    readonly delegations: {
      /** Number of items. */
      readonly total: number;
      /** Present if the number is an estimate because it exceeds 10,000. */
      readonly total_is_estimate?: true;
      /** The newest 20. */
      readonly items: readonly DependentDelegation[];
    };
  };
}

/** A limit on wrong passwords or codes that rejects sign-ins of a user. */
export interface UserLock {
  /** What was entered incorrectly too often: passwords, authenticator codes, or recovery codes. */
  readonly limit: 'password' | 'totp' | 'recovery_code';
  /** The identifier that the passwords were entered for; `null` for codes. */
  readonly identifier: string | null;
  /** When sign-ins are accepted again. */
  readonly until: string;
}

/** An invitation to join the tenant. */
export interface Invitation {
  /** ID of an invitation: `inv_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The invited email address. */
  readonly identifier: string;
  /** Name of the invited person, from the inviter; `null` if it is not set. New users can change it before they join. */
  readonly name: string | null;
  /** Roles that the user receives on acceptance. */
  readonly roles: readonly string[];
  /** Workspaces that the user joins on acceptance, in addition to the default workspace. */
  readonly workspaces: readonly string[];
  /** State of the invitation. Only a pending invitation can be accepted. */
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** ID of a user or an agent: `user:<id>` or `service:<id>`. */
  readonly invited_by: string;
  /** Name of the inviter, or their main address if they have no name; `null` if the inviter was deleted or belongs to another tenant. */
  readonly invited_by_name: string | null;
  /** Application that opens after a person has joined; `null` for the account page. */
  readonly client_id: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the invitation expires. */
  readonly expires_at: string;
  /** When the invitation’s message was last queued. */
  readonly sent_at: string;
  /** When the invitation was accepted. */
  readonly accepted_at: string | null;
  /** The user who accepted it. */
  readonly accepted_by: string | null;
  /** When the invitation was revoked. */
  readonly revoked_at: string | null;
}

/** A user’s membership in a workspace. */
export interface Member {
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
}

/** A named set of scopes. */
export interface Role {
  /** Name of the role, unique within the tenant. */
  readonly name: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Purpose of the role. Can be empty. */
  readonly description: string;
  /** Scopes, each of the form `<action>:<resource>`. */
  readonly scopes: readonly string[];
  /** Whether the role is built in. Built-in roles cannot be changed. */
  readonly is_builtin: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Only the fields that you send are changed. */
export interface AgentPatch {
  /** Display name, on a single line. */
  readonly name?: string;
  /** Purpose of the record. */
  readonly description?: string;
  /** Replaces the scopes of the agent. */
  readonly scopes?: readonly string[];
  /** Whether the agent is active. */
  readonly is_active?: boolean;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id?: string;
  /** ID of a user: `user:<id>`. */
  readonly owner_id?: string;
  /** Replaces the agent’s keys. `null` removes them. */
  readonly jwks?: AgentKeySet | null;
  /** External issuers whose tokens authenticate the agent. A token must match one entry. Each entry needs a `subject` or `claims`. */
  readonly trusts?: readonly AgentTrust[];
}

/** The records that would be deleted or revoked together with the agent. */
export interface AgentDryRun {
  /** Always `true`: nothing was changed. */
  readonly dry_run: true;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account is active. */
  readonly is_active: boolean;
  /** Usable API keys. */
  readonly api_keys: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** Dependents of an agent: usable keys, and live delegations that the agent holds. */
export interface AgentDependents {
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the account is active. */
  readonly is_active: boolean;
  /** Usable API keys. */
  readonly api_keys: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentApiKey[];
  };
  /** Live delegations. */
  readonly delegations: {
    /** Number of items. */
    readonly total: number;
    /** Present if the number is an estimate because it exceeds 10,000. */
    readonly total_is_estimate?: true;
    /** The newest 20. */
    readonly items: readonly DependentDelegation[];
  };
}

/** A secret that authenticates an agent. */
export interface ApiKey {
  /** ID of an API key: `key_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  /** The first 12 characters of the key, to help recognize it. */
  readonly prefix: string;
  /** Scopes of the key: a subset of the agent’s scopes, or `null` for all of them. */
  readonly scopes: readonly string[] | null;
  /** IP addresses and networks that can use the key; `null` for any. */
  readonly allowed_ips: readonly string[] | null;
  /** Creator of the key: `user:<id>` or `service:<id>`. */
  readonly created_by: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the key expires. */
  readonly expires_at: string;
  /** Time of the last use, to the minute; `null` if the key was never used. */
  readonly last_used_at: string | null;
  /** Time of the revocation; `null` if the key is not revoked. */
  readonly revoked_at: string | null;
  /** Why the key was revoked: `revoked`, `rotated` or `leaked`; `null` if it is not revoked. */
  readonly revoke_reason: string | null;
  /** The key that replaced this one in a rotation. */
  readonly successor_id: string | null;
}

/** An API key, as returned when it is created. */
export interface CreatedApiKey {
  /** ID of an API key: `key_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an agent: `service:<id>`. */
  readonly agent_id: string;
  /** Display name. */
  readonly name: string;
  /** The first 12 characters of the key, to help recognize it. */
  readonly prefix: string;
  /** Scopes of the key: a subset of the agent’s scopes, or `null` for all of them. */
  readonly scopes: readonly string[] | null;
  /** IP addresses and networks that can use the key; `null` for any. */
  readonly allowed_ips: readonly string[] | null;
  /** Creator of the key: `user:<id>` or `service:<id>`. */
  readonly created_by: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the key expires. */
  readonly expires_at: string;
  /** Time of the last use, to the minute; `null` if the key was never used. */
  readonly last_used_at: string | null;
  /** Time of the revocation; `null` if the key is not revoked. */
  readonly revoked_at: string | null;
  /** Why the key was revoked: `revoked`, `rotated` or `leaked`; `null` if it is not revoked. */
  readonly revoke_reason: string | null;
  /** The key that replaced this one in a rotation. */
  readonly successor_id: string | null;
  /** The key itself. Shown only once. */
  readonly key: string;
}

/** An identity provider that users of the tenant can sign in with. */
export interface IdentityProvider {
  /** ID of an identity provider: `idp_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile. */
  readonly type: 'oidc' | 'google' | 'microsoft' | 'apple' | 'github' | 'oauth2';
  /** Display name. */
  readonly name: string;
  /** Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your GitHub server. */
  readonly issuer: string;
  /** Client ID that the provider issued. */
  readonly client_id: string;
  /** Whether a client secret is stored. Without a secret, the tenant is a public client at the provider. */
  readonly has_client_secret: boolean;
  /** Scopes to request in addition to `openid`. */
  readonly scopes: readonly string[];
  /** Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account. */
  readonly domains: readonly string[];
  /** Handling of an unknown identity with the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected. */
  readonly link: 'ask' | 'auto' | 'never';
  /** Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false. */
  readonly trust_mfa: boolean;
  /** With `microsoft`: the directories (`tid`) whose users can sign in. If empty, only the directory of the issuer. */
  readonly allowed_tenants: readonly string[];
  /** `null` if this type does not use the field. */
  readonly team_id: string | null;
  /** `null` if this type does not use the field. */
  readonly key_id: string | null;
  /** `null` if this type does not use the field. */
  readonly authorization_endpoint: string | null;
  /** `null` if this type does not use the field. */
  readonly token_endpoint: string | null;
  /** `null` if this type does not use the field. */
  readonly userinfo_endpoint: string | null;
  /** `null` if this type does not use the field. */
  readonly subject_claim: string | null;
  /** Redirect URI to register at the provider. */
  readonly callback_url: string;
  /** Whether users can sign in with the provider. */
  readonly is_active: boolean;
  /** When a test login with the current settings succeeded; `null` if there was none. */
  readonly tested_at: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** The ID and callback URL of a new provider. */
export interface PreparedIdentityProvider {
  /** ID of an identity provider: `idp_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Redirect URI to register at the provider. */
  readonly callback_url: string;
  /** The issuer of a demo provider on the developer’s machine, where the client ID `demo` is registered and everyone can sign in. Null in production. */
  readonly demo_issuer: string | null;
}

/** The records that would be deleted together with an identity provider. */
export interface ProviderDependents {
  /** ID of an identity provider: `idp_<id>`. */
  readonly provider_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Number of users with an identity there, counted up to 10,001. */
  readonly identities: number;
  /** Number of those users who could not sign in with any other method that the tenant allows now. Absent above 10,000 identities. */
  readonly without_other_way?: number;
  /** The verified domains whose users sign in only at this provider, in alphabetical order. */
  readonly domains: readonly string[];
}

/** URL to send the browser to. */
export interface BegunProviderTest {
  /** URL at the provider to send the browser to. */
  readonly authorize_url: string;
}

/** The result of a test login at an identity provider. */
export interface ProviderTest {
  /** ID of an identity provider: `idp_<id>`. */
  readonly provider_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Whether the login would have been accepted. */
  readonly accepted: boolean;
  /** Why the login would have been rejected, as in the audit log; `null` if it would have been accepted. */
  readonly reason: string | null;
  /** The user’s subject at the provider; `null` if the login was rejected. */
  readonly subject: string | null;
  /** The user’s email address, normalized; `null` if there is none. */
  readonly email: string | null;
  /** Whether the provider reports the email address as verified. */
  readonly is_verified: boolean;
  /** Whether the email address is verified and the provider is authoritative for its domain. */
  readonly is_authoritative: boolean;
  /** Whether the provider reports that it verified two factors. */
  readonly has_mfa: boolean;
  /** When this test marked the provider as tested; `null` if the login was not accepted, or if settings that a login depends on have changed since the test started. */
  readonly tested_at: string | null;
  /** All claims except the nonce; `null` if the login was rejected or the claims exceed 16 KiB. */
  readonly claims: {
    readonly [name: string]: unknown;
  } | null;
}

/** An email domain whose users sign in only at one provider. */
export interface ProviderDomain {
  /** A domain, in lower case. */
  readonly domain: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an identity provider: `idp_<id>`. */
  readonly provider_id: string;
  /** Name of the DNS record that verifies the domain. */
  readonly txt_name: string;
  /** Value of the DNS TXT record. Not a secret. */
  readonly txt_value: string;
  /** Whether the record was found, which verifies the domain. */
  readonly is_verified: boolean;
  /** When the record was first found; `null` if it was never found. */
  readonly verified_at: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A removed domain. */
export interface RemovedProviderDomain {
  /** A domain, in lower case. */
  readonly domain: string;
  /** Always `true`: the domain was removed. */
  readonly deleted: true;
}

/** An image of the tenant’s branding. */
export interface Logo {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Name of the `branding` setting, without `_url`. */
  readonly kind: 'logo' | 'logo_dark' | 'icon' | 'background';
  /** URL that the logo is fetched from; `null` if it was uploaded. */
  readonly url: string | null;
  /** `pending`: not fetched yet. `stored`: shown on the pages. `failed`: not available, as explained in `reason`; the pages are shown without it. */
  readonly status: 'pending' | 'stored' | 'failed';
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** Media type of the stored image. */
  readonly content_type: string | null;
  /** SHA-256 of the stored image, in hexadecimal. Last part of the image’s URL. */
  readonly sha256: string | null;
}

/** Logos, which are fetched again. */
export interface FetchedLogos {
  /** The state of each logo. */
  readonly logos: readonly Logo[];
}

/** A logo that was deleted. */
export interface DeletedLogo {
  /** The deleted logo. */
  readonly kind: 'logo' | 'logo_dark' | 'icon' | 'background';
  /** Always `true`: the logo was deleted. */
  readonly deleted: true;
}

/** Settings to change. `null` removes a setting. */
export interface TenantBrandingPatch {
  /** URL of a logo: PNG, JPEG, WebP, AVIF or SVG, at most 256 KiB. The service fetches it once and serves it from its own host. */
  readonly logo_url?: string | null;
  /** URL of a logo for dark backgrounds. Default: the same logo. */
  readonly logo_dark_url?: string | null;
  /** URL of a square icon for browser tabs. Pages without a logo also show it next to the name. */
  readonly icon_url?: string | null;
  /** URL of an image for `background: image`, at most 512 KiB. */
  readonly background_url?: string | null;
  /** Name shown to users. */
  readonly company_name?: string | null;
  /** Email address where users can get help. */
  readonly support_email?: string | null;
  /** URL of the terms of service, linked on pages. */
  readonly terms_url?: string | null;
  /** URL of the privacy policy, linked on pages. */
  readonly privacy_url?: string | null;
  /** A color: `#rrggbb`. */
  readonly primary_color?: string | null;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string | null;
  /** Color scheme of the pages. `auto` (default) follows the browser’s preference. */
  readonly color_scheme?: 'auto' | 'light' | 'dark' | null;
  /** Corner radius of buttons and fields, in pixels. Default: 10. */
  readonly corner?: number | null;
  /** Font of the pages. `system`: the font of the device. Default: `geist`. */
  readonly font?: 'geist' | 'inter' | 'instrument-sans' | 'dm-sans' | 'figtree' | 'manrope' | 'source-serif' | 'lora' | 'system' | null;
  /** Layout of the sign-in pages. `card` (default): a card in the middle. `plain`: without a card. `split-start` and `split-end`: on wide screens, the form is in the half where lines start or end, and the background is in the other half. */
  readonly layout?: 'card' | 'plain' | 'split-start' | 'split-end' | null;
  /** Background of the sign-in pages. `gradient`: shades of `primary_color`. `image`: the image `background`, or the gradient if there is none. Default: `gradient` in the split layouts, otherwise `none`. */
  readonly background?: 'none' | 'color' | 'gradient' | 'image' | null;
  /** Background color with `background: color`: `#rrggbb`. Default: `primary_color`. */
  readonly background_color?: string | null;
  /** Position of the logo: `inside` (default) the card, `above` it, or in the `corner` of the page. */
  readonly logo_position?: 'inside' | 'above' | 'corner' | null;
  /** Height of the logo, in pixels. Default: 40. */
  readonly logo_height?: number | null;
  /** Alignment of the logo and the heading. Default: `start`. */
  readonly heading_align?: 'start' | 'center' | null;
  /** Position of the buttons of identity providers, relative to the form. Default: `top`. */
  readonly provider_position?: 'top' | 'bottom' | null;
  /** Buttons of identity providers. `list` (default): each with its name. `icons`: in a row, with the icons of providers that have one. */
  readonly provider_style?: 'list' | 'icons' | null;
  /** Whether the page asks for the email or phone number first and for the password on the next page. Always applies if a provider captures a domain. Default: false. */
  readonly identifier_first?: boolean | null;
}

/** Settings to change. `null` removes a setting, so that the tenant’s applies. */
export interface ClientBrandingPatch {
  /** A color: `#rrggbb`. */
  readonly primary_color?: string | null;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string | null;
  /** Color scheme of the pages. `auto` (default) follows the browser’s preference. */
  readonly color_scheme?: 'auto' | 'light' | 'dark' | null;
  /** Corner radius of buttons and fields, in pixels. Default: 10. */
  readonly corner?: number | null;
  /** Font of the pages. `system`: the font of the device. Default: `geist`. */
  readonly font?: 'geist' | 'inter' | 'instrument-sans' | 'dm-sans' | 'figtree' | 'manrope' | 'source-serif' | 'lora' | 'system' | null;
  /** Layout of the sign-in pages. `card` (default): a card in the middle. `plain`: without a card. `split-start` and `split-end`: on wide screens, the form is in the half where lines start or end, and the background is in the other half. */
  readonly layout?: 'card' | 'plain' | 'split-start' | 'split-end' | null;
  /** Background of the sign-in pages. `gradient`: shades of `primary_color`. `image`: the image `background`, or the gradient if there is none. Default: `gradient` in the split layouts, otherwise `none`. */
  readonly background?: 'none' | 'color' | 'gradient' | 'image' | null;
  /** Background color with `background: color`: `#rrggbb`. Default: `primary_color`. */
  readonly background_color?: string | null;
  /** Position of the logo: `inside` (default) the card, `above` it, or in the `corner` of the page. */
  readonly logo_position?: 'inside' | 'above' | 'corner' | null;
  /** Height of the logo, in pixels. Default: 40. */
  readonly logo_height?: number | null;
  /** Alignment of the logo and the heading. Default: `start`. */
  readonly heading_align?: 'start' | 'center' | null;
  /** Position of the buttons of identity providers, relative to the form. Default: `top`. */
  readonly provider_position?: 'top' | 'bottom' | null;
  /** Buttons of identity providers. `list` (default): each with its name. `icons`: in a row, with the icons of providers that have one. */
  readonly provider_style?: 'list' | 'icons' | null;
  /** Whether the page asks for the email or phone number first and for the password on the next page. Always applies if a provider captures a domain. Default: false. */
  readonly identifier_first?: boolean | null;
  /** Text next to the form in the split layouts. */
  readonly headline?: string | null;
  /** Text below the headline. */
  readonly subline?: string | null;
}

/** A preview of a page with settings that are not saved. */
export interface Preview {
  /** URL of the preview. */
  readonly url: string;
  /** When the preview expires. */
  readonly expires_at: string;
  /** The resulting colors, with the contrast of each. */
  readonly contrast: readonly ({
    /** Element of the page. `button_text`: text on a button. `button_edge`: edge of a button. `link`: a link. `focus`: ring around the focused element. `backdrop`: text on the background behind or next to the form, if there is one. */
    readonly part: 'button_text' | 'button_edge' | 'link' | 'focus' | 'backdrop';
    /** Whether it is for light or dark pages. */
    readonly color_scheme: 'light' | 'dark';
    /** Color of the element. */
    readonly color: string;
    /** Background color of the element. If there are several, the one with the least contrast. */
    readonly background: string;
    /** Contrast ratio by WCAG 2.2, from 1 to 21. */
    readonly ratio: number;
    /** The required contrast ratio. */
    readonly required: number;
    /** Whether the tenant’s color was made darker or lighter to be visible. */
    readonly is_moved: boolean;
  })[];
}

/** A text used on pages and in messages, in one language. */
export interface Text {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** A language that has texts. */
  readonly locale: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
  /** Key of the text. */
  readonly key: string;
  /** The default text that ships with the service, as an ICU message. */
  readonly default: string;
  /** The default English text, for translators. */
  readonly english: string;
  /** The tenant’s text, which replaces the default. */
  readonly text: string | null;
  /** Placeholders that the text can contain in braces. `count` and `minutes` are numbers. */
  readonly placeholders: readonly string[];
  /** Tags that the text can contain: `b` for bold, `link` for a link. */
  readonly tags: readonly string[];
  /** Whether the text cannot be changed because it protects users. */
  readonly is_fixed: boolean;
}

/** All texts of one language. */
export interface Texts {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** A language that has texts. */
  readonly locale: 'en' | 'de' | 'fr' | 'es' | 'ja' | 'ar';
  /** All texts, in the order of the catalog. */
  readonly texts: readonly Text[];
}

/** Access that an organization’s administrators grant on behalf of its users (ID-JAG). */
export interface IdentityAssertions {
  /** Other authorization servers that the client can get identity assertions of its users for. Empty for none. */
  readonly audiences: readonly {
    /** Issuer of the other authorization server. Compared character by character. */
    readonly issuer: string;
    /** The client’s ID at the other authorization server. */
    readonly client_id: string;
    /** Resources that assertions can name. Empty for none. */
    readonly resources: readonly string[];
    /** Scopes that assertions can contain. */
    readonly scopes: readonly string[];
  }[];
  /** Identity providers of type `oidc` whose assertions the client can exchange for access tokens without user consent. Empty for none. */
  readonly providers: readonly string[];
}

/** A client secret. Shown only once. */
export interface ClientSecret {
  /** ID of a client secret: `csec_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** An application that logs users in with OpenID Connect. */
export interface OAuthClient {
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name, shown to users when they sign in. */
  readonly name: string;
  /** `web`: runs on a server and keeps a secret. `spa`: runs in a browser. `native`: runs on a device. */
  readonly kind: 'web' | 'spa' | 'native';
  /** Whether the client belongs to the tenant itself. Users of a first-party client are not asked for consent. */
  readonly first_party: boolean;
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris: readonly string[];
  /** URIs where users return after a logout. */
  readonly post_logout_redirect_uris: readonly string[];
  /** URL where the application starts a login (OpenID Connect Core §4); `null` if there is none. */
  readonly initiate_login_uri: string | null;
  /** URL on the client’s server that receives a logout token when a user signs out; `null` if there is none. */
  readonly backchannel_logout_uri: string | null;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests: boolean;
  /** Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals. */
  readonly grant_types: readonly ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:jwt-bearer')[];
  /** Scopes that the client can request. */
  readonly scopes: readonly string[];
  /** Public keys that verify the client’s assertions; `null` if there are none. */
  readonly jwks: AgentKeySet | null;
  /** URL of the public keys that verify the client’s assertions; `null` if there is none. */
  readonly jwks_uri: string | null;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the responses of the userinfo endpoint; `null` for plain JSON. */
  readonly userinfo_signed_response_alg: 'RS256' | 'ES256' | 'EdDSA' | null;
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type: 'public' | 'pairwise';
  /** URL of a JSON list with the redirect URIs of all clients that share pairwise subjects; `null` if there is none. */
  readonly sector_identifier_uri: string | null;
  /** Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them. */
  readonly id_token_claims: boolean;
  /** URL of a page about the client, for users; `null` if there is none. */
  readonly client_uri: string | null;
  /** URL of the client’s logo, which is not shown; `null` if there is none. */
  readonly logo_uri: string | null;
  /** URL of the client’s privacy policy, linked on the consent page. `null` for none. */
  readonly policy_uri: string | null;
  /** URL of the client’s terms of service, linked on the consent page. `null` for none. */
  readonly tos_uri: string | null;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts: readonly string[];
  /** Maximum time since the user authenticated, in seconds, for requests without `max_age`; `null` for no maximum. */
  readonly default_max_age: number | null;
  /** Whether the client must use PKCE (RFC 7636). `null`: yes, but a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). `true`: always. `false`: PKCE is optional; only clients that authenticate can have this value. The tenant setting `oauth_require_pkce` and the profile `fapi2` override `null` and `false`. */
  readonly require_pkce: boolean | null;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object: boolean;
  /** `fapi2`: the client must meet the requirements that `oauth_profile` sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant. */
  readonly profile: 'none' | 'fapi2';
  /** `rotate`: each use of a refresh token returns a new one. `fixed`: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens. */
  readonly refresh_token_policy: 'rotate' | 'fixed';
  /** Types of authorization details that the client can request. */
  readonly authorization_details_types: readonly string[];
  /** How the client was registered: `admin` by an administrator, `registration` by the application itself (RFC 7591), `metadata_document` by a user who consented to a client whose ID is the URL of its metadata document. */
  readonly created_by: 'admin' | 'registration' | 'metadata_document';
  readonly identity_assertions: IdentityAssertions;
  /** Users whose events the client can receive (OpenID Shared Signals Framework). `own_users`: users who sign in to the client, and its own sessions. `all_users`: all users and sessions of the tenant. `none`: the client cannot have streams. */
  readonly shared_signals: 'none' | 'own_users' | 'all_users';
  /** Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for `native` clients with `first_party`. */
  readonly in_app_login: boolean;
  /** Secrets of the client. During a rotation there are two. */
  readonly secrets: readonly ClientSecret[];
  /** Whether the client is active. Tokens are not issued to inactive clients. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the client last got tokens, to the hour; `null` if it never did. */
  readonly last_used_at: string | null;
}

/** A client to register. */
export interface OAuthClientRegistration {
  /** Display name, on a single line. */
  readonly name: string;
  /** Whether the client belongs to the tenant itself, so that users are not asked for consent. Default: false. */
  readonly first_party?: boolean;
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris: readonly string[];
  /** URIs where users return after a logout. Default: none. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none. */
  readonly initiate_login_uri?: string | null;
  /** URL on the client’s server that receives a logout token when a user signs out; `null` for none. */
  readonly backchannel_logout_uri?: string | null;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals. */
  readonly grant_types?: readonly ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:jwt-bearer')[];
  /** Scopes that the client can request. */
  readonly scopes?: readonly string[];
  /** Public keys that verify the client’s assertions, for `private_key_jwt`; `null` for none. */
  readonly jwks?: AgentKeySet | null;
  /** URL of the client’s public keys, instead of `jwks`. The keys are fetched when the client presents an assertion, and cached. For an unknown `kid`, they are fetched again, at most every 30 seconds. `null` for none. */
  readonly jwks_uri?: string | null;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the responses of the userinfo endpoint; `null` for plain JSON. */
  readonly userinfo_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA' | null;
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type?: 'public' | 'pairwise';
  /** URL of a JSON list that must contain all `redirect_uris`. Its host determines the pairwise subjects. The list is fetched when you set this field and when you change `redirect_uris`. `null` for none. */
  readonly sector_identifier_uri?: string | null;
  /** Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them. */
  readonly id_token_claims?: boolean;
  /** URL of a page about the client, for users; `null` for none. */
  readonly client_uri?: string | null;
  /** URL of the client’s logo, which is not shown; `null` for none. */
  readonly logo_uri?: string | null;
  /** URL of the client’s privacy policy, linked on the consent page. `null` for none. */
  readonly policy_uri?: string | null;
  /** URL of the client’s terms of service, linked on the consent page. `null` for none. */
  readonly tos_uri?: string | null;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts?: readonly string[];
  /** Maximum time since the user authenticated, in seconds, for requests without `max_age`; `null` for no maximum. */
  readonly default_max_age?: number | null;
  /** Whether the client must use PKCE (RFC 7636). `null`: yes, but a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). `true`: always. `false`: PKCE is optional; only clients that authenticate can have this value. The tenant setting `oauth_require_pkce` and the profile `fapi2` override `null` and `false`. */
  readonly require_pkce?: boolean | null;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** `fapi2`: the client must meet the requirements that `oauth_profile` sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant. */
  readonly profile?: 'none' | 'fapi2';
  /** `rotate`: each use of a refresh token returns a new one. `fixed`: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens. */
  readonly refresh_token_policy?: 'rotate' | 'fixed';
  readonly identity_assertions?: IdentityAssertions;
  /** Users whose events the client can receive (OpenID Shared Signals Framework). `own_users`: users who sign in to the client, and its own sessions. `all_users`: all users and sessions of the tenant. `none`: the client cannot have streams. */
  readonly shared_signals?: 'none' | 'own_users' | 'all_users';
  /** Types of authorization details that the client can request. */
  readonly authorization_details_types?: readonly string[];
  /** Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for `native` clients with `first_party`. */
  readonly in_app_login?: boolean;
  /** `web`: runs on a server and keeps a secret. `spa`: runs in a browser. `native`: runs on a device. */
  readonly kind: 'web' | 'spa' | 'native';
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
}

/** A client, as returned when it is created. */
export interface CreatedOAuthClient {
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name, shown to users when they sign in. */
  readonly name: string;
  /** `web`: runs on a server and keeps a secret. `spa`: runs in a browser. `native`: runs on a device. */
  readonly kind: 'web' | 'spa' | 'native';
  /** Whether the client belongs to the tenant itself. Users of a first-party client are not asked for consent. */
  readonly first_party: boolean;
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris: readonly string[];
  /** URIs where users return after a logout. */
  readonly post_logout_redirect_uris: readonly string[];
  /** URL where the application starts a login (OpenID Connect Core §4); `null` if there is none. */
  readonly initiate_login_uri: string | null;
  /** URL on the client’s server that receives a logout token when a user signs out; `null` if there is none. */
  readonly backchannel_logout_uri: string | null;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests: boolean;
  /** Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals. */
  readonly grant_types: readonly ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:jwt-bearer')[];
  /** Scopes that the client can request. */
  readonly scopes: readonly string[];
  /** Public keys that verify the client’s assertions; `null` if there are none. */
  readonly jwks: AgentKeySet | null;
  /** URL of the public keys that verify the client’s assertions; `null` if there is none. */
  readonly jwks_uri: string | null;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the responses of the userinfo endpoint; `null` for plain JSON. */
  readonly userinfo_signed_response_alg: 'RS256' | 'ES256' | 'EdDSA' | null;
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type: 'public' | 'pairwise';
  /** URL of a JSON list with the redirect URIs of all clients that share pairwise subjects; `null` if there is none. */
  readonly sector_identifier_uri: string | null;
  /** Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them. */
  readonly id_token_claims: boolean;
  /** URL of a page about the client, for users; `null` if there is none. */
  readonly client_uri: string | null;
  /** URL of the client’s logo, which is not shown; `null` if there is none. */
  readonly logo_uri: string | null;
  /** URL of the client’s privacy policy, linked on the consent page. `null` for none. */
  readonly policy_uri: string | null;
  /** URL of the client’s terms of service, linked on the consent page. `null` for none. */
  readonly tos_uri: string | null;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts: readonly string[];
  /** Maximum time since the user authenticated, in seconds, for requests without `max_age`; `null` for no maximum. */
  readonly default_max_age: number | null;
  /** Whether the client must use PKCE (RFC 7636). `null`: yes, but a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). `true`: always. `false`: PKCE is optional; only clients that authenticate can have this value. The tenant setting `oauth_require_pkce` and the profile `fapi2` override `null` and `false`. */
  readonly require_pkce: boolean | null;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object: boolean;
  /** `fapi2`: the client must meet the requirements that `oauth_profile` sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant. */
  readonly profile: 'none' | 'fapi2';
  /** `rotate`: each use of a refresh token returns a new one. `fixed`: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens. */
  readonly refresh_token_policy: 'rotate' | 'fixed';
  /** Types of authorization details that the client can request. */
  readonly authorization_details_types: readonly string[];
  /** How the client was registered: `admin` by an administrator, `registration` by the application itself (RFC 7591), `metadata_document` by a user who consented to a client whose ID is the URL of its metadata document. */
  readonly created_by: 'admin' | 'registration' | 'metadata_document';
  readonly identity_assertions: IdentityAssertions;
  /** Users whose events the client can receive (OpenID Shared Signals Framework). `own_users`: users who sign in to the client, and its own sessions. `all_users`: all users and sessions of the tenant. `none`: the client cannot have streams. */
  readonly shared_signals: 'none' | 'own_users' | 'all_users';
  /** Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for `native` clients with `first_party`. */
  readonly in_app_login: boolean;
  /** Secrets of the client. During a rotation there are two. */
  readonly secrets: readonly ClientSecret[];
  /** Whether the client is active. Tokens are not issued to inactive clients. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the client last got tokens, to the hour; `null` if it never did. */
  readonly last_used_at: string | null;
  /** The secret. Shown only once. */
  readonly client_secret: string;
}

/** Only the fields that you send are changed. */
export interface OAuthClientPatch {
  /** Display name, on a single line. */
  readonly name?: string;
  /** Whether the client belongs to the tenant itself, so that users are not asked for consent. Default: false. */
  readonly first_party?: boolean;
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris?: readonly string[];
  /** URIs where users return after a logout. Default: none. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none. */
  readonly initiate_login_uri?: string | null;
  /** URL on the client’s server that receives a logout token when a user signs out; `null` for none. */
  readonly backchannel_logout_uri?: string | null;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals. */
  readonly grant_types?: readonly ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:jwt-bearer')[];
  /** Scopes that the client can request. */
  readonly scopes?: readonly string[];
  /** Public keys that verify the client’s assertions, for `private_key_jwt`; `null` for none. */
  readonly jwks?: AgentKeySet | null;
  /** URL of the client’s public keys, instead of `jwks`. The keys are fetched when the client presents an assertion, and cached. For an unknown `kid`, they are fetched again, at most every 30 seconds. `null` for none. */
  readonly jwks_uri?: string | null;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the responses of the userinfo endpoint; `null` for plain JSON. */
  readonly userinfo_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA' | null;
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type?: 'public' | 'pairwise';
  /** URL of a JSON list that must contain all `redirect_uris`. Its host determines the pairwise subjects. The list is fetched when you set this field and when you change `redirect_uris`. `null` for none. */
  readonly sector_identifier_uri?: string | null;
  /** Whether ID tokens also contain the claims of the granted scopes. If false, only the userinfo endpoint returns them. */
  readonly id_token_claims?: boolean;
  /** URL of a page about the client, for users; `null` for none. */
  readonly client_uri?: string | null;
  /** URL of the client’s logo, which is not shown; `null` for none. */
  readonly logo_uri?: string | null;
  /** URL of the client’s privacy policy, linked on the consent page. `null` for none. */
  readonly policy_uri?: string | null;
  /** URL of the client’s terms of service, linked on the consent page. `null` for none. */
  readonly tos_uri?: string | null;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts?: readonly string[];
  /** Maximum time since the user authenticated, in seconds, for requests without `max_age`; `null` for no maximum. */
  readonly default_max_age?: number | null;
  /** Whether the client must use PKCE (RFC 7636). `null`: yes, but a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). `true`: always. `false`: PKCE is optional; only clients that authenticate can have this value. The tenant setting `oauth_require_pkce` and the profile `fapi2` override `null` and `false`. */
  readonly require_pkce?: boolean | null;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** `fapi2`: the client must meet the requirements that `oauth_profile` sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant. */
  readonly profile?: 'none' | 'fapi2';
  /** `rotate`: each use of a refresh token returns a new one. `fixed`: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens. */
  readonly refresh_token_policy?: 'rotate' | 'fixed';
  readonly identity_assertions?: IdentityAssertions;
  /** Users whose events the client can receive (OpenID Shared Signals Framework). `own_users`: users who sign in to the client, and its own sessions. `all_users`: all users and sessions of the tenant. `none`: the client cannot have streams. */
  readonly shared_signals?: 'none' | 'own_users' | 'all_users';
  /** Types of authorization details that the client can request. */
  readonly authorization_details_types?: readonly string[];
  /** Whether the client can log users in on its own screens, at the authorization challenge endpoint, where it sees their passwords. Only for `native` clients with `first_party`. */
  readonly in_app_login?: boolean;
  /** Whether the client is active. Tokens are not issued to inactive clients. */
  readonly is_active?: boolean;
}

/** A client secret, as returned when it is created. */
export interface CreatedClientSecret {
  /** ID of a client secret: `csec_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  /** The secret. Shown only once. */
  readonly client_secret: string;
}

/** Delivery of a logout token to a client about an ended session. The token itself is not included. */
export interface LogoutDelivery {
  /** ID of a session: `session:<id>`. */
  readonly session_id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  /** ID of a user: `user:<id>`. */
  readonly user_id: string;
  /** `pending`: an attempt is due or in progress. `failed`: there are no more attempts. `expired`: the token could not be sent within a day. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'expired';
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Why the last attempt failed: a code, followed by a sentence. */
  readonly reason: string | null;
  /** Time of the next attempt; `null` if there is none. */
  readonly next_attempt_at: string | null;
  /** When the token was delivered or given up; `null` if neither has happened. */
  readonly ended_at: string | null;
  /** The last time when an attempt can be made. */
  readonly expires_at: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Settings that replace those of the tenant. Unset fields are absent. */
export interface ClientBrandingSettings {
  /** A color: `#rrggbb`. */
  readonly primary_color?: string;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string;
  /** Color scheme of the pages. `auto` (default) follows the browser’s preference. */
  readonly color_scheme?: 'auto' | 'light' | 'dark';
  /** Corner radius of buttons and fields, in pixels. Default: 10. */
  readonly corner?: number;
  /** Font of the pages. `system`: the font of the device. Default: `geist`. */
  readonly font?: 'geist' | 'inter' | 'instrument-sans' | 'dm-sans' | 'figtree' | 'manrope' | 'source-serif' | 'lora' | 'system';
  /** Layout of the sign-in pages. `card` (default): a card in the middle. `plain`: without a card. `split-start` and `split-end`: on wide screens, the form is in the half where lines start or end, and the background is in the other half. */
  readonly layout?: 'card' | 'plain' | 'split-start' | 'split-end';
  /** Background of the sign-in pages. `gradient`: shades of `primary_color`. `image`: the image `background`, or the gradient if there is none. Default: `gradient` in the split layouts, otherwise `none`. */
  readonly background?: 'none' | 'color' | 'gradient' | 'image';
  /** Background color with `background: color`: `#rrggbb`. Default: `primary_color`. */
  readonly background_color?: string;
  /** Position of the logo: `inside` (default) the card, `above` it, or in the `corner` of the page. */
  readonly logo_position?: 'inside' | 'above' | 'corner';
  /** Height of the logo, in pixels. Default: 40. */
  readonly logo_height?: number;
  /** Alignment of the logo and the heading. Default: `start`. */
  readonly heading_align?: 'start' | 'center';
  /** Position of the buttons of identity providers, relative to the form. Default: `top`. */
  readonly provider_position?: 'top' | 'bottom';
  /** Buttons of identity providers. `list` (default): each with its name. `icons`: in a row, with the icons of providers that have one. */
  readonly provider_style?: 'list' | 'icons';
  /** Whether the page asks for the email or phone number first and for the password on the next page. Always applies if a provider captures a domain. Default: false. */
  readonly identifier_first?: boolean;
  /** Text next to the form in the split layouts. */
  readonly headline?: string;
  /** Text below the headline. */
  readonly subline?: string;
}

/** How the pages look when users sign in to a client. */
export interface ClientBranding {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  readonly settings: ClientBrandingSettings;
  /** Images that replace those of the tenant, by kind. */
  readonly images: {
    /** SHA-256 of the image, in hexadecimal. Last part of the image’s URL. */
    readonly logo?: string;
    /** SHA-256 of the image, in hexadecimal. Last part of the image’s URL. */
    readonly logo_dark?: string;
    /** SHA-256 of the image, in hexadecimal. Last part of the image’s URL. */
    readonly icon?: string;
    /** SHA-256 of the image, in hexadecimal. Last part of the image’s URL. */
    readonly background?: string;
  };
}

/** A token that allows registering applications (RFC 7591 §3). */
export interface RegistrationToken {
  /** ID of a registration token: `rgt_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name. */
  readonly name: string;
  /** Number of applications that can still be registered with the token. */
  readonly uses: number;
  /** When the token expires. */
  readonly expires_at: string;
  /** Scopes that registered applications can request; `null` for the scopes of OpenID Connect, those of resources, and read permissions. */
  readonly scopes: readonly string[] | null;
  /** Resources whose scopes registered applications can request; `null` for all. */
  readonly resources: readonly string[] | null;
  /** Hosts that users can return to. A host does not include its subdomains. `localhost` stands for the loopback address. `null` for any host. */
  readonly redirect_hosts: readonly string[] | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A registration token to create. */
export interface RegistrationTokenRequest {
  /** Display name, on a single line. */
  readonly name: string;
  /** Number of applications that can be registered with the token. Default: 1. */
  readonly uses?: number;
  /** Seconds until the token expires. Default: one week. */
  readonly ttl?: number;
  /** Scopes that registered applications can request; `null` for the scopes of OpenID Connect, those of resources, and read permissions. */
  readonly scopes?: readonly string[] | null;
  /** Resources whose scopes registered applications can request; `null` for all. */
  readonly resources?: readonly string[] | null;
  /** Hosts that users can return to. A host does not include its subdomains. `localhost` stands for the loopback address. `null` for any host. */
  readonly redirect_hosts?: readonly string[] | null;
}

/** A registration token, as returned when it is created. */
export interface CreatedRegistrationToken {
  /** ID of a registration token: `rgt_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name. */
  readonly name: string;
  /** Number of applications that can still be registered with the token. */
  readonly uses: number;
  /** When the token expires. */
  readonly expires_at: string;
  /** Scopes that registered applications can request; `null` for the scopes of OpenID Connect, those of resources, and read permissions. */
  readonly scopes: readonly string[] | null;
  /** Resources whose scopes registered applications can request; `null` for all. */
  readonly resources: readonly string[] | null;
  /** Hosts that users can return to. A host does not include its subdomains. `localhost` stands for the loopback address. `null` for any host. */
  readonly redirect_hosts: readonly string[] | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** The token. Shown only in this response; a repeated request does not return it. */
  readonly registration_token: string;
}

/** A stream of shared signals, as administrators see it, without its `Authorization` header. */
export interface ClientStream {
  /** ID of a stream of signals: `stream_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  /** Delivery method. */
  readonly method: 'push' | 'poll';
  /** URL that events are pushed to; `null` if they are polled. */
  readonly endpoint_url: string | null;
  /** Event types that the stream delivers. */
  readonly events: readonly ('session-revoked' | 'credential-change' | 'account-disabled' | 'account-enabled' | 'account-purged')[];
  /** Description that the receiver set; `null` for none. */
  readonly description: string | null;
  /** `paused`: events are kept for seven days, up to the last 10,000. `disabled`: events are not kept. */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Reason for the status; `null` if none was given. */
  readonly status_reason: string | null;
  /** Time since which every push has failed; `null` if the last push succeeded or there was none. */
  readonly failing_since: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** The new status. */
export interface ClientStreamPatch {
  /** `paused`: events are kept for seven days, up to the last 10,000. `disabled`: events are not kept. */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Reason for the status. */
  readonly reason?: string;
}

/** A test login that is ready to be opened. */
export interface StartedTestLogin {
  /** URL to open in a new tab of the caller’s browser. */
  readonly url: string;
  /** When the URL expires. */
  readonly expires_at: string;
}

/** A service that accepts access tokens issued for it by the tenant (RFC 8707). */
export interface OAuthResource {
  /** ID of a resource: `res_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** URI that requests name as `resource`. It is the `aud` of access tokens for the resource. Compared character by character. */
  readonly uri: string;
  /** Display name, shown to users on the consent page. */
  readonly name: string;
  /** Scopes that access tokens for the resource can contain. */
  readonly scopes: readonly ({
    /** Name of the scope: a permission `<action>:<resource>` that the user must hold, or a name that the resource defines. If the action is not `read`, `write`, `delete` or `*`, the permission that the user must hold is `requires`. */
    readonly name: string;
    /** Explains to users what the scope allows. Shown on the consent page. */
    readonly description: string;
    /** Permission that a user must hold to grant the scope to an application. An agent that holds this permission can request the scope. `null`: user consent is sufficient, and agents need the scope itself. Default: the name if it has the form `<action>:<resource>`, otherwise `null`. Always `null` for the actions `read`, `write`, `delete` and `*`. */
    readonly requires?: string | null;
  })[];
  /** Maximum lifetime of access tokens for the resource, in seconds; `null` if only the tenant’s `session_timeout` applies. */
  readonly token_ttl: number | null;
  /** Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it. */
  readonly access_token_signing_alg: 'EdDSA' | 'RS256' | 'ES256';
  /** The `typ` header of its access tokens: `at+jwt` (RFC 9068), or `JWT` for verifiers that reject `at+jwt`. ID tokens also have `JWT`, but they do not have the claim `token_type`, which is `access` in access tokens. */
  readonly access_token_typ: 'at+jwt' | 'JWT';
  /** Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449). */
  readonly dpop_required: boolean;
  /** Agents and clients that are allowed to introspect access tokens for the resource. */
  readonly served_by: readonly (string | string)[];
  /** Types of authorization details that access tokens for the resource can contain (RFC 9396). */
  readonly authorization_details_types: readonly ({
    /** The `type` of the authorization details (RFC 9396 §2). Unique within the tenant. */
    readonly type: string;
    /** Name of the type, shown to users. */
    readonly name: string;
    /** Explains to users what the type allows. */
    readonly description: string;
    /** Fields that a request can contain. Other fields are rejected. */
    readonly fields: readonly ({
      /** Name of the field in a request. `type` is reserved. */
      readonly name: string;
      /** Label of the field on the consent page. */
      readonly label: string;
      /** Type of the field. A `string` is a single line of at most 200 characters; `strings` is a list of at most 16 strings. */
      readonly kind: 'string' | 'number' | 'boolean' | 'strings' | 'object';
      /** Whether a request must contain the field. */
      readonly required?: boolean;
      /** The allowed values of a `string` or of `strings`. */
      readonly values?: readonly string[];
      /** Fields of an `object`. */
      readonly fields?: readonly ({
        /** Name of the field in a request. `type` is reserved. */
        readonly name: string;
        /** Label of the field on the consent page. */
        readonly label: string;
        /** Type of the field. `strings` is a list of at most 16 strings. */
        readonly kind: 'string' | 'number' | 'boolean' | 'strings';
        /** Whether a request must contain the field. */
        readonly required?: boolean;
        /** The allowed values of a `string` or of `strings`. */
        readonly values?: readonly string[];
      })[];
    })[];
  })[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A resource to register. */
export interface OAuthResourceRegistration {
  /** Display name, on a single line. */
  readonly name: string;
  /** Scopes that access tokens for the resource can contain. */
  readonly scopes?: readonly ({
    /** Name of the scope: a permission `<action>:<resource>` that the user must hold, or a name that the resource defines. If the action is not `read`, `write`, `delete` or `*`, the permission that the user must hold is `requires`. */
    readonly name: string;
    /** Explains to users what the scope allows. Shown on the consent page. */
    readonly description: string;
    /** Permission that a user must hold to grant the scope to an application. An agent that holds this permission can request the scope. `null`: user consent is sufficient, and agents need the scope itself. Default: the name if it has the form `<action>:<resource>`, otherwise `null`. Always `null` for the actions `read`, `write`, `delete` and `*`. */
    readonly requires?: string | null;
  })[];
  /** Maximum lifetime of access tokens for the resource, in seconds; `null` if only the tenant’s `session_timeout` applies. */
  readonly token_ttl?: number | null;
  /** Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it. */
  readonly access_token_signing_alg?: 'EdDSA' | 'RS256' | 'ES256';
  /** The `typ` header of its access tokens: `at+jwt` (RFC 9068), or `JWT` for verifiers that reject `at+jwt`. ID tokens also have `JWT`, but they do not have the claim `token_type`, which is `access` in access tokens. */
  readonly access_token_typ?: 'at+jwt' | 'JWT';
  /** Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449). */
  readonly dpop_required?: boolean;
  /** Agents and clients that are allowed to introspect access tokens for the resource. */
  readonly served_by?: readonly (string | string)[];
  /** Types of authorization details that access tokens for the resource can contain (RFC 9396). */
  readonly authorization_details_types?: readonly ({
    /** The `type` of the authorization details (RFC 9396 §2). Unique within the tenant. */
    readonly type: string;
    /** Name of the type, shown to users. */
    readonly name: string;
    /** Explains to users what the type allows. */
    readonly description: string;
    /** Fields that a request can contain. Other fields are rejected. */
    readonly fields: readonly ({
      /** Name of the field in a request. `type` is reserved. */
      readonly name: string;
      /** Label of the field on the consent page. */
      readonly label: string;
      /** Type of the field. A `string` is a single line of at most 200 characters; `strings` is a list of at most 16 strings. */
      readonly kind: 'string' | 'number' | 'boolean' | 'strings' | 'object';
      /** Whether a request must contain the field. */
      readonly required?: boolean;
      /** The allowed values of a `string` or of `strings`. */
      readonly values?: readonly string[];
      /** Fields of an `object`. */
      readonly fields?: readonly ({
        /** Name of the field in a request. `type` is reserved. */
        readonly name: string;
        /** Label of the field on the consent page. */
        readonly label: string;
        /** Type of the field. `strings` is a list of at most 16 strings. */
        readonly kind: 'string' | 'number' | 'boolean' | 'strings';
        /** Whether a request must contain the field. */
        readonly required?: boolean;
        /** The allowed values of a `string` or of `strings`. */
        readonly values?: readonly string[];
      })[];
    })[];
  })[];
  /** URI that requests name as `resource`. It is the `aud` of access tokens for the resource. Compared character by character. */
  readonly uri: string;
}

/** Only the fields that you send are changed. */
export interface OAuthResourcePatch {
  /** Display name, on a single line. */
  readonly name?: string;
  /** Scopes that access tokens for the resource can contain. */
  readonly scopes?: readonly ({
    /** Name of the scope: a permission `<action>:<resource>` that the user must hold, or a name that the resource defines. If the action is not `read`, `write`, `delete` or `*`, the permission that the user must hold is `requires`. */
    readonly name: string;
    /** Explains to users what the scope allows. Shown on the consent page. */
    readonly description: string;
    /** Permission that a user must hold to grant the scope to an application. An agent that holds this permission can request the scope. `null`: user consent is sufficient, and agents need the scope itself. Default: the name if it has the form `<action>:<resource>`, otherwise `null`. Always `null` for the actions `read`, `write`, `delete` and `*`. */
    readonly requires?: string | null;
  })[];
  /** Maximum lifetime of access tokens for the resource, in seconds; `null` if only the tenant’s `session_timeout` applies. */
  readonly token_ttl?: number | null;
  /** Algorithm that signs access tokens for the resource. Use EdDSA unless the resource’s verifiers do not support it. */
  readonly access_token_signing_alg?: 'EdDSA' | 'RS256' | 'ES256';
  /** The `typ` header of its access tokens: `at+jwt` (RFC 9068), or `JWT` for verifiers that reject `at+jwt`. ID tokens also have `JWT`, but they do not have the claim `token_type`, which is `access` in access tokens. */
  readonly access_token_typ?: 'at+jwt' | 'JWT';
  /** Whether access tokens for the resource require a DPoP proof and are bound to its key (RFC 9449). */
  readonly dpop_required?: boolean;
  /** Agents and clients that are allowed to introspect access tokens for the resource. */
  readonly served_by?: readonly (string | string)[];
  /** Types of authorization details that access tokens for the resource can contain (RFC 9396). */
  readonly authorization_details_types?: readonly ({
    /** The `type` of the authorization details (RFC 9396 §2). Unique within the tenant. */
    readonly type: string;
    /** Name of the type, shown to users. */
    readonly name: string;
    /** Explains to users what the type allows. */
    readonly description: string;
    /** Fields that a request can contain. Other fields are rejected. */
    readonly fields: readonly ({
      /** Name of the field in a request. `type` is reserved. */
      readonly name: string;
      /** Label of the field on the consent page. */
      readonly label: string;
      /** Type of the field. A `string` is a single line of at most 200 characters; `strings` is a list of at most 16 strings. */
      readonly kind: 'string' | 'number' | 'boolean' | 'strings' | 'object';
      /** Whether a request must contain the field. */
      readonly required?: boolean;
      /** The allowed values of a `string` or of `strings`. */
      readonly values?: readonly string[];
      /** Fields of an `object`. */
      readonly fields?: readonly ({
        /** Name of the field in a request. `type` is reserved. */
        readonly name: string;
        /** Label of the field on the consent page. */
        readonly label: string;
        /** Type of the field. `strings` is a list of at most 16 strings. */
        readonly kind: 'string' | 'number' | 'boolean' | 'strings';
        /** Whether a request must contain the field. */
        readonly required?: boolean;
        /** The allowed values of a `string` or of `strings`. */
        readonly values?: readonly string[];
      })[];
    })[];
  })[];
}

/** Metadata of a transmitter (Shared Signals Framework §7.1). */
export interface TransmitterConfiguration {
  /** Version of the framework. */
  readonly spec_version: string;
  /** The tenant’s issuer, as in each event. */
  readonly issuer: string;
  /** URL of the keys that verify events. */
  readonly jwks_uri: string;
  /** Push (RFC 8935) and poll (RFC 8936). */
  readonly delivery_methods_supported: readonly string[];
  /** URL where streams are managed. */
  readonly configuration_endpoint: string;
  /** URL where the status of a stream is managed. */
  readonly status_endpoint: string;
  /** URL where verification events are requested. */
  readonly verification_endpoint: string;
  /** Members of a subject that receivers must understand. */
  readonly critical_subject_members: readonly string[];
  /** OAuth 2.0: an access token for the scopes `ssf.manage` and `ssf.read`. */
  readonly authorization_schemes: readonly {
    /** URI of the specification. */
    readonly spec_urn: string;
  }[];
  /** Subjects that a new stream has by default. */
  readonly default_subjects: string;
}

/** A stream of shared signals to one receiver (Shared Signals Framework §8.1.1). `aud` is the client. */
export interface SignalStream {
  /** ID of a stream of signals: `stream_<id>`. */
  readonly stream_id: string;
  /** The issuer, as in each event. */
  readonly iss: string;
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly aud: string;
  /** Delivery method. */
  readonly delivery: {
    /** `urn:ietf:rfc:8935`: events are pushed. `urn:ietf:rfc:8936`: events are polled. */
    readonly method: 'urn:ietf:rfc:8935' | 'urn:ietf:rfc:8936';
    /** URL that events are pushed to or polled from. */
    readonly endpoint_url: string;
  };
  /** Supported event types. */
  readonly events_supported: readonly string[];
  /** Event types that the receiver requested. */
  readonly events_requested: readonly string[];
  /** Event types that the stream delivers. */
  readonly events_delivered: readonly string[];
  /** Purpose of the stream. */
  readonly description?: string;
  /** Minimum number of seconds between two verification requests. */
  readonly min_verification_interval: number;
}

/** Whether a stream delivers events. */
export interface SignalStreamStatus {
  /** ID of a stream: `stream_<id>`. */
  readonly stream_id: string;
  /** `paused`: events are kept for seven days, up to the last 10,000. `disabled`: events are not kept. */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Reason for the status. */
  readonly reason?: string;
}

/** Events of a stream (RFC 8936 §2.3). */
export interface PolledSignals {
  /** Events by `jti`, each a signed SET (RFC 8417). */
  readonly sets: {
    readonly [name: string]: string;
  };
  /** Whether more events are available. */
  readonly moreAvailable?: boolean;
}

/** Claims about a user for an OAuth client (OpenID Connect Core §5.3). */
export interface Userinfo {
  /** ID of the user: the `sub` of ID tokens of this client. */
  readonly sub: string;
  /** Full name. */
  readonly name?: string;
  /** Given names. */
  readonly given_name?: string;
  /** Middle names. */
  readonly middle_name?: string;
  /** Family names. */
  readonly family_name?: string;
  /** A nickname. */
  readonly nickname?: string;
  /** Short name. Does not need to be unique. */
  readonly preferred_username?: string;
  /** URL of the user’s profile page. */
  readonly profile?: string;
  /** URL of a picture. */
  readonly picture?: string;
  /** URL of the user’s own page. */
  readonly website?: string;
  /** Gender. */
  readonly gender?: string;
  /** Date of birth (ISO 8601), or only the year. */
  readonly birthdate?: string;
  /** Language (BCP 47). */
  readonly locale?: string;
  /** Time zone. */
  readonly zoneinfo?: string;
  /** When the user’s `metadata` or identifiers last changed, in seconds since the epoch. */
  readonly updated_at?: number;
  /** Email address. */
  readonly email?: string;
  /** Whether the email address was verified to belong to the user. */
  readonly email_verified?: boolean;
  /** Phone number (E.164). */
  readonly phone_number?: string;
  /** Whether the phone number was verified to belong to the user. */
  readonly phone_number_verified?: boolean;
}

/** The tenant’s audience (RFC 8707). */
export type AuthorizationResource = string | readonly string[];

/** A pushed authorization request (RFC 9126 §2.2). */
export interface PushedRequest {
  /** Reference to the request, for the browser. */
  readonly request_uri: string;
  /** Lifetime of the reference, in seconds. */
  readonly expires_in: number;
}

/** The code of a login inside an application. */
export interface ChallengeAnswer {
  /** Authorization code for the token endpoint. Send it with the code verifier and without `redirect_uri`. */
  readonly authorization_code: string;
  /** The device token from the user’s earlier login on this device. */
  readonly device_token?: string;
  /** A recovery code: 24 characters. Hyphens and case are ignored. */
  readonly recovery_code?: string;
}

/** Resource that access tokens are requested for (RFC 8707). */
export type DeviceResource = string | readonly string[];

/** A login started on a device (RFC 8628 §3.2). */
export interface DeviceAuthorization {
  /** Code that the application uses to request its tokens. */
  readonly device_code: string;
  /** Code that the device shows and the user types. */
  readonly user_code: string;
  /** URL of the page where the user types the code. */
  readonly verification_uri: string;
  /** The same URL with the code included, for a QR code. Opening it does not approve the login. */
  readonly verification_uri_complete: string;
  /** Seconds until both codes expire. */
  readonly expires_in: number;
  /** Minimum number of seconds between two token requests. */
  readonly interval: number;
}

/** Client metadata (RFC 7591 §2). */
export interface ClientMetadata {
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris?: readonly string[];
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Grant types that the client can use. */
  readonly grant_types?: readonly ('authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code')[];
  /** Values of `response_type`. */
  readonly response_types?: readonly 'code'[];
  /** Name of the application, shown to users. Default: the host of its redirect URI. */
  readonly client_name?: string;
  /** Scopes that the application can request, separated by spaces. Unknown scopes are ignored. Default: the scopes of OpenID Connect and those of resources. */
  readonly scope?: string;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts?: readonly string[];
  /** URL of a page about the client, for users. */
  readonly client_uri?: string;
  /** URL of the client’s logo. It is stored but not shown, because pages load nothing from other hosts. */
  readonly logo_uri?: string;
  /** URL of the client’s privacy policy, linked on the consent page. */
  readonly policy_uri?: string;
  /** URL of the client’s terms of service, linked on the consent page. */
  readonly tos_uri?: string;
  readonly jwks?: AgentKeySet;
  /** URL where the client publishes its public keys (RFC 7517 §5). */
  readonly jwks_uri?: string;
  /** `native` if the application runs on a user’s device. Default: derived from the redirect URIs. */
  readonly application_type?: 'web' | 'native';
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type?: 'public' | 'pairwise';
  /** URL of a JSON list with the redirect URIs of all clients that share pairwise subjects (OpenID Connect Registration §5). */
  readonly sector_identifier_uri?: string;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly userinfo_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Maximum time since the user authenticated, in seconds. Default: no maximum. */
  readonly default_max_age?: number;
  /** URIs where users return after a logout. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none. */
  readonly initiate_login_uri?: string;
  /** URL on the client’s server that receives a logout token when a user signs out (OpenID Connect Back-Channel Logout). */
  readonly backchannel_logout_uri?: string;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean;
  /** Only administrators can set this to `true`. */
  readonly first_party?: false;
}

/** A registered application (RFC 7591 §3.2.1). */
export interface ClientInformation {
  /** ID of an OAuth client: `client_<id>`, or the https URL of its metadata document. */
  readonly client_id: string;
  /** Time of the registration, in seconds since the epoch. */
  readonly client_id_issued_at: number;
  /** Client secret, if the application has one. Shown only in this response. */
  readonly client_secret?: string;
  /** Always 0: client secrets do not expire. */
  readonly client_secret_expires_at?: 0;
  /** Token that lets the application read, update and delete its registration. It never changes and is shown only in this response. */
  readonly registration_access_token?: string;
  /** URL of the registration, where the application sends these requests. */
  readonly registration_client_uri: string;
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris?: readonly string[];
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Grant types that the client can use. `client_credentials` issues tokens without a user, for the client’s streams of shared signals. */
  readonly grant_types?: readonly ('authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code' | 'urn:ietf:params:oauth:grant-type:token-exchange' | 'urn:ietf:params:oauth:grant-type:jwt-bearer')[];
  /** Values of `response_type`. */
  readonly response_types?: readonly 'code'[];
  /** Name of the application, shown to users. Default: the host of its redirect URI. */
  readonly client_name?: string;
  /** Scopes that the application can request, separated by spaces. Unknown scopes are ignored. Default: the scopes of OpenID Connect and those of resources. */
  readonly scope?: string;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts?: readonly string[];
  /** URL of a page about the client, for users. */
  readonly client_uri?: string;
  /** URL of the client’s logo. It is stored but not shown, because pages load nothing from other hosts. */
  readonly logo_uri?: string;
  /** URL of the client’s privacy policy, linked on the consent page. */
  readonly policy_uri?: string;
  /** URL of the client’s terms of service, linked on the consent page. */
  readonly tos_uri?: string;
  readonly jwks?: AgentKeySet;
  /** URL where the client publishes its public keys (RFC 7517 §5). */
  readonly jwks_uri?: string;
  /** `native` if the application runs on a user’s device. Default: derived from the redirect URIs. */
  readonly application_type?: 'web' | 'native';
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type?: 'public' | 'pairwise';
  /** URL of a JSON list with the redirect URIs of all clients that share pairwise subjects (OpenID Connect Registration §5). */
  readonly sector_identifier_uri?: string;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly userinfo_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Maximum time since the user authenticated, in seconds. Default: no maximum. */
  readonly default_max_age?: number;
  /** URIs where users return after a logout. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none. */
  readonly initiate_login_uri?: string;
  /** URL on the client’s server that receives a logout token when a user signs out (OpenID Connect Back-Channel Logout). */
  readonly backchannel_logout_uri?: string;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean;
}

/** The client metadata that replaces the current metadata (RFC 7592 §2.2). */
export interface ChangedClientMetadata {
  /** Redirect URIs where users return with a code. */
  readonly redirect_uris?: readonly string[];
  /** Authentication method at the token endpoint. `none`: a public client. */
  readonly token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  /** Grant types that the client can use. */
  readonly grant_types?: readonly ('authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code')[];
  /** Values of `response_type`. */
  readonly response_types?: readonly 'code'[];
  /** Name of the application, shown to users. Default: the host of its redirect URI. */
  readonly client_name?: string;
  /** Scopes that the application can request, separated by spaces. Unknown scopes are ignored. Default: the scopes of OpenID Connect and those of resources. */
  readonly scope?: string;
  /** Contacts for the client, shown on the consent page. */
  readonly contacts?: readonly string[];
  /** URL of a page about the client, for users. */
  readonly client_uri?: string;
  /** URL of the client’s logo. It is stored but not shown, because pages load nothing from other hosts. */
  readonly logo_uri?: string;
  /** URL of the client’s privacy policy, linked on the consent page. */
  readonly policy_uri?: string;
  /** URL of the client’s terms of service, linked on the consent page. */
  readonly tos_uri?: string;
  readonly jwks?: AgentKeySet;
  /** URL where the client publishes its public keys (RFC 7517 §5). */
  readonly jwks_uri?: string;
  /** `native` if the application runs on a user’s device. Default: derived from the redirect URIs. */
  readonly application_type?: 'web' | 'native';
  /** `pairwise`: the client gets a different subject for each user. Clients share subjects if they have the same host in `sector_identifier_uri` or, without it, in their redirect URIs. */
  readonly subject_type?: 'public' | 'pairwise';
  /** URL of a JSON list with the redirect URIs of all clients that share pairwise subjects (OpenID Connect Registration §5). */
  readonly sector_identifier_uri?: string;
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly id_token_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Algorithm that signs the client’s ID tokens. All libraries support RS256. */
  readonly userinfo_signed_response_alg?: 'RS256' | 'ES256' | 'EdDSA';
  /** Maximum time since the user authenticated, in seconds. Default: no maximum. */
  readonly default_max_age?: number;
  /** URIs where users return after a logout. */
  readonly post_logout_redirect_uris?: readonly string[];
  /** URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none. */
  readonly initiate_login_uri?: string;
  /** URL on the client’s server that receives a logout token when a user signs out (OpenID Connect Back-Channel Logout). */
  readonly backchannel_logout_uri?: string;
  /** Whether the client requires `sid` in logout tokens. All logout tokens contain it. */
  readonly backchannel_logout_session_required?: boolean;
  /** Whether the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean;
  /** Whether the client must sign its authorization requests (RFC 9101 §10.5). */
  readonly require_signed_request_object?: boolean;
  /** Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean;
  /** Only administrators can set this to `true`. */
  readonly first_party?: false;
  /** ID of the application itself. */
  readonly client_id: string;
  /** The current secret of the application. The application cannot choose a secret. */
  readonly client_secret?: string;
}

/** Whether a token is active for this client, and if it is, its claims. */
export interface Introspection {
  /** Whether the token is currently valid. */
  readonly active: boolean;
  /** Unique ID of the token. */
  readonly jti?: string;
  /** How the token is sent: `Bearer` (RFC 6750), or `DPoP` with a proof signed with the key that the token is bound to (RFC 9449). */
  readonly token_type?: 'Bearer' | 'DPoP';
  /** Issuer: the tenant that issued the token. */
  readonly iss?: string;
  /** `user:<id>` or `service:<id>`. */
  readonly sub?: string;
  /** Audience of the token. */
  readonly aud?: string;
  /** When the token was issued, in seconds since the epoch. */
  readonly iat?: number;
  /** When the token expires, in seconds since the epoch. */
  readonly exp?: number;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id?: string;
  /** ID of a workspace: `ws_<slug>`. */
  readonly workspace_id?: string;
  /** Roles of the subject. */
  readonly roles?: readonly string[];
  /** Scopes of the token. */
  readonly scopes?: readonly string[];
  /** Scopes of the token, separated by spaces (RFC 9068). */
  readonly scope?: string;
  /** ID of a session: `session:<id>`. */
  readonly sid?: string;
  /** The client that requested the token (RFC 9068 §2.2): an application, an agent, or `keywright` for direct logins. */
  readonly client_id?: string;
  /** ID of an API key: `key_<id>`. */
  readonly key_id?: string;
  /** When the user authenticated, in seconds since the epoch (RFC 9068 §2.2.1). A refresh does not change it. */
  readonly auth_time?: number;
  /** Authentication assurance (OpenID Connect Core §2): `aal1` for one factor, `aal2` for two factors of different types, `phr` for phishing-resistant authentication. */
  readonly acr?: 'aal1' | 'aal2' | 'phr';
  /** Authentication methods that the user used (RFC 8176). `pwd` is a password. */
  readonly amr?: readonly string[];
  /** Version of the subject’s permissions. Increases when they change. */
  readonly ver?: number;
  /** The party that acts for the subject (RFC 8693 §4.1). */
  readonly act?: {
    /** `user:<id>`, `service:<id>` or `client_<id>`. */
    readonly sub: string;
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id?: string;
    /** ID of a delegation: `dlg_<id>`. */
    readonly delegation_id?: string;
    /** ID of an API key: `key_<id>`. */
    readonly key_id?: string;
    /** The `ver` of the actor. */
    readonly ver?: number;
    /** The previous actor in the delegation chain. */
    readonly act?: {
      /** `user:<id>`, `service:<id>` or `client_<id>`. */
      readonly sub: string;
      /** ID of a tenant: `org_<slug>`. */
      readonly tenant_id?: string;
      /** ID of a delegation: `dlg_<id>`. */
      readonly delegation_id?: string;
      /** ID of an API key: `key_<id>`. */
      readonly key_id?: string;
      /** The `ver` of the actor. */
      readonly ver?: number;
      /** The previous actor in the delegation chain. */
      readonly act?: {
        /** `user:<id>`, `service:<id>` or `client_<id>`. */
        readonly sub: string;
        /** ID of a tenant: `org_<slug>`. */
        readonly tenant_id?: string;
        /** ID of a delegation: `dlg_<id>`. */
        readonly delegation_id?: string;
        /** ID of an API key: `key_<id>`. */
        readonly key_id?: string;
        /** The `ver` of the actor. */
        readonly ver?: number;
      };
    };
  };
  /** The key that the token is bound to. Requests with the token need a DPoP proof signed with this key. */
  readonly cnf?: {
    /** SHA-256 thumbprint of the public key (RFC 7638). */
    readonly jkt: string;
  };
  /** Granted authorization details (RFC 9396). */
  readonly authorization_details?: readonly {
    /** The type. */
    readonly type: string;
    readonly [name: string]: unknown;
  }[];
  /** Location of the token’s revocation status. */
  readonly status?: {
    /** The token’s entry in a status list. */
    readonly status_list: {
      /** Index of the token’s bit in the list. */
      readonly idx: number;
      /** URI of the status list. */
      readonly uri: string;
    };
  };
  readonly [name: string]: unknown;
}

/** An endpoint that receives events. */
export interface Webhook {
  /** ID of a webhook: `wh_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** URL that events are delivered to. */
  readonly url: string;
  /** Event types that the webhook receives. */
  readonly events: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
  /** Whether the webhook is active. Nothing is sent to an inactive webhook. */
  readonly is_active: boolean;
  /** Why the service disabled the webhook; `null` if it did not. */
  readonly disabled_reason: string | null;
  /** Time since which every delivery has failed; `null` if the last delivery succeeded. */
  readonly failing_since: string | null;
  /** After a rotation: when the previous secret stops being valid. */
  readonly overlap_ends_at: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A webhook, as returned when its secret is created. */
export interface WebhookWithSecret {
  /** ID of a webhook: `wh_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** URL that events are delivered to. */
  readonly url: string;
  /** Event types that the webhook receives. */
  readonly events: readonly ('user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test')[];
  /** Whether the webhook is active. Nothing is sent to an inactive webhook. */
  readonly is_active: boolean;
  /** Why the service disabled the webhook; `null` if it did not. */
  readonly disabled_reason: string | null;
  /** Time since which every delivery has failed; `null` if the last delivery succeeded. */
  readonly failing_since: string | null;
  /** After a rotation: when the previous secret stops being valid. */
  readonly overlap_ends_at: string | null;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** The signing secret. Shown only once. */
  readonly secret: string;
}

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  /** When the attempt ended (ISO 8601, UTC). */
  readonly at: string;
  /** HTTP status of the response; `null` without a response. */
  readonly status: number | null;
  /** Duration of the attempt, in milliseconds; `null` if it is unknown. */
  readonly duration_ms: number | null;
  /** Why the attempt failed; `null` if it succeeded. */
  readonly reason: string | null;
  /** The first 256 characters of the response. */
  readonly body: string | null;
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  /** ID of a delivery: `job_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** ID of a webhook: `wh_<id>`. */
  readonly webhook_id: string;
  /** ID of an event: `evt_<id>`. */
  readonly event_id: string;
  /** Type of the event. */
  readonly event_type: string;
  /** `pending`: an attempt is due or in progress. `failed`: there are no more attempts. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Time of the next attempt; `null` if there is none. */
  readonly next_attempt_at: string | null;
  /** Time of the last attempt; `null` if there was none. */
  readonly last_attempt_at: string | null;
  /** HTTP status of the last attempt; `null` without a response. */
  readonly response_status: number | null;
  /** The first 1,024 bytes of the last response. */
  readonly response_body: string | null;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** The last ten attempts, oldest first, including those made before the event was resent. */
  readonly last_attempts: readonly DeliveryAttempt[];
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A key that signs tokens. The private key is never shown. */
export interface SigningKey {
  /** ID of a signing key: `key_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** EdDSA (Ed25519) signs access and refresh tokens. RS256 and ES256 sign for applications. */
  readonly algorithm: 'EdDSA' | 'RS256' | 'ES256';
  /** The public key, in base64url: the 32 bytes of an Ed25519 key, or the SubjectPublicKeyInfo (DER) of other keys. */
  readonly public_key: string;
  /** Whether the key is in the published key set. */
  readonly is_active: boolean;
  /** `next`: published, will sign later. `current`: signs. `previous`: published until its last token has expired. `retired`: no longer published. */
  readonly state: 'next' | 'current' | 'previous' | 'retired';
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the key starts to sign. */
  readonly signs_from: string;
  /** Latest expiry of an access or ID token that the key signed: a day after its successor starts to sign, or the time of retirement for a key that was retired earlier. `null` if the key has no successor yet. */
  readonly tokens_until: string | null;
}

/** An event. The fields of `data` depend on `type`. */
export interface Event {
  /** ID of an event: `evt_<id>`. */
  readonly id: string;
  /** Type of the event. */
  readonly type: 'user.created' | 'user.updated' | 'user.reclaimed' | 'password.recovered' | 'identifier.verified' | 'user.invited' | 'invitation.accepted' | 'user.deleted' | 'user.login' | 'user.logout' | 'session.created' | 'session.revoked' | 'role.assigned' | 'workspace.created' | 'role.unassigned' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'delegation.created' | 'delegation.revoked' | 'consent.granted' | 'consent.revoked' | 'factor.added' | 'factor.removed' | 'factor.suspicious' | 'identity.linked' | 'identity.unlinked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'message.failed' | 'messaging.failing' | 'sms.paused' | 'webhook.test';
  /** Time of the event. */
  readonly created_at: string;
  /** Data of the event. Its fields depend on the type. */
  readonly data: {
    /** ID of a tenant: `org_<slug>`. */
    readonly tenant_id: string;
    readonly [name: string]: unknown;
  };
}

/** A record of an action: the actor, the target, the origin and the outcome. */
export interface AuditEntry {
  /** ID of an audit entry: `aud_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** The actor that performed the action. */
  readonly actor: {
    /** Type of the actor. `impersonator` is a system administrator who acts inside the tenant. */
    readonly kind: 'user' | 'impersonator' | 'agent' | 'delegate' | 'app' | 'system' | 'anonymous';
    /** `user:<id>`, `service:<id>`, or the name of a component of the service. */
    readonly id: string | null;
    /** The user that a delegate acts for. */
    readonly on_behalf_of: string | null;
    /** ID of the session, API key or grant that was used. */
    readonly credential: string | null;
  };
  /** The action. */
  readonly action: 'auth.login' | 'auth.stepped_up' | 'auth.code_redeemed' | 'auth.login_failed' | 'auth.breach_check_failed' | 'auth.logout' | 'auth.denied' | 'auth.impersonated' | 'auth.impersonation_ended' | 'auth.token_exchanged' | 'auth.identity_asserted' | 'auth.assertion_redeemed' | 'auth.token_issued' | 'auth.token_refused' | 'users.exported' | 'user.created' | 'user.updated' | 'user.reclaimed' | 'user.recovery_sent' | 'user.unlocked' | 'user.export_requested' | 'user.exported' | 'user.recovered' | 'identifier.added' | 'identifier.removed' | 'identifier.made_primary' | 'identifier.restored' | 'identifier.verified' | 'identifier.released' | 'invitation.created' | 'invitation.resent' | 'invitation.revoked' | 'invitation.accepted' | 'invitation.declined' | 'invitation.refused' | 'user.deleted' | 'user.disabled' | 'session.revoked' | 'role.created' | 'role.updated' | 'role.deleted' | 'workspace.created' | 'workspace.updated' | 'workspace.deleted' | 'workspace.member_added' | 'workspace.member_removed' | 'tenant.created' | 'tenant.updated' | 'key.rotated' | 'key.retired' | 'agent.created' | 'agent.updated' | 'agent.deleted' | 'apikey.created' | 'apikey.rotated' | 'apikey.revoked' | 'apikey.reported' | 'delegation.created' | 'delegation.revoked' | 'device.approved' | 'device.denied' | 'consent.granted' | 'consent.revoked' | 'factor.begun' | 'factor.added' | 'factor.updated' | 'factor.suspicious' | 'factor.removed' | 'identity.linked' | 'identity.unlinked' | 'identity_provider.created' | 'identity_provider.updated' | 'identity_provider.domain_added' | 'identity_provider.domain_verified' | 'identity_provider.domain_removed' | 'identity_provider.tested' | 'identity_provider.deleted' | 'client.created' | 'client.updated' | 'client.deleted' | 'registration_token.created' | 'registration_token.deleted' | 'client.tested' | 'client.secret_created' | 'client.secret_deleted' | 'signals.stream_created' | 'signals.stream_updated' | 'signals.stream_paused' | 'signals.stream_deleted' | 'resource.created' | 'resource.updated' | 'resource.deleted' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.disabled' | 'webhook.rotated' | 'webhook.tested' | 'webhook.replayed' | 'auth.message_sent' | 'message.failed' | 'branding.text_changed' | 'messaging.template_changed' | 'messaging.tested' | 'messaging.suppressed' | 'messaging.suppression_removed' | 'messaging.failing' | 'sms.paused' | 'system.work';
  /** The target of the action. */
  readonly target: {
    /** Type of the target. */
    readonly kind: 'user' | 'invitation' | 'session' | 'role' | 'workspace' | 'tenant' | 'signing_key' | 'agent' | 'api_key' | 'delegation' | 'webhook' | 'identity_provider' | 'registration_token' | 'client' | 'resource' | 'consent' | 'factor' | 'message' | 'identifier' | 'route' | 'installation';
    /** ID or name of the target. */
    readonly id: string | null;
  };
  /** `failure`: the credential or data was rejected. `denied`: the caller was not allowed to perform the action. */
  readonly outcome: 'success' | 'failure' | 'denied';
  /** IP address of the request. */
  readonly address: string | null;
  /** The `x-request-id` response header. It also appears in the logs. */
  readonly request_id: string | null;
  /** Number of events of the same kind that this entry represents: 1, or more during a flood of events. */
  readonly count: number;
  /** Additional details. They depend on the action. */
  readonly details: {
    /** Scopes that the target gained. */
    readonly scopes_added?: readonly string[];
    /** Scopes that the target lost. */
    readonly scopes_removed?: readonly string[];
    /** Roles that the user gained. */
    readonly roles_added?: readonly string[];
    /** Roles that the user lost. */
    readonly roles_removed?: readonly string[];
    /** Names of the changed fields. */
    readonly fields?: readonly string[];
    /** Why the action was rejected, or the reason that the caller gave. */
    readonly reason?: string;
    readonly [name: string]: unknown;
  };
  /** Message authentication code that only the service can compute. It proves that the service wrote the entry and that the entry is unchanged. An entry without one is forged. */
  readonly mac?: string;
  /** Position in the chain, starting at 1; `null` until the entry is sealed, a few seconds later. */
  readonly position: number | null;
  /** The `hash` of the previous entry; `null` for the first entry. */
  readonly previous_hash: string | null;
  /** SHA-256 of the canonical JSON (RFC 8785) of all other fields. */
  readonly hash: string | null;
}

/** A signed head of a tenant’s audit log. */
export interface AuditCheckpoint {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Position of the last entry that the checkpoint covers. */
  readonly position: number;
  /** A JWS (EdDSA, `typ` `audit-checkpoint+jwt`) that contains `tenant_id`, `position`, `hash` and `iat`, signed with a key of the tenant. */
  readonly token: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** The name of a record that another record mentions. */
export interface RecordName {
  /** ID of the record. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Name of the record. For a user without a name, the first identifier; for an invitation, the invited address; for a webhook, the host of its URL. */
  readonly name: string;
}

/** A tenant’s activity during one span of time. */
export interface ActivitySpan {
  /** Start of the span, in UTC. */
  readonly began_at: string;
  /** Completed logins, by first method. The second factor is not counted separately. */
  readonly logins: {
    /** With a password. */
    readonly password: number;
    /** With a code or link from a message. */
    readonly message: number;
    /** With a passkey. */
    readonly passkey: number;
    /** At an identity provider. */
    readonly provider: number;
  };
  /** Attempts with a wrong credential or by a user who is not allowed to sign in. A login that continues with a second factor is not counted. */
  readonly logins_failed: {
    /** With a password. */
    readonly password: number;
    /** With a code or link from a message. */
    readonly message: number;
    /** With a passkey. */
    readonly passkey: number;
    /** At an identity provider. */
    readonly provider: number;
    /** With a second-factor code, after another method. */
    readonly second_factor: number;
  };
  /** Attempts that exceeded a rate limit. */
  readonly logins_throttled: number;
  /** Sessions opened by logins. */
  readonly sessions_begun: number;
  /** Responses that contain an access token: logins, refreshes, the token endpoint and impersonations. */
  readonly tokens_issued: number;
  /** Requests to all routes. */
  readonly requests: number;
  /** Rejected requests, by status. */
  readonly requests_refused: {
    /** 401: no valid credential. */
    readonly unauthenticated: number;
    /** 403: missing permission. */
    readonly forbidden: number;
    /** 429: rate limit exceeded. */
    readonly throttled: number;
  };
  /** Attempts to deliver events to webhook endpoints. */
  readonly deliveries: {
    /** Attempts that the endpoint accepted. */
    readonly delivered: number;
    /** Failed attempts, including those that will be retried. */
    readonly failed: number;
  };
}

/** The settings of a tenant. Each has a default. Times are in seconds. */
export interface TenantConfig {
  /** Login methods of the tenant. `magic_link` sends a link and a code by email, or a code by SMS; it needs a way to send messages. `passkey` needs an issuer with a host name and https. `oauth` needs an active identity provider. Second factors that users have are always accepted. A list that would lock out all users is rejected. */
  readonly allowed_login_methods: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[];
  /** Page of the application that opens the links in messages, with the token in the fragment: `#link_token=…`. If null, messages contain only a code, and invitations link to a page of the service. */
  readonly magic_link_url: string | null;
  /** Whether a flow with `register` creates a user for an unknown identifier after the link or code in its message is used. Needs `allow_registration`. */
  readonly magic_link_registration: boolean;
  /** Pages of applications that users return to after a login at an identity provider. URLs are compared exactly. */
  readonly return_urls: readonly string[];
  /** Domain that passkeys are bound to: a domain of the tenant, or a parent domain that is not a public suffix. If null, the host of the issuer. While users have passkeys, a change requires `force=true`, because their passkeys stop working. */
  readonly passkey_rp_id: string | null;
  /** Origins of pages and Android apps that can use passkeys, in addition to the origin of the issuer. Origins on other domains are related origins (WebAuthn Level 3 §5.11); browsers accept five different names. */
  readonly passkey_origins: readonly string[];
  /** Whether authenticators must prove their model when a passkey is added. `direct` rejects most synced passkeys. Certificates are not compared with those of manufacturers. */
  readonly passkey_attestation: 'none' | 'direct';
  /** Models of authenticators that can create new passkeys. If empty, all models. */
  readonly passkey_aaguids: readonly string[];
  /** Whether every login needs a second factor. Users without one add it during their next login. Users who have a second factor always need it, regardless of this setting. */
  readonly require_mfa: boolean;
  /** Users who hold every scope of this role need a second factor for every login. If null, no role requires one. */
  readonly require_mfa_role: string | null;
  /** Second factors. `passkey` and `totp` can be added during a login by users who have none; factors that users already have are always needed. `sms`: a code to a verified phone number counts as a second factor of users who have no other. It needs codes by SMS, and is exposed to the theft of phone numbers. `email`: a code to a verified email address, after another factor, satisfies `require_mfa`, but the session remains `aal1`. It needs a mail server. */
  readonly mfa_methods: readonly ('passkey' | 'totp' | 'sms' | 'email')[];
  /** Whether users need a verified identifier to sign in. Users without one verify their email address during their next login or refresh. Users without an email address cannot sign in until an administrator sets `verified`. Needs a mail server. */
  readonly require_verified_identifier: boolean;
  /** How recently users must have authenticated to change how they sign in, or to delete a tenant, in seconds. */
  readonly step_up_max_age: number;
  /** Whether people enter their name when they create an account or accept an invitation. `off`: the pages do not ask for it. `required`: registering without a name is rejected, except at an identity provider. */
  readonly registration_name: 'off' | 'optional' | 'required';
  /** Whether users can delete their own accounts, after a recent login. */
  readonly allow_account_deletion: boolean;
  /** Whether users are notified of logins from devices that present no `device_token` of an earlier login. Turn it off if your applications do not store device tokens. */
  readonly notify_new_device: boolean;
  /** Minimum length of a new password, in characters. */
  readonly password_min_length: number;
  /** Whether a new password must contain a character other than letters and digits. */
  readonly password_require_special: boolean;
  /** When unused imported passwords stop working. Their users must then recover their accounts. If null, never. */
  readonly import_expires_at: string | null;
  /** Which breached passwords are rejected as new passwords. `list`: the most common ones. `range`: also those of a service that receives 5 digits of a hash, by default Have I Been Pwned. `file`: also those in a file of the operator. If the service or the file is unavailable, the password is accepted. */
  readonly breached_passwords: 'off' | 'list' | 'range' | 'file';
  /** Handling of a login with a breached password. `require`: the login continues in a flow that needs a new password. `notify`: the user gets an email, at most once in 30 days; needs a mail server. */
  readonly breached_at_login: 'require' | 'notify' | 'off';
  /** Lifetime of an access token, in seconds. */
  readonly session_timeout: number;
  /** Lifetime of a refresh token, in seconds. Each refresh issues a token with the full lifetime. */
  readonly refresh_token_ttl: number;
  /** Maximum lifetime of a session, in seconds, regardless of refreshes. */
  readonly refresh_token_absolute_ttl: number;
  /** How long a login in a browser, on the pages of the service, remains valid without use, in seconds. */
  readonly browser_session_idle_ttl: number;
  /** Maximum lifetime of a login in a browser, in seconds, regardless of use. */
  readonly browser_session_ttl: number;
  /** How long a login in the console remains valid without use, in seconds. */
  readonly console_idle_ttl: number;
  /** Maximum lifetime of a login in the console, in seconds. */
  readonly console_session_ttl: number;
  /** Whether the tenant is an OpenID provider, where applications can sign in users. If off, applications are rejected with `OAUTH_OFF`. Their sessions are kept, and agents still get tokens. */
  readonly oauth_enabled: boolean;
  /** `fapi2` requires the FAPI 2.0 Security Profile of all applications and agents: requests are pushed, clients authenticate with `private_key_jwt`, tokens are bound to keys by DPoP with nonces of the service, and nothing is signed with RS256. Applications and agents that do not meet it are rejected. The rules of `oauth_require_pushed_requests`, `oauth_dpop_nonces` and `oauth_require_pkce` then always apply. */
  readonly oauth_profile: 'none' | 'fapi2';
  /** Whether all applications must use PKCE (RFC 7636), regardless of their `require_pkce`. Public applications always must. */
  readonly oauth_require_pkce: boolean;
  /** Whether all applications must push their authorization requests (RFC 9126), not only those registered with this requirement. */
  readonly oauth_require_pushed_requests: boolean;
  /** Whether DPoP proofs need a nonce of the service (RFC 9449 §8), so that proofs cannot be made in advance. The nonce changes every minute. Clients get it in the header `DPoP-Nonce`. */
  readonly oauth_dpop_nonces: boolean;
  /** Who can register applications at the registration endpoint (RFC 7591). `off`: no one. `token`: callers with a registration token, or with a credential that has `write:clients`. `open`: all callers. Applications registered without a token or credential get no permission to write or to delete, are limited in number, and are deleted after 30 days without a consent. */
  readonly oauth_registration: 'off' | 'token' | 'open';
  /** Maximum number of applications that were registered without a token or credential, or that users added through the URL of a metadata document. */
  readonly oauth_max_registered_clients: number;
  /** Which applications can use the https URL of their metadata document as `client_id`. `listed`: those at `oauth_client_domains`. */
  readonly oauth_metadata_documents: 'off' | 'listed' | 'any';
  /** Hosts of metadata documents of applications. The whole host name must match. */
  readonly oauth_client_domains: readonly string[];
  /** When users are asked for consent. `once`: at the first login to an application, and again when it requests more or redirects to a new host. `always`: at every login to an application. First-party applications need no consent. */
  readonly oauth_consent: 'once' | 'always';
  /** How long a used refresh token returns the same successor, and a completed flow the same tokens, in seconds. It lets clients repeat a request whose response they lost. */
  readonly refresh_retry_window: number;
  /** Maximum number of login attempts for one identifier within `login_attempts_window`. */
  readonly login_attempts_limit: number;
  /** Length of the window for counting login attempts, in seconds. */
  readonly login_attempts_window: number;
  /** Maximum number of login attempts from one IP address within `login_attempts_window`, for any identifiers. If null, ten times `login_attempts_limit`. */
  readonly login_attempts_address_limit: number | null;
  /** Maximum number of registrations per hour in the tenant. */
  readonly registrations_limit: number;
  /** Maximum number of registrations per hour from one IP address. */
  readonly registrations_address_limit: number;
  /** Whether a login with `register` creates a user. Invited people can always become users. */
  readonly allow_registration: boolean;
  /** Value of `aud` in access tokens. If null, the issuer. */
  readonly audience: string | null;
  /** Origins whose scripts can read responses in a browser (CORS): https, or http on a loopback host. */
  readonly allowed_origins: readonly string[];
  /** Languages of messages and pages (BCP 47), in order of preference, for users who prefer no other language. If empty, English. */
  readonly locales: readonly string[];
  /** Countries whose phone numbers can receive codes by SMS. If empty, no codes are sent by SMS. Needs `messaging.sms`. */
  readonly sms_countries: readonly string[];
  /** Maximum number of text messages per hour, to all numbers. More are not sent. The last quarter is reserved for new networks, and for users who have proven more than an identifier. */
  readonly sms_hourly_limit: number;
  /** Maximum number of text messages per day, to all numbers. */
  readonly sms_daily_limit: number;
  /** Maximum number of text messages per hour to the numbers of one country. */
  readonly sms_country_hourly_limit: number;
  /** Claims added to the access tokens of users. */
  readonly custom_claims: {
    readonly [name: string]: CustomClaim;
  };
}

/** Appearance of the tenant’s pages and emails. Unset fields are absent. */
export interface TenantBranding {
  /** URL of a logo: PNG, JPEG, WebP, AVIF or SVG, at most 256 KiB. The service fetches it once and serves it from its own host. */
  readonly logo_url?: string;
  /** URL of a logo for dark backgrounds. Default: the same logo. */
  readonly logo_dark_url?: string;
  /** URL of a square icon for browser tabs. Pages without a logo also show it next to the name. */
  readonly icon_url?: string;
  /** URL of an image for `background: image`, at most 512 KiB. */
  readonly background_url?: string;
  /** Name shown to users. */
  readonly company_name?: string;
  /** Email address where users can get help. */
  readonly support_email?: string;
  /** URL of the terms of service, linked on pages. */
  readonly terms_url?: string;
  /** URL of the privacy policy, linked on pages. */
  readonly privacy_url?: string;
  /** A color: `#rrggbb`. */
  readonly primary_color?: string;
  /** A color: `#rrggbb`. */
  readonly secondary_color?: string;
  /** Color scheme of the pages. `auto` (default) follows the browser’s preference. */
  readonly color_scheme?: 'auto' | 'light' | 'dark';
  /** Corner radius of buttons and fields, in pixels. Default: 10. */
  readonly corner?: number;
  /** Font of the pages. `system`: the font of the device. Default: `geist`. */
  readonly font?: 'geist' | 'inter' | 'instrument-sans' | 'dm-sans' | 'figtree' | 'manrope' | 'source-serif' | 'lora' | 'system';
  /** Layout of the sign-in pages. `card` (default): a card in the middle. `plain`: without a card. `split-start` and `split-end`: on wide screens, the form is in the half where lines start or end, and the background is in the other half. */
  readonly layout?: 'card' | 'plain' | 'split-start' | 'split-end';
  /** Background of the sign-in pages. `gradient`: shades of `primary_color`. `image`: the image `background`, or the gradient if there is none. Default: `gradient` in the split layouts, otherwise `none`. */
  readonly background?: 'none' | 'color' | 'gradient' | 'image';
  /** Background color with `background: color`: `#rrggbb`. Default: `primary_color`. */
  readonly background_color?: string;
  /** Position of the logo: `inside` (default) the card, `above` it, or in the `corner` of the page. */
  readonly logo_position?: 'inside' | 'above' | 'corner';
  /** Height of the logo, in pixels. Default: 40. */
  readonly logo_height?: number;
  /** Alignment of the logo and the heading. Default: `start`. */
  readonly heading_align?: 'start' | 'center';
  /** Position of the buttons of identity providers, relative to the form. Default: `top`. */
  readonly provider_position?: 'top' | 'bottom';
  /** Buttons of identity providers. `list` (default): each with its name. `icons`: in a row, with the icons of providers that have one. */
  readonly provider_style?: 'list' | 'icons';
  /** Whether the page asks for the email or phone number first and for the password on the next page. Always applies if a provider captures a domain. Default: false. */
  readonly identifier_first?: boolean;
}

/** Delivery of messages. Unset fields are absent. Secrets are masked. */
export interface TenantMessaging {
  /** Email delivery. */
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
  /** SMS delivery. */
  readonly sms?: {
    /** Provider of text messages. `webhook`: your own service at `url`. */
    readonly provider?: 'twilio' | 'vonage' | 'webhook';
    /** Account at the provider. For Vonage, the API key. */
    readonly account_sid?: string;
    /** Token of the account. For Vonage, the API secret. If you change the provider, account or `url`, you must send it again. Always reads as `********`. */
    readonly auth_token?: string;
    /** Sender: a number or name that the provider accepts. For Twilio, also the SID of a messaging service. */
    readonly from?: string;
    /** With `webhook`: URL that messages are posted to. For other providers: base URL of the provider’s API, if it differs from the default, as in a specific region. */
    readonly url?: string;
    /** With `webhook`: the secret that signs requests in the same way as webhooks, at least 16 characters. If you change the provider or `url`, you must send it again. Always reads as `********`. */
    readonly secret?: string;
  };
}

/** An organization, isolated from all other tenants. */
export interface Tenant {
  /** ID of a tenant: `org_<slug>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Display name. */
  readonly name: string;
  /** The ID without the prefix `org_`. */
  readonly slug: string;
  /** Host names of the tenant. */
  readonly domains: readonly string[];
  /** The `iss` of the tenant’s tokens. */
  readonly issuer: string;
  readonly config: TenantConfig;
  readonly branding: TenantBranding;
  readonly messaging: TenantMessaging;
  /** How the tenant’s emails are delivered. `tenant`: by its own mail server. `installation`: by the mail server of the installation. `development`: they are shown instead of being sent. `none`: they cannot be sent. */
  readonly email_delivery: 'tenant' | 'installation' | 'development' | 'none';
  /** Whether the tenant is active. Every request to an inactive tenant fails with 403. */
  readonly is_active: boolean;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Settings to change. `null` resets a setting to its default. */
export interface TenantConfigPatch {
  /** Login methods of the tenant. `magic_link` sends a link and a code by email, or a code by SMS; it needs a way to send messages. `passkey` needs an issuer with a host name and https. `oauth` needs an active identity provider. Second factors that users have are always accepted. A list that would lock out all users is rejected. */
  readonly allowed_login_methods?: readonly ('password' | 'magic_link' | 'oauth' | 'passkey')[] | null;
  /** Page of the application that opens the links in messages, with the token in the fragment: `#link_token=…`. If null, messages contain only a code, and invitations link to a page of the service. */
  readonly magic_link_url?: string | null;
  /** Whether a flow with `register` creates a user for an unknown identifier after the link or code in its message is used. Needs `allow_registration`. */
  readonly magic_link_registration?: boolean | null;
  /** Pages of applications that users return to after a login at an identity provider. URLs are compared exactly. */
  readonly return_urls?: readonly string[] | null;
  /** Domain that passkeys are bound to: a domain of the tenant, or a parent domain that is not a public suffix. If null, the host of the issuer. While users have passkeys, a change requires `force=true`, because their passkeys stop working. */
  readonly passkey_rp_id?: string | null;
  /** Origins of pages and Android apps that can use passkeys, in addition to the origin of the issuer. Origins on other domains are related origins (WebAuthn Level 3 §5.11); browsers accept five different names. */
  readonly passkey_origins?: readonly string[] | null;
  /** Whether authenticators must prove their model when a passkey is added. `direct` rejects most synced passkeys. Certificates are not compared with those of manufacturers. */
  readonly passkey_attestation?: 'none' | 'direct' | null;
  /** Models of authenticators that can create new passkeys. If empty, all models. */
  readonly passkey_aaguids?: readonly string[] | null;
  /** Whether every login needs a second factor. Users without one add it during their next login. Users who have a second factor always need it, regardless of this setting. */
  readonly require_mfa?: boolean | null;
  /** Users who hold every scope of this role need a second factor for every login. If null, no role requires one. */
  readonly require_mfa_role?: string | null;
  /** Second factors. `passkey` and `totp` can be added during a login by users who have none; factors that users already have are always needed. `sms`: a code to a verified phone number counts as a second factor of users who have no other. It needs codes by SMS, and is exposed to the theft of phone numbers. `email`: a code to a verified email address, after another factor, satisfies `require_mfa`, but the session remains `aal1`. It needs a mail server. */
  readonly mfa_methods?: readonly ('passkey' | 'totp' | 'sms' | 'email')[] | null;
  /** Whether users need a verified identifier to sign in. Users without one verify their email address during their next login or refresh. Users without an email address cannot sign in until an administrator sets `verified`. Needs a mail server. */
  readonly require_verified_identifier?: boolean | null;
  /** How recently users must have authenticated to change how they sign in, or to delete a tenant, in seconds. */
  readonly step_up_max_age?: number | null;
  /** Whether people enter their name when they create an account or accept an invitation. `off`: the pages do not ask for it. `required`: registering without a name is rejected, except at an identity provider. */
  readonly registration_name?: 'off' | 'optional' | 'required' | null;
  /** Whether users can delete their own accounts, after a recent login. */
  readonly allow_account_deletion?: boolean | null;
  /** Whether users are notified of logins from devices that present no `device_token` of an earlier login. Turn it off if your applications do not store device tokens. */
  readonly notify_new_device?: boolean | null;
  /** Minimum length of a new password, in characters. */
  readonly password_min_length?: number | null;
  /** Whether a new password must contain a character other than letters and digits. */
  readonly password_require_special?: boolean | null;
  /** When unused imported passwords stop working. Their users must then recover their accounts. If null, never. */
  readonly import_expires_at?: string | null;
  /** Which breached passwords are rejected as new passwords. `list`: the most common ones. `range`: also those of a service that receives 5 digits of a hash, by default Have I Been Pwned. `file`: also those in a file of the operator. If the service or the file is unavailable, the password is accepted. */
  readonly breached_passwords?: 'off' | 'list' | 'range' | 'file' | null;
  /** Handling of a login with a breached password. `require`: the login continues in a flow that needs a new password. `notify`: the user gets an email, at most once in 30 days; needs a mail server. */
  readonly breached_at_login?: 'require' | 'notify' | 'off' | null;
  /** Lifetime of an access token, in seconds. */
  readonly session_timeout?: number | null;
  /** Lifetime of a refresh token, in seconds. Each refresh issues a token with the full lifetime. */
  readonly refresh_token_ttl?: number | null;
  /** Maximum lifetime of a session, in seconds, regardless of refreshes. */
  readonly refresh_token_absolute_ttl?: number | null;
  /** How long a login in a browser, on the pages of the service, remains valid without use, in seconds. */
  readonly browser_session_idle_ttl?: number | null;
  /** Maximum lifetime of a login in a browser, in seconds, regardless of use. */
  readonly browser_session_ttl?: number | null;
  /** How long a login in the console remains valid without use, in seconds. */
  readonly console_idle_ttl?: number | null;
  /** Maximum lifetime of a login in the console, in seconds. */
  readonly console_session_ttl?: number | null;
  /** Whether the tenant is an OpenID provider, where applications can sign in users. If off, applications are rejected with `OAUTH_OFF`. Their sessions are kept, and agents still get tokens. */
  readonly oauth_enabled?: boolean | null;
  /** `fapi2` requires the FAPI 2.0 Security Profile of all applications and agents: requests are pushed, clients authenticate with `private_key_jwt`, tokens are bound to keys by DPoP with nonces of the service, and nothing is signed with RS256. Applications and agents that do not meet it are rejected. The rules of `oauth_require_pushed_requests`, `oauth_dpop_nonces` and `oauth_require_pkce` then always apply. */
  readonly oauth_profile?: 'none' | 'fapi2' | null;
  /** Whether all applications must use PKCE (RFC 7636), regardless of their `require_pkce`. Public applications always must. */
  readonly oauth_require_pkce?: boolean | null;
  /** Whether all applications must push their authorization requests (RFC 9126), not only those registered with this requirement. */
  readonly oauth_require_pushed_requests?: boolean | null;
  /** Whether DPoP proofs need a nonce of the service (RFC 9449 §8), so that proofs cannot be made in advance. The nonce changes every minute. Clients get it in the header `DPoP-Nonce`. */
  readonly oauth_dpop_nonces?: boolean | null;
  /** Who can register applications at the registration endpoint (RFC 7591). `off`: no one. `token`: callers with a registration token, or with a credential that has `write:clients`. `open`: all callers. Applications registered without a token or credential get no permission to write or to delete, are limited in number, and are deleted after 30 days without a consent. */
  readonly oauth_registration?: 'off' | 'token' | 'open' | null;
  /** Maximum number of applications that were registered without a token or credential, or that users added through the URL of a metadata document. */
  readonly oauth_max_registered_clients?: number | null;
  /** Which applications can use the https URL of their metadata document as `client_id`. `listed`: those at `oauth_client_domains`. */
  readonly oauth_metadata_documents?: 'off' | 'listed' | 'any' | null;
  /** Hosts of metadata documents of applications. The whole host name must match. */
  readonly oauth_client_domains?: readonly string[] | null;
  /** When users are asked for consent. `once`: at the first login to an application, and again when it requests more or redirects to a new host. `always`: at every login to an application. First-party applications need no consent. */
  readonly oauth_consent?: 'once' | 'always' | null;
  /** How long a used refresh token returns the same successor, and a completed flow the same tokens, in seconds. It lets clients repeat a request whose response they lost. */
  readonly refresh_retry_window?: number | null;
  /** Maximum number of login attempts for one identifier within `login_attempts_window`. */
  readonly login_attempts_limit?: number | null;
  /** Length of the window for counting login attempts, in seconds. */
  readonly login_attempts_window?: number | null;
  /** Maximum number of login attempts from one IP address within `login_attempts_window`, for any identifiers. If null, ten times `login_attempts_limit`. */
  readonly login_attempts_address_limit?: number | null;
  /** Maximum number of registrations per hour in the tenant. */
  readonly registrations_limit?: number | null;
  /** Maximum number of registrations per hour from one IP address. */
  readonly registrations_address_limit?: number | null;
  /** Whether a login with `register` creates a user. Invited people can always become users. */
  readonly allow_registration?: boolean | null;
  /** Value of `aud` in access tokens. If null, the issuer. */
  readonly audience?: string | null;
  /** Origins whose scripts can read responses in a browser (CORS): https, or http on a loopback host. */
  readonly allowed_origins?: readonly string[] | null;
  /** Languages of messages and pages (BCP 47), in order of preference, for users who prefer no other language. If empty, English. */
  readonly locales?: readonly string[] | null;
  /** Countries whose phone numbers can receive codes by SMS. If empty, no codes are sent by SMS. Needs `messaging.sms`. */
  readonly sms_countries?: readonly string[] | null;
  /** Maximum number of text messages per hour, to all numbers. More are not sent. The last quarter is reserved for new networks, and for users who have proven more than an identifier. */
  readonly sms_hourly_limit?: number | null;
  /** Maximum number of text messages per day, to all numbers. */
  readonly sms_daily_limit?: number | null;
  /** Maximum number of text messages per hour to the numbers of one country. */
  readonly sms_country_hourly_limit?: number | null;
  /** Claims added to the access tokens of users. */
  readonly custom_claims?: {
    readonly [name: string]: CustomClaim;
  } | null;
}

/** Email delivery settings to change. `null` removes a setting. */
export interface TenantEmailPatch {
  /** Provider of email delivery. */
  readonly provider?: 'smtp' | null;
  /** Host name or IP address of the mail server. */
  readonly smtp_host?: string | null;
  /** Port of the mail server. */
  readonly smtp_port?: number | null;
  /** User name at the mail server. */
  readonly smtp_username?: string | null;
  /** Password at the mail server. Always reads as `********`. If you change the host, port, security or user name, you must send it again. */
  readonly smtp_password?: string | null;
  /** `tls`: TLS from the start. `starttls`: STARTTLS is required. `none`: only for servers that the operator allows. Default: `tls` on port 465, otherwise `starttls`. */
  readonly smtp_security?: 'tls' | 'starttls' | 'none' | null;
  /** Sender of emails. */
  readonly from_address?: string | null;
  /** Name of the sender. Default: the company name. */
  readonly from_name?: string | null;
  /** Email address for replies. Default: `support_email` of the branding, or else the sender. */
  readonly reply_to?: string | null;
}

/** SMS delivery settings to change. `null` removes a setting. */
export interface TenantSmsPatch {
  /** Provider of text messages. `webhook`: your own service at `url`. */
  readonly provider?: 'twilio' | 'vonage' | 'webhook' | null;
  /** Account at the provider. For Vonage, the API key. */
  readonly account_sid?: string | null;
  /** Token of the account. For Vonage, the API secret. If you change the provider, account or `url`, you must send it again. Always reads as `********`. */
  readonly auth_token?: string | null;
  /** Sender: a number or name that the provider accepts. For Twilio, also the SID of a messaging service. */
  readonly from?: string | null;
  /** With `webhook`: URL that messages are posted to. For other providers: base URL of the provider’s API, if it differs from the default, as in a specific region. */
  readonly url?: string | null;
  /** With `webhook`: the secret that signs requests in the same way as webhooks, at least 16 characters. If you change the provider or `url`, you must send it again. Always reads as `********`. */
  readonly secret?: string | null;
}

/** Groups of settings to change. `null` removes a whole group. */
export interface TenantMessagingPatch {
  /** Email delivery settings to change. `null` removes a setting. */
  readonly email?: TenantEmailPatch | null;
  /** SMS delivery settings to change. `null` removes a setting. */
  readonly sms?: TenantSmsPatch | null;
}

/** The contents of a tenant, in numbers. */
export interface TenantDependents {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Number of users, counted up to 10,001. */
  readonly users: number;
  /** Number of live sessions, counted up to 10,001. */
  readonly sessions: number;
  /** Number of workspaces, counted up to 10,001. */
  readonly workspaces: number;
  /** Number of agents, counted up to 10,001. */
  readonly agents: number;
  /** Number of API keys that were not revoked, counted up to 10,001. */
  readonly api_keys: number;
  /** Number of OAuth clients, counted up to 10,001. */
  readonly clients: number;
  /** Number of webhooks, counted up to 10,001. */
  readonly webhooks: number;
  /** Number of entries of the audit log, counted up to 10,001. */
  readonly audit_entries: number;
}

/** The effect of a change that was not made. */
export interface TenantDryRun {
  /** Always `true`: nothing was changed. */
  readonly dry_run: true;
  readonly tenant: Tenant;
  /** Users who would be affected by the change. */
  readonly affected: readonly ({
    /** Name of the setting. */
    readonly setting: string;
    /** Number of affected users. */
    readonly users: number;
    /** Code of the effect. It does not change between versions. */
    readonly code: 'password_kept' | 'token_kept' | 'expiry_kept' | 'token_rejected' | 'issuer_rejected' | 'signed_out' | 'passkey_lost' | 'factor_to_add' | 'factor_missing' | 'factor_step_up' | 'email_to_verify' | 'email_missing' | 'verification_step_up' | 'method_missing' | 'method_step_up';
    /** Effect on these users, in English. */
    readonly effect: string;
  })[];
}

/** A running node. */
export interface InstallationNode {
  /** Random ID, new at each start. */
  readonly node_id: string;
  /** Name of the machine or container of the node. */
  readonly host: string;
  /** Version of the service on the node. */
  readonly version: string;
  /** Number of processes that share the node’s port (`KEYWRIGHT_WORKERS`). */
  readonly processes: number;
  /** When the node started (ISO 8601, UTC). */
  readonly started_at: string;
  /** When the node last renewed its lease. Nodes renew it every five minutes. */
  readonly seen_at: string;
}

/** Work that is waiting, across all tenants. */
export interface InstallationQueue {
  /** Type of work. */
  readonly name: 'webhooks' | 'messages' | 'logouts' | 'signals' | 'exports';
  /** Number of waiting items, including retries. 10,001 means more than 10,000. */
  readonly waiting: number;
  /** When the first counted item became due; `null` if none is due. */
  readonly late_since: string | null;
}

/** The nodes, database and queues of the installation. */
export interface Installation {
  /** Version of the node that responds. */
  readonly version: string;
  /** The running nodes, oldest first. A crashed node remains listed for up to eleven minutes. */
  readonly nodes: readonly InstallationNode[];
  /** The database. If it is unavailable, this route fails as well. */
  readonly database: {
    /** `embedded`: runs inside the process of the only node. */
    readonly engine: 'postgresql' | 'embedded';
    /** Version of PostgreSQL. */
    readonly version: string;
  };
  /** The database schema. */
  readonly schema: {
    /** Number of applied migrations. */
    readonly migrations: number;
    /** Name of the last applied migration. */
    readonly latest: string;
    /** Whether some migrations were applied by a version newer than that of the responding node. */
    readonly is_ahead: boolean;
  };
  /** The queues, one for each type of work. */
  readonly queues: readonly InstallationQueue[];
}

/** A token to act inside another tenant. */
export interface ImpersonationAnswer {
  /** A signed JWT for the other tenant. */
  readonly access_token: string;
  /** How the token is sent (RFC 6750). */
  readonly token_type: 'Bearer';
  /** Lifetime in seconds, at most 900. */
  readonly expires_in: number;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
}

/** An impersonation in the console: a system administrator acts inside a tenant. */
export interface Impersonation {
  /** ID of a tenant: `org_<slug>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Reason, recorded in the audit log. */
  readonly reason: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
  /** When the impersonation ends automatically. */
  readonly expires_at: string;
}

/** The text of one kind of message in one language. */
export interface MessageTemplate {
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** Purpose of the message. */
  readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
  /** A language tag, with script and region if needed (BCP 47). */
  readonly locale: string;
  /** The subject, with variables. `{{code}}` and `{{link}}` are not allowed. */
  readonly subject: string;
  /** Paragraphs with variables, separated by empty lines. A paragraph is left out if one of its variables has no value. The HTML part is generated from this text. */
  readonly text: string;
  /** Whether the tenant uses the default text. */
  readonly is_shipped: boolean;
}

/** A message to a user, without its text and secrets. */
export interface Message {
  /** ID of a message: `msg_<id>`. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The user who receives the message; `null` if the recipient is not a user, as in a test. */
  readonly user_id: string | null;
  /** Purpose of the message. */
  readonly kind: 'login' | 'verification' | 'recovery' | 'second_factor' | 'invitation' | 'notice.new_device' | 'notice.factor_added' | 'notice.factor_removed' | 'notice.password_changed' | 'notice.password_breached' | 'notice.identifier_added' | 'notice.identifier_removed' | 'notice.identifier_primary' | 'notice.identifiers_restored' | 'notice.recovery_begun' | 'notice.second_factor_refused' | 'notice.identity_linked' | 'notice.identity_unlinked' | 'notice.account_deleted' | 'notice.account_reclaimed' | 'notice.logins_changed';
  /** Delivery channel. */
  readonly channel: 'email' | 'sms';
  /** The recipient’s email address or phone number, masked. */
  readonly to: string;
  /** `pending`: an attempt is due or in progress. `sent`: the mail server or provider accepted the message. `not_sent`: no user has this identifier. */
  readonly status: 'pending' | 'sent' | 'failed' | 'expired' | 'not_sent';
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Error code of the last attempt, from the mail server; `null` if there was none. */
  readonly smtp_code: number | null;
  /** Why the last attempt failed: a code and a sentence, at most 200 characters. */
  readonly reason: string | null;
  /** Time of the next attempt; `null` if there is none. */
  readonly next_attempt_at: string | null;
  /** When the message was sent or given up; `null` if neither has happened. */
  readonly ended_at: string | null;
  /** When the service stops trying to send the message. */
  readonly expires_at: string;
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** A recipient that messages are not sent to. */
export interface Suppression {
  /** ID of the recipient within the tenant. */
  readonly id: string;
  /** ID of a tenant: `org_<slug>`. */
  readonly tenant_id: string;
  /** The recipient’s email address or phone number, masked. */
  readonly to: string;
  /** `bounce`: the mailbox does not exist, so no messages are sent to it. `complaint`: the owner reported an email, so no notices are sent to it. */
  readonly reason: 'bounce' | 'complaint';
  /** Creation time (ISO 8601, UTC). */
  readonly created_at: string;
}

/** Public signing keys of a tenant (RFC 7517, RFC 7518, RFC 8037). */
export interface JsonWebKeySet {
  /** Keys that sign now, will sign soon, or have signed tokens that are still valid. */
  readonly keys: readonly ({
    /** The key type (RFC 7518 §6.1, RFC 8037). */
    readonly kty: 'OKP' | 'RSA' | 'EC';
    /** The curve of an OKP or EC key. */
    readonly crv?: 'Ed25519' | 'P-256';
    /** The public key of an OKP key, or the x coordinate of an EC key. Base64url. */
    readonly x?: string;
    /** The y coordinate of an EC key. Base64url. */
    readonly y?: string;
    /** The modulus of an RSA key. Base64url. */
    readonly n?: string;
    /** The exponent of an RSA key. Base64url. */
    readonly e?: string;
    /** Key ID, as in the header of tokens. */
    readonly kid: string;
    /** Algorithm that the key signs with. Access tokens are signed only with EdDSA (Ed25519): accept no other algorithm for them. */
    readonly alg: 'EdDSA' | 'RS256' | 'ES256';
    /** Use of the key: signatures. */
    readonly use: 'sig';
  })[];
}

/** Metadata of a policy decision point (OpenID AuthZEN §9). */
export interface PolicyDecisionPointMetadata {
  /** Identifier that the URL of this document is derived from. */
  readonly policy_decision_point: string;
  /** Endpoint for single evaluations. */
  readonly access_evaluation_endpoint: string;
  /** Endpoint for batch evaluations. */
  readonly access_evaluations_endpoint: string;
}

/** Metadata of an OAuth 2.0 authorization server and OpenID provider (RFC 8414, OpenID Connect Discovery). Without `oauth_enabled`, it lists only what agents use. */
export interface AuthorizationServerMetadata {
  /** The `iss` of all tokens of the tenant. */
  readonly issuer: string;
  /** URL where clients get access tokens. */
  readonly token_endpoint: string;
  /** URL where clients introspect tokens (RFC 7662). */
  readonly introspection_endpoint: string;
  /** URL of the tenant’s public signing keys. */
  readonly jwks_uri: string;
  /** Values of `grant_type` that the token endpoint accepts. */
  readonly grant_types_supported: readonly string[];
  /** `none` is for grants that a token from an external issuer authenticates. */
  readonly token_endpoint_auth_methods_supported: readonly string[];
  /** Algorithms for `private_key_jwt`. */
  readonly token_endpoint_auth_signing_alg_values_supported: readonly string[];
  /** How agents and applications authenticate at the introspection endpoint. */
  readonly introspection_endpoint_auth_methods_supported: readonly string[];
  /** Algorithms for `private_key_jwt` at that endpoint. */
  readonly introspection_endpoint_auth_signing_alg_values_supported: readonly string[];
  /** Algorithms for DPoP proofs (RFC 9449 §5.1). */
  readonly dpop_signing_alg_values_supported: readonly string[];
  /** Algorithms for signed responses (RFC 9701). */
  readonly introspection_signing_alg_values_supported: readonly string[];
  /** Whether access tokens can be requested for a resource (RFC 8707). */
  readonly resource_indicators_supported: boolean;
  /** Supported types of authorization details (RFC 9396 §10), if there are any. */
  readonly authorization_details_types_supported?: readonly string[];
  /** Resources of the tenant (RFC 9728 §4), if there are any. */
  readonly protected_resources?: readonly string[];
  /** URL of the API reference. */
  readonly service_documentation: string;
  /** URL where browsers request an authorization code. */
  readonly authorization_endpoint?: string;
  /** URL where OAuth clients get claims about users. */
  readonly userinfo_endpoint?: string;
  /** URL where browsers sign out. */
  readonly end_session_endpoint?: string;
  /** URL where applications push authorization requests (RFC 9126). */
  readonly pushed_authorization_request_endpoint?: string;
  /** URL where native applications of the tenant log users in themselves (draft-ietf-oauth-first-party-apps). */
  readonly authorization_challenge_endpoint?: string;
  /** Types of assertions for other authorization servers that a login can be exchanged for. */
  readonly identity_chaining_requested_token_types_supported?: readonly string[];
  /** Types of assertions that are accepted. */
  readonly authorization_grant_profiles_supported?: readonly string[];
  /** URL where logins on devices without a browser start (RFC 8628). */
  readonly device_authorization_endpoint?: string;
  /** URL where applications register themselves (RFC 7591), if the tenant allows it. */
  readonly registration_endpoint?: string;
  /** Whether the URL of a metadata document can be a `client_id`. */
  readonly client_id_metadata_document_supported?: boolean;
  /** Whether all authorization requests must be pushed. */
  readonly require_pushed_authorization_requests?: boolean;
  /** URL where applications revoke tokens (RFC 7009). */
  readonly revocation_endpoint?: string;
  /** Whether clients are notified of logouts. */
  readonly backchannel_logout_supported?: boolean;
  /** Whether the notification identifies the session. */
  readonly backchannel_logout_session_supported?: boolean;
  /** Values of `response_type`. */
  readonly response_types_supported?: readonly string[];
  /** Values of `response_mode`. */
  readonly response_modes_supported?: readonly string[];
  /** Values of `code_challenge_method`. */
  readonly code_challenge_methods_supported?: readonly string[];
  /** Values of `prompt`. */
  readonly prompt_values_supported?: readonly string[];
  /** Values of `acr`. */
  readonly acr_values_supported?: readonly string[];
  /** Supported scopes of OpenID Connect. */
  readonly scopes_supported?: readonly string[];
  /** Languages of the pages. */
  readonly ui_locales_supported?: readonly string[];
  /** Algorithms for ID tokens. */
  readonly id_token_signing_alg_values_supported?: readonly string[];
  /** Whether claims can be requested individually. */
  readonly claims_parameter_supported?: boolean;
  /** Whether requests can be signed (RFC 9101). */
  readonly request_parameter_supported?: boolean;
  /** Algorithms for signed requests. */
  readonly request_object_signing_alg_values_supported?: readonly string[];
  /** Algorithms for signed responses (JARM). */
  readonly authorization_signing_alg_values_supported?: readonly string[];
  /** Whether requests can be passed by reference. */
  readonly request_uri_parameter_supported?: boolean;
  /** Whether responses identify their issuer (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean;
  /** How applications authenticate at the revocation endpoint. */
  readonly revocation_endpoint_auth_methods_supported?: readonly string[];
  /** Algorithms for `private_key_jwt` at that endpoint. */
  readonly revocation_endpoint_auth_signing_alg_values_supported?: readonly string[];
  /** Supported subject types. */
  readonly subject_types_supported?: readonly string[];
  /** Algorithms for signed responses of the userinfo endpoint. */
  readonly userinfo_signing_alg_values_supported?: readonly string[];
  /** Supported claims about users. */
  readonly claims_supported?: readonly string[];
}

/** Whether the service can handle requests. */
export interface Health {
  /** `degraded`: there are `problems`. `draining`: the process is shutting down. */
  readonly status: 'ok' | 'degraded' | 'draining';
  /** Whether this node can use the database as logins do: a test write was committed within the last few seconds. */
  readonly database: 'ok' | 'unavailable';
  /** `ok`: announcements of changes reach this process. `degraded`: they do not, as behind PgBouncer, and cached data is read again after half a second. Responses are correct in both cases. */
  readonly cache: 'ok' | 'degraded';
  /** Current time of the service (ISO 8601, UTC). */
  readonly timestamp: string;
  /** Problems that the operator must fix. Absent if there are none. */
  readonly problems?: readonly ({
    /** The problem. Logins still work on this node, as far as it knows, with `untrusted_proxy` (a proxy at an internal IP address sends `X-Forwarded-For` and is not in `KEYWRIGHT_TRUSTED_PROXIES`), with `tables_locked` (another transaction has locked tables or rows), with `connections_used_up`, and with `database_rejects` if logins do not need the rejected statement. With any other problem, logins fail and the status code is 503. */
    readonly code: 'untrusted_proxy' | 'database_unreachable' | 'database_read_only' | 'database_rejects' | 'disk_full' | 'data_folder' | 'settings' | 'failover' | 'clock' | 'write_unconfirmed' | 'connections_stuck' | 'connections_used_up' | 'tables_locked';
    /** The action that the operator should take. */
    readonly detail: string;
  })[];
}
