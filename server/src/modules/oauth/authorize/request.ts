import type { Acr } from '@keywright/contract/authentication';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { PendingDevice } from '../device-grants/index.ts';
import type { PushedUse } from '../pushed-requests/index.ts';
import type { KnownResources, TargetId } from '../resources/index.ts';

/** What an authorization request is judged by: the client that it names, as registered. */
export type RequestingClient = Pick<
  OAuthClientRecord,
  | 'id'
  | 'kind'
  | 'first_party'
  | 'redirect_uris'
  | 'grant_types'
  | 'scopes'
  | 'token_endpoint_auth_method'
  | 'is_active'
  | 'default_max_age'
  | 'authorization_details_types'
  | 'require_pkce'
  | 'id_token_signed_response_alg'
>;

/** What the tenant says about requests. */
export interface RequestPolicy {
  /** Which clients have to use PKCE: OAuth 2.1 all, OpenID Connect public ones only. */
  readonly pkce: 'all' | 'public';
  /** The tenant itself, as requests may name it. */
  readonly tenant: Pick<Tenant, 'audience' | 'issuer'>;
  /** What else access tokens can be for (RFC 8707). */
  readonly resources: KnownResources;
  /** Whether the client has to send it itself (RFC 9126). */
  readonly mustBePushed: boolean;
  /** Whether the user logs in inside the client: then nobody has to return to any address. */
  readonly isInApp?: boolean;
  /** What was found wrong before. */
  readonly objection?: Rejection | undefined;
}

export type ResponseMode = 'query' | 'form_post';

/** Where the response to a request goes. The address is one of the client's. */
export interface ReplyTo {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
  /** How the response is signed; undefined: it is not. */
  readonly signedFor?: { readonly clientId: OAuthClientId; readonly algorithm: KeyAlgorithm };
}

export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** Claims asked for by name (OpenID Connect Core §5.5): known ones only, with whether they are essential. */
export type WantedClaims = Readonly<Record<string, { readonly essential: boolean }>>;

/** A request that may be answered with a code, once its user has logged in and consented. */
export interface AuthorizationRequest extends ReplyTo {
  readonly clientId: OAuthClientId;
  /** What is asked for, within what the client may ask for. Never empty. */
  readonly scopes: readonly string[];
  /** What access tokens are asked for; empty: the tenant itself alone. */
  readonly targets: readonly TargetId[];
  /** What is asked for in particular (RFC 9396); without it nothing. */
  readonly details?: readonly AuthorizationDetail[];
  readonly nonce: string | undefined;
  /** SHA-256 of the code verifier, in base64url (RFC 7636 §4.2). */
  readonly challenge: string | undefined;
  /** Of the key that the code is bound to (RFC 9449 §10). */
  readonly jkt?: string;
  readonly prompts: readonly Prompt[];
  /** Seconds since the user authenticated, at most. */
  readonly maxAge: number | undefined;
  /** What is enough, the best first; empty: anything. */
  readonly acrValues: readonly Acr[];
  readonly claims: { readonly idToken: WantedClaims; readonly userinfo: WantedClaims };
  readonly loginHint: string | undefined;
  /** An ID token, not verified. */
  readonly idTokenHint: string | undefined;
  readonly uiLocales: readonly string[];
  /** What its code uses up, if the client pushed it. */
  readonly pushed?: PushedUse;
  /** The user logs in inside the client, and returns to no address. */
  readonly inApp?: true;
  /** Where it was begun, if that is a device without a browser: it is answered in place of an address (RFC 8628). */
  readonly device?: AskingDevice;
}

/** A device that waits for the answer. */
export interface AskingDevice {
  readonly id: PendingDevice['id'];
  /** As the device shows it. */
  readonly userCode: string;
  /** Of the device. */
  readonly address: string;
  /** When it asked, in seconds since 1970. */
  readonly begunAt: number;
}

/** A request that demands nothing but what it is for. */
export const PLAIN_REQUEST = {
  responseMode: 'query',
  targets: [],
  state: undefined,
  nonce: undefined,
  challenge: undefined,
  prompts: [],
  maxAge: undefined,
  acrValues: [],
  claims: { idToken: {}, userinfo: {} },
  loginHint: undefined,
  idTokenHint: undefined,
  uiLocales: [],
} as const satisfies Partial<AuthorizationRequest>;

/**
 * Errors that the client is told of (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC 8707 §2, RFC 9101 §7, RFC 9470
 * §4).
 */
export type AuthorizationError =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_authorization_details'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'account_selection_required'
  | 'request_not_supported'
  | 'invalid_request_object'
  | 'request_uri_not_supported'
  | 'invalid_request_uri'
  | 'registration_not_supported'
  | 'unmet_authentication_requirements';

/** Something is wrong with the request. `description` contains nothing of it. */
export interface Rejection {
  readonly error: AuthorizationError;
  readonly description: string;
}

/** What becomes of a request. */
export type Verdict =
  | { readonly kind: 'sound'; readonly request: AuthorizationRequest }
  /** The client is told. */
  | { readonly kind: 'rejected'; readonly to: ReplyTo; readonly rejection: Rejection }
  /** Nobody but the user can be told: where to return to is not known for sure. */
  | {
      readonly kind: 'page';
      readonly reason: PageReason;
      /** What is wrong, for the developers of the client. */
      readonly detail?: string;
    };

export type PageReason =
  | 'client_unknown'
  | 'document_unusable'
  | 'redirect_uri_unknown'
  | 'parameter_repeated'
  | 'request_uri_unknown';
